"""Arista EOS, both chip families: strata (Broadcom XGS) and sand (Broadcom DNX)."""
