"""What a referee says of a configuration, and what it is told beside the text."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from rocecfg.source.document import Document


_VALUE = "must be "  # so is said of a value what the model takes


class Fault(NamedTuple):
    """Something that the model refuses."""

    line: int | None  # from 1; None: nothing of the text is to blame alone
    where: str  # a path in the model's terms, or the line itself
    message: str
    alike: str = ""  # equal for faults that differ only in which port or row they are of
    unknown: bool = False  # the model has no such word: one of a later release may have it

    def may_be_newer(self) -> bool:
        """Whether a release after the model's may take it: its words and values are others, its syntax is not."""
        return self.unknown or _VALUE in self.message


class Verdict(NamedTuple):
    """What came of judging one text."""

    model: str  # what judged, with its release or folder
    release: str | None  # of the system, that the text was judged for; None: the model is of no release
    faults: tuple[Fault, ...] = ()
    assumed: tuple[str, ...] = ()  # what the text does not say and the model wants to know
    unjudged: tuple[str, ...] = ()  # what of the text no model was asked about
    exact: bool | None = None  # the model is of the very release that the text names; None: nobody knows
    left: str = ""  # what the model would judge and did not, since something else is wrong
    newer: tuple[Fault, ...] = ()  # what it would refuse, and the switch's release, another, may take


class JudgeOptions(NamedTuple):
    """What is known beside the text, from the command line or from the intent that it was rendered from."""

    releases: tuple[str, ...] = ()  # of systems; each takes the first that is written as its own are
    family: str | None = None  # of the chip
    models: str | None = None  # the folder of models that the user names
    strict: bool = False  # what the model does not know is a fault too
    any_release: bool = False  # of a text that names no release, refuse what every release does


class CannotJudge(Exception):
    """A referee that cannot work here: a package or a folder is missing. The fix says which."""

    def __init__(self, message: str, help: str) -> None:
        super().__init__(message)
        self.message = message
        self.help = help

    def __str__(self) -> str:
        return f"{self.message} ({self.help})"


if TYPE_CHECKING:

    class Referee(Protocol):
        """`rocecfg.validation.NAME`."""

        def judge(self, document: Document, asked: JudgeOptions) -> Verdict:
            """Raises SourceError for a text that cannot be checked, CannotJudge where no text can be."""


INSTALL = "pip install 'rocecfg[validate]'"
