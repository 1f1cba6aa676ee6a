"""A team's own rules as data beside the intent, and the paths that they and a team's tests speak of.

`rocecfg.house.files` says where they stand; `rocecfg.house.rules` makes rules of them, loaded where there are any.
"""
