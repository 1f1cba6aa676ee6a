"""Sound configurations of switches with NVUE, in both forms, for tests that change one thing in them."""

from __future__ import annotations

# A leaf with a header: the box and the release are known.
LEAF = """\
- header:
    model: SN5600
    nvue-api-version: nvue_v1
    rev-id: 1.0
    version: Cumulus Linux 5.14.0
- set:
    system:
      hostname: leaf01
    interface:
      eth0:
        ip:
          address:
            dhcp: {}
          vrf: mgmt
        type: eth
      bond1:
        bond:
          member:
            swp31-32: {}
        type: bond
      swp1-30:
        description: a GPU host
        ip:
          address:
            10.1.0.1/31: {}
        link:
          mtu: 9216
          speed: 400G
          fec: rs
        qos:
          pfc-watchdog:
            state: enable
      swp31-32:
        link:
          mtu: 9216
          speed: 400G
          fec: rs
        qos:
          pfc-watchdog:
            state: enable
      swp33-64:
        link:
          mtu: 9216
          speed: 800G
          fec: rs
        qos:
          pfc:
            profile: uplinks
          pfc-watchdog:
            state: enable
        type: swp
    nve:
      vxlan:
        enable: on
        encapsulation:
          dscp:
            action: copy
        decapsulation:
          dscp:
            action: preserve
    qos:
      roce:
        enable: on
        mode: lossless
      traffic-pool:
        default-lossy:
          memory-percent: 40
        roce-lossless:
          memory-percent: 60
      mapping:
        default-global:
          trust: both
          dscp:
            24-25,27-31:
              switch-priority: 0
      egress-queue-mapping:
        default-global:
          switch-priority:
            '3':
              traffic-class: 3
            '6':
              traffic-class: 6
      pfc:
        default-global:
          switch-priority:
            '3': {}
          rx: enable
          tx: enable
          cable-length: 10
        uplinks:
          switch-priority:
            '3': {}
          cable-length: 50
      congestion-control:
        default-global:
          traffic-class:
            '0':
              ecn: enable
              min-threshold: 300000
              max-threshold: 1200000
              probability: 100
            '3':
              ecn: enable
              min-threshold: 400000
              max-threshold: 1400000
              probability: 100
      egress-scheduler:
        default-global:
          traffic-class:
            '0':
              mode: dwrr
              bw-percent: 40
            '3':
              mode: dwrr
              bw-percent: 60
            '6':
              mode: strict
      remark:
        default-global:
          rewrite: l3
          switch-priority:
            '3':
              dscp: 26
      pfc-watchdog:
        polling-interval: 100
        robustness: 2
"""

# A spine as commands, with the words of 5.15 and later.
SPINE = """\
nv set system hostname spine01
nv set interface swp1-64 link speed 800G
nv set interface swp1-64 link fec rs
nv set interface swp1-64 link mtu 9216
nv set interface swp1-64 ipv6 address fd00::1/127
nv set interface swp1-64 qos pfc-watchdog state enable
nv set qos roce state enabled
nv set qos roce mode lossless
nv set qos traffic-pool default-lossy memory-percent 30
nv set qos traffic-pool roce-lossless memory-percent 70
nv set qos mapping default-global trust l3
nv set qos mapping default-global dscp 24-25,27-31 switch-priority 0
nv set qos pfc default-global switch-priority 3
nv set qos pfc default-global cable-length 50
nv set qos congestion-control default-global traffic-class 3 ecn enable
nv set qos congestion-control default-global traffic-class 3 min-threshold 500000
nv set qos congestion-control default-global traffic-class 3 max-threshold 1400000
nv set qos congestion-control default-global traffic-class 3 probability 100
nv set qos egress-scheduler default-global traffic-class 0 mode dwrr
nv set qos egress-scheduler default-global traffic-class 0 bw-percent 30
nv set qos egress-scheduler default-global traffic-class 3 mode dwrr
nv set qos egress-scheduler default-global traffic-class 3 bw-percent 70
nv set qos egress-scheduler default-global traffic-class 6 mode strict
nv set qos pfc-watchdog polling-interval 100
nv set qos pfc-watchdog robustness 4
"""

# A fabric without `qos roce`, all of it stated.
STATED = """\
- header: {model: SN4700, version: Cumulus Linux 5.9.2}
- set:
    system: {hostname: tor7}
    interface:
      swp1-32:
        link: {mtu: 9216, speed: 400G}
        qos: {pfc-watchdog: {state: enable}}
    qos:
      traffic-pool:
        default-lossy: {memory-percent: 40}
        default-lossless: {memory-percent: 60}
      mapping:
        default-global:
          trust: l3
          dscp:
            26: {switch-priority: 4}
            32-39: {switch-priority: 2}
            48: {switch-priority: 6}
      pfc:
        default-global: {switch-priority: {'4': {}}, cable-length: 30}
      egress-queue-mapping:
        default-global: {switch-priority: {'4': {traffic-class: 4}}}
      congestion-control:
        default-global:
          traffic-class: {'4': {ecn: enable, min-threshold: 250000, max-threshold: 1000000, probability: 100}}
      egress-scheduler:
        default-global:
          traffic-class:
            0-3,5: {mode: dwrr, bw-percent: 8}
            '4': {mode: dwrr, bw-percent: 60}
            6-7: {mode: strict}
"""
