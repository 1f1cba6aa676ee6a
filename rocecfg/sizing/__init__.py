"""What the numbers of a device come to: headroom, pools, alpha and ECN thresholds, each with its working.

Physics knows formulas, profiles know figures; here the two meet for one kind of device. Nothing is guessed: where a
figure is unknown the answer is None, and says so. Nothing is imported here: a policy needs none of it.
"""
