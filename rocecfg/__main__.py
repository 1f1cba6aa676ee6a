"""`python -P -m rocecfg`; without -P a `rocecfg.py` or `importlib.py` of the current folder is run instead."""

from rocecfg.cli import main

if __name__ == "__main__":
    main()
