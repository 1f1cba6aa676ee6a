"""The buffer that lossless priority groups share, and the share of it that one may take."""

from __future__ import annotations

from rocecfg.core.units import show_number, show_size
from rocecfg.model import Computed, Default, Origin, Pools
from rocecfg.sizing.chip import TRADITIONAL, SizedChip
from rocecfg.sizing.templates import pool_shares, resize_pools, shared_headroom_known, shares_known

TYPE_CHECKING = False
if TYPE_CHECKING:  # what only profiles make is loaded with them
    from rocecfg.model import HeadroomRow, HeadroomTable, PoolSet

_ANY = "any"  # buffer model
_OTHER = "other"  # role in a fabric
_SIZED_BY_TEMPLATE = "device.buffers.shared_headroom without a template"  # a lack of systems that cannot size it alone


def size_pools(chip: SizedChip) -> Pools:
    """The pools of such a device. Bytes; unknown parts stay None."""
    asic = chip.asic
    if asic is None:
        return Pools()
    origins: dict[str, Origin] = {}
    if asic.usable_buffer is not None:
        origins["total"] = asic.fact("usable_buffer")
    lossless, shared = asic.lossless_pool, None
    if lossless is not None:
        origins["lossless"] = asic.fact("lossless_pool")
    chosen = _template_in_use(chip)
    if chosen is not None and chip.platform is not None:
        pool, why = chosen
        fact = chip.platform.fact(f"pools of {', '.join(pool.templates)}", pool.source, pool.mark)
        if pool.ingress_lossless is not None:
            lossless, reported = _stated_pool(chip, pool, pool.ingress_lossless)
            origins["lossless"] = Computed(f"{why}{reported}", (fact, *_places_stated(chip)))
        shared = pool.shared_headroom or 0
        origins["shared_headroom"] = Computed(why, (fact,))
    elif chip.nos is not None and chip.nos.lossless_share is not None and asic.usable_buffer is not None:
        percent, at = _lossless_percent(chip, chip.nos.lossless_share, chip.nos.sources["lossless_share"])
        lossless = int(asic.usable_buffer * percent / 100)
        origins["lossless"] = Computed(
            f"{show_number(percent)}% x {show_size(asic.usable_buffer)} = {show_size(lossless)}",
            (at, asic.fact("usable_buffer")),
        )
    # a size that the switch would not be told is not what it has; that headroom is to be private, somebody sees to
    off = chip.buffers.shared_headroom == 0
    rendered = chip.nos is None or chip.nos.knows(_SIZED_BY_TEMPLATE) or shared_headroom_known(chip)
    if chip.buffers.shared_headroom is not None and (off or rendered):
        shared = chip.buffers.shared_headroom
        origins["shared_headroom"] = chip.buffers.at("shared_headroom")
    return Pools(asic.usable_buffer, lossless, shared, origins)


def _stated_pool(chip: SizedChip, pool: PoolSet, lossless: int) -> tuple[int, str]:
    """The lossless pool of a template with what the intent says of pools, in bytes, and the working."""
    wording = ""
    headroom = chip.buffers.shared_headroom
    if headroom is not None and chip.buffers.model == TRADITIONAL:
        sizes = resize_pools(chip, headroom)
        if sizes is not None and sizes.lossless is not None:
            wording += f", {show_size(lossless)} less what the headroom pool gains = {show_size(sizes.lossless)}"
            lossless = sizes.lossless
    parts = pool_shares(chip.buffers)
    if parts is not None and pool.ingress_lossy is not None and shares_known(chip):
        whole = lossless + pool.ingress_lossy
        lossless = int(whole * parts[0] / 100)
        wording += f", {show_number(parts[0])}% x {show_size(whole)} = {show_size(lossless)}"
    return lossless, wording


def _places_stated(chip: SizedChip) -> tuple[Origin, ...]:
    """Where what the intent says of pools is written."""
    stated = chip.buffers
    return tuple(
        stated.at(key) for key in ("lossless_pool", "lossy_pool", "shared_headroom") if getattr(stated, key) is not None
    )


def _template_in_use(chip: SizedChip) -> tuple[PoolSet, str] | None:
    """The pools of the template in use, and why it is that one."""
    known = chip.box.pools if chip.box is not None else ()
    if not known or chip.nos is None:
        return None
    wanted, why = chip.buffers.template, "buffers.template"
    if wanted is None:
        by_role = chip.nos.buffer_templates
        wanted = by_role.get(chip.role or _OTHER, by_role.get(_OTHER, ""))
        why = f"template {wanted} assumed for {f'a {chip.role}' if chip.role else 'a switch of no stated role'}"
    for pool in known:
        if wanted in pool.templates:
            return pool, f"{why}{chip.tables}"
    if chip.buffers.template is not None or len(known) > 1:
        return None
    return known[0], f"template {', '.join(known[0].templates)}, the only one known of this HwSKU{chip.tables}"


def _lossless_percent(chip: SizedChip, stock: float, source: str) -> tuple[float, Origin]:
    """The share of the buffer that the lossless pool has, percent; `stock` where the intent says nothing of pools."""
    stated = chip.buffers
    if stated.lossless_pool is not None:
        return stated.lossless_pool, stated.at("lossless_pool")
    if stated.lossy_pool is not None:
        return 100 - stated.lossy_pool, stated.at("lossy_pool")
    return stock, Default(source)


def find_alpha(
    chip: SizedChip, table: HeadroomTable | None, row: HeadroomRow | None
) -> tuple[float | None, Origin | None]:
    """Alpha of a lossless priority group: as stated, as the table's row has it, as the operating system defaults."""
    if chip.buffers.alpha is not None:
        return chip.buffers.alpha, chip.buffers.at("alpha")
    if row is not None and table is not None:
        return 2.0**row.dynamic_th, Computed(
            f"2^{row.dynamic_th}, the threshold of its headroom table{chip.tables}", (table.fact("dynamic_th"),)
        )
    if chip.nos is not None:
        stock = chip.nos.stock_alpha.get(chip.buffers.model or _ANY, chip.nos.stock_alpha.get(_ANY))
        if stock is not None:
            return stock, Default(chip.nos.sources["stock_alpha"])
    if chip.asic is not None and chip.asic.alpha:
        return chip.asic.alpha[0], Computed("what tables for this chip usually give", (chip.asic.fact("alpha"),))
    return None, None
