"""The words for traffic that rules know, and what a word that they do not know most likely stands for.

A word that is neither is unknown: it may stand for RDMA or for anything else, and no rule takes it for a fact.
"""

from __future__ import annotations

KINDS_OF_TRAFFIC = (
    "rdma",
    "cnp",
    "storage",
    "management",
    "kubernetes",
    "control",
    "multicast",
    "telemetry",
    "default",
)
_KNOWN = frozenset(KINDS_OF_TRAFFIC)
_SYNONYMS = {  # without hyphens, dots and underscores
    **dict.fromkeys(("roce", "rocev1", "rocev2", "rocee", "rroce", "rdmacm", "ibverbs", "verbs", "iboe"), "rdma"),
    **dict.fromkeys(("nccl", "rccl", "msccl", "collectives", "gpu", "gpus", "gpudirect", "gdr"), "rdma"),
}


def fold_kind(word: str) -> str:
    """A known word in small letters, as rules ask for it; any other as it is written."""
    folded = word.casefold()
    return folded if folded in _KNOWN else word


def is_known_kind(word: str) -> bool:
    """Whether rules know this kind of traffic."""
    return word in _KNOWN


def find_meant_kind(word: str) -> str | None:
    """The known kind that an unknown word is another name of; None: it is unknown."""
    return _SYNONYMS.get(word.casefold().translate({ord(mark): None for mark in "-_."}))
