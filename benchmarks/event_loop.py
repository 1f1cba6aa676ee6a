"""The floor of any reader of these files: every byte read, decoded and run through PyYAML's C events, nothing kept.

python event_loop.py FOLDER
"""

import os
import sys

import yaml


def main(folder: str) -> None:
    """Loop over the events of every YAML file below a folder; print how many files and bytes that were."""
    files = size = 0
    for base, _, names in os.walk(folder):
        for name in names:
            if not name.endswith(".yaml"):
                continue
            with open(os.path.join(base, name), "rb") as file:
                data = file.read()
            for _event in yaml.parse(data.decode(), Loader=yaml.CLoader):
                pass
            files += 1
            size += len(data)
    print(files, size)


if __name__ == "__main__":
    main(sys.argv[1])
