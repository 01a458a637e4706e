"""Predictions, quizzes and exercises: what a learner commits, tries and is told."""
