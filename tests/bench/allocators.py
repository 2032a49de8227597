#!/usr/bin/env python3
"""Times loads under other allocators than glibc's, which are preloaded into binary_bench, to see what share of a load allocation has.

    cmake --preset bench && ninja -C build/bench binary_bench
    tests/bench/allocators.py build/bench [--library /usr/lib/x86_64-linux-gnu/libmimalloc.so.2 ...] [--pairs 5] [--rounds 15]

Each process under glibc stands beside one under each of the others; ratios are medians of those pairs. Without --library, mimalloc and tcmalloc
are taken where Debian's libmimalloc2.0 and libtcmalloc-minimal4 put them, if they are installed. `bump` is bump_allocator.c beside this script:
no allocator, and no arena, can take less than about that. Needs PyYAML and a C compiler.
"""

import argparse
import os
import pathlib
import re
import statistics
import subprocess
import tempfile

import run_binary

HERE = pathlib.Path(__file__).resolve().parent
LIBRARIES = [pathlib.Path("/usr/lib/x86_64-linux-gnu", name) for name in ("libmimalloc.so.2", "libtcmalloc_minimal.so.4")]
LOADS = ["JSON", "payload", "a copy of the value"]


def timed(command, library):
    """Returns the milliseconds of each load, and of destroying its value."""
    environment = {**os.environ, **({"LD_PRELOAD": str(library)} if library else {})}
    out = subprocess.run([*map(str, command)], check=True, text=True, stdout=subprocess.PIPE, env=environment).stdout
    loads = out[out.index("\nload,"):out.index("\nwrite,")]
    return {name: (float(make), float(drop)) for name, make, drop in
            re.findall(r"^  (\S.*?) +([\d.]+) ms, .*; +([\d.]+) ms to free$", loads, re.MULTILINE)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="a build of the benchmarks")
    parser.add_argument("--library", action="append", type=pathlib.Path, help="an allocator to preload")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=15, help="loads of a process")
    arguments = parser.parse_args()
    libraries = arguments.library or [library for library in LIBRARIES if library.exists()]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        bump = folder / "bump.so"
        subprocess.run(["cc", "-O2", "-fno-builtin", "-shared", "-fPIC", HERE / "bump_allocator.c", "-o", bump], check=True)
        program, protobuf = run_binary.prepared(folder, run_binary.unpacked(run_binary.PROGRAM))
        command = [arguments.build.resolve() / "tests/bench/binary_bench", program, arguments.rounds, protobuf]
        allocators = {"glibc": None} | {library.name.split(".")[0].removeprefix("lib"): library for library in libraries} | {"bump": bump}
        runs = {name: [] for name in allocators}
        for _ in range(arguments.pairs):
            for name, library in allocators.items():
                runs[name].append(timed(command, library))
    print(f"{'':22}" + "".join(f"{name:>34}" for name in LOADS))
    for name, each in runs.items():
        row = f"{name:22}"
        for load in LOADS:
            make, drop = (statistics.median(run[load][part] for run in each) for part in (0, 1))
            share = statistics.median(run[load][0] / base[load][0] for run, base in zip(each, runs["glibc"]))
            row += f"   {make:6.2f} ms, {share:4.2f}; {drop:5.2f} to free"
        print(row)


if __name__ == "__main__":
    main()
