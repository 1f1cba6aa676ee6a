"""From the hosts of an intent to files: a script, a systemd unit, the environment of jobs, a Kubernetes resource."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from rocecfg.core.nodeset import name_set
from rocecfg.core.records import NamedTuple
from rocecfg.hosts.cards import Card, card
from rocecfg.hosts.plan import Nics, nics_of
from rocecfg.hosts.values import stem, values
from rocecfg.model import Fabric
from rocecfg.rules.hosts_ends import stated_hosts
from rocecfg.vendors.base import CannotRender, Text, environment, fill
from rocecfg.vendors.rendering import File

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jinja2 import Template


class _Form(NamedTuple):
    """A kind of file."""

    template: str  # "": the card's own
    suffix: str


FORMS = {
    "script": _Form("", ".sh"),
    "systemd": _Form("service.j2", ".service"),
    "env": _Form("env.j2", ".env"),
    "kubernetes": _Form("kubernetes.yaml.j2", ".k8s.yaml"),
}


def files(
    fabric: Fabric, *, form: str | None = None, templates: str | None = None, device: str | None = None
) -> Iterator[File]:
    """The files of each group of hosts that RDMA reaches, in the intent's order.

    `form` picks one kind of file; `device` one group: by its key, or by a host in it. Raises CannotRender.
    """
    if form is not None and form not in FORMS:
        raise CannotRender(f"host has no form {form!r}", f"--as takes {', '.join(FORMS)}")
    hosts = stated_hosts(fabric)
    if not hosts:
        raise CannotRender(
            "the intent lists no hosts",
            "add the section hosts: what NICs they have, and what they mark",
            (fabric.at(""),),
        )
    _refuse_overlap(hosts)
    for key, host in hosts.items():
        if device is not None and device != key and device not in name_set(key):
            continue
        found = nics_of(fabric, key, host.value)
        if not found:
            continue  # no RDMA crosses their ports: there is nothing to set
        nic = host.value.get("nic")
        if nic is None:
            raise CannotRender(
                f"{key} names no NIC: which tools set it is not known", "state nic, such as connectx-7", (host.at,)
            )
        family = card(nic.value)
        if family is None:
            raise CannotRender(
                f"what sets a NIC {nic.value} is not known here",
                "ConnectX, BlueField (mlx5) and Thor (bnxt) are",
                (nic.at,),
            )
        for nics in found:
            yield from _rendered(nics, host.value, family, form, templates)


def _refuse_overlap(hosts: Mapping[str, Any]) -> None:
    """Files of two groups would set one host twice."""
    taken: dict[str, str] = {}
    for key, host in hosts.items():
        for name in sorted(name_set(key)):
            first = taken.setdefault(name, key)
            if first != key:
                raise CannotRender(
                    f"{name} is in two groups of hosts, {first} and {key}: which of them sets its NICs is not clear",
                    "name each host once",
                    (host.at,),
                )


def _rendered(
    nics: Nics, host: Mapping[str, Any], family: Card, form: str | None, templates: str | None
) -> Iterator[File]:
    name = stem(nics.key, nics.label)
    given = values(nics, host, family, name)
    for word, (template, suffix) in FORMS.items():
        if (form is not None and form != word) or (word == "kubernetes" and not family.kubernetes):
            continue
        file = template or family.template
        body = fill(_template, file, templates, **given)
        yield File(name + suffix, body, nics.key, "host", Text(body, (), "# ", suffix))


@lru_cache(maxsize=16)
def _template(name: str, overrides: str | None) -> Template:
    """A template, compiled once per process and folder."""
    return environment("host", overrides).get_template(name)
