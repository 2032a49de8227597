#!/usr/bin/env python3
"""Times programs that are loaded in Python, beside torch.

    PT2_PYTHON_PACKAGE=build/bindings/python tests/bench/python_loads.py [--rounds N]

On the large program of tests/data (3.3 MB, 24 blocks):
  * whole processes, from their start to a count of nodes: pt2.load(); beside it torch's _bytes_to_dataclass() alone, its imports not counted;
  * one walk through all nodes and arguments.
On gpt2 of torch 2.13, in turn within one process: pt2.torch.load() and torch.export.load(), and how much of the former torch's own
deserializer takes.

Prints medians. Needs torch.
"""

import argparse
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

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = os.environ.get("PT2_PYTHON_PACKAGE", str(ROOT / "build" / "bindings" / "python"))
LARGE = ROOT / "tests/data/programs/large/gpt24_decomposed.json.gz"
MODEL = ROOT / "tests/data/programs/torch-2.13.0/gpt2.pt2"
COUNT = "import sys, pt2; print(len(pt2.load(sys.argv[1]).graph_module.graph.nodes))"

sys.path.insert(0, PACKAGE)


def median(rounds, run):
    """Of the times, in milliseconds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        run()
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


def walk(program):
    """Looks at each argument of each node once."""
    count = 0
    for node in program.graph_module.graph.nodes:
        for argument in node.inputs:
            count += argument.arg.value is not None
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        large = pathlib.Path(folder) / "large.json"
        large.write_bytes(gzip.decompress(LARGE.read_bytes()))
        environment = {**os.environ, "PYTHONPATH": PACKAGE}
        process = median(rounds, lambda: subprocess.run([sys.executable, "-c", COUNT, large], env=environment, check=True,
                                                        stdout=subprocess.DEVNULL))
        import pt2

        program = pt2.load(large)
        print(f"process, to a count of nodes     {process:8.1f} ms")
        print(f"pt2.load()                       {median(rounds, lambda: pt2.load(large)):8.1f} ms")
        print(f"walk of {walk(program)} arguments         {median(rounds, lambda: walk(program)):8.1f} ms")
        import torch
        from torch._export.serde import schema
        from torch._export.serde.serialize import ExportedProgramDeserializer, _bytes_to_dataclass
        from torch._export.serde.union import _UnionTag

        data = large.read_bytes()
        theirs = median(min(rounds, 3), lambda: _bytes_to_dataclass(schema.ExportedProgram, data))
        print(f"torch, _bytes_to_dataclass()     {theirs:8.1f} ms, {theirs / process:.1f} times the process")
        ours = median(rounds, lambda: pt2._pt2.as_dataclasses(program, schema, _UnionTag.create))
        print(f"the same dataclasses             {ours:8.1f} ms")

    import pt2.torch

    in_torch = []
    deserialize = ExportedProgramDeserializer.deserialize

    def timed(*arguments, **keywords):
        start = time.perf_counter()
        try:
            return deserialize(*arguments, **keywords)
        finally:
            in_torch.append((time.perf_counter() - start) * 1e3)

    pt2.torch.load(MODEL)  # what is made once
    torch.export.load(MODEL)
    loads, their_loads = [], []
    for _ in range(rounds):
        ExportedProgramDeserializer.deserialize = timed
        loads.append(median(1, lambda: pt2.torch.load(MODEL)))
        ExportedProgramDeserializer.deserialize = deserialize
        their_loads.append(median(1, lambda: torch.export.load(MODEL)))
    ours, theirs, left = map(statistics.median, (loads, their_loads, in_torch))
    print(f"pt2.torch.load()                 {ours:8.1f} ms, of which torch's deserializer {left:.1f} ms, {left / ours:.0%}")
    print(f"torch.export.load()              {theirs:8.1f} ms, {theirs / ours:.2f} times as long")


if __name__ == "__main__":
    main()
