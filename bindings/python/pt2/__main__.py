"""The command `pt2`; `python -m pt2` is the same."""

import os
import sys

from pt2 import _pt2


def main() -> int:
    return _pt2.run_command([b"pt2", *map(os.fsencode, sys.argv[1:])])


if __name__ == "__main__":
    sys.exit(main())
