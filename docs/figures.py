"""The pictures of the explanations, drawn with the formulas of rocecfg/physics."""

from __future__ import annotations

from html import escape

from rocecfg.physics.ecn import kmax_bound, kmax_hard, kmin_bound
from rocecfg.physics.headroom import Terms, first_principles, response_bytes, roce_frame

G = 10**9
INK, MUTED, PAPER = "#1b2430", "#5b6675", "#ffffff"
RED, BLUE, GREEN, AMBER, VIOLET, TEAL = "#b3261e", "#1f5fbf", "#2e7d32", "#b26a00", "#6a3fb5", "#00707a"
HEADROOM_AT = (400 * G, 30)  # bit/s, metres
CHIP = (1.0, 64 * 10**6, 64)  # alpha, bytes of the shared pool, ports with a lossless class


def headroom_terms() -> Terms:
    """The headroom that the picture and its page show: jumbo frames, no delay of PHY and MAC."""
    speed, metres = HEADROOM_AT
    return first_principles(speed, metres, 9018, roce_frame(4096), response_bytes(speed) or 0)


def _svg(width: int, height: int, title: str, parts: list[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" font-family="system-ui, sans-serif" font-size="14"><title>{escape(title)}</title>'
        f'<defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path d="M0 0 10 5 0 10z" fill="{RED}"/></marker></defs>'
        f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>'
    )
    return "\n".join((head, *parts, "</svg>\n"))


def _text(x: float, y: float, words: str, *, color: str = INK, anchor: str = "middle", size: int = 14) -> str:
    return f'<text x="{x:g}" y="{y:g}" fill="{color}" text-anchor="{anchor}" font-size="{size}">{escape(words)}</text>'


def _box(x: float, y: float, words: str, *, color: str = INK, width: float = 110) -> str:
    place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="40" rx="6"'
    return f'<rect {place} fill="none" stroke="{color}" stroke-width="2"/>' + _text(
        x + width / 2, y + 25, words, color=color
    )


def _arrow(x1: float, y1: float, x2: float, y2: float) -> str:
    ends = f'x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"'
    return f'<line {ends} stroke="{RED}" stroke-width="2" marker-end="url(#head)"/>'


def storm() -> str:
    """One NIC pauses; the pause goes up, and down again on the other side."""
    parts = [
        _box(20, 190, "bad NIC", color=RED),
        _box(20, 105, "leaf 1"),
        _box(245, 20, "spine"),
        _box(470, 105, "leaf 2"),
        *(_box(340 + 120 * n, 190, f"GPU {n + 1}", width=110) for n in range(3)),
        _arrow(75, 190, 75, 147),
        _arrow(130, 112, 242, 52),
        _arrow(355, 52, 468, 112),
        *(_arrow(525, 147, 395 + 120 * n, 187) for n in range(3)),
        _text(90, 173, "1  pauses without end", color=RED, anchor="start"),
        _text(175, 108, "2  leaf 1 fills, and pauses", color=RED, anchor="start", size=13),
        _text(440, 60, "3  so does the spine", color=RED, anchor="start", size=13),
        _text(600, 140, "4  nobody sends", color=RED, anchor="start", size=13),
    ]
    return _svg(720, 250, "A pause storm: the pause of one NIC reaches hosts that never talk to it", parts)


def headroom() -> str:
    """The terms of a headroom as one bar, to scale."""
    terms = headroom_terms()
    shown = (
        ("own frame", terms.own_frame, BLUE),
        ("PFC frame", terms.pause, AMBER),
        ("cable, there and back", terms.cable, GREEN),
        ("response of the peer", terms.response, VIOLET),
        ("the peer's frame", terms.peer_frame, TEAL),
    )
    speed, metres = HEADROOM_AT
    parts = [
        _text(20, 28, f"Headroom at {speed // G}G over {metres} m: {terms.total:,} bytes", anchor="start", size=16)
    ]
    x, wide = 20.0, 680 / terms.total
    for number, (name, size, color) in enumerate(shown):
        parts.append(f'<rect x="{x:.1f}" y="46" width="{size * wide:.1f}" height="44" fill="{color}"/>')
        x += size * wide
        row, column = divmod(number, 2)
        left, top = 20 + 350 * column, 122 + 28 * row
        parts.append(f'<rect x="{left}" y="{top - 12}" width="14" height="14" fill="{color}"/>')
        parts.append(_text(left + 22, top, f"{name}: {size:,.0f} bytes", anchor="start"))
    return _svg(720, 200, "The terms of a headroom, to scale", parts)


def ecn() -> str:
    """Marking probability over the depth of a queue, and where PFC pauses."""
    alpha, pool, ports = CHIP
    low, all_ports, hard = kmin_bound(alpha, pool, ports), kmax_bound(alpha, pool, ports), kmax_hard(alpha, pool)
    left, bottom, top = 70, 210, 50
    kmin, kmax, pause = 230, 420, 600
    parts = [
        f'<path d="M{left} {top - 10}V{bottom}H700" fill="none" stroke="{INK}" stroke-width="2"/>',
        f'<path d="M{left} {bottom}H{kmin}L{kmax} 150V{top}H{pause}" fill="none" stroke="{GREEN}" stroke-width="3"/>',
        f'<line x1="{pause}" y1="{top - 10}" x2="{pause}" y2="{bottom}" stroke="{RED}" stroke-width="3"/>',
        f'<line x1="{left}" y1="150" x2="{kmax}" y2="150" stroke="{MUTED}" stroke-dasharray="4 4"/>',
        _text(left - 8, 154, "pmax", anchor="end", color=MUTED),
        _text(left - 8, top + 5, "100%", anchor="end", color=MUTED),
        _text(kmin, bottom + 20, "kmin"),
        _text(kmax, bottom + 20, "kmax"),
        _text(pause, bottom + 20, "PFC pauses", color=RED),
        _text(150, bottom - 12, "no mark", color=GREEN),
        _text(510, top - 10, "every packet is marked", color=GREEN),
        _text(
            20,
            262,
            f"alpha {alpha:g}, pool {pool / 1e6:g} MB, {ports} ports: one queue alone is paused at {hard / 1e6:.1f} MB,"
            f" {ports} queues at {all_ports / 1e6:.2f} MB each,",
            anchor="start",
            color=MUTED,
            size=13,
        ),
        _text(
            20,
            282,
            f"one port that feeds {ports} queues when each holds {low / 1e6:.2f} MB",
            anchor="start",
            color=MUTED,
            size=13,
        ),
    ]
    return _svg(720, 296, "ECN marks between kmin and kmax, below the depth at which PFC pauses", parts)


def deadlock() -> str:
    """Four switches that wait for each other, since a path turns back up."""
    parts = [
        _box(150, 30, "spine 1"),
        _box(460, 30, "spine 2"),
        _box(150, 170, "leaf 1"),
        _box(460, 170, "leaf 2"),
        _arrow(205, 170, 205, 73),
        _arrow(262, 66, 458, 178),
        _arrow(515, 170, 515, 73),
        _arrow(458, 66, 262, 178),
        _text(60, 125, "waits for", color=RED),
        _text(640, 125, "waits for", color=RED),
        _text(
            360,
            250,
            "leaf 1 waits for spine 1, that for leaf 2, that for spine 2, and that for leaf 1: nobody sends again",
            color=MUTED,
            size=13,
        ),
    ]
    return _svg(720, 270, "A circle of buffers, each paused by the next", parts)


def pictures() -> dict[str, str]:
    """Name of a file in docs/images -> its text."""
    return {"storm.svg": storm(), "headroom.svg": headroom(), "ecn.svg": ecn(), "deadlock.svg": deadlock()}
