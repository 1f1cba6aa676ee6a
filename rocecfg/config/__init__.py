"""A team's settings: `rocecfg.toml` or `[tool.rocecfg]`, read with the place of every value, and what they amount to.

Below the engine, above the rules: it names rules and files, and knows nothing of findings. Nothing is imported here,
since `find` alone is loaded where there are no settings.
"""
