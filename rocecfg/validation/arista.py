"""EOS by a grammar of its lines about QoS, PFC, ECN and buffers: Arista publishes no model of its command line.

EOS goes by modes, not by indentation: a line is tried in the mode that is open, then in each around it. A line whose
first words belong to one of the families below must have one of the forms of `eos_forms`, with its numbers in
range; all other lines are not judged. The forms are of no release: where the switch's is not known, or later than all
that are, a form that is not among them is not checked, and is no fault.
"""

from __future__ import annotations

import difflib
import re
from functools import cache

from rocecfg.core.records import NamedTuple
from rocecfg.source.document import Document
from rocecfg.validation.eos_forms import (
    CLASS_MAP,
    ETHERNET,
    GLOBAL,
    INTERFACE,
    OTHER,
    OWNED_MODES,
    POLICY_MAP,
    SAND,
    STRATA,
    VXLAN,
    LineForm,
)
from rocecfg.validation.eos_patterns import MatchedForm, compiled_forms, find_form, find_modes
from rocecfg.validation.verdict import Fault, JudgeOptions, Verdict

_FAMILIES = {
    STRATA: "strata: Trident and Tomahawk (7050X, 7060X, 7260X, 7388X)",
    SAND: "sand: Jericho (7280R, 7500R, 7800R)",
}
_PROMPT = re.compile(r"\S+(?:\([^)]*\))?[#>]\s?\S")
_SIGN = re.compile(r"(?:no|default) ")
_REMARK = re.compile(r"\s+!!?.*$")
_UNKNOWN = "no form of EOS that is known"
_MISPLACED = "is in the wrong mode"
_FIXED = frozenset({"prio", "cos", "dscp", "exp", "pct", "p"})  # fields of packets, percentages: of any release
_UNITS = re.compile(r"\d+ (\w+)")
_ONLY = {"segments": STRATA, "milliseconds": SAND, "microseconds": SAND}
_OTHER_INTERFACE = re.compile(r"interface (?:defaults|profile)")
_ETHERNETS = ("et", "po", "un", "sw", "fa")
_SLIP = 0.6  # of the same: above, a word is another one misspelt
_SURE_SLIP = 0.8  # where a later release may have such a word
_WORD = re.compile(r"(?<![\w-])[a-z][a-z-]+(?![\w-])")  # of commands: names are in capitals, or have digits
_VALUE = re.compile(r"\{[A-Z]\w*\}")
_NEAR = 0.3  # of difflib's likeness: below, two lines have nothing in common
_RENDERED = re.compile(r"^! .*\bchip family (strata|sand)\b", re.MULTILINE)  # as rocecfg's own files begin
_MODEL = re.compile(r"^! device: \S+ \((?:DCS-)?(\d+)", re.MULTILINE)  # as running-configs begin
RELEASE = re.compile(r"4\.\d{1,3}\.\d{1,3}[A-Z]?\S*")  # how one is written
_STATED = re.compile(
    r"^! (?:device: [^(\n]*\([^,()\n]*, ?(?:EOS-)?|.*\bRoCE settings for EOS )(4\.\d[\w.]*)", re.MULTILINE
)
_BY_MODEL = ((re.compile("7020|7280|75|78"), SAND), (re.compile("70[156]0|72[56]0|73"), STRATA))


class _OpenMode(NamedTuple):
    """A mode that is open, and the indentation of the line that opened it."""

    mode: str
    indent: int


class _Line(NamedTuple):
    number: int
    text: str  # its words, one blank between them
    indent: int

    @property
    def negative(self) -> bool:
        return _SIGN.match(self.text) is not None

    @property
    def body(self) -> str:
        """Without `no` or `default`."""
        return _SIGN.sub("", self.text, count=1) if self.negative else self.text


def judge(document: Document, asked: JudgeOptions) -> Verdict:
    """`asked.family`: of the chip; where it is not known, here or in the text, lines of either family are taken.

    The release is that of `asked.releases`, else the one that the text names. `asked.strict`: a line that has none of
    the forms is a fault, whatever it is about.
    """
    text = document.text
    family = asked.family or _stated_family(text)
    stated = _STATED.search(text)
    release = next(filter(RELEASE.fullmatch, asked.releases), None) or (stated[1] if stated is not None else None)
    walk = _LineJudge(family, release, strict=asked.strict)
    for number, raw in enumerate(text.split("\n"), 1):
        words = " ".join(raw.split())
        if words and words[0] not in "!#":
            walk.judge_line(_Line(number, words, len(raw) - len(raw.lstrip())))
    model = "rocecfg's grammar of EOS lines on QoS, PFC, ECN and buffers"
    unjudged = list(walk.doubts)
    if walk.others:
        unjudged.append(f"{walk.others} of {walk.count} lines, which are about something else")
    if family is None:
        unjudged.append("what one chip family has and the other lacks: --family says which (strata or sand)")
    else:
        model += f", {_FAMILIES[family]}"
    title = f"{model}; of no release, and no model of the vendor's"
    return Verdict(title, None, tuple(walk.faults), (), tuple(unjudged))


def _stated_family(text: str) -> str | None:
    """The chip family that a text names itself, or by its model of switch."""
    stated = _RENDERED.search(text)
    if stated is not None:
        return stated[1]
    model = _MODEL.search(text)
    return None if model is None else next((family for is_, family in _BY_MODEL if is_.match(model[1])), None)


class _LineJudge:
    """A configuration line by line. `doubts`: what no source tells for sure; `others`: lines not judged."""

    def __init__(self, family: str | None, release: str | None, *, strict: bool) -> None:
        self.faults: list[Fault] = []
        self.doubts: list[str] = []
        self.count = self.others = 0
        self._family = family
        self._later = release if release is not None and not strict and _is_later(release) else None
        self._forms_known = strict or (release is not None and self._later is None)
        self._strict = strict
        self._stack = [_OpenMode(GLOBAL, -1)]

    def judge_line(self, line: _Line) -> None:
        """Judge the next line."""
        if line.text == "end":
            del self._stack[1:]
            return
        if line.text == "exit":
            del self._stack[max(1, len(self._stack) - 1) :]
            return
        if _PROMPT.match(line.text) and not line.text.startswith("/"):
            self._add_fault(line, "the prompt of a device, not a line of its configuration")
            return
        if OWNED.match(line.text) and not line.text.startswith("description"):
            line = line._replace(text=_REMARK.sub("", line.text))
        self.count += 1
        wrong: MatchedForm | None = None
        for depth in range(len(self._stack) - 1, -1, -1):
            found = find_form(self._stack[depth].mode, line.body, negative=line.negative)
            if found is not None and not found.wrong:
                self._accept_line(line, found.form, depth)
                return
            wrong = wrong or found
        outer = self._modes_by_indent(line)
        if not self._needs_form(line, outer[-1].mode):
            self._stack = outer
            self.others += 1
            if self._strict:
                self._add_fault(line, "no line that the grammar knows")
        elif wrong is not None:
            fixed = any(each.split(":")[0] in _FIXED or ": " not in each for each in wrong.wrong)
            self._add_fault(line, f"{'; '.join(wrong.wrong)} (form: {wrong.form.pattern})", newer=not fixed)
            if wrong.form.enters:
                self._stack = [*outer, _OpenMode(wrong.form.enters, line.indent)]
        else:
            self._judge_unknown(line)

    def _modes_by_indent(self, line: _Line) -> list[_OpenMode]:
        """Where indentation alone would put a line."""
        return [opened for opened in self._stack if opened.indent < line.indent] or self._stack[:1]

    @staticmethod
    def _needs_form(line: _Line, mode: str) -> bool:
        """Whether a line without a form must have one."""
        if not OWNED.match(line.text) and mode not in OWNED_MODES:
            return False
        below_unknown = line.indent > 0 and mode in (GLOBAL, OTHER)
        return not (below_unknown and GENERIC.match(line.text))

    def _accept_line(self, line: _Line, form: LineForm, depth: int) -> None:
        del self._stack[depth + 1 :]
        if form.plain or form.enters == INTERFACE:
            pass
        elif self._family is not None:
            self._check_family(line, form, self._family)
        if form.enters and not line.negative:
            mode = interface_mode(line.body) if form.enters == INTERFACE else form.enters
            self._stack.append(_OpenMode(mode, line.indent))

    def _check_family(self, line: _Line, form: LineForm, family: str) -> None:
        if form.only not in ("", family):
            self._add_fault(line, f"{form.only} alone has it, and the switch is {family}", newer=True)
        if "random-detect" not in line.body:
            return
        unit = next((u for u in _UNITS.findall(line.body) if _ONLY.get(u, family) != family), None)
        if unit == "segments":  # the `?` help of a Jericho does not offer it
            self._add_fault(line, f"the unit segments is not offered on {family}", newer=True)
        elif unit is not None:  # in AVD's schema, and no device of the other family was seen with it
            self.doubts.append(f"line {line.number}: thresholds in {unit} are known from {SAND} only")

    def _judge_unknown(self, line: _Line) -> None:
        """A line of these families that has no form where it stands."""
        message = next((words for known, words in KNOWN_FAULTS if known.search(line.body)), None)
        elsewhere = find_modes(line.body, negative=line.negative) if message is None else []
        if elsewhere:
            here = self._stack[-1].mode
            self._add_fault(line, f"{_MISPLACED}: here {here}, and it belongs in {' or '.join(elsewhere)}", newer=True)
            return
        near = _SLIP if self._forms_known else _SURE_SLIP
        strange = _list_strange_words(line.body, near) if message is None and not self._strict else None
        if strange is not None and (not all(strange.values()) or not (strange or self._forms_known)):
            self._doubt(line, "no form that is known")
        else:
            self._add_fault(line, (message or _UNKNOWN) + self._suggest_form(line))
        if line.body.startswith(("policy-map ", "class-map ")):  # what follows is below it
            mode = POLICY_MAP if line.body.startswith("policy") else CLASS_MAP
            self._stack = [self._stack[0], _OpenMode(mode, line.indent)]

    def _suggest_form(self, line: _Line) -> str:
        known = compiled_forms(negative=line.negative)
        open_modes = {opened.mode for opened in self._stack}
        forms = [p.form.pattern for p in known if open_modes & set(p.form.modes)] or [p.form.pattern for p in known]
        near = difflib.get_close_matches(line.body, forms, 1, _NEAR)
        return f" (nearest: {near[0]})" if near else ""

    def _doubt(self, line: _Line, message: str) -> None:
        self.doubts.append(f"line {line.number}: {line.text}: {message}; {self._later or 'a later EOS'} may have it")

    def _add_fault(self, line: _Line, message: str, *, newer: bool = False) -> None:
        """`newer`: a release later than those that are known may take the line."""
        if newer and self._later is not None:
            self._doubt(line, message)
            return
        unknown = message.startswith((_UNKNOWN, _MISPLACED))
        self.faults.append(Fault(line.number, line.text, message, f"{line.text}\n{message}", unknown))


def _is_later(release: str) -> bool:
    """Whether a release came after the newest that is known."""
    from rocecfg.profiles.library import SHIPPED
    from rocecfg.profiles.releases import newest_before

    vendor = __name__.rpartition(".")[2]  # this module is called after it
    return newest_before(SHIPPED.nos(vendor).releases, vendor, release) is not None


def _list_strange_words(body: str, near: float) -> dict[str, bool]:
    """The words of a line that are of no form, and whether each is a slip of one: else it may be newer."""
    known = _list_words()
    strange = [word for word in _WORD.findall(body) if word not in known]
    return {word: bool(difflib.get_close_matches(word, known, 1, near)) for word in strange}


@cache
def _list_words() -> frozenset[str]:
    """All words of the forms."""
    patterns = (each.form.pattern for negative in (False, True) for each in compiled_forms(negative=negative))
    return frozenset(word for pattern in patterns for word in _WORD.findall(_VALUE.sub(" ", pattern)))


def interface_mode(line: str) -> str:
    """The mode that a line `interface NAME` enters."""
    if _OTHER_INTERFACE.match(line):
        return OTHER
    name = line.split()[1].lower()
    if name.startswith(_ETHERNETS):
        return ETHERNET
    return VXLAN if name.startswith("vx") else OTHER


# The first words of the families of lines that the forms answer for: one that matches no form is a fault.
OWNED = re.compile(
    r"^(?:no |default )?(?:"
    r"qos\b|priority-flow-control\b|pfc\b|dcqcn\b|roce\b|ecn\b|wred\b|random-detect\b|congestion\b|"
    r"tx-queue\b|uc-tx-queue\b|mc-tx-queue\b|service-profile\b|service-policy type (?:qos|tx-queue|queuing)\b|"
    r"bandwidth (?:percent|guaranteed|priority|remaining)\b|priority(?:$| strict| group| level)|"
    r"dcbx\b|flowcontrol\b|scheduler profile\b|latency maximum\b|tx-scheduler\b|"
    r"shape\b|ingress (?:threshold|headroom|reserved|resume|priority)|egress (?:unicast|multicast) queue|"
    r"platform trident mmu\b|platform sand qos\b|platform fap\b|"
    r"hardware counter feature (?:ecn|qos|priority)|hardware qos\b|hardware buffer\b|"
    r"queue-monitor\b|load-balance cluster\b|ip hardware fib load-balance\b|port-channel load-balance trident udf\b|"
    r"class-map type (?:qos|quality|traffic|network|queuing)|"
    r"policy-map type (?:qos|quality|tx-queue|queuing|network)|vxlan qos\b|errdisable (?:detect|recovery) cause stuck"
    r")"
)
# Everyday words: these families alone where a queue, a profile, an interface or nothing is known to be open.
GENERIC = re.compile(
    r"^(?:no |default )?(?:bandwidth|priority|latency|scheduler|congestion|ecn|flowcontrol|shape|ingress|egress)\b"
)

_POLICY_TYPE = "EOS has no such policy-map type: queues are set in tx-queue N or uc-tx-queue N of a port or qos profile"
_WATCHDOG = "EOS spells it priority-flow-control pause watchdog ..."

# Lines that are often met, and what is wrong with them.
KNOWN_FAULTS = tuple(
    (re.compile(pattern), message)
    for pattern, message in (
        (
            r"^priority-flow-control mode (on|off|auto)$",
            "a form of old EOS (seen for 4.13) and of NX-OS; current EOS writes priority-flow-control on",
        ),
        (
            r"^priority-flow-control pause watchdog action no-drop$",
            "the watchdog has no action no-drop, EOS rejects it (AVD issue 6399): write drop, errdisable, notify-only",
        ),
        (
            r"^priority-flow-control watchdog\b",
            f"{_WATCHDOG} (without pause it is the form of Dell's SONiC or of NX-OS)",
        ),
        (
            r"^random-detect ecn minimum-threshold \d+ maximum-threshold",
            "the unit after each threshold is missing (segments, bytes, kbytes, mbytes, milliseconds, microseconds)",
        ),
        (r"^qos map dscp [\d ,\-]+$", "`to traffic-class N` is missing"),
        (r"^bandwidth priority", "a strict queue is `priority strict`"),
        (r"^policy-map type (tx-queue|queuing|network-qos)", _POLICY_TYPE),
        (
            r"^service-policy type (tx-queue|queuing)",
            "queues are not set by a service-policy on EOS: write service-profile NAME",
        ),
        (r"^pfc watchdog\b", _WATCHDOG),
        (
            r"^ecn threshold\b",
            "EOS spells it random-detect ecn minimum-threshold N UNIT maximum-threshold N UNIT",
        ),
    )
)
