"""DCQCN's parameters by network card: the papers', or what a profile of `profiles/nics/` has of a card's firmware."""

from __future__ import annotations

from fractions import Fraction

from rocecfg.core.units import parse_rate, parse_size, parse_time
from rocecfg.model import Nic
from rocecfg.physics.dcqcn import PAPER, Params

NEEDED = ("alpha_gain", "alpha_update", "rate_cut", "ai_rate", "hai_rate", "timer", "byte_counter", "fast_recovery")
"""Figures of a profile's `dcqcn` without which a card's senders are unknown; `min_rate` is 1 Mbit/s unless stated."""


class UnknownCard(ValueError):
    """A card's parameters are not known; the text says which."""


def card_parameters(nic: Nic | None) -> Params:
    """What a card's senders do; the papers' senders where None. Raises UnknownCard.

    A sender cuts its rate at most once in the longer of the receiver's interval between CNPs and its own period between
    cuts. Feedback delay and packet size are those of the paper: no card has them.
    """
    if nic is None:
        return PAPER
    known = nic.dcqcn
    missing = [name for name in NEEDED if name not in known]
    if missing:
        raise UnknownCard(f"profile {nic.file} has no figure for {', '.join(missing)} of DCQCN: nobody publishes it")
    return PAPER._replace(
        g=float(Fraction(known["alpha_gain"])),
        r_ai=float(parse_rate(known["ai_rate"])),
        r_hai=float(parse_rate(known["hai_rate"])),
        least=float(parse_rate(known.get("min_rate", "1M"))),
        byte_counter=float(parse_size(known["byte_counter"])),
        timer_us=parse_time(known["timer"]) * 1e3,
        tau_us=max(parse_time(known["rate_cut"]), nic.cnp_interval or 0) * 1e3,
        tau_alpha_us=parse_time(known["alpha_update"]) * 1e3,
        f=int(known["fast_recovery"]),
    )
