"""What it costs merely to write files that already are in memory: read a folder of them, then write them to another.

    python write_files.py FROM TO

Prints the seconds that the writing took, without start-up and reading: wall time, CPU time.
"""

import os
import sys
import time


def main(source: str, target: str) -> None:
    """Copy a folder's files through memory."""
    contents = {}
    for name in sorted(os.listdir(source)):
        with open(os.path.join(source, name), "rb") as file:
            contents[name] = file.read()
    os.makedirs(target)
    wall, cpu = time.perf_counter(), time.process_time()
    for name, data in contents.items():
        with open(os.path.join(target, name), "wb") as file:
            file.write(data)
    print(time.perf_counter() - wall, time.process_time() - cpu)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
