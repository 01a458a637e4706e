"""Lessons: one thin module a theme, whose panels call models and views. Importing one lets cells show runs."""

from hopperlab.lessons.runs import register

register()
