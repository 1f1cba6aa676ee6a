"""What rocecfg's renderer takes, warm and without reading, lint and writing, as `pyavd_render.py` measures pyavd's.

    python rocecfg_render.py FABRIC.yaml

Prints the seconds a device: wall time, CPU time.
"""

import sys
import time

import rocecfg


def main(path: str) -> None:
    """Load a fabric of EOS devices, render it once to warm up, then time it."""
    fabric = rocecfg.load(path)
    rocecfg.render(fabric, "arista")
    wall, cpu = time.perf_counter(), time.process_time()
    devices = len(rocecfg.render(fabric, "arista"))
    print((time.perf_counter() - wall) / devices, (time.process_time() - cpu) / devices)


if __name__ == "__main__":
    main(sys.argv[1])
