#!/usr/bin/python3
"""Apache Thrift reads what we write, and we read what Apache Thrift writes.

thrift_test.py COMPACT_CONVERT IDL PROGRAM.json...
    COMPACT_CONVERT: the program of compact_convert.cpp; IDL: PyTorch's export_schema.thrift, or what
    `schemagen export --format thrift` gives.
thrift_test.py COMPACT_CONVERT
    The programs of schema 8 in the folder that PT2_FIXTURES names, each by its release's IDL, or by that of the newest release
    where its own had none.

Each program goes to a payload by our codec and is read by the classes that Apache Thrift's compiler makes from the IDL, for
Python and for C++. In Python every field is compared with the JSON; what either of them writes comes back through our codec
as the same JSON. In C++ maps are sorted, so that there the order of keys is not compared. Exit code 77, which CTest is told
to count as skipped: thrift or its Python package (Debian's is for /usr/bin/python3) is not installed, or there are no fixtures.
"""

import glob
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77


def skip(reason):
    print("skipped:", reason)
    sys.exit(SKIPPED)


try:
    from thrift.protocol import TCompactProtocol
    from thrift.transport import TTransport
except ImportError:
    skip("no python3-thrift")


def convert(tool, mode, data):
    result = subprocess.run([tool, mode], input=data, capture_output=True, check=False)
    if result.returncode != 0:
        raise AssertionError("%s %s: %s" % (tool, mode, result.stderr.decode()))
    return result.stdout


def read_by_python(program_class, payload):
    transport = TTransport.TMemoryBuffer(payload)
    program = program_class()
    program.read(TCompactProtocol.TCompactProtocol(transport))
    assert transport.cstringio_buf.read() == b"", "bytes are left"
    return program


def write_by_python(program):
    transport = TTransport.TMemoryBuffer()
    program.write(TCompactProtocol.TCompactProtocol(transport))
    return transport.getvalue()


def compare(value, expected, path):
    """Holds what Thrift's Python has read against the JSON."""
    if hasattr(value, "thrift_spec"):
        assert isinstance(expected, dict), path
        names = [spec[2] for spec in value.thrift_spec if spec is not None]
        missing = set(expected) - set(names)
        assert not missing, "%s: %s" % (path, missing)
        for name in names:
            compare(getattr(value, name), expected.get(name), path + "." + name)
    elif isinstance(value, dict):
        assert list(value) == list(expected), path
        for key in value:
            compare(value[key], expected[key], "%s[%r]" % (path, key))
    elif isinstance(value, list):
        assert isinstance(expected, list) and len(value) == len(expected), path
        for i, (item, wanted) in enumerate(zip(value, expected)):
            compare(item, wanted, "%s[%d]" % (path, i))
    elif isinstance(value, float):
        wanted = float(expected)  # from "NaN", too
        same = (math.isnan(value) and math.isnan(wanted)) or value == wanted
        assert same and math.copysign(1, value) == math.copysign(1, wanted), path
    else:
        assert value == expected and (isinstance(value, bool) == isinstance(expected, bool)), "%s: %r, not %r" % (
            path, value, expected)


def make_python(idl, folder):
    subprocess.run(["thrift", "--gen", "py", "-out", folder, idl], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    sys.path.insert(0, folder)
    from export_schema import ttypes  # pylint: disable=import-error,import-outside-toplevel
    return ttypes.ExportedProgram


def make_cpp(idl, folder):
    """The program of thrift_rewrite.cpp; None if Thrift's C++ library, or Boost's headers that it includes, are not there."""
    headers = ["thrift/protocol/TCompactProtocol.h", "boost/numeric/conversion/cast.hpp"]
    if shutil.which("g++") is None or not all(os.path.exists("/usr/include/" + header) for header in headers):
        return None
    # A Graph holds Graphs. That C++ needs a pointer there Apache Thrift is told by an ampersand, which PyTorch's IDL has not.
    with open(idl, encoding="utf-8") as file:
        text = re.sub(r"\bGraph +graph\b", "Graph& graph", file.read())
    with open(idl, "w", encoding="utf-8") as file:
        file.write(text)
    subprocess.run(["thrift", "--gen", "cpp", "-out", folder, idl], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "thrift_rewrite.cpp")
    tool = os.path.join(folder, "thrift_rewrite")
    launcher = ["ccache"] if shutil.which("ccache") else []
    objects = []
    for name in (source, os.path.join(folder, "export_schema_types.cpp")):
        objects.append(os.path.join(folder, os.path.basename(name) + ".o"))
        subprocess.run(launcher + ["g++", "-std=c++17", "-O0", "-w", "-I", folder, "-c", name, "-o", objects[-1]], check=True)
    subprocess.run(["g++"] + objects + ["-o", tool, "-lthrift"], check=True)
    return tool


def check(path, tool, program_class, cpp_tool):
    with open(path, "rb") as file:
        text = file.read()
    payload = convert(tool, "to-binary", text)
    # The JSON of the head schema: fields that an older minor did not have are there.
    head = convert(tool, "to-json", payload)
    program = read_by_python(program_class, payload)
    compare(program, json.loads(head), "")
    assert convert(tool, "to-json", write_by_python(program)) == head, "Python's payload is read otherwise"
    if cpp_tool is not None:
        rewritten = subprocess.run([cpp_tool], input=payload, capture_output=True, check=True).stdout
        assert json.loads(convert(tool, "to-json", rewritten)) == json.loads(head), "C++'s payload is read otherwise"


def check_all(tool, idl, paths):
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "export_schema.thrift")  # names the modules
        shutil.copyfile(idl, copy)
        program_class = make_python(copy, folder)
        cpp_tool = make_cpp(copy, folder)
        if cpp_tool is None:
            print("without C++: no g++, libthrift-dev or libboost-dev")
        failures = 0
        for path in paths:
            try:
                check(path, tool, program_class, cpp_tool)
            except AssertionError as error:
                failures += 1
                print("%s: %s" % (path, error))
    print("%d of %d programs agree" % (len(paths) - failures, len(paths)))
    return 1 if failures or not paths else 0


def check_fixtures(tool):
    root = os.environ.get("PT2_FIXTURES")
    if not root:
        skip("PT2_FIXTURES names no folder")
    releases = sorted(glob.glob(os.path.join(root, "torch-*")), key=lambda path: [int(n) for n in re.findall(r"\d+", path)])
    idls = [path for path in (os.path.join(release, "export_schema.thrift") for release in releases) if os.path.exists(path)]
    if not idls:
        skip("no export_schema.thrift in " + root)
    failed = False
    for release in releases:
        about = os.path.join(release, "about.json")
        if not os.path.exists(about):
            continue
        with open(about, encoding="utf-8") as file:
            version = json.load(file)["schema_version"]
        programs = [path for path in sorted(glob.glob(os.path.join(release, "*.json")))
                    if not path.endswith((".canonical.json", ".head.json", "about.json"))]
        if not isinstance(version, list) or version[0] != 8 or not programs:
            continue
        own = os.path.join(release, "export_schema.thrift")
        print(os.path.basename(release), end=": ", flush=True)
        # In a process of its own: the modules have the same names for every IDL.
        command = [sys.executable, __file__, tool, own if own in idls else idls[-1], *programs]
        failed |= subprocess.run(command, check=False).returncode != 0
    return 1 if failed else 0


def main():
    if shutil.which("thrift") is None:
        skip("no thrift-compiler")
    tool, *rest = sys.argv[1:]
    return check_all(tool, rest[0], rest[1:]) if rest else check_fixtures(tool)


if __name__ == "__main__":
    sys.exit(main())
