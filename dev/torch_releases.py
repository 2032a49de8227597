#!/usr/bin/env python3
"""Installs releases of torch in separate virtual environments, so that they can be imported without CUDA.

    dev/torch_releases.py FOLDER 2.2.2 2.4.1 ...

Creates FOLDER/2.2.2/bin/python and so on, and keeps existing environments. PyPI's wheels of torch for Linux link to CUDA's
libraries, gigabytes that a machine without a GPU never uses. Therefore torch is installed without its dependencies, and small
stub libraries with the same names, symbols and symbol versions replace the missing ones in torch/lib, where the loader looks
first. All functions of the stubs return 100, cudaErrorNoDevice. Needs gcc, readelf and the network.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

# Work with all torch releases since 2.2.
PACKAGES = ["numpy<2", "sympy==1.13.1", "networkx", "jinja2", "filelock", "typing_extensions", "fsspec", "setuptools<80", "optree"]
SYSTEM = re.compile(r"lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s|util)\.so\.\d+|ld-linux-.*")
CUDA_NAME = re.compile(r"(cu|nccl|nv)[A-Za-z_0-9]*")
PROBE = "import sys, torch; assert not torch.cuda.is_available(); print(torch.__version__)"


def installed(python, version):
    """Creates the environment unless it exists."""
    if python.exists():
        return
    subprocess.run([sys.executable, "-m", "venv", python.parents[1]], check=True)
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--no-deps", f"torch=={version}"], check=True)
    subprocess.run([*pip, *PACKAGES], check=True, stderr=subprocess.DEVNULL)  # pip complains about CUDA


def readelf(option, library):
    return subprocess.run(["readelf", "--wide", option, library], check=True, capture_output=True, text=True).stdout


class Library:
    """The dynamic section of a shared library."""

    def __init__(self, path):
        self.needs = re.findall(r"\(NEEDED\).*\[(.*)\]", readelf("--dynamic", path))
        self.defined, self.undefined = set(), set()  # undefined: (name, symbol version or None)
        self.files = {}  # the library that a symbol version belongs to
        for line in readelf("--version-info", path).splitlines():
            if found := re.search(r"File: (\S+)", line):
                file = found[1]
            elif found := re.search(r"Name: (\S+).*Flags", line):
                self.files[found[1]] = file
        for line in readelf("--dyn-syms", path).splitlines():
            columns = line.split()
            if len(columns) < 8 or not columns[0].endswith(":"):
                continue
            name, _, version = columns[7].partition("@")
            if columns[6] == "UND":
                self.undefined.add((name, version or None))
            else:
                self.defined.add(name)


def source(symbols):
    lines = []
    for name in sorted(symbols):
        returns, value = ("const char*", '""') if name.endswith(("String", "Name")) else ("int", "100")
        lines.append(f"{returns} {name}() {{ return {value}; }}")
    return "\n".join(lines) + "\n"


def make_stub(path, symbols, version=None):
    """Builds a shared library that defines these symbols, with a symbol version if one is given."""
    with tempfile.TemporaryDirectory() as folder:
        code, script = pathlib.Path(folder, "stub.c"), pathlib.Path(folder, "stub.map")
        code.write_text(source(symbols))
        options = [f"-Wl,-soname,{path.name}"]
        if version:
            script.write_text(f"{version} {{ global: *; }};\n")
            options.append(f"-Wl,--version-script,{script}")
        subprocess.run(["gcc", "-shared", "-fPIC", "-w", *options, code, "-o", path], check=True)


def make_stubs(folder):
    """Writes a stub for each missing library that those in `folder` need. Replaces the stubs of an earlier run."""
    stubs = folder / "stubs.txt"
    for name in stubs.read_text().split() if stubs.exists() else []:
        (folder / name).unlink(missing_ok=True)
    libraries = {path.name: Library(path) for path in sorted(folder.glob("*.so*"))}
    missing = sorted({need for library in libraries.values() for need in library.needs if need not in libraries and not SYSTEM.fullmatch(need)})
    defined = set().union(*(library.defined for library in libraries.values()))
    versioned, plain = collections.defaultdict(set), set()  # versioned is {library: {(symbol version, name)}}
    for library in libraries.values():
        for name, version in library.undefined:
            if version:
                versioned[library.files[version]].add((version, name))
            elif CUDA_NAME.fullmatch(name) and name not in defined:
                plain.add(name)
    for name in missing:
        versions = {version for version, _ in versioned[name]}
        assert len(versions) <= 1, f"{name} has several symbol versions: {versions}"  # no CUDA library has any
        make_stub(folder / name, {symbol for _, symbol in versioned[name]} or plain, *versions)
    stubs.write_text("\n".join(missing))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("versions", nargs="+", metavar="VERSION")
    options = parser.parse_args()
    failed = []
    for version in options.versions:
        python = options.folder.absolute() / version / "bin/python"
        installed(python, version)
        for libraries in python.parents[1].glob("lib/python*/site-packages/torch/lib"):
            make_stubs(libraries)
        done = subprocess.run([python, "-c", PROBE], capture_output=True, text=True)
        print(f"{python}: {done.stdout.strip() or done.stderr.strip().splitlines()[-1]}", flush=True)
        if done.returncode != 0:
            failed.append(version)
    return f"cannot import: {', '.join(failed)}" if failed else 0


if __name__ == "__main__":
    sys.exit(main())
