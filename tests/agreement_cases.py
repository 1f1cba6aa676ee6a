"""Intents that each break one limit of a system, for test_render_refuses."""

from __future__ import annotations

HERE = "# <-"  # the line of the finding
SECTIONS = {
    "fabric": "fabric: {name: t}",
    "rdma": "carries: [rdma]\n    dscp: 26\n    priority: 3\n    lossless: true",
    "share": "bandwidth: 60",
    "ecn": "ecn: {kmin: 400KB, kmax: 1600KB, pmax: 5%}",
    "default": "default: {carries: [default], dscp: rest, priority: 0, bandwidth: 40}",
    "more": "",
    "pfc": "pfc: {watchdog: {detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}}",
    "rest": "",
    "first": "",
    "second": "",
}
SWITCHES = {
    "sonic": ("platform: arista-7060x6-64pe\n  version: '202405'", "Ethernet0", "Ethernet8"),
    "spectrum": ("platform: nvidia-sn5600\n  version: '5.14'", "swp1", "swp2"),
    "arista": ("platform: arista-7060x6-64pe\n  version: 4.33.2F", "Ethernet1/1", "Ethernet2/1"),
    "junos": ("platform: juniper-qfx5240-64od\n  version: 23.4R2", "et-0/0/0", "et-0/0/1"),
    "nxos": ("platform: cisco-9332d-gx2b\n  version: '10.5(1)'", "Ethernet1/1", "Ethernet1/2"),
}
CURVES = {"junos": "ecn: {kmin: 55%, kmax: 90%, pmax: 100%}"}  # thresholds in percent of the queue's buffer
OWN_TIMES = {"pfc": "pfc: {watchdog: vendor-default}"}  # a watchdog whose times nothing sets
DYNAMIC = "platform: nvidia-sn5600\n  version: '202405'"
SAND = "platform: arista-7808r3\n  version: 4.33.2F"
SHARED = "{carries: [our-own], dscp: 20, priority: 1, "  # a class of a word that no other rule minds


def written(vendor: str, stated: dict[str, str]) -> str:
    """A sound intent in which sections are replaced; continuation lines come indented."""
    assert set(stated) <= {*SECTIONS, "switch"}
    part = {**SECTIONS, "ecn": CURVES.get(vendor, SECTIONS["ecn"]), **stated}
    switch, first, second = SWITCHES[vendor]
    if "arista-7808r3" in stated.get("switch", ""):
        first, second = "Ethernet3/1/1", "Ethernet3/2/1"
    return f"""rocecfg: 1
{part["fabric"]}
classes:
  rdma:
    {part["rdma"]}
    {part["share"]}
    {part["ecn"]}
  cnp: {{carries: [cnp], dscp: 48, priority: 6, bandwidth: strict}}
  control: {{carries: [control], dscp: 56, priority: 7, bandwidth: strict}}
  {part["default"]}
  {part["more"]}
{part["pfc"]}
{part["rest"]}
defaults:
  vendor: {vendor}
  {stated.get("switch", switch)}
devices:
  leaf01:
    ports:
      {first}:
        speed: 400G
        cable: 5m
        {part["first"]}
      {second}:
        speed: 400G
        cable: 5m
        {part["second"]}
"""


def pair(first: str, second: str) -> str:
    """Section more with two classes on queue 1 and what each says besides its share."""
    return (
        f"own: {{carries: [our-own], dscp: 20, priority: 1, bandwidth: 20{first}\n"
        f"  own2: {{carries: [our-own], dscp: 21, priority: 2, queue: 1, bandwidth: 20{second}"
    )


def dog(**changed: str) -> str:
    """Section pfc with each timer on a line; the changed one is marked."""
    timers = {"detection_time": "200ms", "restoration_time": "400ms", "poll_interval": "100ms", "action": "drop"}
    lines = [f"    {key}: {changed.get(key, value)}{HERE * (key in changed)}" for key, value in timers.items()]
    lines += [f"    {key}: {value} {HERE}" for key, value in changed.items() if key not in timers]
    return "\n".join(["pfc:", "  watchdog:", *lines]).replace(HERE, f" {HERE}")


def curve(**changed: str) -> str:
    points = {"kmin": "400KB", "kmax": "1600KB", "pmax": "5%", **changed}
    return "\n".join(["ecn:", *(f"      {k}: {v}{f' {HERE}' * (k in changed)}" for k, v in points.items())])


def share(**changed: str) -> str:
    """As `curve`, with thresholds in percent of the queue's buffer."""
    return curve(**changed).replace("400KB", "55%").replace("1600KB", "90%")


ROOMY = "pfc:\n          headroom: {size: 40KB, xon: 1KB, xoff: 20KB}"
ROOM = "pfc:\n          headroom:\n            size: 40KB"
LOW = "ecn: {kmin: 1KB, kmax: 2KB, pmax: 5%}"
HIGH = "ecn: {kmin: 1KB, kmax: 3KB, pmax: 5%}"
PERCENT = CURVES["junos"]
RULED = "carries: [our-own]\n    dscp: 26\n    priority: 3\n    lossless: true"  # RDMA's own rules say nothing of it
BULK = {
    "default": "default: {carries: [default], dscp: rest, priority: 0, bandwidth: 20}",
}

CASES: dict[str, tuple[str, dict[str, str], str]] = {
    # SONiC
    "sonic action": ("sonic", {"pfc": dog(action="errdisable")}, "watchdog.action errdisable: PFC_WD knows"),
    "sonic half ms": ("sonic", {"pfc": dog(detection_time="250.5ms")}, "whole milliseconds"),
    "sonic slow": (
        "sonic",
        {"pfc": dog(detection_time="6s")},
        "accepts watchdog.detection_time from 100ms to 5000ms, not 6000ms",
    ),
    "sonic two polls": (
        "sonic",
        {"second": f"pfc:\n          watchdog:\n            poll_interval: 200ms {HERE}"},
        "poll_interval by port (100ms and 200ms)",
    ),
    "sonic default and own": (
        "sonic",
        {"second": f"pfc:\n          watchdog: vendor-default {HERE}"},
        "watchdog by port (vendor-default and own timers)",
    ),
    "sonic forward on Cisco": (
        "sonic",
        {"pfc": dog(action="forward"), "switch": "asic: silicon-one-g200\n  version: '202405'"},
        "cannot express watchdog.action forward: orchagent refuses",
    ),
    "sonic pause": ("sonic", {"second": f"classes: [default]\n        flowcontrol: rx {HERE}"}, "flowcontrol rx"),
    "sonic voq": (
        "sonic",
        {"switch": f"platform: arista-7060x6-64pe\n  switch_type: voq {HERE}"},
        "SONiC 202505 (assumed) cannot express switch_type voq",
    ),
    "sonic pmax": ("sonic", {"ecn": curve(pmax="2.5%")}, "ecn.pmax 2.5%: the marking probability is a whole"),
    "sonic kmax": ("sonic", {"ecn": curve(kmax="3GB")}, "accepts ecn.kmax up to"),
    "sonic no colour": ("sonic", {"ecn": curve(colors="[]")}, "ecn.colors none"),
    "sonic two curves": (
        "sonic",
        {
            **BULK,
            "more": pair(f", {LOW}}}", f", {HIGH}}} {HERE}"),
        },
        "different ecn on a queue (queue 1: own, own2)",
    ),
    "sonic two shares": (
        "sonic",
        {"more": f"ops: {{carries: [control], dscp: 40, priority: 5, queue: 7, bandwidth: 0}} {HERE}"},
        "different bandwidth on a queue (queue 7: control, ops)",
    ),
    "sonic two priority groups": (
        "sonic",
        {"more": f"ops: {{carries: [control], dscp: 40, priority: 5, tc: 6, bandwidth: strict}} {HERE}"},
        "different priority groups of one TC (TC 6: cnp, ops)",
    ),
    "sonic rate alone": (
        "sonic",
        {"more": f"own: {SHARED}guaranteed: 10G}} {HERE}"},
        "guaranteed without bandwidth (own)",
    ),
    "sonic rate of a part": (
        "sonic",
        {
            **BULK,
            "more": pair(f", max_rate: 10G}} {HERE}", "}"),
        },
        "max_rate for part of a queue (queue 1: own, own2)",
    ),
    "sonic two rates": (
        "sonic",
        {
            **BULK,
            "more": pair(", max_rate: 10G}", f", max_rate: 20G}} {HERE}"),
        },
        "different max_rate on a queue (queue 1: own, own2)",
    ),
    "sonic max below least": (
        "sonic",
        {**BULK, "more": f"own: {SHARED}bandwidth: 20, max_rate: 10%, guaranteed: 50G}} {HERE}"},
        "max_rate below guaranteed (40G below 50G)",
    ),
    "sonic slowest rate": (
        "sonic",
        {**BULK, "more": f"own: {SHARED}bandwidth: 20, max_rate: 7bit/s}} {HERE}"},
        "max_rate from 8",
    ),
    "sonic slowest percent": (
        "sonic",
        {**BULK, "more": f"own: {SHARED}bandwidth: 20, max_rate: 0.000000001%}} {HERE}"},
        "max_rate of the port's speed from 8",
    ),
    "sonic weight 0": (
        "sonic",
        {**BULK, "share": "bandwidth: 79.7", "more": f"own: {SHARED}bandwidth: 0.3}} {HERE}"},
        "accepts bandwidth from 0.5% to 100%, not 0.3%",
    ),
    "sonic numbers": (
        "sonic",
        {
            "switch": DYNAMIC,
            "rdma": f"carries: [rdma]\n    dscp: 26\n    priority: 3\n    lossless: true\n    pg: 4 {HERE}",
        },
        "pg of a lossless class (4 for priority 3)",
    ),
    "sonic alpha": (
        "sonic",
        {"switch": DYNAMIC, "rest": f"buffers:\n  alpha: 3 {HERE}"},
        "buffers.alpha 3: dynamic_th",
    ),
    "sonic oversubscribe": (
        "sonic",
        {"switch": DYNAMIC, "rest": f"buffers:\n  oversubscribe: 2.5 {HERE}"},
        "oversubscribe 2.5",
    ),
    "sonic small packets": (
        "sonic",
        {"switch": DYNAMIC, "rest": f"buffers:\n  small_packets: 12.5% {HERE}"},
        "small_packets 12.5%: small_packet_percentage is a whole",
    ),
    "sonic lossless MTU": (
        "sonic",
        {"switch": DYNAMIC, "rest": f"buffers:\n  lossless_mtu: 9217B {HERE}"},
        "accepts buffers.lossless_mtu from 1B to 9KiB",
    ),
    "sonic size alone": (
        "sonic",
        {"rest": "buffers: {alpha: 1}", "second": f"pfc:\n          headroom: 40KB {HERE}"},
        "headroom without xon and xoff",
    ),
    "sonic headroom needs alpha": (
        "sonic",
        {
            "switch": "asic: silicon-one-g200\n  version: '202405'",
            "rest": "buffers: {model: traditional}",
            "second": ROOMY + f" {HERE}",
        },
        "headroom without buffers.alpha",
    ),
    "sonic headroom beside the table's": (
        "sonic",
        {"switch": "platform: arista-7060x6-64pe\n  version: '202511'", "second": ROOMY + f" {HERE}"},
        "different headroom for one speed and cable (400G, 5 m)",
    ),
    "sonic headroom in a static pool": (
        "sonic",
        {"switch": "platform: dell-s5248f\n  hwsku: DellEMC-S5248f-P-25G", "second": ROOMY + f" {HERE}"},
        "headroom in a static pool: a profile needs a limit in bytes",
    ),
    "sonic one ingress pool": (
        "sonic",
        {
            "switch": "platform: nvidia-sn4600c\n  hwsku: Mellanox-SN4600C-C64\n  version: '202411'",
            "rest": f"buffers:\n  pools:\n    lossless: 60% {HERE}",
        },
        "buffers.pools of one ingress pool: its HwSKU has one",
    ),
    "sonic pools before 202405": (
        "sonic",
        {
            "switch": "platform: nvidia-sn5600\n  version: '202311'",
            "rest": f"buffers:\n  pools:\n    lossy: 40% {HERE}",
        },
        "SONiC 202311 cannot express buffers.pools: BUFFER_POOL has a percentage from 202405 only",
    ),
    "sonic half a percent": (
        "sonic",
        {"switch": DYNAMIC, "rest": f"buffers:\n  pools:\n    lossless: 50.5% {HERE}"},
        "buffers.lossless_pool 50.5%: percentage is a whole number",
    ),
    "sonic pools together": (
        "sonic",
        {"switch": DYNAMIC, "rest": f"buffers:\n  pools:\n    lossless: 60% {HERE}\n    lossy: 60%"},
        "accepts buffers.pools together up to 100%, not 120%",
    ),
    "sonic whole pool": (
        "sonic",
        {"switch": DYNAMIC, "rest": f"buffers:\n  pools:\n    lossless: 100% {HERE}"},
        "accepts buffers.lossless_pool alone up to 99%",
    ),
    "sonic shared headroom on and off": (
        "sonic",
        {"switch": DYNAMIC, "rest": f"buffers:\n  shared_headroom: off\n  oversubscribe: 2 {HERE}"},
        "buffers.oversubscribe beside shared_headroom off: a ratio above 0",
    ),
    "sonic two headrooms": (
        "sonic",
        {
            "rest": "buffers: {alpha: 1}",
            "first": ROOMY,
            "second": ROOMY.replace("40KB", "50KB") + f" {HERE}",
        },
        "different headroom for one speed and cable (400G, 5 m)",
    ),
    # NVIDIA Spectrum
    "spectrum old": (
        "spectrum",
        {"switch": f"asic: spectrum4\n  version: '5.2' {HERE}"},
        "5.2 cannot express qos: NVUE has no mapping",
    ),
    "spectrum watchdog": (
        "spectrum",
        {"switch": "asic: spectrum4\n  version: '5.5'", "pfc": SECTIONS["pfc"] + f" {HERE}"},
        "watchdog on: NVUE has no PFC watchdog before 5.6",
    ),
    "spectrum action": ("spectrum", {"pfc": dog(action="alert")}, "watchdog.action alert"),
    "spectrum poll": ("spectrum", {"pfc": dog(poll_interval="150.5ms")}, "poll_interval 150.5ms: the polling interval"),
    "spectrum polls": (
        "spectrum",
        {"pfc": dog(detection_time="3min")},
        "accepts watchdog.robustness from 1 to 1000, not 1800",
    ),
    "spectrum two counts": (
        "spectrum",
        {"second": f"pfc:\n          watchdog:\n            detection_time: 500ms {HERE}"},
        "watchdog.robustness by port (2 and 5)",
    ),
    "spectrum two polls": (
        "spectrum",
        {"second": f"pfc:\n          watchdog:\n            poll_interval: 200ms {HERE}"},
        "poll_interval by port (100ms and 200ms)",
    ),
    "spectrum default and own": (
        "spectrum",
        {"second": f"pfc:\n          watchdog: vendor-default {HERE}"},
        "watchdog by port",
    ),
    "spectrum pause": ("spectrum", {"second": f"classes: [default]\n        flowcontrol: on {HERE}"}, "flowcontrol on"),
    "spectrum pmax": ("spectrum", {"ecn": curve(pmax="2.5%")}, "ecn.pmax 2.5%"),
    "spectrum weight": ("spectrum", {"ecn": curve(weight="3")}, "ecn.weight 3: NVUE has no averaging"),
    "spectrum colors": ("spectrum", {"ecn": curve(colors="[green]")}, "ecn.colors green"),
    "spectrum bandwidth": (
        "spectrum",
        {
            "default": "default: {carries: [default], dscp: rest, priority: 0, bandwidth: 39.5}",
            "share": f"bandwidth: 60.5 {HERE}",
        },
        "bandwidth 60.5%: bw-percent is a whole",
    ),
    "spectrum bandwidth 0": (
        "spectrum",
        {"more": f"own: {SHARED}bandwidth: 0, guaranteed: 10G}} {HERE}"},
        "accepts bandwidth from 1% to 100%, not 0%",
    ),
    "spectrum no share": (
        "spectrum",
        {"more": f"own: {SHARED}guaranteed: 10G}} {HERE}"},
        "bandwidth for part of the queues (own has none)",
    ),
    "spectrum two shares": (
        "spectrum",
        {"more": f"ops: {{carries: [control], dscp: 40, priority: 5, queue: 7, bandwidth: 0}} {HERE}"},
        "different bandwidth on a queue (queue 7: control, ops)",
    ),
    "spectrum slow rate": (
        "spectrum",
        {**BULK, "more": f"own: {SHARED}bandwidth: 20, max_rate: 500bit/s}} {HERE}"},
        "max_rate from 1K to",
    ),
    "spectrum rate of a part": (
        "spectrum",
        {
            **BULK,
            "more": pair(f", max_rate: 10G}} {HERE}", "}"),
        },
        "max_rate for part of a queue",
    ),
    "spectrum shaper": (
        "spectrum",
        {
            **BULK,
            "switch": "asic: spectrum4\n  version: '5.3'",
            "pfc": "pfc: {watchdog: off}",
            "more": f"own: {SHARED}bandwidth: 20, max_rate: 10G}} {HERE}",
        },
        ": NVUE has no egress shaper before 5.4",
    ),
    "spectrum two curves": (
        "spectrum",
        {
            **BULK,
            "more": pair(f", {LOW}}}", f", {HIGH}}} {HERE}"),
        },
        "different ecn on a queue",
    ),
    "spectrum lossy among lossless": (
        "spectrum",
        {"more": f"own: {SHARED}queue: 3, bandwidth: 60}} {HERE}"},
        "lossless and lossy classes on a queue (queue 3: rdma, own)",
    ),
    "spectrum two queues": (
        "spectrum",
        {**BULK, "more": f"own: {{carries: [our-own], dscp: 20, priority: 0, queue: 1, bandwidth: 20}} {HERE}"},
        "different queues of one priority (priority 0: default, own)",
    ),
    "spectrum lossy on a lossless priority": (
        "spectrum",
        {"more": f"own: {{carries: [our-own], dscp: 20, priority: 3, bandwidth: 60}} {HERE}"},
        "lossless and lossy classes on a priority (priority 3: rdma, own)",
    ),
    "spectrum lossy fabric": (
        "spectrum",
        {
            "fabric": "fabric: {name: t, mode: lossy}",
            "rdma": f"carries: [rdma]\n    dscp: 26\n    priority: 3\n    lossless: true {HERE}",
        },
        "a lossless class in a lossy fabric",
    ),
    "spectrum alpha": ("spectrum", {"rest": f"buffers:\n  alpha: 3 {HERE}"}, "buffers.alpha 3: alpha is one of"),
    "spectrum alpha before 5.4": (
        "spectrum",
        {
            "switch": "asic: spectrum4\n  version: '5.3'",
            "pfc": "pfc: {watchdog: off}",
            "rest": f"buffers:\n  alpha: 2 {HERE}",
        },
        "buffers.alpha 2: NVUE has no advance-buffer-config",
    ),
    "spectrum pool": (
        "spectrum",
        {"rest": f"buffers:\n  pools:\n    lossless: 50.5% {HERE}"},
        "buffers.lossless_pool 50.5%",
    ),
    "spectrum pools": (
        "spectrum",
        {"rest": f"buffers:\n  pools:\n    lossless: 60% {HERE}\n    lossy: 60%"},
        "accepts buffers.pools together up to 100%, not 120%",
    ),
    "spectrum whole pool": (
        "spectrum",
        {"rest": f"buffers:\n  pools:\n    lossless: 100% {HERE}"},
        "buffers.lossless_pool alone up to 99%",
    ),
    "spectrum small packets": (
        "spectrum",
        {"switch": "asic: spectrum4\n  version: '5.17'", "rest": f"buffers:\n  small_packets: 12.5% {HERE}"},
        "small_packets 12.5%: small-packet-probability is a whole percentage",
    ),
    "spectrum xon alone": (
        "spectrum",
        {"second": f"{ROOM}\n            xon: 1KB {HERE}"},
        "headroom.xon without xoff",
    ),
    "spectrum xoff": (
        "spectrum",
        {"second": f"{ROOM}\n            xoff: 40KB {HERE}"},
        "accepts headroom.size - xoff from 1B on, not 0B",
    ),
    "spectrum xon": (
        "spectrum",
        {"second": f"{ROOM}\n            xoff: 20KB\n            xon: 20KB {HERE}"},
        "accepts headroom.size - xoff - xon from 1B on, not 0B",
    ),
    "spectrum bond": ("spectrum", {"second": f"lag: a-name-longer-than-15 {HERE}"}, "not a Linux interface name"),
    "spectrum bond's ports": (
        "spectrum",
        {"first": "lag: bond1", "second": f"lag: bond1 {HERE}\n        classes: [default]"},
        "different settings on ports of a LAG (bond1)",
    ),
    # Arista EOS
    "arista old": (
        "arista",
        {"switch": f"asic: tomahawk3\n  version: 4.22.3M {HERE}"},
        "EOS 4.22.3M is not known to express qos",
    ),
    "arista action": ("arista", {"pfc": dog(action="forward")}, "watchdog.action forward"),
    "arista timeout": ("arista", {"pfc": dog(detection_time="205ms")}, "detection_time 205ms: the timeout"),
    "arista kmax": ("arista", {"ecn": curve(kmax="257MB")}, "accepts ecn.kmax up to 256MB"),
    "arista pmax": ("arista", {"ecn": curve(pmax="2.5%")}, "ecn.pmax 2.5%"),
    "arista colors": ("arista", {"ecn": curve(colors="[green]")}, "ecn.colors green"),
    "arista bandwidth": (
        "arista",
        {
            "default": "default: {carries: [default], dscp: rest, priority: 0, bandwidth: 39.5}",
            "share": f"bandwidth: 60.5 {HERE}",
        },
        "bandwidth 60.5%: bandwidth percent is a whole",
    ),
    "arista rate": (
        "arista",
        {**BULK, "more": f"own: {SHARED}bandwidth: 20, max_rate: 1500bit/s}} {HERE}"},
        "whole kbit/s",
    ),
    "arista percent": (
        "arista",
        {**BULK, "more": f"own: {SHARED}bandwidth: 20, guaranteed: 12.5%}} {HERE}"},
        "guaranteed in percent 12.5%",
    ),
    "arista rate range": (
        "arista",
        {**BULK, "more": f"own: {SHARED}bandwidth: 20, guaranteed: 5T}} {HERE}"},
        "accepts guaranteed from 1K to",
    ),
    "arista part of a queue": (
        "arista",
        {
            **BULK,
            "more": pair(f", {LOW}}} {HERE}", "}"),
        },
        "ecn for part of a queue (queue 1: own, own2)",
    ),
    "arista TC alone": (
        "arista",
        {"rdma": f"carries: [rdma]\n    dscp: 26\n    priority: 3\n    lossless: true\n    queue: 3\n    tc: 4 {HERE}"},
        "tc of a lossless class (4 for priority 3)",
    ),
    "arista numbers": (
        "arista",
        {"rdma": f"carries: [rdma]\n    dscp: 26\n    priority: 3\n    lossless: true\n    tc: 4 {HERE}"},
        "queue of a lossless class (4 for priority 3)",
    ),
    "arista queue 7": (
        "arista",
        {"more": f"ops: {{carries: [control], dscp: 40, priority: 5, queue: 7, bandwidth: strict}} {HERE}"},
        "queue 7 for another tc",
    ),
    "arista TC 7": (
        "arista",
        {"more": f"ops: {{carries: [control], dscp: 40, priority: 5, tc: 7, queue: 5, bandwidth: strict}} {HERE}"},
        "tc 7 in another queue",
    ),
    "arista queue 7 on sand": (
        "arista",
        {
            "switch": "asic: jericho2\n  version: 4.32.1F",
            "more": f"own: {{carries: [our-own], dscp: 20, priority: 7, bandwidth: strict, max_rate: 10G}} {HERE}",
        },
        "settings of queue 7",
    ),
    "arista two queues of a TC": (
        "arista",
        {**BULK, "more": f"own: {SHARED}tc: 0, queue: 1, bandwidth: 20}} {HERE}"},
        "different queues of one TC (TC 0: default, own)",
    ),
    "arista two TCs of a priority": (
        "arista",
        {
            **BULK,
            "more": f"own: {{carries: [our-own], dscp: 20, priority: 0, tc: 1, bandwidth: 20}} {HERE}",
            "second": "classes: [default]\n        trust: pcp",
        },
        "different TCs of one priority, trust pcp, (priority 0: default, own)",
    ),
    "arista maps of ports": (
        "arista",
        {"second": f"classes: {{rdma: {{dscp: [24]}}}} {HERE}"},
        "cannot express maps by port (Ethernet2/1)",
    ),
    "spectrum queue of a priority on some ports": (
        "spectrum",
        {"second": f"classes: {{rdma: {{tc: 4, queue: 4}}}} {HERE}"},
        "different queues of one priority by port (priority 3: rdma, rdma)",
    ),
    "spectrum priority that is lossless on some ports": (
        "spectrum",
        {"second": f"classes: {{rdma: {{lossless: false}}}} {HERE}"},
        "lossless and lossy classes on a priority by port (priority 3: rdma, rdma)",
    ),
    "arista dcbx": ("arista", {"switch": f"platform: arista-7060x6-64pe\n  dcbx: willing {HERE}"}, "dcbx willing"),
    "arista pools": ("arista", {"rest": f"buffers:\n  pools:\n    lossy: 50% {HERE}"}, "buffers.lossy_pool 50%"),
    "arista oversubscribe": ("arista", {"rest": f"buffers:\n  oversubscribe: 2 {HERE}"}, "buffers.oversubscribe 2"),
    "arista alpha": ("arista", {"rest": f"buffers:\n  alpha: 3 {HERE}"}, "buffers.alpha 3: the threshold is one of"),
    "arista alpha range": ("arista", {"rest": f"buffers:\n  alpha: 16 {HERE}"}, "accepts buffers.alpha"),
    "arista alpha on sand": (
        "arista",
        {"switch": SAND, "rest": f"buffers:\n  alpha: 1 {HERE}"},
        "on Jericho-class switches",
    ),
    "arista pool off": ("arista", {"rest": f"buffers:\n  shared_headroom: off {HERE}"}, "shared_headroom off"),
    "arista pool size": (
        "arista",
        {"rest": f"buffers:\n  shared_headroom: 34MB {HERE}"},
        "accepts buffers.shared_headroom",
    ),
    "arista headroom on sand": (
        "arista",
        {"switch": SAND, "second": f"pfc:\n          headroom: 40KB {HERE}"},
        "is not known to express headroom 40KB",
    ),
    "arista xon": (
        "arista",
        {"pfc": f"{SECTIONS['pfc'][:-1]}, headroom: {{size: 40KB, xon: 1KB}}}} {HERE}"},
        "headroom.xon 1KB",
    ),
    "arista headroom of one port": (
        "arista",
        {"second": f"pfc:\n          headroom: 40KB {HERE}"},
        "headroom by port (auto and 40KB)",
    ),
    "arista headroom of two priorities": (
        "arista",
        {
            **BULK,
            "more": f"rdma2: {{carries: [rdma], dscp: 20, priority: 4, lossless: true, bandwidth: 20, {LOW}}}",
            "pfc": f"{SECTIONS['pfc'][:-1]}, headroom: 40KB}} {HERE}",
        },
        "headroom of several priorities 3,4",
    ),
    # Junos
    "junos bytes": ("junos", {"ecn": curve(kmin="400KB")}, "ecn.kmin 400KB: drop profiles are in percent"),
    "junos bytes beyond the limit": (
        "junos",
        {"ecn": curve(kmax="1600KB"), "rest": "buffers: {queue_limit: 1MB}"},
        "accepts ecn.kmax in percent of buffers.queue_limit, from 0% to 100%, not 160%",
    ),
    "junos bytes within a percent": (
        "junos",
        {"ecn": curve(kmax="401KB"), "rest": "buffers: {queue_limit: 1MB}"},
        "of one percentage of buffers.queue_limit (40% of 1MB): fill levels are whole",
    ),
    "junos bytes of a dynamic queue": (
        "junos",
        {"ecn": SECTIONS["ecn"], "rest": f"buffers:\n  alpha: 1\n  queue_limit: 4MB {HERE}"},
        "buffers.queue_limit beside buffers.alpha: a queue with a dynamic threshold",
    ),
    "junos fill level": ("junos", {"ecn": share(kmin="55.5%")}, "55.5%: a fill level is a whole percentage"),
    "junos pmax": ("junos", {"ecn": share(pmax="2.5%")}, "ecn.pmax 2.5%: a drop probability is a whole"),
    "junos weight": ("junos", {"ecn": share(weight="3")}, "ecn.weight 3: no statement sets"),
    "junos colors": ("junos", {"ecn": share(colors="[green]")}, "ecn.colors green"),
    "junos action": ("junos", {"pfc": dog(action="alert")}, "watchdog.action alert: the watchdog drops or forwards"),
    "junos forward before 23.4R2": (
        "junos",
        {"switch": "platform: juniper-qfx5240-64od\n  version: 23.4R1", "pfc": dog(action="forward")},
        "Junos 23.4R1 cannot express watchdog.action forward",
    ),
    "junos two actions": (
        "junos",
        {"second": f"pfc:\n          watchdog:\n            action: forward {HERE}"},
        "watchdog.action by port (drop and forward): a switch has one",
    ),
    "junos poll": ("junos", {"pfc": dog(poll_interval="150.5ms")}, "poll_interval 150.5ms: poll-interval is in whole"),
    "junos recovery": ("junos", {"pfc": dog(restoration_time="400.5ms")}, "recovery is in whole milliseconds"),
    "junos long recovery": (
        "junos",
        {"pfc": dog(restoration_time="90s")},
        "accepts watchdog.restoration_time from 1ms to",
    ),
    "junos headroom": ("junos", {"second": f"pfc:\n          headroom: 40KB {HERE}"}, "headroom 40KB: XOFF cannot be"),
    "junos pause": (
        "junos",
        {"second": f"classes: [default]\n        flowcontrol: rx {HERE}"},
        "flowcontrol rx: QFX5220, QFX5130",
    ),
    "junos LAG of a Linux name": ("junos", {"second": f"lag: bond1 {HERE}"}, "is ae and its number"),
    "junos LAG of two kinds": (
        "junos",
        {"first": "lag: ae1", "second": f"classes: [default]\n        lag: ae1 {HERE}"},
        "class-of-service is configured on the LAG",
    ),
    "junos LAG with two watchdogs": (
        "junos",
        {
            "first": "lag: ae1",
            "second": f"lag: ae1\n        pfc:\n          watchdog: {HERE}\n            detection_time: 500ms",
        },
        "watchdog by port of a LAG (ae1)",
    ),
    "junos no mark trusted": (
        "junos",
        {"rdma": RULED, "second": f"trust: none {HERE}"},
        "trust of ports with PFC none: such a port has one forwarding class",
    ),
    "junos no mark trusted, and no class for it": (
        "junos",
        {
            "default": "default: {carries: [default], dscp: 1, priority: 0, bandwidth: 40}",
            "second": f"classes: [default]\n        trust: none {HERE}",
        },
        "trust without a class for DSCP 0 or the rest none",
    ),
    "junos dcbx": ("junos", {"switch": f"platform: juniper-qfx5240-64od\n  dcbx: off {HERE}"}, "dcbx off: which"),
    "junos alpha": ("junos", {"rest": f"buffers:\n  alpha: 3 {HERE}"}, "buffers.alpha 3: dynamic-threshold goes in"),
    "junos alpha of 16": ("junos", {"rest": f"buffers:\n  alpha: 16 {HERE}"}, "to 8, not 16"),
    "junos one pool": (
        "junos",
        {"rest": f"buffers:\n  pools:\n    lossless: 60% {HERE}"},
        "buffers.lossless_pool alone 60%: the ingress partitions must add up",
    ),
    "junos pools of Junos OS": (
        "junos",
        {
            "switch": "platform: juniper-qfx5120-48y",
            "rest": f"buffers:\n  pools:\n    lossless: 60% {HERE}\n    lossy: 20%",
        },
        "the egress partitions must add up to 100 percent with that of multicast",
    ),
    "junos oversubscribe": (
        "junos",
        {"rest": f"buffers:\n  oversubscribe: 2 {HERE}"},
        "buffers.oversubscribe 2: no statement",
    ),
    "junos shared headroom": (
        "junos",
        {"rest": f"buffers:\n  shared_headroom: 1MB {HERE}"},
        "buffers.shared_headroom 1MB: the headroom of all ports is a partition",
    ),
    "junos guaranteed": (
        "junos",
        {**BULK, "more": f"own: {SHARED}bandwidth: 20, guaranteed: 10G}} {HERE}"},
        "guaranteed 10G: transmit-rate is the one statement",
    ),
    "junos bandwidth": (
        "junos",
        {
            "default": "default: {carries: [default], dscp: rest, priority: 0, bandwidth: 39.5}",
            "share": f"bandwidth: 60.5 {HERE}",
        },
        "bandwidth 60.5%: transmit-rate percent is a whole",
    ),
    "junos rate": (
        "junos",
        {**BULK, "more": f"own: {SHARED}bandwidth: 20, max_rate: 1500bit/s}} {HERE}"},
        "a shaping rate is written in whole kbit/s",
    ),
    "junos two curves": (
        "junos",
        {**BULK, "more": pair(f", {PERCENT}}}", f", {PERCENT.replace('90', '80')}}} {HERE}")},
        "different ecn on a queue",
    ),
    "nxos LAG of a Linux name": (
        "nxos",
        {**OWN_TIMES, "second": f"lag: bond1 {HERE}"},
        "a LAG is port-channel and its number",
    ),
    "nxos PFC for one of two": (
        "nxos",
        {
            **OWN_TIMES,
            "more": f"own: {SHARED}lossless: true, bandwidth: 60}}",
            "second": f"classes: [rdma, cnp, control, default] {HERE}",
        },
        "PFC for part of the lossless classes 3: a port has PFC for all no-drop classes",
    ),
    "nxos strict below a share": (
        "nxos",
        {**OWN_TIMES, "default": f"default: {{carries: [default], dscp: rest, priority: 0, bandwidth: strict}} {HERE}"},
        "strict queues have to be the highest ones",
    ),
    "junos lossy among lossless": (
        "junos",
        {"more": f"own: {SHARED}queue: 3, bandwidth: 60}} {HERE}"},
        "lossless and lossy classes on a queue (queue 3: rdma, own)",
    ),
}


_OWN = "own: {carries: [our-own], dscp: 20, bandwidth: 20, "
_AUTO = "pfc: {headroom: auto, watchdog: {detection_time: 200ms}}"
_BY_SPEED = "ecn: {by_speed: {400G: {kmin: 400KB, kmax: 1600KB, pmax: 5%}}}"
_SPEED, _CABLE, _DEVICES = "        speed: 400G\n", "        cable: 5m\n", "devices:"
LACKING: dict[str, tuple[str, dict[str, str], str, str]] = {
    # What an intent does not say, or says twice: vendor, sections, what is taken out of the text, why it is refused.
    "sonic ecn": ("sonic", {"switch": "version: '202405'", "ecn": "ecn: auto"}, "", "ecn auto"),
    "spectrum ecn": ("spectrum", {"switch": "version: '5.14'", "ecn": "ecn: auto"}, "", "ecn auto"),
    "junos ecn": ("junos", {"ecn": "ecn: auto"}, "", "ecn"),
    "sonic ecn by speed": ("sonic", {"ecn": _BY_SPEED}, _SPEED, "ecn by the speed of ports"),
    "spectrum ecn by speed": ("spectrum", {"ecn": _BY_SPEED}, _SPEED, "ecn by the speed of ports"),
    "arista ecn by speed": ("arista", {"ecn": _BY_SPEED}, _DEVICES, "ecn by the speed of ports"),
    "sonic max_rate": ("sonic", {"share": "bandwidth: 60\n    max_rate: 50%"}, _SPEED, "max_rate in percent without"),
    "spectrum floor": (
        "spectrum",
        {"share": "bandwidth: 60\n    guaranteed: 5%"},
        _SPEED,
        "guaranteed in percent without",
    ),
    "sonic cable": ("sonic", {"pfc": _AUTO}, _CABLE, "headroom without the cable's length"),
    "sonic speed": ("sonic", {"pfc": _AUTO}, _SPEED, "headroom without the port's speed"),
    "sonic model": (
        "sonic",
        {"switch": "version: '202405'", "pfc": _AUTO},
        "",
        "headroom without a known buffer model",
    ),
    "sonic table": (
        "sonic",
        {"switch": "asic: tomahawk5\n  version: '202405'", "pfc": _AUTO, "rest": "buffers: {model: traditional}"},
        "",
        "headroom without a known table",
    ),
    "arista chip": ("arista", {"switch": "version: 4.33.2F"}, "", "the family of the chip"),
    "spectrum ports": ("spectrum", {"share": "bandwidth: 60\n    max_rate: 50G"}, _DEVICES, "rates without ports"),
    "spectrum uplinks": ("spectrum", {"rest": "load_balancing: {mode: adaptive}"}, "", "without ports for it"),
    "spectrum trimmed": ("spectrum", {"rest": "trimming: {size: 256B, dscp: 48}"}, "", "trimming without classes"),
    "spectrum trimmed to": (
        "spectrum",
        {"rest": "trimming: {size: 256B, dscp: 48, queue: 2, classes: [default]}"},
        "",
        "trimming by a queue that no class has",
    ),
    "spectrum map": (
        "spectrum",
        {"default": "default: {carries: [default], dscp: [0], priority: 0, bandwidth: 40}"},
        "",
        "classes for part of the code points",
    ),
    "junos tag": (
        "junos",
        {"first": "mtu: 9200\n        trust: pcp"},
        "",
        "mtu beside trust pcp from 256B to 9198B, not 9200B",
    ),
    "junos levels": ("junos", {"ecn": "ecn: {kmin: 90%, kmax: 90%, pmax: 100%}"}, "", "ecn.kmin and ecn.kmax both 90%"),
    "junos queues": (
        "junos",
        {"more": f"{_OWN}priority: 3, queue: 4, lossless: true}}"},
        "",
        "different queues of one lossless priority",
    ),
    "junos priorities": (
        "junos",
        {"more": f"{_OWN}priority: 4, queue: 3, lossless: true}}"},
        "",
        "different priorities of one lossless queue",
    ),
    "junos priority": (
        "junos",
        {"more": f"{_OWN}priority: 3, queue: 4}}"},
        "",
        "lossless and lossy classes on a priority",
    ),
    "junos lossless somewhere": (
        "junos",
        {"first": "classes: {rdma: off, cnp: {lossless: true}}"},
        "",
        "lossless and lossy classes on a priority by port",
    ),
    "junos marks": (
        "junos",
        {"rdma": "carries: [rdma]\n    priority: 3\n    lossless: true"},
        "",
        "lossless classes without dscp",
    ),
    "junos pools of lossy traffic": (
        "junos",
        {
            "fabric": "fabric: {name: t, mode: lossy}",
            "rdma": "carries: [rdma]\n    dscp: 26\n    priority: 3\n    lossless: false",
            "rest": "buffers: {pools: {lossless: 60%, lossy: 20%}}",
        },
        "",
        "buffers.pools without a lossless class",
    ),
    "junos room": (
        "junos",
        {"rest": "buffers: {pools: {lossless: 60%, lossy: 40%}}"},
        "",
        "pools together up to 99%, not 100%",
    ),
}


def lacking(case: str) -> tuple[str, str, str]:
    """Vendor and text of a case of LACKING, and why it is refused."""
    vendor, stated, gone, reported = LACKING[case]
    text = written(vendor, stated)
    return vendor, text.partition("\n" + gone)[0] + "\n" if gone == _DEVICES else text.replace(gone, ""), reported
