"""Referees: whether a switch's own model takes a configuration, whoever wrote it.

They judge text by what vendors publish, or by what is known of their systems from elsewhere, and share nothing with
the readers and writers of `rocecfg.vendors`: a mistake there must not excuse itself here. `NAME.py` judges for the
vendor of that name, and is loaded when there is something to judge.
"""
