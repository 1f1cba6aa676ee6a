"""Names that an intent takes from elsewhere, each looked up: profiles, by where the schema has them, and classes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from rocecfg.analysis.tiers import TIER_ROLES
from rocecfg.intent.platforms import Shelf
from rocecfg.intent.precedence import pick, section
from rocecfg.intent.schema import INTENT
from rocecfg.intent.shapes import ByShape, Either, Inherited, Keyed, Listed, Obj
from rocecfg.intent.types import Profile, Type
from rocecfg.intent.values import is_one_slip, make_undefined, near, nearest
from rocecfg.model import Device, Span
from rocecfg.model.stated import Problem, Section, Val

ANY = "*"  # any key of the user's, or any vendor
Path = tuple[str, ...]  # keys from the root
_LONG_ROLES = tuple(role for role in TIER_ROLES if len(role) > 3)  # shorter words are like too many others
_SIDES: dict[Path, str] = {("telemetry", "hosts"): "host"}  # the others are of switches


@cache
def find_profile_keys() -> dict[Path, Profile]:
    """Where an intent names profiles: keys from the root, ANY for the user's own, and the type that says which."""
    return dict(_walk(INTENT, ()))


def _walk(of: Type, path: Path) -> Iterator[tuple[Path, Profile]]:
    if isinstance(of, Profile):
        yield path, of
    elif isinstance(of, Either | Inherited | Listed):
        yield from _walk(of.of, path)
    elif isinstance(of, Keyed):
        yield from _walk(of.of, (*path, ANY))
    elif isinstance(of, ByShape):
        for one in (of.scalar, of.mapping, of.listed):
            yield from _walk(one, path) if one is not None else ()
    elif isinstance(of, Obj):
        inner = dict.fromkeys(key.type for key in of.keys.values())
        if path and len(of.keys) > 1 and len(inner) == 1:  # the same of each vendor
            yield from _walk(next(iter(inner)), (*path, ANY))
        else:
            for name, key in of.keys.items():
                yield from _walk(key.type, (*path, name))


def report_undefined_profiles(top: Section, shelf: Shelf) -> Iterator[Problem]:
    """The profiles that an intent can do without, and that nobody wrote: of cards and of exporters."""
    for path, of in find_profile_keys().items():
        if not of.lost:
            continue
        places: dict[str, list[Val]] = {}
        for val in _find_stated(top, path):
            places.setdefault(val.value, []).append(val)
        for name, (first, *more) in places.items():
            problem = _look_up(name, first, path, of, shelf)
            if problem is not None:
                yield problem._replace(places=tuple(val.at for val in more))


def _look_up(name: str, val: Val, path: Path, of: Profile, shelf: Shelf) -> Problem | None:
    known = shelf.library.names(of.kind)
    if of.kind == "exporters":
        side = _SIDES.get(path, "switch")
        if name in known and shelf.library.exporter(name).side == side:
            return None
        known = [each for each in known if shelf.library.exporter(each).side == side]
    return None if name in known else make_undefined(val.at, of.what, name, known, of.lost)


def _find_stated(given: Section, path: Path) -> Iterator[Val]:
    """What a section says below a path."""
    key, *rest = path
    for val in given.values() if key == ANY else [given[key]] if key in given else ():
        if rest:
            yield from _find_stated(section(val), tuple(rest))
        elif isinstance(val.value, str):
            yield val


def report_undefined_classes(top: Section, known: list[str]) -> Iterator[Problem]:
    """The classes that VLANs name and nothing defines."""
    for vlan in section(top.get("vlans")).values():
        named = pick("class", section(vlan))
        if named is not None and named.value not in known:
            yield Problem("schema-ref", named.at, f"there is no class {named.value}", nearest(named.value, known))


def report_unlike_roles(devices: Iterable[Device]) -> Iterator[Problem]:
    """Roles that are likely slips of a word which says the tier; any other word is the user's own."""
    lost = "rules derive the tier from the links instead, or are skipped"
    told: set[object] = set()
    for device in devices:
        role, at = device.role, device.origins.get("role")
        if role is None or role in TIER_ROLES or not isinstance(at, Span) or at in told:
            continue
        told.add(at)
        meant = near(role, _LONG_ROLES)
        if meant is not None and is_one_slip(role, meant) and not role.endswith(meant):  # sleaf: of a kind of its own
            yield make_undefined(at, "role", role, TIER_ROLES, lost)


def report_undefined_roles(own: Section, roles: set[str]) -> Iterator[Problem]:
    """The roles for which `fabric.oversubscription` has a ratio, and that no device has."""
    lost = "no device has this role, so the ratio applies to none"
    for role, val in section(pick("oversubscription", own)).items():
        if roles and role not in roles:
            yield make_undefined(val.at, "role of a device", role, roles, lost)
