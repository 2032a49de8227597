#!/usr/bin/env python3
"""Runs the benchmark of the binary codec against JSON and Protocol Buffers, all side by side in one run.

    cmake --preset bench && ninja -C build/bench binary_bench
    tests/bench/run_binary.py --binary-bench build/bench/tests/bench/binary_bench

Unpacks the program, has protobuf_program.py make the same for Protocol Buffers, and runs binary_bench on both. At the end
stand the targets with what was reached; with --require a missed one is exit code 1. Needs PyYAML.
"""

import argparse
import gzip
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from protobuf_program import Schema

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = ROOT / "tests/data/programs/large/gpt24_decomposed.json.gz"

# The name in binary_bench's last lines, description, and lowest ratio.
TARGETS = [
    ("decode", "speed of reading a payload, relative to JSON", 1.4),
    ("decode_protobuf", "speed of reading a payload, relative to Protocol Buffers", 1),
    ("decode_copy", "speed of reading a payload, relative to copying the value", 0.87),
    ("over_json", "speed of reading JSON into the last value, relative to reading and freeing a new one", 2),
    ("over", "speed of reading a payload into the last value, relative to reading and freeing a new one", 2),
    ("decode_file", "speed of reading an uncompressed .pt2b file, relative to JSON", 1.3),
    ("decode_compressed", "speed of reading a compressed .pt2b file, relative to JSON", 1.1),
    ("encode", "speed of writing a payload, relative to JSON", 1.7),
    ("size", "size of the JSON, relative to a .pt2b file", 1.5),
    ("size_compressed", "size of the JSON, relative to a compressed .pt2b file", 40),
    ("memory", "size of the value and two payloads, relative to the peak memory of reading a file", 1),
    ("memory_compressed", "the same for a compressed file", 1),
]


def unpacked(program):
    opener = gzip.open if program.suffix == ".gz" else open
    with opener(program, "rt", encoding="utf-8") as file:
        return file.read()


def prepared(folder, text):
    """The files in `folder` that binary_bench takes."""
    program = folder / "program.json"
    program.write_text(text, encoding="utf-8")
    protobuf = folder / "program.protobuf.json"
    schema = Schema(ROOT / "schema/pt2.yaml")
    protobuf.write_text(json.dumps(schema.single_json("ExportedProgram", json.loads(text))), encoding="utf-8")
    return program, protobuf


def run(binary_bench, text, rounds):
    """Returns the output of binary_bench."""
    with tempfile.TemporaryDirectory() as name:
        program, protobuf = prepared(pathlib.Path(name), text)
        return subprocess.run([binary_bench, str(program), str(rounds), str(protobuf)], check=True, capture_output=True,
                              text=True).stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary-bench", required=True, help="the built binary_bench")
    parser.add_argument("--program", type=pathlib.Path, default=PROGRAM, help="a program's JSON, or that in gzip")
    parser.add_argument("--rounds", type=int, default=51)
    parser.add_argument("--require", action="store_true", help="a missed target is an error")
    arguments = parser.parse_args()

    out = run(arguments.binary_bench, unpacked(arguments.program), arguments.rounds)
    table, _, ratios = out.partition("\nratios\n")
    print(table)
    reached = {name: float(value) for name, value in re.findall(r"^  (\w+) ([\d.]+)$", ratios, re.MULTILINE)}
    missed = 0
    print("targets")
    for name, what, least in TARGETS:
        is_met = reached[name] >= least
        missed += not is_met
        print(f"  {'met' if is_met else 'MISSED':6} {reached[name]:6.2f}, at least {least:<4} {what}")
    return 1 if missed and arguments.require else 0


if __name__ == "__main__":
    sys.exit(main())
