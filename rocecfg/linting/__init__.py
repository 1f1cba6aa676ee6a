"""Judging fabrics: which files belong together, which rules run, what is folded, what is waived."""
