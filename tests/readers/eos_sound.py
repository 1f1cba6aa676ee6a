"""Running configurations of EOS with which nothing is wrong, as engineers write them: what one mistake is made in."""

from __future__ import annotations

DOG = "priority-flow-control pause watchdog"
TIMERS = f"""{DOG} default timeout 0.20
{DOG} default recovery-time 0.40
{DOG} default polling-interval 0.10
{DOG} action drop
"""
_HEAD = """! Command: show running-config
! device: {name} ({model}, EOS-{release})
!
hostname {name}
!
spanning-tree mode none
!
"""
_TAIL = """interface Loopback0
   ip address 10.0.255.{number}/32
!
interface Management1
   ip address 192.0.2.{number}/24
!
ip routing
!
"""
_BGP = """!
router bgp 650{number}
   router-id 10.0.255.{number}
   maximum-paths 32
!
end
"""


def _port(name: str, speed: str, profile: str, address: str, description: str) -> str:
    return f"""interface {name}
   description {description}
   mtu 9214
   speed {speed}
   error-correction encoding reed-solomon
   no switchport
   ip address {address}
   service-profile {profile}
!
"""


def _profile(name: str, kind: str, curve: str, extra: str = "") -> str:
    return f"""qos profile {name}
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
{extra}   !
   {kind} 1
      no priority
      bandwidth percent 40
   !
   {kind} 3
      no priority
      bandwidth percent 60
      bandwidth guaranteed 100
      random-detect ecn {curve}
      random-detect ecn count
   !
   {kind} 6
      priority strict
      shape rate 5 percent
!
"""


_CURVE = "minimum-threshold 800 kbytes maximum-threshold 2400 kbytes max-mark-probability 5 weight 0"
_UPLINKS = "minimum-threshold 1600 kbytes maximum-threshold 3600 kbytes max-mark-probability 5 weight 0"
_MAPS = """qos map dscp 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 to traffic-class 1
qos map dscp 24 25 27 28 29 30 31 to traffic-class 1
qos map dscp 26 to traffic-class 3
qos map dscp 48 to traffic-class 6
"""
_SLOW = f"   {DOG} port timer timeout 0.40 polling-interval 0.10 recovery-time 0.80\n"

# A leaf with a Tomahawk 5: 32 hosts at 400G, eight uplinks at 800G.
LEAF = (
    _HEAD.format(name="leaf01", model="DCS-7060X6-64PE", release="4.33.2F")
    + "errdisable recovery cause stuck-queue\n!\n"
    + _profile("HOST", "uc-tx-queue", _CURVE)
    + _profile("UPLINK", "uc-tx-queue", _UPLINKS, _SLOW)
    + "".join(_port(f"Ethernet{n}/1", "400g-4", "HOST", f"10.1.{n}.0/31", f"gpu{n:02} nic0") for n in range(1, 33))
    + "".join(_port(f"Ethernet{n}/1", "800g-8", "UPLINK", f"10.2.{n}.0/31", f"spine{n - 32:02}") for n in range(33, 41))
    + _TAIL.format(number=11)
    + _MAPS
    + TIMERS
    + _BGP.format(number=11)
)

# A spine with virtual output queues.
SPINE = (
    _HEAD.format(name="spine01", model="DCS-7280DR3A-36", release="4.33.2F")
    + "hardware counter feature ecn out\n!\nerrdisable recovery cause stuck-queue\n!\n"
    + _profile("FABRIC", "tx-queue", _CURVE)
    + "".join(_port(f"Ethernet{n}/1", "400g-8", "FABRIC", f"10.3.{n}.0/31", f"leaf{n:02}") for n in range(1, 33))
    + _TAIL.format(number=21)
    + _MAPS
    + TIMERS.replace("timeout 0.20", "timeout 0.40").replace("time 0.40", "time 0.80")
    + _BGP.format(number=21)
)

# A leaf of a converged site: hosts on switched ports and in LAGs, storage beside RDMA, an MMU profile.
MIXED = (
    _HEAD.format(name="tor01", model="DCS-7060DX5-64S", release="4.32.1F")
    + "errdisable recovery cause stuck-queue\n!\n"
    + """platform trident mmu queue profile LOSSLESS
    ingress threshold 1/4
    ingress headroom bytes 190000
    ingress priority-group 3 threshold 1/4
!
platform trident mmu queue profile LOSSLESS apply
platform trident mmu headroom-pool limit bytes 20000000
!
"""
    + _profile("RDMA", "uc-tx-queue", _CURVE)
    .replace("percent 40", "percent 20")
    .replace(
        "   uc-tx-queue 3\n",
        "   uc-tx-queue 2\n      no priority\n      bandwidth percent 20\n   !\n   uc-tx-queue 3\n",
    )
    + "".join(
        f"""interface Port-Channel{n}
   description host{n:02}
   mtu 9214
   switchport access vlan 100
   service-profile RDMA
!
"""
        for n in range(1, 5)
    )
    + "".join(
        f"""interface Ethernet{2 * n - 1 + m}/1
   description host{n:02} port {m}
   mtu 9214
   speed 400g-8
   error-correction encoding reed-solomon
   channel-group {n} mode active
   service-profile RDMA
!
"""
        for n in range(1, 5)
        for m in (0, 1)
    )
    + "".join(_port(f"Ethernet{n}/1", "400g-8", "RDMA", f"10.4.{n}.0/31", f"spine{n - 32:02}") for n in range(33, 37))
    + "interface Vxlan1\n   vxlan source-interface Loopback0\n   vxlan udp-port 4789\n   vxlan vlan 100 vni 10100\n"
    + "   vxlan qos ecn propagation\n!\n"
    + _TAIL.format(number=31)
    + _MAPS
    + "qos map dscp 18 20 to traffic-class 2\n"
    + TIMERS
    + _BGP.format(number=31)
)

# The profile of Arista's AI deployment guide (as others quote it): RoCE on DSCP 24, 95 : 5, 256 to 512 kbytes.
GUIDE = (
    _HEAD.format(name="ai-leaf1", model="DCS-7060X6-64PE", release="4.34.2F")
    + """qos profile ROCE-LEAF
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   !
   uc-tx-queue 1
      no priority
      bandwidth percent 5
   !
   uc-tx-queue 3
      no priority
      bandwidth percent 95
      bandwidth guaranteed 100
      random-detect ecn minimum-threshold 256 kbytes maximum-threshold 512 kbytes max-mark-probability 100 weight 0
   !
   uc-tx-queue 6
      priority strict
!
"""
    + "".join(
        _port(f"Ethernet{n}/1", "400g-4", "ROCE-LEAF", f"10.1.{n}.0/31", f"gpu{n:02}").replace(
            "   service-profile ROCE-LEAF\n",
            "   service-profile ROCE-LEAF\n   !\n   uc-tx-queue 3\n      random-detect ecn count\n",
        )
        for n in range(1, 9)
    )
    + _TAIL.format(number=41)
    + "qos map dscp 24 to traffic-class 3\nqos map dscp 48 to traffic-class 6\n"
    + TIMERS.replace("recovery-time 0.40", "recovery-time 0.20")
    + _BGP.format(number=41)
)

# RDMA told by its UDP port: a policy-map sorts it, and the map of code points leads nothing into the lossless class.
SORTED = (
    LEAF.replace("qos map dscp 26 to traffic-class 3\n", "qos map dscp 26 to traffic-class 1\n")
    .replace("   service-profile HOST\n", "   service-policy type qos input ROCE-IN\n   service-profile HOST\n")
    .replace("   service-profile UPLINK\n", "   service-policy type qos input ROCE-IN\n   service-profile UPLINK\n")
    .replace(
        "ip routing\n",
        """ip access-list ROCE
   10 permit udp any any eq 4791
!
ip routing
!
class-map type qos match-any ROCE
   match ip access-group ROCE
!
policy-map type quality-of-service ROCE-IN
   class ROCE
      set traffic-class 3
   !
   class class-default
      set traffic-class 1
""",
    )
)
