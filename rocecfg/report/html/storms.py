"""What a pause storm costs in GPU-hours, by how far it goes, how long it lasts and how large the fabric is: a table."""

from __future__ import annotations

from rocecfg.analysis.storm import gpu_hours, radii, storm_cost
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_time
from rocecfg.model import Fabric

_JOB_ENDS = 600_000.0  # ms: PyTorch's timeout of collectives over NCCL (pytorch/pytorch 110947)
_HOUR = 3_600_000.0
_SIZES = (1_024, 8_192, 65_536)  # GPUs of larger fabrics

FORMULA = (
    "GPU-hours = GPUs that wait × time / 3600 s. Collectives are in step, so whoever waits for a paused host waits as "
    "long; a fabric of another size is taken to stand still in the same part. After 10 minutes a job ends that has "
    "PyTorch's own timeout of NCCL (pytorch/pytorch 110947). Not counted: what a job that ended computes again since "
    "its last checkpoint, GPUs × (half the interval between checkpoints + restart)."
)


class Costs(NamedTuple):
    """The table: its head, and a row for each number of GPUs that wait."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def costs(fabric: Fabric) -> Costs | None:
    """What storms cost on a fabric, and on larger ones; None where the GPUs of its hosts are not known."""
    known, storm = radii(fabric), storm_cost(fabric)
    if not known or storm is None:
        return None
    times = [("10 min: the job ends", _JOB_ENDS), ("each hour", _HOUR)]
    if storm.longest is not None:
        times.insert(0, (f"{show_time(storm.longest)}: the watchdog acts", storm.longest))
    waiting = [(one.name, one.gpus) for one in known]
    all_gpus = known[-1].gpus
    reach = next(one for one in known if one.hosts == storm.hosts)
    share = reach.gpus / all_gpus
    waiting += [(f"a fabric of {size:,} GPUs", round(size * share)) for size in _SIZES if size > all_gpus]
    rows = tuple((name, f"{gpus:,}", *(_hours(gpu_hours(gpus, ms)) for _, ms in times)) for name, gpus in waiting)
    return Costs(("who waits", "GPUs", *(name for name, _ in times)), rows)


def _hours(number: float) -> str:
    return f"{number:,.0f}" if number >= 1000 else f"{number:.4g}"
