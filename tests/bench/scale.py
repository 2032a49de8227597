#!/usr/bin/env python3
"""Times what is done with programs of 10,000 and of 100,000 nodes, each operation against a load of the program, and says how it grows.

    cmake --preset bench && ninja -C build/bench program_bench
    tests/bench/scale.py build/bench [--rounds 5] [--operation infer]

The programs are the large one of tests/data, with symbolic shapes and the metadata of its nodes, its blocks repeated (see
cold_loads.py). Growth is that of the time for a node: 1.00 is linear. Times are the processor's, medians of the rounds. Needs 3 GB
of memory.
"""

import argparse
import gzip
import json
import multiprocessing
import pathlib
import re
import subprocess
import tempfile

import cold_loads

def write_program(path, repeats):
    program = json.loads(gzip.decompress(cold_loads.PROGRAM.read_bytes()))
    path.write_text(json.dumps(cold_loads.repeated(program, repeats)))


def measured(bench, path, rounds, operation):
    """Returns the number of nodes and the milliseconds of each operation, including a load."""
    command = [bench, path, str(rounds), *([operation] if operation else [])]
    lines = subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout.splitlines()
    times = {match[1]: float(match[2]) for line in lines if (match := re.match(r"(.+?) +([\d.]+) ms", line))}
    return int(re.search(r"(\d+) nodes", lines[0])[1]), times


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="a build of the benchmarks")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--operation", help="one of those that are printed, instead of all")
    parser.add_argument("--repeats", type=int, nargs=2, default=[6, 56],
                        help="of 24 blocks of 75 nodes, for each program (default: 10,000 and 100,000 nodes)")
    arguments = parser.parse_args()
    bench = arguments.build.resolve() / "tests/bench/program_bench"
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder) / f"{repeats}.json" for repeats in arguments.repeats]
        # A separate process, so that a gigabyte of Python objects is freed before the benchmark.
        with multiprocessing.get_context("spawn").Pool(1) as making:
            making.starmap(write_program, zip(paths, arguments.repeats))
        (few, small), (many, large) = (measured(bench, path, arguments.rounds, arguments.operation) for path in paths)
    print(f"{'':16} {few:>10} nodes          {many:>10} nodes           growth per node")
    for name, time in large.items():
        print(f"{name:16} {small[name]:8.1f} ms  {small[name] / small['load']:5.2f} loads  {time:8.1f} ms  {time / large['load']:5.2f} loads"
              f"   {time / many / (small[name] / few):5.2f}")


if __name__ == "__main__":
    main()
