#!/usr/bin/env python3
"""Measures the figures about speed in README.md and tests/bench/README.md, and writes them into these files.

    cmake --preset bench -DPT2_BUILD_PYTHON=ON && ninja -C build/bench
    tests/bench/figures.py build/bench

Runs run.py, cold_loads.py, run_binary.py, c_walk, python_loads.py, torch_loads.py, two_threads_bench, allocators.py, scale.py and archives.py; sizes.py,
in the same folder, measures sizes. Each figure is between a line `<!-- figures NAME -->` and the next `<!-- end -->`. Takes twenty minutes;
nothing else should run meanwhile. Needs torch, PyYAML and nanobind-backend.
"""

import argparse
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def run(*command, **environment):
    print("$", *command, flush=True)
    return subprocess.run([*map(str, command)], cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE, env=os.environ | environment).stdout


def section(text, title):
    """Returns the lines below the one that begins with `title`, up to an empty line."""
    return re.search(rf"^{re.escape(title)}.*\n((?:.+\n)*)", text, re.MULTILINE)[1]


def milliseconds(lines, name):
    return float(re.search(rf"^ *{re.escape(name)} +([\d.]+) ms", lines, re.MULTILINE)[1])


def speed_table(codecs, binary):
    """Returns the table of the summary. Ratios come from one run, because times are not comparable between runs."""
    rows = ["| 3.3 MB of JSON, 24 transformer blocks | libpt2 | PyTorch's generated C++ | Python's `torch.export` |", "|---|---|---|---|"]
    for what in ("load", "write"):
        lines = section(codecs, f"{what} (")
        ratio = re.search(r"^  libpt2 +[\d.]+ ms +([\d.]+) times", lines, re.MULTILINE)[1]
        python = milliseconds(section(codecs, "Python, torch.export"), what)
        rows.append(f"| {what} JSON | {milliseconds(lines, 'libpt2'):.2f} ms ({ratio} times as fast as PyTorch's C++) | "
                    f"{milliseconds(lines, 'PyTorch' + chr(39) + 's generated C++ (nlohmann)'):.1f} ms | {python:.0f} ms |")
    memory = section(codecs, "peak memory of loading")
    ours, theirs = (re.search(rf"^  {name}.* ([\d.]+) times the file$", memory, re.MULTILINE)[1]
                    for name in ("libpt2 ", "PyTorch"))
    rows.append(f"| peak memory while loading | {ours} times the file size | {theirs} times the file size | |")
    size = int(re.search(r"^  \.pt2b, zstd +(\d+) bytes", binary, re.MULTILINE)[1])
    rows.append(f"| load the same program from a {size / 1000:.0f} KB `.pt2b` file | {milliseconds(section(binary, 'load, median'), '.pt2b, zstd'):.2f} ms | | |")
    compile_times = section(codecs, "compile time")
    ours, theirs = (re.search(rf"{name}, loads a program +([\d.]+) s", compile_times)[1] for name in ("libpt2", "PyTorch"))
    rows.append(f"| compile a file that loads a program | {ours} s | {theirs} s | |")
    commit = run("git", "rev-parse", "--short", "HEAD").strip()
    return "\n".join(rows) + f"\n\nMeasured at commit {commit} by `tests/bench/figures.py build/bench`."


def torch_table(loads):
    """Returns the table about loads into torch: medians of the ratios of all rounds."""
    rows = ["| loading into torch 2.13 | `pt2.torch.load()` |", "|---|---|"]
    names = {"transformer-12": "12 transformer blocks, static sizes", "transformer-12-dynamic": "12 transformer blocks, dynamic sizes",
             "resnet-50": "ResNet-50", "chain-20": "20 nodes"}
    for name, shown in names.items():
        times = re.search(rf"^{name} +\d+ +[\d.]+ +[\d.]+ +([\d.]+)", loads, re.MULTILINE)[1]
        rows.append(f"| {shown} | {times} times as fast as `torch.export.load()` |")
    return "\n".join(rows)


def replace(path, name, text):
    old = path.read_text(encoding="utf-8")
    pattern = re.compile(rf"(<!-- figures {name} -->\n).*?(<!-- end -->)", re.DOTALL)
    if not pattern.search(old):
        sys.exit(f"{path}: has no place for the figures '{name}'")
    path.write_text(pattern.sub(lambda match: match[1] + text + "\n" + match[2], old), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="a build of the benchmarks")
    parser.add_argument("--rounds", type=int, default=15)
    arguments = parser.parse_args()
    build = arguments.build.resolve()

    codecs = run(sys.executable, HERE / "run.py", "--codec-bench", build / "tests/bench/codec_bench", "--with-python",
                 "--rounds", arguments.rounds)
    codecs = re.sub(r"^/\S+/program\.json", "the program", codecs, flags=re.MULTILINE)
    binary = run(sys.executable, HERE / "run_binary.py", "--binary-bench", build / "tests/bench/binary_bench",
                 "--rounds", 3 * arguments.rounds)
    with tempfile.TemporaryDirectory() as kept:
        cold = run(sys.executable, HERE / "cold_loads.py", build, "--pairs", arguments.rounds, "--keep", kept)
        walk = run(build / "tests/bench/c_walk", f"{kept}/blocks_24.json")
        threads = run(build / "tests/bench/two_threads_bench", f"{kept}/blocks_96.json")
    others = {
        "cold": cold,
        "c": walk,
        "threads": threads,
        "python": run(sys.executable, HERE / "python_loads.py", "--rounds", arguments.rounds,
                      PT2_PYTHON_PACKAGE=str(build / "bindings/python")),
        "torch": run(sys.executable, HERE / "torch_loads.py", "--rounds", 7, PT2_PYTHON_PACKAGE=str(build / "bindings/python")),
        "allocators": run(sys.executable, HERE / "allocators.py", build, "--rounds", arguments.rounds),
        "scale": run(sys.executable, HERE / "scale.py", build),
        "archives": run(sys.executable, HERE / "archives.py", "--pt2", build / "bin/pt2", "--rounds", arguments.rounds),
    }
    compiler = run("g++", "--version").splitlines()[0]
    replace(HERE / "README.md", "speed", speed_table(codecs, binary))
    replace(HERE / "README.md", "torch", torch_table(others["torch"]))
    replace(HERE / "README.md", "machine", f"{platform.machine()}, {compiler}, {arguments.rounds} rounds.")
    replace(HERE / "README.md", "codecs", f"```\n{codecs.strip()}\n```")
    replace(HERE / "README.md", "binary", f"```\n{binary.strip()}\n```")
    for name, figures in others.items():
        figures = figures.strip("\n")
        replace(HERE / "README.md", name, f"```\n{figures}\n```")
    return 0


if __name__ == "__main__":
    sys.exit(main())
