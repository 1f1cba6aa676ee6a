"""What rocecfg would set on each kind of lossless port, and what a model of DCQCN predicts of both."""
