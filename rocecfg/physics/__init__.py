"""What follows from numbers alone: pure functions, each with its formula, units and source.

Nothing else of rocecfg is used here.
"""
