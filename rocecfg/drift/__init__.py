"""Drift: what an intent means against what each switch runs, compared in the model and not as text."""
