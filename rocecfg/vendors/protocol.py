"""What every vendor's package offers, module by module: `rocecfg.vendors.part` gives the modules under these types.

Each package says of itself that it makes up a `Vendor`, which mypy checks; a module is loaded when it is asked for.
What a system computes by itself is in its profile (`profiles/nos`), as figures that all code asks in the same way.
"""

from __future__ import annotations

from rocecfg.core.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:  # asking what a text is loads none of it
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Protocol

    from rocecfg.model import Device, Fabric
    from rocecfg.model.switch import Switch
    from rocecfg.source.document import Document
    from rocecfg.vendors.base import RenderedText
    from rocecfg.vendors.changes import Change, Wanted
    from rocecfg.vendors.procedure import Procedure
    from rocecfg.vendors.rollout import Act, Acts, Ends, RolloutTask, Safeguards
else:
    Protocol = object


class Match(NamedTuple):
    """What tells that a text is of a vendor. Vendors are asked in the table's order: the first that is sure counts."""

    sure: bool  # by its own statements; False: by what others have too, which counts where no vendor is sure
    ours: bool  # False: it looks so, and is another system's, or a template: nobody's, unless another vendor is sure


class Detect(Protocol):
    """`detect`: whether a text is this system's."""

    def detect(self, head: str) -> Match | None:
        """`head`: the beginning of a text; None: nothing tells of this system."""


class Front(Protocol):
    """`front`: what a box is, its ports by their names among it."""

    def whole_ports(self, names: tuple[str, ...], count: int, /) -> list[str]:
        """Those of all names that no split makes; `count`: ports the box has."""

    def lacks_voq(self, hwsku: str, /) -> bool:
        """Whether the chip of a box of that HwSKU is known to have no virtual output queues."""


class Reader(Protocol):
    """`reader`: what a configuration says."""

    def read(self, document: Document, release: str | None = None) -> list[Switch]:
        """The switches in a text. Raises SourceError for what cannot be read."""


class ImplyingReader(Protocol):
    """`reader` of a system that need not name a port which has what all have (`ports_implied` of its row)."""

    def read(
        self,
        document: Document,
        release: str | None = None,
        silent: tuple[str, ...] = (),
        bonds: Mapping[str, str] | None = None,
    ) -> list[Switch]:
        """`silent`: ports that there are, named or not; `bonds`: of ports, the LAG of each, which another text says."""


class Stating(Protocol):
    """`stating`: what a text states, statement by statement."""

    @property
    def REASONS(self) -> tuple[tuple[tuple[str, ...], str], ...]:  # noqa: N802 - a constant of the module
        """Beginnings of statements, and why a switch may do the same without them."""

    def list_stated(self, document: Document, /) -> Iterator[tuple[tuple[str, ...], int, int]]:
        """The words of each statement with all that it stands below, and where it stands."""


class Writer(Protocol):
    """`writer`: a device in the system's words."""

    @property
    def FORMS(self) -> tuple[str, ...]:  # noqa: N802 - a constant of the module
        """The forms that it renders, the usual one first."""

    @property
    def WATCHED_FLOOR(self) -> int | None:  # noqa: N802 - a constant of the module
        """Bandwidth that a watched queue is guaranteed where nothing is said, bit/s; None: none."""

    def render(self, fabric: Fabric, device: Device, *, form: str = ..., templates: str | None = ...) -> RenderedText:
        """The text for one device, without its name. Raises CannotRender for what cannot be said, or not surely."""


class Fixes(Protocol):
    """`fixes`: what to type on a switch against a rule's finding."""

    @property
    def FIXES(self) -> Mapping[str, str]:  # noqa: N802 - a constant of the module
        """Rule, or `rule:which`, -> the fix."""


class PatchWriter(Writer, Protocol):
    """`writer` of a system that has the form patch."""

    def check_patch(self, device: Device, running: str) -> None:
        """Raises CannotRender for a release without patches, and for a configuration that no patch starts from."""

    def patch(
        self, fabric: Fabric, device: Device, running: Document, change: Change, templates: str | None
    ) -> RenderedText:
        """A change of what runs as one patch, with what goes around it as notes. Raises CannotRender."""


class Changes(Protocol):
    """`change`: the change that makes a running configuration what is intended."""

    def plan_change(self, meant_text: str, running: Document, wanted: Wanted, device: Device) -> Change:
        """`wanted`: the settings that are to become as in `meant_text`, which is rendered for `device`."""


class Procedures(Protocol):
    """`procedure`: how a change is brought to a switch, and what it disturbs."""

    def procedure_of(self, device: Device) -> Procedure:
        """By the release that the device is rendered for."""


class Rollout(Protocol):
    """`rollout`: how a change is brought to a switch under traffic, and what goes around it."""

    def plan_acts(self, change: Change, task: RolloutTask, /) -> Acts:
        """What is done in order. `change`: the whole of it in one piece, as drift shows it."""

    def plan_safeguards(
        self, device: Device, acts: Sequence[Act], ports: tuple[str, ...], label: str, ends: Ends, /
    ) -> Safeguards:
        """What is done around them. `device`: as it is intended; `ports`: that change; `label`: names what is saved."""

    def complete_config(self, body: str, name: str, device: Device) -> str:
        """A whole configuration that has what is rendered for a device, under a name."""


class Vendor(NamedTuple):
    """A vendor's package: its modules that others ask for, each by its type."""

    change: Changes
    detect: Detect
    front: Front
    fixes: Fixes
    procedure: Procedures
    reader: Reader
    rollout: Rollout
    stating: Stating
    writer: Writer
