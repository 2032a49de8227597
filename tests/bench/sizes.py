#!/usr/bin/env python3
"""Measures the sizes of programs in README.md and docs/copying.md, and writes them into these files.

    cmake --preset release && cmake --build build/release
    tests/bench/sizes.py build/release

Links the program of each level in tests/embedding/levels, and compiles the amalgamation of each. Takes three minutes.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from figures import replace

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEVELS = ROOT / "tests/embedding/levels"
EXAMPLE = ROOT / "tests/embedding/copy_in/main.cpp"
COPIES = {"types": "the structs", "codecs": "JSON and binary codecs", "versions": "upgrades, canonical forms, hashes",
          "archive": "loading and saving `.pt2` files and their weights", "all": "all of libpt2"}


def run(*command, **options):
    return subprocess.run([*map(str, command)], check=True, text=True, stdout=subprocess.PIPE, **options).stdout


def kilobytes(path):
    """Of the stripped program."""
    run("strip", path)
    return path.stat().st_size / 1000


def linked_sizes(build, folder):
    """By level, of a program that links it."""
    run("cmake", "--install", build, "--prefix", folder / "prefix")
    environment = {**os.environ, "PKG_CONFIG_PATH": str(folder / "prefix/lib/pkgconfig")}
    sizes = {}
    for source in sorted(LEVELS.glob("*.cpp")):
        flags = run("pkg-config", "--cflags", "--libs", "pt2-" + source.stem, env=environment).split()
        run("g++", "-std=c++17", "-O2", source, *flags, "-o", folder / source.stem)
        sizes[source.stem] = kilobytes(folder / source.stem)
    return sizes


def copies(schemagen, folder):
    """A table of what `schemagen amalgamate --level` writes."""
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
    run(schemagen, "amalgamate", ROOT / "schema/pt2.yaml", "--level", "archive", "--with-rapidjson", "-o", folder / "pt2")
    sizes = []
    for flags in (["-O2"], ["-Os", "-ffunction-sections", "-Wl,--gc-sections"]):
        run("g++", "-std=c++17", *flags, EXAMPLE, "pt2/pt2.cpp", "-I.", "-o", "operators", cwd=folder)
        sizes.append(f"{kilobytes(folder / 'operators') / 1000:.2f} MB with `{' '.join(flags)}`")
    return "The stripped program takes " + ", and ".join(sizes) + "."


def replace_column(path, sizes):
    """The last cell of each row that begins with a level."""
    text = path.read_text(encoding="utf-8")
    for level, size in sizes.items():
        text, count = re.subn(rf"^(\| `pt2::{level}` \|.*\|)[^|]*\|$", rf"\1 {size:.0f} KB |", text, flags=re.MULTILINE)
        if count != 1:
            sys.exit(f"{path}: has no row of {level}")
    path.write_text(text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="a release build with static libraries, not by CMAKE_UNITY_BUILD")
    build = parser.parse_args().build.resolve()
    if re.search(r"^CMAKE_UNITY_BUILD:\w+=(ON|1|TRUE|YES)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE):
        sys.exit(f"{build}: is a unity build, of whose libraries programs get more than they call: configure it with -DCMAKE_UNITY_BUILD=OFF")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        replace_column(ROOT / "README.md", linked_sizes(build, folder))
        schemagen = build / "bin/schemagen"
        replace(ROOT / "docs/copying.md", "copies", copies(schemagen, folder / "copies"))
        replace(ROOT / "docs/copying.md", "copy", copied_program(schemagen, folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
