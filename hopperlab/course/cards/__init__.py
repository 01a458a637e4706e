"""Cards: the widgets of predictions, quizzes and exercises. Thin: they show, and call."""
