"""The page that `rocecfg report` writes: findings, and the fabric, its buffers and its classes drawn."""
