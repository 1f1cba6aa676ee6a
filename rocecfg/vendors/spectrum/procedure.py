"""How a change is brought to Cumulus Linux with NVUE, by release: one pending change, applied at once, confirmed.

From 5.9 on `nv config apply` saves too (auto-save, on by default), up to 5.8 it does not. `nv config save` is typed
once, after traffic is back: where auto-save is off, what is saved before would be a drained switch.
"""

from __future__ import annotations

from rocecfg.model import Device
from rocecfg.model.facts import ADAPTIVE_OFF
from rocecfg.profiles.systems import tell_errata
from rocecfg.vendors.changes import BRIEF_PAUSE, HITLESS, MARKS, PORT_FLAP
from rocecfg.vendors.procedure import LINES, Effect, Procedure, Release, Save, in_release, release_number

DIFF = "nv config diff"
APPLY = "nv config apply"
CONFIRM = "nv config apply --confirm-yes"
STATUS = "nv config apply --confirm-status"
SAVE = "nv config save"
MINUTES = 10  # of `--confirm` without a time, in every release; a time is minutes in some, and needs a unit in others
_AUTO_SAVE = (5, 9)
_UNITS = (5, 13)  # `nv set maintenance unit`; before it, BGP's graceful shutdown
_GUIDE = "Cumulus Linux user guide"
_ADAPTIVE = r"(?:set|unset) (?:interface \S+ )?router adaptive-routing\b"
_OFF = rf"unset (?:interface \S+ )?router adaptive-routing\b|{_ADAPTIVE}.* (?:off|disabled)$"
_BUFFERS = "roce|pfc|link-pause|traffic-pool|advance-buffer-config|egress-queue-mapping|headroom|shared-headroom-pool"
_QUIET = "mapping|pfc-watchdog|congestion-control|egress-scheduler|egress-shaper|remark"
EFFECTS = (
    Effect(
        _ADAPTIVE,
        "service-restart",
        "a change of adaptive routing restarts switchd, and all ports go down (up to Cumulus Linux 5.12)",
        "NVUE command reference, Adaptive Routing: 5.12 and earlier restart switchd, 5.13 and later reload it",
        last=(5, 12),
    ),
    Effect(
        _ADAPTIVE,
        BRIEF_PAUSE,
        "a change of adaptive routing reloads switchd; whether packets are lost is not documented: use a window",
        "NVUE command reference, Adaptive Routing: 5.13 and later reload switchd",
        since=(5, 13),
    ),
    Effect(
        rf"(?:set|unset) (?:qos|interface \S+ qos)(?: (?:{_BUFFERS})\b(?!-)|$)|(?:set|unset) interface \S+ link mtu\b",
        BRIEF_PAUSE,
        "buffers are rewritten, and packets may be lost for a moment: use a window",
        f'{_GUIDE}, Quality of Service, "switchd and QoS" (4.4 to 5.19)',
    ),
    Effect(
        rf"(?:set|unset) (?:qos|interface \S+ qos) (?:{_QUIET})\b|(?:set|unset) (?:system forwarding|"
        r"interface \S+ packet-trim)\b",
        HITLESS,
        "takes effect while traffic runs",
        f'{_GUIDE}, Quality of Service, "switchd and QoS" (4.4 to 5.19): the reload leaves traffic alone',
    ),
)


def procedure_of(device: Device) -> Procedure:
    """By the release that a device is rendered for."""
    return with_faults(procedure_in(release_number(device)), device)


def with_faults(procedure: Procedure, device: Device) -> Procedure:
    """With what a change disturbs by a known fault of the release, unless it disturbs more by itself."""
    told = tell_errata(device, ADAPTIVE_OFF)
    faults = [
        Effect(_OFF, PORT_FLAP, f"where adaptive routing is turned off, {each}", "profiles/errata/spectrum.yaml")
        for each in told
    ]
    worse = [effect for effect in procedure.effects if MARKS.index(effect.mark) > MARKS.index(PORT_FLAP)]
    rest = [effect for effect in procedure.effects if effect not in worse]
    return procedure._replace(effects=(*worse, *faults, *rest))


def procedure_in(release: Release) -> Procedure:
    """By release; (): not known."""
    unit = "maintenance unit all-protocols mode" if not release or release >= _UNITS else "router bgp graceful-shutdown"
    on, off = ("enabled", "disabled") if not release or release >= _UNITS else ("on", "off")
    return Procedure(
        title="One commit",
        load=(LINES,),
        show=(DIFF,),
        commit=(f"{APPLY} --confirm",),
        minutes=MINUTES,
        confirm=(CONFIRM,),
        save=_save_of(release),
        aside=("nv config history  # note the revision that is applied now, as REV",),
        drain=(f"nv set {unit} {on}", APPLY),
        undrain=(f"nv set {unit} {off}", APPLY),
        back=(f'{APPLY} "$REV"', SAVE),
        back_note="REV is the revision noted above; until the change is confirmed, waiting 10 minutes also rolls back",
        confirm_note=(
            "NVIDIA's pages do not list --confirm-yes, but NAPALM's driver for Cumulus Linux types it: "
            f"{STATUS} shows whether the timer still runs"
        ),
        effects=in_release(EFFECTS, release),
    )


def _save_of(release: Release) -> Save:
    """Auto-save: NVUE command reference, Config Commands."""
    reboot = "Until then a reboot restores the saved configuration."
    auto = (
        f"From Cumulus Linux 5.9 on {APPLY} saves by itself (auto-save, on by default): a reboot keeps what is "
        f"applied; whether that includes unconfirmed changes is not documented. If auto-save is off, {SAVE} saves."
    )
    until = reboot if release and release < _AUTO_SAVE else auto if release else f"Up to 5.8: {reboot} {auto}"
    unfinished = (
        f"not confirmed: the change rolls back {MINUTES} minutes after it was applied, and nv config detach drops a "
        "pending one. Fix it and run this again"
    )
    return Save((SAVE,), until, unfinished)
