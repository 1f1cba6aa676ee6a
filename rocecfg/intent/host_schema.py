"""The section `hosts` of the intent: what is stated of hosts, and of the NICs in them."""

from __future__ import annotations

from rocecfg.intent.shapes import PORTS, Key, Keyed, Listed, Obj, make_inheritable
from rocecfg.intent.types import LENGTH, MICROSECONDS, RATE, SIZE, VERSION, Bool, Int, Profile, Words

_PRIORITIES = Listed(Int(0, 7, "schema-priority-range"), unique="schema-priority-range", order="hygiene-order")
_DSCP = Int(0, 63, "schema-dscp-range")
_BYTE = Int(0, 255)
_BOOL = Bool()
_CARD = Profile("nics", "network card", "its speed, features and commands are unknown, so not checked")

_OF_NICS = {
    "rdma_dscp": Key(_DSCP, "DSCP of RDMA packets", "dscp rocedscp"),
    "cnp_dscp": Key(_DSCP, "DSCP of CNPs"),
    "pfc_priorities": Key(_PRIORITIES, "priorities with PFC on the NIC", "pfc pfcprio pfcpriority priority priorities"),
    "trust": Key(Words("dscp", "pcp"), "what the NIC classifies by"),
    "cable_len": Key(LENGTH, "cable length set in the NIC", "cable cablelength length"),
    "firmware": Key(VERSION, "NIC firmware"),
    "tos": Key(_BYTE, "ToS byte forced by the NIC or rdma_cm", "rdmatos rocetos trafficclass"),
    "cnp_interval": Key(MICROSECONDS, "least time between two CNPs"),
    "buffer": Key(SIZE, "receive buffer"),
    "mtu": Key(Int(68, 65535), "IP MTU, bytes"),
    "global_pause": Key(_BOOL, "802.3x pause on the NIC"),
    "storm_prevention": Key(_BOOL, "NIC stops sending pauses when it hangs"),
    "selective_repeat": Key(_BOOL, "NIC retransmits single packets"),
    "adaptive_routing": Key(
        _BOOL, "NIC takes packets of a queue pair in any order (ConnectX, BlueField: ROCE_ADAPTIVE_ROUTING_EN)"
    ),
    "lldp_agents": Key(
        Listed(Words("firmware", "os"), single=True, unique="schema-value"),
        "what sends LLDP on the NIC: its firmware (ConnectX: LLDP_NB_TX_MODE), the host's own agent, or both",
    ),
    "ecn": Key(Words("on", "off"), "DCQCN of the NIC for RDMA: answers marks with CNPs, and CNPs with a lower rate"),
}
NIC = Obj(
    "a kind of NIC",
    {
        "kind": Key(_CARD, "a file of profiles/nics/; default: the host's `nic`"),
        "speed": Key(RATE, "port speed"),
        **make_inheritable(_OF_NICS),
    },
)
_NIC_PORT = Obj("a NIC port", {"rail": Key(Int(0, 1023), "rail"), "speed": Key(RATE, "port speed")})
HOST = Obj(
    "a host",
    {
        "nic": Key(_CARD, "a file of profiles/nics/"),
        "nics": Key(
            Keyed("kinds of NIC", PORTS, NIC),
            "for a host with several kinds of NIC: what differs, by their ports as `links` names them; settings of "
            "the host apply to all of them",
        ),
        "gpus": Key(Int(0, 1024), "GPUs in the host"),
        "ports": Key(Keyed("NIC ports", PORTS, _NIC_PORT), "NIC ports"),
        **make_inheritable(_OF_NICS),
        "gpu_initiated": Key(
            Listed(Words("nccl", "nvshmem", "mori"), single=True, unique="schema-value"),
            "libraries whose GPU kernels post to the NIC directly (NCCL's GIN by GDAKI, NVSHMEM's IBGDA, mori): no "
            "ToS that the NIC forces reaches their queue pairs",
        ),
        "nccl_ib_tc": Key(_BYTE, "NCCL_IB_TC: ToS byte that NCCL asks for, DSCP x 4 + 2"),
        "nccl_gin_ib_tc": Key(_BYTE, "NCCL_GIN_IB_TC: that of NCCL's GPU-initiated networking; default: `nccl_ib_tc`"),
        "nccl_ib_fifo_tc": Key(_BYTE, "NCCL_IB_FIFO_TC: that of NCCL's clear-to-send messages; default: `nccl_ib_tc`"),
        "nccl_ib_adaptive_routing": Key(
            _BOOL,
            "NCCL_IB_ADAPTIVE_ROUTING: NCCL sends data and completion separately, for networks that reorder packets; "
            "by default, NCCL does so on InfiniBand, but not on RoCE",
        ),
        "nvshmem_ib_traffic_class": Key(_BYTE, "NVSHMEM_IB_TRAFFIC_CLASS: ToS byte that NVSHMEM asks for"),
        "mori_rdma_tc": Key(_BYTE, "MORI_RDMA_TC: ToS byte that mori asks for"),
        "ucx_ib_traffic_class": Key(_BYTE, "UCX_IB_TRAFFIC_CLASS: ToS byte that UCX asks for"),
        "qps": Key(Int(1, 10**9), "queue pairs per peer"),
        "ib_timeout": Key(Int(0, 31), "exponent of the ACK timeout, 4.096 us * 2^n (NCCL_IB_TIMEOUT); 0: none"),
        "ib_retry": Key(Int(0, 7), "retransmissions before a connection fails (NCCL_IB_RETRY_CNT)"),
    },
)
