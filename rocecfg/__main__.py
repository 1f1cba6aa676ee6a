"""`python -m rocecfg`."""

from rocecfg.cli import main

if __name__ == "__main__":
    main()
