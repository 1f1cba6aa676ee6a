"""The tree of SR Linux, and what it sets."""
