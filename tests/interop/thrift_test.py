#!/usr/bin/python3
"""Apache Thrift reads what we write, and we read what Apache Thrift writes.

thrift_test.py
    All programs of schema 8 in tests/data/programs, each by the IDL that `schemagen export --format thrift` makes of its
    release's schema; that this is PyTorch's own export_schema.thrift, byte for byte, export_thrift_test.cpp checks. Needs
    schemagen in SCHEMAGEN_BINARY and the program of compact_convert.cpp in COMPACT_CONVERT.
thrift_test.py COMPACT_CONVERT IDL LANGUAGES PROGRAM.json...
    Those programs by that IDL. LANGUAGES is "Python" or "Python and C++".

Each program goes to a payload by our codec and is read by the classes that Apache Thrift's compiler makes from the IDL, for
Python and, of the first and the last release, for C++. In Python every field is compared with the JSON; what either of them writes comes back through our codec
as the same JSON. In C++ maps are sorted, so that there the order of keys is not compared. Exit code 77, which CTest is told
to count as skipped: thrift or its Python package (Debian's is for /usr/bin/python3) is not installed.
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

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
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
    """Compares what Thrift's Python has read with the JSON."""
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
        wanted = float(expected)
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
    # A Graph contains Graphs. Apache Thrift needs an ampersand to make a C++ pointer of that; PyTorch's IDL has none.
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
    head = convert(tool, "to-json", payload)
    program = read_by_python(program_class, payload)
    compare(program, json.loads(text), "")
    assert convert(tool, "to-json", write_by_python(program)) == head, "Python's payload is read otherwise"
    if cpp_tool is not None:
        rewritten = subprocess.run([cpp_tool], input=payload, capture_output=True, check=True).stdout
        assert json.loads(convert(tool, "to-json", rewritten)) == json.loads(head), "C++'s payload is read otherwise"


def check_all(tool, idl, languages, paths):
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "export_schema.thrift")
        shutil.copyfile(idl, copy)
        program_class = make_python(copy, folder)
        cpp_tool = make_cpp(copy, folder) if "C++" in languages else None
        if cpp_tool is None and "C++" in languages:
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


def port_of(version):
    """Returns our schema for that version of PyTorch's."""
    released = os.path.join(REPOSITORY, "schema", "released", "%d.%d.yaml" % tuple(version))
    return released if os.path.exists(released) else os.path.join(REPOSITORY, "schema", "pt2.yaml")


def check_test_data(tool, schemagen):
    failed = False
    releases = []
    for release in glob.glob(os.path.join(REPOSITORY, "tests", "data", "programs", "torch-*")):
        with open(os.path.join(release, "about.json"), encoding="utf-8") as file:
            version = json.load(file)["schema_version"]
        if isinstance(version, list) and version[0] == 8:
            releases.append((version, release))
    releases.sort()
    for version, release in releases:
        programs = [path for path in sorted(glob.glob(os.path.join(release, "*.json")))
                    if not path.endswith((".canonical.json", ".head.json", "about.json"))]
        print(os.path.basename(release), end=": ", flush=True)
        with tempfile.NamedTemporaryFile(suffix=".thrift") as idl:
            subprocess.run([schemagen, "export", port_of(version), "--format", "thrift", "-o", idl.name], check=True)
            # A separate process, because modules have the same names for every IDL. C++ takes seconds to compile, so only for the first and
            # last.
            languages = "Python and C++" if (version, release) in (releases[0], releases[-1]) else "Python"
            failed |= subprocess.run([sys.executable, __file__, tool, idl.name, languages, *programs], check=False).returncode != 0
    return 1 if failed or not releases else 0


def main():
    if shutil.which("thrift") is None:
        skip("no thrift-compiler")
    if len(sys.argv) > 3:
        return check_all(*sys.argv[1:4], sys.argv[4:])
    return check_test_data(os.environ["COMPACT_CONVERT"], os.environ["SCHEMAGEN_BINARY"])


if __name__ == "__main__":
    sys.exit(main())
