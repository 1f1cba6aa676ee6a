"""The part of a vendor's package that changes a running configuration, by the name that all vendors have for it."""

from rocecfg.vendors.sonic.change import changes

__all__ = ["changes"]
