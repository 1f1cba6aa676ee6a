"""Sizes, times, rates, lengths and percents: exact, and never without a unit."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from loops import loop

from rocecfg.core import units
from rocecfg.core.digits import is_number
from rocecfg.core.units import MissingUnit

PARSERS: tuple[Callable[[str], float], ...] = (
    units.parse_size,
    units.parse_time,
    units.parse_rate,
    units.parse_length,
    units.parse_percent,
)


@loop(
    ("parse", "text", "value"),
    [
        (units.parse_size, "800KB", 800_000),
        (units.parse_size, "1MiB", 1_048_576),
        (units.parse_size, "1.5MB", 1_500_000),
        (units.parse_size, "0.5KiB", 512),
        (units.parse_size, "1500B", 1500),
        (units.parse_size, "1500 B", 1500),
        (units.parse_size, "2GiB", 2 * 1024**3),
        (units.parse_time, "200ms", 200),
        (units.parse_time, "0.2s", 200),
        (units.parse_time, "1.5ms", 1.5),
        (units.parse_time, "150us", 0.15),
        (units.parse_time, "150µs", 0.15),
        (units.parse_time, "1min", 60_000),
        (units.parse_rate, "400G", 400 * 10**9),
        (units.parse_rate, "2.5G", 2_500_000_000),
        (units.parse_rate, "1.6T", 1_600_000_000_000),
        (units.parse_rate, "25Gbit/s", 25 * 10**9),
        (units.parse_rate, "25Gbps", 25 * 10**9),
        (units.parse_rate, "100M", 10**8),
        (units.parse_rate, "9600bit/s", 9600),
        (units.parse_length, "3m", 3),
        (units.parse_length, "0.5m", 0.5),
        (units.parse_length, "1.2km", 1200),
        (units.parse_length, "50cm", 0.5),
        (units.parse_percent, "5%", 5),
        (units.parse_percent, "0.1%", 0.1),
        (units.parse_percent, "250%", 250),
    ],
)
def test_values_are_exact(parse: Callable[[str], float], text: str, value: float) -> None:
    assert parse(text) == value


def test_whole_values_are_whole() -> None:
    assert isinstance(units.parse_time("200ms"), int)
    assert isinstance(units.parse_length("1000mm"), int)


@loop(
    ("parse", "text", "offer"),
    [
        (units.parse_size, "800", "800KB"),
        (units.parse_time, "200", "200ms"),
        (units.parse_rate, "400", "400G"),
        (units.parse_length, "3", "3m"),
        (units.parse_percent, "5", "5%"),
        (units.parse_time, "0.5", "0.5s"),  # EOS's seconds
        (units.parse_time, "0.2", "0.2s"),
        (units.parse_time, "200000", "200000us"),
        (units.parse_size, "150000", "150KB"),  # NVUE's and SONiC's bytes
        (units.parse_size, "1048576", "1MiB"),
        (units.parse_size, "2097153", "2097153B"),
        (units.parse_size, "12800", "12800KB"),  # more than half of what is published for 800G
        (units.parse_size, "1.5", "1.5KB"),
        (units.parse_percent, "0.05", "5%"),  # a fraction of 1
        (units.parse_percent, "0.2", "20%"),
        (units.parse_percent, "0.125", "12.5%"),
        (units.parse_percent, "100", "100%"),
        (units.parse_rate, "100000", "100G"),  # SONiC's Mbit/s
        (units.parse_rate, "400000000000", "400G"),
        (units.parse_rate, "1600", "1600G"),
    ],
)
def test_a_bare_number_is_refused_with_an_offer_that_works(
    parse: Callable[[str], float], text: str, offer: str
) -> None:
    with pytest.raises(MissingUnit, match="needs a unit") as caught:
        parse(text)
    assert caught.value.offer == offer
    assert parse(caught.value.offer) > 0


@loop(
    ("parse", "text", "word"),
    [
        (units.parse_size, "800kb", "write KB"),
        (units.parse_size, "1mib", "write MiB"),
        (units.parse_size, "5Kb", "write KB"),
        (units.parse_time, "200MS", "write ms"),
        (units.parse_time, "2 weeks", "known: us"),
        (units.parse_rate, "400g", "write G"),
        (units.parse_length, "3M", "write m"),
        (units.parse_size, "0.5B", "not a whole number of bytes"),
        (units.parse_size, "1.0001KB", "not a whole number of bytes"),
        (units.parse_rate, "0.5bit/s", "not a whole number of bit/s"),
        (units.parse_size, "-5KB", "not a number with a unit"),
        (units.parse_size, "KB", "not a number with a unit"),
        (units.parse_size, "", "not a number with a unit"),
        (units.parse_size, "1.KB", "not a number with a unit"),
        (units.parse_size, ".5KB", "not a number with a unit"),
        (units.parse_size, "1e3KB", "is not a unit of a size"),
        (units.parse_size, "1,5KB", "is not a unit of a size"),
        (units.parse_size, "٣KB", "not a number with a unit"),
        (units.parse_time, "1" * 5000 + "ms", "digits"),
        (units.parse_time, "1" * 400 + ".5us", "digits"),
        (units.parse_percent, "0." + "1" * 400 + "%", "digits"),
    ],
)
def test_what_is_wrong_is_said(parse: Callable[[str], float], text: str, word: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        parse(text)
    assert word in str(caught.value)
    assert not isinstance(caught.value, MissingUnit)
    assert len(str(caught.value)) < 200


@given(st.integers(0, 10**12), st.sampled_from(["KB", "MB", "KiB", "MiB"]), st.integers(0, 3))
@settings(max_examples=200, deadline=None)
def test_decimals_are_worked_out_without_floats(number: int, unit: str, places: int) -> None:
    text = f"{number // 10**places}.{number % 10**places:0{places}d}{unit}" if places else f"{number}{unit}"
    factor = {"KB": 10**3, "MB": 10**6, "KiB": 2**10, "MiB": 2**20}[unit]
    exact = Fraction(number, 10**places) * factor
    if exact.denominator == 1:
        assert units.parse_size(text) == exact
    else:
        with pytest.raises(ValueError, match="whole number of bytes"):
            units.parse_size(text)


@given(st.text(max_size=12) | st.text(alphabet="0123456789. kKMGTiBbit/smµu%", max_size=12))
@settings(max_examples=500, deadline=None)
def test_any_text_is_a_quantity_or_a_value_error(text: str) -> None:
    for parse in PARSERS:
        try:
            value = parse(text)
        except ValueError as error:
            assert str(error)  # noqa: PT017 - raising is one of two good ends
        else:
            assert value >= 0


@given(st.integers(0, 10**13))
@settings(max_examples=300, deadline=None)
def test_a_size_shown_reads_back_as_itself(size: int) -> None:
    assert units.parse_size(units.show_size(size)) == size


@given(st.integers(0, 10**14) | st.integers(0, 10**5).map(lambda n: n * 10**8))
@settings(max_examples=300, deadline=None)
def test_a_rate_shown_reads_back_as_itself(rate: int) -> None:
    assert units.parse_rate(units.show_rate(rate)) == rate


@loop(
    ("shown", "text"),
    [
        (units.show_size(800_000), "800KB"),
        (units.show_size(1_500_000), "1.5MB"),
        (units.show_size(1_048_576), "1MiB"),
        (units.show_size(123_456_700), "123456.7KB"),
        (units.show_size(1500), "1.5KB"),
        (units.show_size(1501), "1501B"),
        (units.show_size(0), "0B"),
        (units.show_rate(400 * 10**9), "400G"),
        (units.show_rate(1_600 * 10**9), "1600G"),
        (units.show_rate(2_500_000_000), "2.5G"),
        (units.show_rate(12_345_678_901), "12.345678901G"),
        (units.show_time(200), "200ms"),
        (units.show_time(0.15), "150us"),
        (units.show_time(59_000), "59000ms"),
        (units.show_time(60_000), "1min"),
        (units.show_time(90_500), "90.5s"),
        (units.show_time(14_400_000), "240min"),
        (units.show_number(999_999.5), "999999.5"),
        (units.show_number(0.00001), "0.00001"),
        (units.show_number(5.0), "5"),
    ],
)
def test_values_are_shown_as_people_write_them(shown: str, text: str) -> None:
    assert shown == text


def test_a_share_is_no_rate() -> None:
    assert units.Percent(5) == units.Percent(5.0)
    assert units.Percent(5) != 5
    assert {units.Percent(5): "share", 5: "rate"} == {5: "rate", units.Percent(5): "share"}
    assert pickle.loads(pickle.dumps(units.Percent(5))) == units.Percent(5)  # noqa: S301 - our own
    assert (units.show(units.RATE, units.Percent(5)), units.show(units.RATE, 5)) == ("5%", "5bit/s")


@settings(max_examples=60, deadline=None)
@given(st.sets(st.integers(0, 300)))
def test_ranges_say_each_number_once(numbers: set[int]) -> None:
    reported: list[int] = []
    for part in units.ranges(sorted(numbers)).split(", ") if numbers else []:
        low, _, high = part.partition("-")
        reported += range(int(low), int(high or low) + 1)
    assert reported == sorted(numbers)


@pytest.mark.parametrize("text", ["", "³", "٣", "-1", "+1", "1.0", " 1", "1_000", "9" * 19])
def test_what_is_no_number(text: str) -> None:
    assert not is_number(text)


def test_numbers_have_so_many_digits() -> None:
    assert is_number("007")
    assert is_number("9" * 18)
    assert is_number("99", 2)
    assert not is_number("100", 2)
