#!/usr/bin/env python3
"""Times programs that are loaded in Python, beside torch.

    PT2_PYTHON_PACKAGE=build/bindings/python tests/bench/python_loads.py [--rounds N]

On the large program of tests/data (3.3 MB, 24 blocks):
  * whole processes, from their start to a count of nodes, beside torch's _bytes_to_dataclass() alone, its imports not counted;
  * one walk through all nodes, their arguments and results;
  * eight programs loaded, verified and hashed by eight threads, beside the same by one.
What is compared is run in turn within each round; ratios are those of rounds. Prints medians.
Needs torch. Takes a minute; nothing else should run meanwhile.
"""

import argparse
import concurrent.futures
import gzip
import logging
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

from torch._export.serde import schema
from torch._export.serde.serialize import _bytes_to_dataclass

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = os.environ.get("PT2_PYTHON_PACKAGE", str(ROOT / "build" / "bindings" / "python"))
LARGE = ROOT / "tests/data/programs/large/gpt24_decomposed.json.gz"
COUNT = "import sys, pt2; print(len(pt2.load(sys.argv[1]).graph_module.graph.nodes))"
THREADS = 8

sys.path.insert(0, PACKAGE)

import pt2  # noqa: E402
import pt2.torch  # noqa: E402


def timed(run):
    """Returns the time in milliseconds."""
    start = time.perf_counter()
    run()
    return (time.perf_counter() - start) * 1e3


def pairs(rounds, first, second):
    """Runs both in turn; returns their times, and the ratio of the second to the first."""
    times = [(timed(first), timed(second)) for _ in range(rounds)]
    return (*map(statistics.median, zip(*times)), statistics.median(b / a for a, b in times))


def walk(program):
    """Visits each argument and result of each node once."""
    count = 0
    for node in program.graph_module.graph.nodes:
        count += node.target is not None
        for argument in node.inputs:
            count += argument.arg.value is not None
        for result in node.outputs:
            count += result.value is not None
    return count


def work(path):
    """The work of one of several threads."""
    program = pt2.load(path)
    return len(pt2.verify(program)), pt2.hash(program)


def measure_large(path, rounds):
    """The lines about the large program."""
    environment = {**os.environ, "PYTHONPATH": PACKAGE}
    data = path.read_bytes()

    def process():
        subprocess.run([sys.executable, "-c", COUNT, path], env=environment, check=True, stdout=subprocess.DEVNULL)

    ours, theirs, ratio = pairs(rounds, process, lambda: _bytes_to_dataclass(schema.ExportedProgram, data))
    yield f"process that counts the nodes       {ours:8.1f} ms"
    yield f"torch's _bytes_to_dataclass()       {theirs:8.1f} ms, {ratio:.1f} times as long"
    program = pt2.load(path)
    as_dataclasses = [timed(lambda: pt2.torch._torch_dataclasses.as_dataclasses(program)) for _ in range(rounds)]
    yield f"the same dataclasses from pt2       {statistics.median(as_dataclasses):8.1f} ms"
    yield f"pt2.load()                          {statistics.median(timed(lambda: pt2.load(path)) for _ in range(rounds)):8.1f} ms"
    walks = [timed(lambda: walk(program)) for _ in range(rounds)]
    yield f"walk of {walk(program)} nodes and arguments  {statistics.median(walks):8.1f} ms"

    with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
        expected = [work(path)] * THREADS
        found = []
        at_once, alone, ratio = pairs(rounds, lambda: found.append(list(pool.map(work, [path] * THREADS))),
                                      lambda: found.append([work(path) for _ in range(THREADS)]))
    if any(each != expected for each in found):
        sys.exit("threads do not agree")
    yield f"load, verify, hash in {THREADS} threads     {at_once:8.1f} ms"
    yield f"the same in one thread, {len(os.sched_getaffinity(0))} cores     {alone:8.1f} ms, {ratio:.2f} times as long"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        large = pathlib.Path(folder) / "large.json"
        large.write_bytes(gzip.decompress(LARGE.read_bytes()))
        lines = [f"3.3 MB program, medians of {arguments.rounds} rounds"]
        lines += ["  " + line for line in measure_large(large, arguments.rounds)]
    print("\n".join(lines))


if __name__ == "__main__":
    main()
