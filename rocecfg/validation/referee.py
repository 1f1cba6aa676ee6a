"""The referee of a vendor's texts, loaded where it is asked: `lint` loads no more than that."""

from __future__ import annotations

from rocecfg.source.document import Document
from rocecfg.validation.verdict import CannotJudge, JudgeOptions, Verdict
from rocecfg.vendors import MissingPart, load_part, row

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rocecfg.validation.verdict import Referee


def judge(document: Document, vendor: str, asked: JudgeOptions) -> Verdict:
    """What the referee of a vendor says of a text. Raises SourceError, CannotJudge."""
    try:
        referee: Referee = load_part(vendor, f"{__package__}.{vendor}")
    except MissingPart:
        title = row(vendor).title
        help = f"use lint, which reads configurations of {title}; what the switch accepts, only the switch tells"
        raise CannotJudge(f"no model checks {title} here yet", help) from None
    return referee.judge(document, asked)
