"""A team's own rules as data beside the intent, and the paths that they and a team's tests speak of.

`files` says where they stand; `rules` makes rules of them, loaded where there are any.
"""
