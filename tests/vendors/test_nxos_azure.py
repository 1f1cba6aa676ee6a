"""The eleven checks of Azure's public audit of ToR switches: on each of its failures our lint tells something, too.

Azure's `QosAudit` asks whether lines are there at all (docs/azure-tor.md): each mutant takes one of them away from a
configuration that passes all eleven.
"""

from __future__ import annotations

from pathlib import Path

from intents import write

from rocecfg.linting import devices
from rocecfg.linting.judge import judge
from rocecfg.source.document import Sources

CLEAN = """hostname tor1
feature lldp
class-map type qos match-all RDMA
  match cos 3
class-map type qos match-all CLUSTER
  match cos 7
policy-map type qos AZLOCAL
  class RDMA
    set qos-group 3
  class CLUSTER
    set qos-group 7
policy-map type network-qos NQ
  class type network-qos c-8q-nq3
    mtu 9216
    pause pfc-cos 3
  class type network-qos c-8q-nq-default
    mtu 9216
  class type network-qos c-8q-nq7
    mtu 9216
policy-map type queuing OUT
  class type queuing c-out-8q-q3
    bandwidth remaining percent 50
    random-detect minimum-threshold 150 kbytes maximum-threshold 300 kbytes drop-probability 100 weight 0 ecn
  class type queuing c-out-8q-q-default
    bandwidth remaining percent 49
  class type queuing c-out-8q-q7
    bandwidth percent 1
system qos
  service-policy type queuing output OUT
  service-policy type network-qos NQ
priority-flow-control watch-dog-interval on
interface Ethernet1/17
  switchport
  switchport mode trunk
  switchport trunk allowed vlan 711
  priority-flow-control mode on send-tlv
  priority-flow-control watch-dog-interval on
  mtu 9216
  service-policy type qos input AZLOCAL
  no shutdown
interface Ethernet1/18
  switchport
  switchport mode trunk
  switchport trunk allowed vlan 711
  priority-flow-control mode on send-tlv
  priority-flow-control watch-dog-interval on
  mtu 9216
  service-policy type qos input AZLOCAL
  no shutdown
"""
PORT = "\n  service-policy type qos input AZLOCAL"
TRUNK = "\n  switchport mode trunk\n  switchport trunk allowed vlan 711"
CHECKS = {  # check of Azure's tool -> what goes, how often it stands, and the rule that must tell
    "pfc-cos3": ("\n    pause pfc-cos 3", "", 1, "nxos-network-qos"),
    "classmap-cos3": ("  match cos 3\n", "", 1, "nxos-empty-class"),
    "classmap-cos7": ("  match cos 7\n", "", 1, "nxos-empty-class"),
    "ets-storage": ("remaining percent 50", "remaining percent 0", 1, "nxos-no-share"),
    "ets-cluster": ("\n    bandwidth percent 1", "\n    bandwidth percent 0", 1, "nxos-no-share"),
    "ecn-storage": (" ecn\n", "\n", 1, "ecn-red-drop"),
    "mtu-9216": ("    mtu 9216\n", "", 3, "nxos-class-mtu"),
    "system-qos network": ("\n  service-policy type network-qos NQ", "", 1, "nxos-network-qos"),
    "system-qos queuing": ("\n  service-policy type queuing output OUT", "", 1, "ecn-missing"),
    "intf-pfc": ("\n  priority-flow-control mode on send-tlv", "", 2, "nxos-pfc-auto"),
    "intf-qos-policy": (PORT, "", 2, "mix-trust"),
    "intf-trunks": (TRUNK, "", 2, "nxos-untagged"),
}


def rules_of(folder: Path, text: str) -> set[str]:
    write(folder, {"tor1.cfg": text})
    sources = Sources()
    loaded = devices.load(str(folder), [str(folder / "tor1.cfg")], sources, None, given=True)
    assert loaded is not None
    return {f.rule.name for f in judge(loaded)[0] if f.severity != "info" or f.rule.name == "hygiene-absent"}


def test_each_check_of_azures_audit_is_found(tmp_path: Path) -> None:
    assert rules_of(tmp_path, CLEAN) == set()
    missed = {}
    for check, (old, new, count, wanted) in CHECKS.items():
        assert CLEAN.count(old) >= count, check
        found = rules_of(tmp_path, CLEAN.replace(old, new, count))
        if wanted not in found:
            missed[check] = found
    assert missed == {}
