#!/usr/bin/env python3
"""Compares the output of `pt2` and `schemagen` on another platform with their output on this machine: see platforms.sh.

usage: platform_commands.py PLATFORM FOLDER, where FOLDER has both commands of PLATFORM. Needs PT2_BINARY and SCHEMAGEN_BINARY of the same
sources.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import time

from platforms import BUILD, PLATFORMS, PROGRAMS, REPOSITORY, environment

ENVIRONMENT = {**environment(), "QEMU_LD_PREFIX": "/usr/aarch64-linux-gnu"}  # unlike the copies, commands are not static
SCHEMA = "schema/pt2.yaml"
# Emulators start slowly: only some releases for commands that take one file.
MLPS = [path for path in PROGRAMS if path.endswith("/mlp.pt2")][::4]


def pt2_calls(out):
    for command in (["hash"], ["validate"], ["scan", "--format", "json"], ["check", "--format", "sarif"]):
        yield [*command, *PROGRAMS]
    for number, path in enumerate(MLPS):
        made = f"{out}/{number}"
        for command in (["info", "--json"], ["show"], ["stats"], ["operators"], ["weights"]):
            yield [*command, path]
        yield ["upgrade", path, "-o", f"{made}.pt2"]
        yield ["convert", path, f"{made}.pt2b"]
        yield ["convert", path, f"{made}.json", "--indent", "2"]
        yield ["slim", "--reproducible", f"{made}.pt2", "-o", f"{made}-slim.pt2"]
        yield ["canonicalize", f"{made}.pt2", "-o", f"{made}-normal.json"]
        yield ["downgrade", "--to", "torch-2.9", f"{made}.pt2", "-o", f"{made}-down.pt2"]
        yield ["weights", path, "-o", f"{made}.safetensors"]
    for old, new in zip(MLPS, MLPS[1:]):
        yield ["diff", old, new]
    yield ["view", MLPS[-1], "-o", f"{out}/view.html"]
    yield ["export", MLPS[-1], "--format", "dot"]
    yield ["info", "tests/data/no such file.pt2"]
    yield ["rules"]
    yield ["--help"]


def schemagen_calls(out):
    yield ["check", SCHEMA]
    yield ["check", *(path.relative_to(REPOSITORY).as_posix() for path in sorted((REPOSITORY / "tests/bad").glob("*.yaml")))]
    yield ["hash", SCHEMA]
    yield ["fmt", "--check", SCHEMA]
    yield ["diff", "schema/released", SCHEMA]
    yield ["generate", SCHEMA, "-o", f"{out}/generated"]
    yield ["amalgamate", SCHEMA, "--level", "all", "--with-c", "-o", f"{out}/copy"]
    for format in ("thrift", "torch-yaml", "torch-cpp", "python", "json-schema", "typescript", "c", "dot", "model", "html"):
        yield ["export", SCHEMA, "--format", format, "-o", f"{out}/schema.{format}"]
    for path in sorted((REPOSITORY / "tests/data/torch_schemas").rglob("schema.py"))[-2:]:
        yield ["import", path.relative_to(REPOSITORY).as_posix(), "-o", f"{out}/imported.yaml"]


def printed(command, call):
    done = subprocess.run([*command, *call], cwd=REPOSITORY, env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True)
    return done.returncode, done.stdout, done.stderr.replace(b"\r\n", b"\n")


def results(commands, out):
    """By call and by file, what was printed and written."""
    shutil.rmtree(REPOSITORY / out, ignore_errors=True)
    (REPOSITORY / out).mkdir(parents=True)
    found = {}
    for name, calls in (("pt2", pt2_calls), ("schemagen", schemagen_calls)):
        for call in calls(out):
            found[f"{name} {' '.join(call)}"[:200]] = printed(commands[name], call)
    for path in sorted((REPOSITORY / out).rglob("*")):
        if path.is_file():
            found[path.relative_to(REPOSITORY).as_posix()] = path.read_bytes()
    return found


def main():
    platform, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    out = (BUILD / "commands").relative_to(REPOSITORY).as_posix()
    native = {name: [os.environ[f"{name.upper()}_BINARY"]] for name in ("pt2", "schemagen")}
    target = PLATFORMS[platform]
    foreign = {name: [*target.run, str(folder / (name + target.suffix))] for name in native}
    expected = results(native, out)
    if platform == "windows":
        # Wine's services would hold the first command's pipes open. The server fails if it already runs.
        subprocess.run(["/usr/lib/wine/wineserver64", "-p60"], env=ENVIRONMENT)
        subprocess.run([*foreign["pt2"], "--version"], env=ENVIRONMENT, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    start = time.monotonic()
    actual = results(foreign, out)
    different = [key for key in expected if actual.get(key) != expected[key]]
    different += [key for key in actual if key not in expected]
    print(f"{platform} commands: {len(expected) - len(different)} of {len(expected)} outputs and files, run in {time.monotonic() - start:.0f} s")
    for key in different[:10]:
        print(f"{key}\n  here:  {expected.get(key)!r:.600}\n  there: {actual.get(key)!r:.600}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
