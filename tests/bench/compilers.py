#!/usr/bin/env python3
"""Measures what docs/comparison.md says of schemagen beside other tools, and writes it there.

    cmake --preset release && cmake --build build/release
    tests/bench/compilers.py build/release

The schema is compilers/notes.yaml, said in the language of each, the data a notebook of random entries. Every library is Debian's:
protobuf-compiler libprotobuf-dev thrift-compiler libthrift-dev libboost-dev flatbuffers-compiler libflatbuffers-dev capnproto libcapnp-dev
nlohmann-json3-dev.
Code is compiled by g++ -O2. Takes two minutes; times are those of the processor.
"""

import argparse
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

from figures import replace

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent / "compilers"
PAGE = ROOT / "docs/comparison.md"
SCHEMAGEN = "schemagen"
SCHEMAGEN_JSON = "schemagen, JSON"
NLOHMANN = "nlohmann/json"
COMPILE = ["g++", "-std=c++17", "-O2", "-w"]
LIBRARIES = ["-lprotobuf", "-lthrift", "-lcapnp-json", "-lcapnp", "-lkj"]

USES = {
    SCHEMAGEN: """#include "notes/binary.h"
std::string rewrite(const std::string& bytes) { return schemagen::to_binary(schemagen::from_binary<notes::Notebook>(bytes)); }
""",
    "protobuf": """#include "notes.pb.h"
std::string rewrite(const std::string& bytes) {
  notes_pb::Notebook notebook;
  notebook.ParseFromString(bytes);
  return notebook.SerializeAsString();
}
""",
    "Apache Thrift": """#include <thrift/protocol/TCompactProtocol.h>
#include <thrift/transport/TBufferTransports.h>
#include "notes_types.h"
std::string rewrite(std::string bytes) {
  using namespace apache::thrift;
  notes_th::Notebook notebook;
  protocol::TCompactProtocol in(std::make_shared<transport::TMemoryBuffer>(reinterpret_cast<std::uint8_t*>(&bytes[0]), bytes.size()));
  notebook.read(&in);
  const auto buffer = std::make_shared<transport::TMemoryBuffer>();
  protocol::TCompactProtocol out(buffer);
  notebook.write(&out);
  return buffer->getBufferAsString();
}
""",
    "FlatBuffers": """#include "notes_generated.h"
std::string rewrite(const std::string& bytes) {
  flatbuffers::Verifier verifier(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  if (!notes_fb::VerifyNotebookBuffer(verifier)) return "";
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(notes_fb::Notebook::Pack(builder, notes_fb::UnPackNotebook(bytes.data()).get()));
  return {reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()};
}
""",
    "Cap'n Proto": """#include <string>
#include <capnp/message.h>
#include <capnp/serialize.h>
#include "notes.capnp.h"
std::string rewrite(const std::string& bytes) {
  capnp::FlatArrayMessageReader in(kj::arrayPtr(reinterpret_cast<const capnp::word*>(bytes.data()), bytes.size() / 8));
  capnp::MallocMessageBuilder out;
  out.setRoot(in.getRoot<notes_cp::Notebook>());
  const auto words = capnp::messageToFlatArray(out);
  return {words.asChars().begin(), words.asChars().size()};
}
""",
    SCHEMAGEN_JSON: """#include "notes/json.h"
std::string rewrite(const std::string& text) { return schemagen::to_json(schemagen::from_json<notes::Notebook>(text)); }
""",
    NLOHMANN: """#include "nlohmann_notes.h"
std::string rewrite(const std::string& text) { return nlohmann::json(nlohmann::json::parse(text).get<notes::Notebook>()).dump(); }
""",
}


def run(*command, folder=None):
    return subprocess.run([*map(str, command)], cwd=folder, check=True, text=True, stdout=subprocess.PIPE).stdout


def generate(schemagen, folder):
    """Returns by library the files that its compiler writes: those needed to read and write the binary form."""
    run(schemagen, "generate", HERE / "notes.yaml", "-o", folder / "notes")
    run("protoc", "--cpp_out", folder, "-I", HERE, HERE / "notes.proto")
    idl = folder / "notes.thrift"
    run(schemagen, "export", HERE / "notes.yaml", "--format", "thrift", "-o", idl)
    idl.write_text(idl.read_text().replace("namespace cpp2 notes", "namespace cpp notes_th"))
    run("thrift", "--gen", "cpp:no_skeleton", "-out", folder, idl)
    run("flatc", "--cpp", "--gen-object-api", "-o", folder, HERE / "notes.fbs")
    run("capnp", "compile", f"-oc++:{folder}", f"--src-prefix={HERE}", HERE / "notes.capnp")
    notes = sorted((folder / "notes").iterdir())
    return {
        SCHEMAGEN: [path for path in notes if path.stem in ("fwd", "types", "binary", "schema_info")],
        "protobuf": sorted(folder.glob("notes.pb.*")),
        "Apache Thrift": sorted(folder.glob("notes_types.*")),
        "FlatBuffers": sorted(folder.glob("notes_generated.h")),
        "Cap'n Proto": sorted(folder.glob("notes.capnp.*")),
        SCHEMAGEN_JSON: [path for path in notes if path.stem in ("fwd", "types", "json")],
        NLOHMANN: [HERE / "nlohmann_notes.h"],
    }


def includes(folder):
    return ["-I", folder, "-I", ROOT / "runtime", "-I", HERE]


def children_seconds():
    """Returns the CPU time of the commands that were run."""
    times = os.times()
    return times.children_user + times.children_system


def compile_seconds(source, folder):
    start = children_seconds()
    run(*COMPILE, *includes(folder), "-c", source, "-o", folder / (source.name + ".o"))
    return children_seconds() - start


def code_size(objects):
    """Returns the bytes of instructions and constants."""
    return sum(int(line.split()[0]) for line in run("size", *objects).splitlines()[1:])


def code_table(files, folder, rounds):
    uses = {}
    for library, text in USES.items():
        uses[library] = folder / f"use_{len(uses)}.cpp"
        uses[library].write_text(text)
    sources = {library: [path for path in paths if path.suffix in (".cpp", ".cc", ".c++")] for library, paths in files.items()}
    seconds = {library: [] for library in files}
    for _ in range(rounds):
        for library in files:
            seconds[library].append((sum(compile_seconds(path, folder) for path in sources[library]),
                                     compile_seconds(uses[library], folder)))
    rows = ["| | generated code | time to compile this code | time to compile a file that uses it | machine code size of both |",
            "|---|---|---|---|---|"]
    for library, paths in files.items():
        generated, used = (statistics.median(part) for part in zip(*seconds[library]))
        lines = sum(len(path.read_text().splitlines()) for path in paths)
        size = code_size([folder / (path.name + ".o") for path in [*sources[library], uses[library]]])
        compiled = f"{generated:.1f} s" if sources[library] else "header only"
        rows.append(f"| {library} | {lines:,} lines | {compiled} | {used:.1f} s | {size / 1000:.0f} KB |")
    return "\n".join(rows)


def data_table(build, files, folder, entries, rounds):
    generated = [path for path in folder.rglob("*") if path.suffix in (".cpp", ".cc", ".c++") and not path.name.startswith("use_")]
    ours = [next(build.rglob(f"libschemagen_{name}.a")) for name in ("json", "binary", "runtime")]
    objects = []
    for source in [*generated, *sorted(HERE.glob("*.cpp"))]:
        objects.append(folder / (source.name + ".o"))
        compile_seconds(source, folder)
    run("g++", *objects, *ours, *LIBRARIES, "-o", folder / "bench")
    rows = ["| | size | write: time, ratio | read: time, ratio |", "|---|---|---|---|"]
    for line in run(folder / "bench", entries, rounds).splitlines():
        name, size, write, write_ratio, read, read_ratio = line.split("\t")
        rows.append(f"| {name} | {int(size) / 1e6:.2f} MB | {float(write):.1f} ms, {float(write_ratio):.2f} | "
                    f"{float(read):.1f} ms, {float(read_ratio):.2f} |")
    return "\n".join(rows)


def versions():
    found = [re.search(r"[\d.]+\d", run(*command))[0]
             for command in (["protoc", "--version"], ["thrift", "--version"], ["flatc", "--version"], ["capnp", "--version"],
                             ["dpkg-query", "--show", "--showformat=${Version}", "nlohmann-json3-dev"])]
    compiler = run("g++", "--version").splitlines()[0]
    commit = run("git", "rev-parse", "--short", "HEAD", folder=ROOT).strip()
    return ("protobuf {}, Apache Thrift {}, FlatBuffers {}, Cap'n Proto {}, nlohmann/json {}, all from Debian; ".format(*found) +
            f"{compiler}; measured at commit {commit} by `tests/bench/compilers.py`.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="a release build with static libraries")
    parser.add_argument("--entries", type=int, default=8000, help="of the notebook")
    parser.add_argument("--rounds", type=int, default=41)
    parser.add_argument("--compile-rounds", type=int, default=3)
    arguments = parser.parse_args()
    for tool in ("protoc", "thrift", "flatc", "capnp"):
        if shutil.which(tool) is None:
            sys.exit(f"{tool} is missing; --help says which packages are needed")
    build = arguments.build.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        files = generate(build / "bin/schemagen", folder)
        data = data_table(build, files, folder, arguments.entries, arguments.rounds)
        replace(PAGE, "data", data)
        replace(PAGE, "code", code_table(files, folder, arguments.compile_rounds))
    replace(PAGE, "versions", versions())
    return 0


if __name__ == "__main__":
    sys.exit(main())
