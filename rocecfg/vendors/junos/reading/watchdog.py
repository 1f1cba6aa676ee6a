"""pfc-watchdog: its times count in polls, and what is not said is known."""

from __future__ import annotations

from rocecfg.model.stated import OFF, Section, Val
from rocecfg.vendors.junos.limits import ACTION, POLL, POLLS, RECOVERY
from rocecfg.vendors.junos.reading.cos import Profile


def watchdog(profile: Profile) -> Val:
    """The watchdog of a port with that profile, in ms: it watches the queues of the output side."""
    said = profile.watchdog
    if said is None:
        return Val(OFF, profile.at)
    at = profile.watched_at
    if not said:
        return Val("vendor-default", at)
    poll = said.get("poll-interval", Val(POLL, at))
    polls = said.get("detection", Val(POLLS, at))
    section: Section = {
        "detection_time": Val(polls.value * poll.value, polls.at),
        "restoration_time": said.get("recovery", Val(RECOVERY, at)),
        "poll_interval": poll,
        "action": said.get("watchdog-action", Val(ACTION, at)),
    }
    if profile.output:
        watched = [Val(priority, queues[0].at) for priority, queues in sorted(profile.output.items())]
        section["priorities"] = Val(watched, at)
    return Val(section, at)
