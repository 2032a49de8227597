#!/usr/bin/env python3
"""Times whole processes that load one program, tell the number of its nodes and leave: what who loads a model once pays.

    cmake --preset bench && ninja -C build/bench cold_load_pt2 cold_load_torch
    tests/bench/cold_loads.py build/bench

In turn by libpt2 and by the C++ codec that PyTorch generates, on the large program of tests/data (3.3 MB, 24 blocks) and on one of
96 blocks, made of it by repeating its blocks under new names. Prints medians of times, of their ratios, and of page
faults, and the most memory beyond that of loading a tiny program.
"""

import argparse
import copy
import gzip
import json
import os
import pathlib
import re
import statistics
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = ROOT / "tests/data/programs/large/gpt24_decomposed.json.gz"
TINY = ROOT / "tests/data/programs/torch-2.13.0/no_inputs.json"
BLOCKS = 24


def renamed(value, names):
    """Returns `value` with its values renamed. The name of an argument, next to `arg`, is not a value."""
    if isinstance(value, list):
        return [renamed(item, names) for item in value]
    if not isinstance(value, dict):
        return value
    return {key: names.get(item, item) if key in ("name", "as_name") and isinstance(item, str) and "arg" not in value
            else renamed(item, names) for key, item in value.items()}


def shifted(text, by):
    """Returns `text` with the block numbers of its modules and parameters increased by `by`."""
    return re.sub(r"(?<![a-z0-9])(p_b_|b\.)(\d+)", lambda match: f"{match[1]}{int(match[2]) + by}", text)


def defined_by(node):
    """Returns the names of a node's results."""
    return [value["as_name"] if kind == "as_sym_int" else value["name"] for output in node["outputs"]
            for kind, value in output.items()]


def repeated(program, times):
    """Returns a program that repeats all blocks of `program`, each time with different weights."""
    program = copy.deepcopy(program)
    graph = program["graph_module"]["graph"]
    signature = program["graph_module"]["signature"]
    modules = program["graph_module"]["module_call_graph"]
    in_block = [bool(re.search(r"\bb\.\d+", node["metadata"].get("nn_module_stack", ""))) for node in graph["nodes"]]
    first, last = in_block.index(True), len(in_block) - in_block[::-1].index(True)
    before, blocks, after = graph["nodes"][:first], graph["nodes"][first:last], graph["nodes"][last:]
    weights = [value["as_tensor"]["name"] for value in graph["inputs"] if re.match(r"p_b_\d", value["as_tensor"]["name"])]
    entry, result = defined_by(before[-1])[0], defined_by(blocks[-1])[0]
    inside = [name for node in blocks for name in defined_by(node)]

    nodes, came_from = list(before), entry
    inputs, specs, entries = list(graph["inputs"]), list(signature["input_specs"]), list(modules)
    for time_ in range(times):
        if time_ == 0:
            nodes += blocks
            came_from = result
            continue
        names = {name: f"{name}_r{time_}" for name in inside} | {name: shifted(name, BLOCKS * time_) for name in weights}
        for table in ("tensor_values", "sym_int_values"):
            graph[table].update({names[name]: value for name, value in list(graph[table].items()) if name in names})
        for node in blocks:
            made = renamed(node, names | {entry: came_from})
            made["metadata"] = {key: shifted(text, BLOCKS * time_) for key, text in node["metadata"].items()}
            nodes.append(made)
        came_from = names[result]
        at = len(inputs) - 4
        inputs[at:at] = [{"as_tensor": {"name": names[name]}} for name in weights]
        specs[at:at] = [{"parameter": {"arg": {"name": names[spec["parameter"]["arg"]["name"]]},
                                       "parameter_name": shifted(spec["parameter"]["parameter_name"], BLOCKS * time_)}}
                        for spec in signature["input_specs"] if spec.get("parameter", {}).get("arg", {}).get("name") in names]
        entries[-2:-2] = [{"fqn": shifted(entry_["fqn"], BLOCKS * time_), "signature": None} for entry_ in modules
                          if re.match(r"b\.\d", entry_["fqn"])]
    graph["nodes"] = nodes + [renamed(node, {result: came_from}) for node in after]
    graph["inputs"], signature["input_specs"] = inputs, specs
    program["graph_module"]["module_call_graph"] = entries
    return program


def timed(command, out):
    """Returns the seconds and resources of a process whose output goes to the file descriptor `out`."""
    start = time.perf_counter()
    child = os.posix_spawn(command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, out, 1)])
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - start
    if status != 0:
        raise SystemExit(f"{' '.join(command[:3])}: ended with status {status}")
    return seconds, usage


def run(*command):
    """Returns the seconds, page faults and output of a process."""
    with tempfile.TemporaryFile() as out:
        seconds, usage = timed(command, out.fileno())
        out.seek(0)
        return seconds, usage.ru_minflt, out.read().decode().split()


def peak(loader, file):
    """Returns how many KiB more loading `file` takes than loading a tiny program."""
    program, *arguments = loader
    return int(run(program, str(file), *arguments, "--memory")[2][1]) - int(run(program, str(TINY), *arguments, "--memory")[2][1])


def compare(file, loaders, pairs):
    size = file.stat().st_size
    runs = {name: [] for name in loaders}
    for _ in range(pairs):
        for name, (command, *arguments) in loaders.items():
            runs[name].append(run(command, str(file), *arguments))
    nodes = {run_[2][0] for runs_ in runs.values() for run_ in runs_}
    if len(nodes) != 1:
        raise SystemExit(f"{file}: the loaders do not agree on the number of nodes: {', '.join(sorted(nodes))}")
    print(f"\n{size / 1e6:.1f} MB, {nodes.pop()} nodes, median of {pairs} pairs of processes")
    theirs = list(runs.values())[-1]
    for name, runs_ in runs.items():
        ratio = statistics.median(other[0] / one[0] for one, other in zip(runs_, theirs))
        print(f"  {name:28} {statistics.median(one[0] for one in runs_) * 1000:7.1f} ms   {ratio:5.1f} times as fast"
              f"   {statistics.median(one[1] for one in runs_):7.0f} page faults"
              f"   peak {peak(loaders[name], file) * 1024 / size:5.2f} times the file")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="a build of the benchmarks")
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--libpt2", type=pathlib.Path, help="the cold_load_pt2 of another build, such as one that is linked statically")
    parser.add_argument("--keep", type=pathlib.Path, help="where to put the programs that are loaded")
    arguments = parser.parse_args()
    folder = arguments.build.resolve() / "tests/bench"
    ours = str(arguments.libpt2.resolve() if arguments.libpt2 else folder / "cold_load_pt2")
    loaders = {"libpt2": [ours], "libpt2, heap not prepared": [ours, "--unprepared"],
               "libpt2, without metadata": [ours, "--without-metadata"],
               "PyTorch's generated C++": [str(folder / "cold_load_torch")]}

    with tempfile.TemporaryDirectory() as name:
        kept = arguments.keep or pathlib.Path(name)
        kept.mkdir(exist_ok=True)
        program = json.loads(gzip.decompress(PROGRAM.read_bytes()))
        start = {name: statistics.median(run(loader[0], str(TINY))[0] for _ in range(arguments.pairs)) for name, loader in loaders.items()}
        print("process that loads a tiny program: " +
              ", ".join(f"{name} {seconds * 1000:.1f} ms" for name, seconds in start.items()))
        for times in (1, 4):
            file = kept / f"blocks_{BLOCKS * times}.json"
            file.write_text(json.dumps(repeated(program, times)))
            compare(file, loaders, arguments.pairs)


if __name__ == "__main__":
    main()
