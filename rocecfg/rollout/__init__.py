"""Rollout: the ordered plan from what switches run, or an older intent, to what an intent means."""
