#!/usr/bin/env python3
"""Runs the benchmarks and prints ratios, all measured side by side in one run.

    cmake -S . -B build/bench -G Ninja -DPT2_BUILD_BENCHMARKS=ON && ninja -C build/bench codec_bench
    tests/bench/run.py --codec-bench build/bench/tests/bench/codec_bench

Speed and memory of load and write come from codec_bench. The compile times are those of one translation unit that includes a
header, or loads a program by it, at -O2, each pair in turn; the median of the ratios is what counts on a noisy machine.
With --with-python, what torch.export does between text and its own Python values is timed, too; that needs torch.
"""

import argparse
import gzip
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = ROOT / "tests/data/programs/large/gpt24_decomposed.json.gz"
TINY = ROOT / "tests/data/programs/torch-2.13.0/no_inputs.json"

OUR_TYPES = '#include <pt2/types.h>\nint main() {}\n'
OUR_LOAD = """#include <pt2/json.h>
#include <string>
int main(int, char** argv) {
  const auto program = schemagen::from_json<pt2::ExportedProgram>(std::string(argv[1]));
  return static_cast<int>(program.graph_module.graph.nodes.size());
}
"""
TORCH_HEADER = '#include <torch/csrc/utils/generated_serialization_types.h>\nint main() {}\n'
TORCH_LOAD = """#include <torch/csrc/utils/generated_serialization_types.h>
#include <string>
int main(int, char** argv) {
  const auto program = nlohmann::json::parse(std::string(argv[1])).get<torch::_export::ExportedProgram>();
  return static_cast<int>(program.get_graph_module().get_graph().get_nodes().size());
}
"""
STANDARD = "#include <cstdint>\n#include <optional>\n#include <string>\n#include <vector>\nint main() {}\n"


def compile_seconds(source: str, includes) -> float:
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "unit.cpp"
        path.write_text(source)
        command = ["g++", "-std=c++17", "-O2", *[f"-I{include}" for include in includes], "-c", str(path), "-o", str(path) + ".o"]
        start = time.perf_counter()
        subprocess.run(command, check=True)
        return time.perf_counter() - start


def print_compile_times(torch: str, rounds: int) -> None:
    ours, theirs = [ROOT / "generated", ROOT / "runtime"], [f"{torch}/include"]
    units = {
        "the standard headers alone": (STANDARD, []),
        "libpt2, types header": (OUR_TYPES, ours),
        "PyTorch, its header": (TORCH_HEADER, theirs),
        "libpt2, loads a program": (OUR_LOAD, ours),
        "PyTorch, loads a program": (TORCH_LOAD, theirs),
    }
    seconds = {name: [] for name in units}
    for _ in range(rounds):
        for name, (source, includes) in units.items():
            seconds[name].append(compile_seconds(source, includes))
    print(f"\ncompile time of one translation unit, g++ -O2, median of {rounds} rounds")
    for name, values in seconds.items():
        print(f"  {name:36} {statistics.median(values):8.2f} s")
    for what, a, b in (("types", "libpt2, types header", "PyTorch, its header"),
                       ("load", "libpt2, loads a program", "PyTorch, loads a program")):
        ratio = statistics.median(x / y for x, y in zip(seconds[b], seconds[a]))
        print(f"  {what}: 1/{ratio:.1f} of PyTorch's")


def print_python_times(text: str, rounds: int) -> None:
    from torch._export.serde import schema, serialize  # noqa: PLC0415  only where it is asked for

    loads, writes = [], []
    for _ in range(rounds):
        start = time.perf_counter()
        program = serialize._dict_to_dataclass(schema.ExportedProgram, json.loads(text))
        loaded = time.perf_counter()
        written = json.dumps(serialize._dataclass_to_dict(program), cls=serialize.EnumEncoder, allow_nan=False)
        writes.append(time.perf_counter() - loaded)
        loads.append(loaded - start)
        if written != text:
            raise SystemExit("what Python writes is not what it read: it is of another release of torch than the program")
    print(f"\nPython, torch.export's dataclasses, median of {rounds} rounds")
    print(f"  load {statistics.median(loads) * 1000:8.0f} ms\n  write {statistics.median(writes) * 1000:7.0f} ms")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--codec-bench", required=True, help="the built codec_bench")
    parser.add_argument("--program", type=pathlib.Path, default=PROGRAM, help="a program's JSON, or that in gzip")
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--compile-rounds", type=int, default=3)
    parser.add_argument("--skip-compile-times", action="store_true")
    parser.add_argument("--with-python", action="store_true", help="time torch.export's Python, too")
    parser.add_argument("--torch", help="folder of the torch package (default: this Python's)")
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        text = pathlib.Path(folder) / "program.json"
        opener = gzip.open if arguments.program.suffix == ".gz" else open
        with opener(arguments.program, "rb") as source, open(text, "wb") as target:
            shutil.copyfileobj(source, target)
        subprocess.run([arguments.codec_bench, str(text), str(TINY), str(arguments.rounds)], check=True)
        if arguments.with_python:
            print_python_times(text.read_text(), rounds=3)
    if not arguments.skip_compile_times:
        torch = arguments.torch
        if torch is None:
            import torch as module  # noqa: PLC0415  only where it is needed: it takes a second

            torch = str(pathlib.Path(module.__file__).parent)
        print_compile_times(torch, arguments.compile_rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
