"""pfc-watchdog: its times count in polls, and what is not said is known."""

from __future__ import annotations

from rocecfg.model.stated import OFF, Section, Val
from rocecfg.vendors.junos.limits import ACTION, POLL, POLLS, RECOVERY
from rocecfg.vendors.junos.reading.cos import Profile


def watchdog(profile: Profile) -> Val:
    """The watchdog of a port with that profile, in ms: it watches the queues of the output side."""
    given = profile.watchdog
    if given is None:
        return Val(OFF, profile.at)
    at = profile.watched_at
    if not given:
        return Val("vendor-default", at)
    poll = given.get("poll-interval", Val(POLL, at))
    polls = given.get("detection", Val(POLLS, at))
    section: Section = {
        "detection_time": Val(polls.value * poll.value, polls.at),
        "restoration_time": given.get("recovery", Val(RECOVERY, at)),
        "poll_interval": poll,
        "action": given.get("watchdog-action", Val(ACTION, at)),
    }
    if profile.output:
        watched = [Val(priority, queues[0].at) for priority, queues in sorted(profile.output.items())]
        section["priorities"] = Val(watched, at)
    return Val(section, at)
