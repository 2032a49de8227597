#!/usr/bin/env python3
"""Times, as whole processes, what opens or lists an archive with 10,000 weights of 10 MB, and what checks 200 archives.

    tests/bench/archives.py --pt2 build/bench/bin/pt2 [--weights 10000] [--megabytes 10] [--files 200] [--rounds 15]

The weights are holes in a sparse file, so that it needs a file system that has those, and no space; beside each command stands `pt2 --version`,
which is the start of a process. The 200 archives are checked on one processor and on all, beside a `cp` of them. Needs no torch.
"""

import argparse
import json
import multiprocessing
import os
import pathlib
import shutil
import statistics
import struct
import tempfile
import zlib

import cold_loads

ROOT = pathlib.Path(__file__).resolve().parents[2]
COLUMNS = 1000
LISTING = {
    "info": ["info"],
    "info --json": ["info", "--json"],
    "weights": ["weights"],
    "weights --json": ["weights", "--json"],
}


def tensor_meta(rows, columns, is_parameter):
    return {"dtype": 7, "sizes": [{"as_int": rows}, {"as_int": columns}], "requires_grad": is_parameter,
            "device": {"type": "cpu", "index": None}, "strides": [{"as_int": columns}, {"as_int": 1}],
            "storage_offset": {"as_int": 0}, "layout": 7}


def product(number):
    def operand(name, value):
        return {"name": name, "arg": {"as_tensor": {"name": value}}, "kind": 1}

    return {"target": "torch.ops.aten.mm.default",
            "inputs": [operand("self", f"mm_{number - 1}" if number else "x"), operand("mat2", f"p_{number}")],
            "outputs": [{"as_tensor": {"name": f"mm_{number}"}}], "metadata": {}, "is_hop_single_tensor_return": None,
            "name": f"mm_{number}"}


def program(weights, rows):
    """A chain of matrix products with `weights` matrices, alternately COLUMNS by rows and transposed."""
    made = json.loads((ROOT / "tests/data/programs/torch-2.13.0/mlp.json").read_text())
    module = made["graph_module"]
    graph, signature = module["graph"], module["signature"]
    shapes = [(COLUMNS, rows) if number % 2 == 0 else (rows, COLUMNS) for number in range(weights)]
    names = [f"p_{number}" for number in range(weights)]
    graph["inputs"] = [{"as_tensor": {"name": name}} for name in [*names, "x"]]
    graph["nodes"] = [product(number) for number in range(weights)]
    graph["outputs"] = [{"as_tensor": {"name": f"mm_{weights - 1}"}}]
    graph["tensor_values"] = {name: tensor_meta(*shape, True) for name, shape in zip(names, shapes)}
    graph["tensor_values"]["x"] = tensor_meta(1, COLUMNS, False)
    graph["tensor_values"].update({f"mm_{number}": tensor_meta(1, shape[1], False) for number, shape in enumerate(shapes)})
    signature["input_specs"] = [{"parameter": {"arg": {"name": name}, "parameter_name": f"layers.{number}.weight"}}
                                for number, name in enumerate(names)]
    signature["input_specs"].append({"user_input": {"arg": {"as_tensor": {"name": "x"}}}})
    signature["output_specs"] = [{"user_output": {"arg": graph["outputs"][0]}}]
    module["module_call_graph"] = module["module_call_graph"][:1]
    config = {f"layers.{number}.weight": {"path_name": f"weight_{number}", "is_param": True, "use_pickle": False,
                                          "tensor_meta": tensor_meta(*shape, True)} for number, shape in enumerate(shapes)}
    return made, {"config": config}


def write_zip(path, members):
    """Writes stored members, as PyTorch does, each a name with its bytes, or with a number of zeros, which become a hole."""
    checksums = {}
    directory = b""
    with path.open("wb") as out:
        for name, content in members.items():
            name = name.encode()
            is_hole = isinstance(content, int)
            size = content if is_hole else len(content)
            if is_hole and size not in checksums:
                checksums[size] = zlib.crc32(bytes(size))
            checksum = checksums[size] if is_hole else zlib.crc32(content)
            at = out.tell()
            padding = -(at + 30 + len(name) + 4) % 64
            out.write(struct.pack("<4sHHHHHIIIHH", b"PK\3\4", 20, 0, 0, 0, 0, checksum, size, size, len(name), 4 + padding) + name)
            out.write(struct.pack("<2sH", b"FB", padding) + b"Z" * padding)
            out.seek(size, 1) if is_hole else out.write(content)
            directory += struct.pack("<4sHHHHHHIIIHHHHHII", b"PK\1\2", 45, 45, 0, 0, 0, 0, checksum, size, size, len(name), 12, 0, 0, 0,
                                     0, 0xFFFFFFFF) + name + struct.pack("<HHQ", 1, 8, at)
        start = out.tell()
        out.write(directory)
        end = out.tell()
        out.write(struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, len(members), len(members), len(directory), start))
        out.write(struct.pack("<4sIQI", b"PK\6\7", 0, end, 1))
        out.write(struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0))


def write_archive(path, weights, size):
    rows = max(size // (4 * COLUMNS), 1)
    made, config = program(weights, rows)
    members = {f"data/weights/weight_{number}": 4 * COLUMNS * rows for number in range(weights)}
    members |= {"data/weights/model_weights_config.json": json.dumps(config).encode(),
                "data/constants/model_constants_config.json": b'{"config": {}}', "models/model.json": json.dumps(made).encode(),
                "data/sample_inputs/model.pt": b"", "archive_format": b"pt2", "archive_version": b"0", "byteorder": b"little"}
    write_zip(path, {f"model/{name}": content for name, content in members.items()})


def run(*command):
    """Returns the seconds and resources of a process. Discards its output, because the memory of this process counts for its children."""
    with open(os.devnull, "wb") as out:
        return cold_loads.timed(command, out.fileno())


def print_row(name, runs, note=""):
    seconds = statistics.median(seconds for seconds, _ in runs)
    peak = max(usage.ru_maxrss for _, usage in runs)
    faults = statistics.median(usage.ru_minflt for _, usage in runs)
    print(f"  {name:26} {seconds * 1000:7.1f} ms   {peak / 1024:6.1f} MiB peak   {faults:7.0f} page faults{note}")


def time_listing(pt2, folder, weights, size, rounds):
    model = folder / "model.pt2"
    # A separate process, to measure its memory.
    making = multiprocessing.get_context("spawn").Process(target=write_archive, args=(model, weights, size))
    making.start()
    making.join()
    if making.exitcode != 0:
        raise SystemExit("the archive could not be made")
    print(f"{weights} weights, {model.stat().st_size / 1e9:.1f} GB, median of {rounds} rounds")
    commands = {"--version": [pt2, "--version"]} | {name: [pt2, *words, str(model)] for name, words in LISTING.items()}
    runs = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            runs[name].append(run(*command))
    for name, each in runs.items():
        print_row(name, each)


def time_checks(pt2, folder, count, rounds):
    files, copies = folder / "files", folder / "copies"
    files.mkdir()
    for number in range(count):
        shutil.copy(ROOT / "tests/data/programs/torch-2.13.0/gpt2.pt2", files / f"{number}.pt2")
    paths = [str(path) for path in sorted(files.iterdir())]
    all_ = os.sched_getaffinity(0)
    one = {min(all_)}
    names = ["validate", "hash"]
    runs = {(name, len(processors)): [] for name in names for processors in (one, all_)}
    copying = []
    for _ in range(rounds):
        for name in names:
            for processors in (one, all_):
                os.sched_setaffinity(0, processors)
                runs[name, len(processors)].append(run(pt2, name, *paths))
        shutil.rmtree(copies, ignore_errors=True)
        copying.append(run("/bin/cp", "-r", str(files), str(copies)))
    print(f"\n{count} archives, {sum(path.stat().st_size for path in files.iterdir()) / 1e6:.1f} MB, median of {rounds} rounds")
    for (name, processors), each in runs.items():
        faster = statistics.median(single[0] / run[0] for single, run in zip(runs[name, 1], each))
        print_row(f"{name}, processors: {processors}", each, f"   {faster:.2f} times as fast")
    print_row("cp", copying)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pt2", required=True, type=pathlib.Path)
    parser.add_argument("--weights", type=int, default=10000)
    parser.add_argument("--megabytes", type=float, default=10)
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=15)
    arguments = parser.parse_args()
    pt2 = str(arguments.pt2.resolve())
    with tempfile.TemporaryDirectory() as folder:
        time_listing(pt2, pathlib.Path(folder), arguments.weights, int(arguments.megabytes * 1e6), arguments.rounds)
        time_checks(pt2, pathlib.Path(folder), arguments.files, arguments.rounds)


if __name__ == "__main__":
    main()
