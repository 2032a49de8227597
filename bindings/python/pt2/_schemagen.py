"""Implements the command `schemagen`, including `schemagen wheel`, which builds an installable module with a schema's
types.
"""

import os
import sys

COMMAND = os.path.join(os.path.dirname(__file__), "bin", "schemagen")

PYPROJECT = """\
[build-system]
requires = ["scikit-build-core>=0.11", "nanobind>=3.1", "libpt2"]
build-backend = "scikit_build_core.build"

[project]
name = "{module}"
version = "{version}"
requires-python = ">=3.10"
dependencies = ["nanobind-backend>=1.0"]

[tool.scikit-build]
wheel.py-api = "cp310"
wheel.packages = []
"""

CMAKE = """\
cmake_minimum_required(VERSION 3.22)
project({module} LANGUAGES CXX)
find_package(pt2 REQUIRED COMPONENTS json binary schemagen)
schemagen_python_module(MODULE {module} SCHEMA [==[{schema}]==])
install(TARGETS {module} DESTINATION .)
install(FILES ${{CMAKE_CURRENT_BINARY_DIR}}/{module}.pyi DESTINATION {module}-stubs RENAME __init__.pyi)
"""


def wheel(arguments: list[str]) -> int:
    # Imported here because the other commands start without them.
    import argparse
    import importlib.util
    import json
    import pathlib
    import re
    import shutil
    import subprocess
    import tempfile

    parser = argparse.ArgumentParser(prog="schemagen wheel", description="Builds a wheel with a Python module for a schema's types.")
    parser.add_argument("schema", metavar="SCHEMA", help="the schema", type=pathlib.Path)
    parser.add_argument("-o", metavar="FOLDER", dest="output", default="dist", type=pathlib.Path, help="output folder (default: dist)")
    parser.add_argument("--module", help="name to import (default: the schema's name)")
    parser.add_argument("--version", help="version of the wheel (default: the schema's version)")
    options = parser.parse_args(arguments)
    for name, pattern in (("module", "[A-Za-z_][A-Za-z_0-9]*"), ("version", "[A-Za-z_0-9.+!-]+")):
        given = getattr(options, name)
        if given is not None and not re.fullmatch(pattern, given):
            parser.error(f"argument --{name}: {given!r} does not match {pattern}")
    path = options.schema.resolve().as_posix()
    # They would end an argument in CMakeLists.txt or in a build file that CMake writes.
    if not path.isprintable() or any(c in path for c in '"$;[]\\'):
        parser.error(f"cannot build a wheel from the path {path!r}: move the schema")
    exported = subprocess.run([COMMAND, "export", options.schema, "--format", "model", "-o", "-"], stdout=subprocess.PIPE)
    if exported.returncode != 0:
        return exported.returncode
    model = json.loads(exported.stdout)
    module = options.module or model["name"]
    version = options.version or "{major}.{minor}".format(**model["version"])
    missing = [name for name in ("nanobind", "pip", "scikit_build_core") if importlib.util.find_spec(name) is None]
    if missing:
        print(f"schemagen wheel: {sys.executable} lacks {', '.join(missing)}; hint: pip install 'libpt2[schema]'", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as name:
        project = pathlib.Path(name)
        (project / "pyproject.toml").write_text(PYPROJECT.format(module=module, version=version))
        (project / "CMakeLists.txt").write_text(CMAKE.format(module=module, schema=path))
        # With isolation, pip would find some libpt2 instead of this schemagen's runtime.
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
        if subprocess.run([*pip, "--wheel-dir", project / "dist", project]).returncode != 0:
            return 1
        options.output.mkdir(parents=True, exist_ok=True)
        for made in (project / "dist").iterdir():
            print(shutil.copy(made, options.output))
    return 0


def main() -> int:
    if sys.argv[1:2] == ["wheel"]:
        return wheel(sys.argv[2:])
    if os.name == "nt":  # where execv() returns to the caller at once
        import subprocess

        return subprocess.call([COMMAND, *sys.argv[1:]])
    os.execv(COMMAND, ["schemagen", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
