#!/usr/bin/env python3
"""Writes tests/data/host_macros.txt.gz: the macros of X11, Qt 5 and windows.h, which hosts of generated code include first.

Needs the Debian packages libx11-dev, qtbase5-dev, g++-mingw-w64-x86-64-posix. Run from anywhere: `python3 tests/tools/schemagen/host_macros.py`.
"""

import gzip
import pathlib
import re
import subprocess

OUT = pathlib.Path(__file__).resolve().parents[2] / "data" / "host_macros.txt.gz"
# These also break the C++ library. Windows has NOMINMAX for the first two.
BREAK_THE_LIBRARY = {"min", "max", "index", "rindex"}


def macros(compiler, headers, flags=()):
    text = "".join(f"#include <{header}>\n" for header in headers)
    done = subprocess.run([*compiler, "-std=c++17", "-w", "-dM", "-E", *flags, "-xc++", "-"], input=text, text=True,
                          capture_output=True, check=True)
    names = re.findall(r"^#define ([A-Za-z]\w*)", done.stdout, re.MULTILINE)
    return {name for name in names if "__" not in name} - BREAK_THE_LIBRARY


def main():
    qt_flags = subprocess.run(["pkg-config", "--cflags", "Qt5Core", "Qt5Widgets"], text=True, capture_output=True, check=True).stdout
    names = macros(["g++"], ["X11/Xlib.h", "X11/Xutil.h", "X11/Xatom.h", "X11/keysym.h", "X11/Xresource.h"])
    names |= macros(["g++", "-fPIC"], ["QtCore/QtCore", "QtWidgets/QtWidgets"], qt_flags.split())
    names |= macros(["x86_64-w64-mingw32-g++-posix"], ["winsock2.h", "windows.h", "windowsx.h", "objbase.h", "shellapi.h"])
    OUT.write_bytes(gzip.compress("\n".join(sorted(names)).encode() + b"\n", mtime=0))
    print(f"{len(names)} macros")


if __name__ == "__main__":
    main()
