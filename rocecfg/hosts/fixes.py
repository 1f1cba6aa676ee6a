"""What is to be typed on a host to fix its NICs, by the system that it runs."""

from __future__ import annotations

from rocecfg.hosts.state import PRIORITIES, WINDOWS, NicState
from rocecfg.rules.hosts import pfc_list


def pause_only(nic: NicState, wanted: tuple[int, ...]) -> str:
    """The commands that leave PFC on these priorities alone. On Windows they hold for all adapters of the host."""
    if nic.system != WINDOWS:
        return f"mlnx_qos -i {nic.interface or 'DEVICE'} --pfc {pfc_list(wanted)}"
    off = ",".join(str(n) for n in range(PRIORITIES) if n not in wanted)
    out = [f"Enable-NetQosFlowControl -Priority {','.join(map(str, wanted))}"] if wanted else []
    if off:
        out.append(f"Disable-NetQosFlowControl -Priority {off}")
    if nic.enabled is False:
        out.append(f'Enable-NetAdapterQos -Name "{nic.interface}"')
    return "; ".join(out)


def put_rdma_on(priority: int) -> str:
    """The command that puts RDMA of a Windows host on a priority, in the policy that matches it."""
    return (
        f"Set-NetQosPolicy -Name POLICY -PriorityValue8021Action {priority}, where POLICY is the one with "
        "NetDirectPort "
        f'(none: New-NetQosPolicy "SMBDirect" -NetDirectPortMatchCondition 445 -PriorityValue8021Action {priority})'
    )
