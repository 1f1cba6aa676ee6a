"""What is wrong in a configuration of NVUE beyond single settings, and what of it is read and not judged."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.model.stated import Problem
from rocecfg.vendors.spectrum.reading import (
    check_buffers,
    check_maps,
    check_ports,
    check_profiles,
    check_queues,
    check_unread,
)
from rocecfg.vendors.spectrum.reading.known import Known


def problems_of(known: Known) -> Iterator[Problem]:
    """Everything that reading finds, beside what is wrong with single settings."""
    for check in (
        *check_profiles.CHECKS,
        *check_ports.CHECKS,
        *check_buffers.CHECKS,
        *check_maps.CHECKS,
        *check_queues.CHECKS,
        *check_unread.CHECKS,
    ):
        yield from check(known)
