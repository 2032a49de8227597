#!/usr/bin/env python3
"""Measures the sizes of copies made by `schemagen amalgamate` and writes them into docs/copying.md.

    cmake --preset release && cmake --build build/release
    tests/bench/sizes.py build/release

Takes three minutes.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

from figures import replace

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "tests/embedding/copy_in/main.cpp"
COPIES = {"types": "the structs", "codecs": "JSON and binary codecs", "versions": "upgrades, canonical forms, hashes",
          "archive": "loading and saving `.pt2` files and their weights", "all": "all of libpt2"}


def run(*command, **options):
    return subprocess.run([*map(str, command)], check=True, text=True, stdout=subprocess.PIPE, **options).stdout


def kilobytes(path):
    """Returns the size of the stripped program."""
    run("strip", path)
    return path.stat().st_size / 1000


def copies(schemagen, folder):
    """Returns a table of the output of `schemagen amalgamate --level`."""
    rows = ["| `--level` | contents | lines | compile time | object size |", "|---|---|---|---|---|"]
    for level, contents in COPIES.items():
        run(schemagen, "amalgamate", ROOT / "schema/pt2.yaml", "--level", level, "-o", folder / level)
        lines = sum(len((folder / level / name).read_text().splitlines()) for name in ("pt2.h", "pt2.cpp"))
        start = time.monotonic()
        run("g++", "-std=c++17", "-O2", "-c", folder / level / "pt2.cpp", "-o", folder / level / "pt2.o")
        seconds = time.monotonic() - start
        rows.append(f"| `{level}` | {contents} | {lines:,} | {seconds:.0f} s | {kilobytes(folder / level / 'pt2.o') / 1000:.2f} MB |")
    return "\n".join(rows)


def copied_program(schemagen, folder):
    run(schemagen, "amalgamate", ROOT / "schema/pt2.yaml", "--level", "archive", "-o", folder / "pt2")
    sizes = []
    for flags in (["-O2"], ["-Os", "-ffunction-sections", "-Wl,--gc-sections"]):
        run("g++", "-std=c++17", *flags, EXAMPLE, "pt2/pt2.cpp", "-I.", "-o", "operators", cwd=folder)
        sizes.append(f"{kilobytes(folder / 'operators') / 1000:.2f} MB with `{' '.join(flags)}`")
    return "The stripped program is " + ", and ".join(sizes) + "."


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="a release build")
    schemagen = parser.parse_args().build.resolve() / "bin/schemagen"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        replace(ROOT / "docs/copying.md", "copies", copies(schemagen, folder / "copies"))
        replace(ROOT / "docs/copying.md", "copy", copied_program(schemagen, folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
