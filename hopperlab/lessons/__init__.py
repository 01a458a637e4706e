"""Lessons: one thin module a theme, whose panels call models and views."""
