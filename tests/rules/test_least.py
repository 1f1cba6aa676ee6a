"""`lint(least=ERROR)`, by which `rocecfg render` refuses: the errors that all rules find, for less work."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner
from loops import loop
from page_cases import INTENT, laid_out, pages

from rocecfg.cli import cli
from rocecfg.intent import Loaded, load
from rocecfg.linting.finding import Finding
from rocecfg.linting.run import lint
from rocecfg.rules import ALL, ERROR, INFO, SEVERITIES, select_rules
from rocecfg.source.document import Sources

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
# a rule that only warns has nothing to refuse: of all the others, each intent on its page
NAMES = [rule.name for rule in ALL if rule.worst == ERROR and rule.check is not None and rule.name in pages()]


def read(text: str, folder: Path) -> tuple[Loaded, Sources]:
    sources = Sources()
    return load(str(laid_out(folder, text)), sources), sources


def errors(found: list[Finding]) -> list[tuple[str, str]]:
    return [(finding.rule.name, finding.message) for finding in found if finding.severity == ERROR]


@loop("name", NAMES)
def test_it_finds_every_error(name: str, tmp_path: Path) -> None:
    for block in pages()[name]:
        if block.section == "fires" and block.kind == INTENT:
            loaded, sources = read(block.text, tmp_path)
            every = errors(lint([loaded], sources, today="2026-11-24").findings)
            assert errors(lint([loaded], sources, today="2026-11-24", least=ERROR).findings) == every


def test_no_kind_of_fabric_makes_a_rule_more_severe_than_it_declares() -> None:
    levels = ("off", *SEVERITIES)
    for rule in ALL:
        assert max(map(levels.index, (rule.severity, *rule.by_kind.values()))) <= levels.index(rule.worst), rule.name


def test_modules_whose_rules_only_warn_are_left_out() -> None:
    sections = frozenset({"classes", "devices", "links"})
    severe = select_rules(sections, ERROR).rules
    assert {rule.worst for rule in severe} == {ERROR}
    assert set(severe) < set(select_rules(sections, INFO).rules)


def test_what_settings_make_an_error_stops_rendering(tmp_path: Path) -> None:
    intent = (EXAMPLES / "policy" / "fabric.yaml").read_text(encoding="utf-8")
    path = tmp_path / "fabric.yaml"
    path.write_text(intent.replace("kmax: 1600KB, pmax: 5%", "kmax: 400KB, pmax: 100%"), encoding="utf-8")
    command = ["render", str(path), "--vendor", "sonic"]
    assert CliRunner().invoke(cli, command).exit_code == 0  # lint warns
    (tmp_path / "rocecfg.toml").write_text('[severity]\necn-step = "error"\n', encoding="utf-8")
    refused = CliRunner().invoke(cli, command)
    assert refused.exit_code == 1
    assert "error[ECN303] ecn-step" in refused.output
