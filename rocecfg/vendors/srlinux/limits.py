"""What SR Linux says of queues and MTUs by itself, and the arithmetic between its units and those of an intent."""

from __future__ import annotations

ETHERNET = 14  # bytes of a frame's header, which a port's MTU counts; a tag adds 4
TAG = 4
OWN_PORT_MTU, OWN_IP_MTU = 9232, 1500  # /system/mtu, where nothing is said (srl_nokia-mtu)
OWN_PAUSE = 51200  # bytes: maximum-burst-size of a PFC queue, where nothing is said
DETECTION, RECOVERY = 750, 750  # ms: of deadlock, where nothing is said
OWN_RESERVATION = 1  # percent of the buffer for headroom: pfc-buffer-reservation, where nothing is said
TCS = range(8)
DEFAULT_MAP = "the default one sorts its packets, with DSCP 24 to 31 in fc3 and 48 to 55 in fc6"


def own_class_of(dscp: int) -> int:
    """The class that the default policy gives a DSCP: 24 to 31 to fc3, 48 to 55 to fc6 (Nokia, QoS, 21.3)."""
    return dscp >> 3
