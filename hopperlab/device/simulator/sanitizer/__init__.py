"""The sanitizer: what happened before what, what memory remembers, and the findings that follow from it."""
