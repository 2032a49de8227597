"""Implements the command `pt2`, which `python -m pt2` also runs. `--cmakedir` and `--includes` print folders that are
needed to build other modules.
"""

import os
import sys

from pt2 import _pt2

FOLDERS = {"--cmakedir": "lib/cmake/pt2", "--includes": "include"}


def main() -> int:
    if len(sys.argv) == 2 and sys.argv[1] in FOLDERS:
        folder = os.path.join(os.path.dirname(__file__), FOLDERS[sys.argv[1]])
        if not os.path.isdir(folder):
            print(f"pt2: {sys.argv[1]}: expected a package installed from its wheel, got no folder {folder}", file=sys.stderr)
            return 4
        print(folder)
        return 0
    return _pt2.run_command([b"pt2", *map(os.fsencode, sys.argv[1:])])


if __name__ == "__main__":
    sys.exit(main())
