#!/usr/bin/env python3
"""Rehearses a new major version of PyTorch's schema as CONTRIBUTING.md describes it, in a copy of the repository.

The new schema is the newest of tests/data/torch_schemas with schema.patch: a renamed field, a removed one, one of another type, a required one
that follows from others, a union with a new member and one that lost one, renumbered enum members, new types, a new root, and a version with
three parts. steps.cpp has the bodies of the upgrade steps, and code.patch adapts the code that uses the changed fields. Then the copy's `pt2`
must read all programs of tests/data, and write them in the old major version with the same bytes.

Needs the commands of this version in PT2_BINARY and SCHEMAGEN_BINARY, and a folder for the copy in MAJOR_FOLDER. Also builds the Python package
if PT2_PYTHON is a Python with nanobind.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[3]
PROGRAMS = ROOT / "tests/data/programs"
SCHEMAGEN, OLD_PT2 = os.environ["SCHEMAGEN_BINARY"], os.environ["PT2_BINARY"]
COPY = pathlib.Path(os.environ["MAJOR_FOLDER"])
PYTHON = os.environ.get("PT2_PYTHON", "")
NEW_PT2 = COPY / "build/bin/pt2"
UPGRADES, DOWNGRADES = "runtime/pt2/upgrade/upgrade_steps.cpp", "runtime/pt2/upgrade/downgrade_steps.cpp"
FUNCTION = re.compile(r"^/// (\w+):.*\n(?:///.*\n)*(?:void|std::string) (\w+)\((?:.|\n)*?^}\n\n?", re.MULTILINE)


def version_in(text):
    return tuple(map(int, re.search(r"^version: {major: (\d+), minor: (\d+)}$", text, re.MULTILINE).groups()))


OLD = version_in((ROOT / "schema/pt2.yaml").read_text())
OLD_TEXT = "%d.%d" % OLD
MAJOR = OLD[0] + 1


def run(*command, code=0, cwd=COPY, **options):
    done = subprocess.run(list(map(str, command)), cwd=cwd, capture_output=True, text=True, timeout=1100, **options)
    if code is not None and done.returncode != code:
        raise AssertionError(f"{command}: exit code {done.returncode}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout + done.stderr


def edit(name, *edits):
    path = COPY / name
    text = path.read_text()
    for old, new in edits:
        text, count = re.subn(old, new, text, flags=re.MULTILINE)
        assert count == 1, (name, old, count)
    path.write_text(text)


def copy_repository():
    """Keeps what was built before."""
    COPY.mkdir(parents=True, exist_ok=True)
    names = subprocess.check_output(["git", "ls-files", "-z", "--", ":!tests/data", ":!tests/golden"], cwd=ROOT, text=True).split("\0")
    for name in filter(None, names):
        (COPY / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, COPY / name)
    if not (COPY / ".git").exists():
        run("git", "init", "-q")


def import_schema():
    """Returns the report of `schemagen diff`."""
    newest = max((ROOT / "tests/data/torch_schemas").glob("*.py"), key=lambda path: tuple(map(int, path.stem.split("."))))
    shutil.copyfile(newest, COPY / "schema.py")
    run("git", "apply", HERE / "schema.patch")
    edit("schema.py", (r"^SCHEMA_VERSION = .*", f"SCHEMA_VERSION = ({MAJOR}, 0)"))
    shutil.copyfile(COPY / "schema/pt2.yaml", COPY / f"schema/released/{OLD_TEXT}.yaml")
    run(SCHEMAGEN, "import", "schema.py", "--docs-from", "schema/pt2.yaml", "--reserve-from", "schema/pt2.yaml", "--root", "ExportedProgram",
        "--root", "ServiceManifest", "-o", "schema/pt2.yaml")
    return json.loads(run(SCHEMAGEN, "diff", "schema/released", "schema/pt2.yaml", "--format", "json", code=1))


def add_skeletons():
    return run(SCHEMAGEN, "bump", "schema/pt2.yaml", "--against", "schema/released", "--major", "--upgrade-steps", UPGRADES,
               "--downgrade-steps", DOWNGRADES)


def generate():
    name = OLD_TEXT.replace(".", "_")
    run(SCHEMAGEN, "fmt", "schema/pt2.yaml")
    run(SCHEMAGEN, "generate", "schema/pt2.yaml", "-o", "generated/pt2", "--python", "_pt2")
    run(SCHEMAGEN, "generate", f"schema/released/{OLD_TEXT}.yaml", "-o", f"generated/pt2/released/{name}", "--namespace", f"pt2::released::v{name}",
        "--only", "reflection.h")
    run(SCHEMAGEN, "export", "schema/pt2.yaml", "--format", "c", "-o", "bindings/c/pt2_ids.h")


def write_by_hand():
    name = OLD_TEXT.replace(".", "_")
    edit("runtime/pt2/versions/released_schemas.cpp",
         (r'^(#include "pt2/released/1_0/reflection.h")$', rf'\1\n#include "pt2/released/{name}/reflection.h"'),
         (r"^    &kReflection,$", f"    &released::v{name}::kReflection,\n    &kReflection,"))
    releases = (COPY / "runtime/pt2/versions/releases.h").read_text()
    torch = max(int(minor) for minor in re.findall(r"\{(\d+), \{\d+, \d+\}\}", releases)) + 1
    edit("runtime/pt2/versions/releases.h", (r"^(inline constexpr Release kReleases\[\] = \{(?:.|\n)*?)\n\};", rf"\1\n    {{{torch}, {{{MAJOR}, 0}}}},\n}};"))
    run("git", "apply", HERE / "code.patch")
    written = {match[2]: match for match in FUNCTION.finditer((HERE / "steps.cpp").read_text() + "\n")}
    for file in (UPGRADES, DOWNGRADES):
        text = (COPY / file).read_text()
        mine = {name: match for name, match in written.items() if match[0].split("\n")[1].startswith("void") == (file == UPGRADES)}
        skeletons = {match[2]: match[0] for match in FUNCTION.finditer(text) if "is not written" in match[0]}
        for function, skeleton in skeletons.items():
            if function in mine:
                text = text.replace(skeleton, mine.pop(function)[0])
            else:
                text = re.sub(rf"^.*\b{function}}},\n", "", text.replace(skeleton, ""), flags=re.MULTILINE)
        for function, match in mine.items():
            text = text.replace("// schemagen bump: functions", match[0] + "// schemagen bump: functions")
            text = text.replace("// schemagen bump: rows", f'{{{MAJOR}, "{match[1]}", {function}}},\n// schemagen bump: rows')
        (COPY / file).write_text(text)


def build():
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    # Without optimization, clang++ takes three quarters of the time of g++.
    compiler = ["-DCMAKE_CXX_COMPILER=clang++-14"] if shutil.which("clang++-14") else []
    run("cmake", "-S", COPY, "-B", COPY / "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0", *launcher, *compiler,
        "-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=16", "-DPT2_WARNINGS_AS_ERRORS=ON", "-DPT2_BUILD_GENERATOR=OFF",
        "-DPT2_BUILD_TESTS=OFF", "-DPT2_INSTALL=OFF", f"-DPT2_BUILD_PYTHON={'ON' if PYTHON else 'OFF'}", f"-DPT2_PYTHON={PYTHON}")
    environment = dict(os.environ, CCACHE_BASEDIR=str(COPY), CCACHE_NOHASHDIR="true")
    run("ninja", "-C", COPY / "build", "pt2", "pt2_c", *(["pt2_python"] if PYTHON else []), env=environment)


class MajorTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        copy_repository()
        cls.report = import_schema()
        cls.said = add_skeletons()
        cls.skeletons = {file: (COPY / file).read_text() for file in (UPGRADES, DOWNGRADES)}
        generate()
        write_by_hand()
        build()

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def test_diff_names_every_break(self):
        """By rule, path, and the effects on new readers of old data and old readers of new data, in JSON and binary files."""
        found = {(finding["rule"], finding["path"]): tuple(finding["effects"][key] for key in (
            "new_reads_old_json", "new_reads_old_binary", "old_reads_new_json", "old_reads_new_binary"))
            for finding in self.report["findings"] if finding["level"] in ("breaking", "error", "warning")}
        self.assertEqual(found, {
            ("UNION_MEMBER_REMOVED", "SymExprHint.as_bool"): ("depends", "depends", "yes", "yes"),
            ("ENUM_VALUE_RENUMBERED", "ArgumentKind.KEYWORD"): ("no", "no", "no", "no"),
            ("ENUM_VALUE_RENUMBERED", "ArgumentKind.POSITIONAL"): ("no", "no", "no", "no"),
            ("FIELD_TYPE_CHANGED", "Node.is_hop_single_tensor_return"): ("no", "no", "no", "no"),
            ("FIELD_RENAMED", "InputToBufferSpec.is_persistent"): ("no", "yes", "no", "yes"),
            ("FIELD_ADDED_REQUIRED", "ModuleCallEntry.depth"): ("no", "no", "depends", "depends"),
            ("FIELD_REMOVED_OPTIONAL", "GraphModule.metadata"): ("depends", "depends", "yes", "yes"),
            ("FIELD_ADDED_REQUIRED", "SchemaVersion.patch"): ("no", "no", "depends", "depends"),
            ("UNION_MEMBER_ADDED", "ConstantValue.as_complex"): ("yes", "yes", "depends", "depends"),
        })
        said = run(SCHEMAGEN, "diff", "schema/released", "schema/pt2.yaml", code=1)
        for steps in ["an upgrade and a downgrade step for Node", "an upgrade and a downgrade step for ModuleCallEntry"]:
            self.assertIn(f"  needs {steps}\n", said)
        self.assertEqual(said.count(" step for "), 8)
        self.assertEqual((self.report["bump"], self.report["version_suffices"]), ("major", True))

    def test_bump_adds_a_skeleton_for_each_step(self):
        upgrades = ["sym_expr_hint", "argument_kind", "node", "input_to_buffer_spec", "module_call_entry", "graph_module", "schema_version"]
        downgrades = ["sym_expr_hint", "argument_kind", "node", "input_to_buffer_spec", "module_call_entry", "graph_module", "schema_version"]
        for file, names, major in [(UPGRADES, upgrades, MAJOR), (DOWNGRADES, downgrades, OLD[0])]:
            added = [match[2] for match in FUNCTION.finditer(self.skeletons[file]) if "is not written" in match[0]]
            self.assertEqual(added, [f"{name}_to_{major}" for name in names])
            for name in added:
                self.assertIn(f"{name}():", self.said)
                self.assertEqual(self.skeletons[file].count(f", {name}}},\n"), 1)
            self.assertIn(f"{file}: added {len(added)} functions", self.said)
        self.assertEqual(self.said.count("test: read"), 8)

    def test_a_second_bump_adds_nothing(self):
        before = [(COPY / file).read_text() for file in (UPGRADES,)]
        run(SCHEMAGEN, "bump", "schema/pt2.yaml", "--against", "schema/released", "--major", "--upgrade-steps", UPGRADES)
        self.assertEqual([(COPY / file).read_text() for file in (UPGRADES,)], before)

    def test_every_program_is_read_and_written_in_both_major_versions(self):
        def check(path):
            folder = self.folder / "_".join(path.relative_to(ROOT).parts)
            folder.mkdir()
            upgraded, new, again, binary, back, expected = (
                folder / name for name in ("upgraded.json", "new.json", "again.json", "new.pt2b", "back.json", "expected.json"))
            run(OLD_PT2, "upgrade", path, "-o", upgraded, code=None)
            if not upgraded.exists():
                return None  # several programs, or none
            run(NEW_PT2, "upgrade", path, "-o", new)
            self.assertIn(f'"major": {MAJOR}, "minor": 0, "patch": 0', new.read_text(), path)
            run(NEW_PT2, "convert", new, again)
            self.assertEqual(again.read_bytes(), new.read_bytes(), path)
            run(NEW_PT2, "convert", new, binary)
            run(NEW_PT2, "convert", binary, again)
            self.assertEqual(again.read_bytes(), new.read_bytes(), path)
            # Some calls are not possible in the first release of the old version.
            refusals = [run(pt2, "downgrade", given, "-o", written, "--to", OLD_TEXT, code=None).replace(str(given), "")
                        for pt2, given, written in [(NEW_PT2, new, back), (OLD_PT2, upgraded, expected)]]
            self.assertEqual(refusals[0], refusals[1], path)
            if expected.exists():
                self.assertEqual(back.read_bytes(), expected.read_bytes(), path)
            return json.loads(run(OLD_PT2, "info", "--json", path))["upgraded_from"] or OLD_TEXT

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            files = [path for folder in ("programs", "old_exports", "packages") for path in sorted((ROOT / "tests/data" / folder).rglob("*.*"))]
            majors = list(filter(None, pool.map(check, [path for path in files if path.suffix in (".json", ".pt2")])))
        self.assertEqual({version.split(".")[0] for version in majors}, {path.stem.split(".")[0] for path in (COPY / "schema/released").iterdir()})
        self.assertGreater(len(majors), 300)

    def program(self, change, name="sym_values"):
        """Writes a program in the new version, and returns its file."""
        file = self.folder / "changed.json"
        run(NEW_PT2, "upgrade", PROGRAMS / f"torch-2.13.0/{name}.json", "-o", file)
        program = json.loads(file.read_text())
        change(program)
        file.write_text(json.dumps(program))
        return file

    def test_what_the_old_version_cannot_express_is_refused_by_name(self):
        def change(program):
            program["origin"] = {"tool": "t"}
            program["schema_version"]["patch"] = 3
            program["graph_module"]["graph"]["nodes"][0]["is_hop_single_tensor_return"] = 0
            program["graph_module"]["signature"]["input_specs"][0] = {
                "constant_input": {"name": "c", "value": {"as_complex": {"real": 1.0, "imag": 0.0}}}}

        said = run(NEW_PT2, "downgrade", self.program(change), "-o", self.folder / "old.json", "--to", OLD_TEXT, code=3)
        for what in ["nodes[0]: a higher-order operator returns something unknown", "ConstantValue has no member 'as_complex'",
                     "origin: ExportedProgram has no field 'origin'", "schema_version: a patch version"]:
            self.assertIn(what, said)
        self.assertFalse((self.folder / "old.json").exists())

    def test_a_value_whose_form_depends_on_its_place_goes_both_ways(self):
        old, back = self.folder / "old.json", self.folder / "back.json"
        program = json.loads((PROGRAMS / "torch-2.13.0/sym_values.json").read_text())
        symbols = program["graph_module"]["graph"]["sym_bool_values"]
        self.assertTrue(symbols)
        for symbol in symbols.values():
            symbol["as_expr"]["hint"] = {"as_bool": True}
        old.write_text(json.dumps(program))
        run(NEW_PT2, "upgrade", old, "-o", self.folder / "new.json")
        self.assertNotIn("as_bool", json.dumps(json.loads((self.folder / "new.json").read_text())["graph_module"]["graph"]["sym_bool_values"]))
        run(NEW_PT2, "downgrade", self.folder / "new.json", "-o", back, "--to", OLD_TEXT)
        self.assertEqual(back.read_bytes(), old.read_bytes())

    def test_texts_follow_from_the_tables(self):
        self.assertIn(f"(schema {MAJOR}.0, ", run(NEW_PT2, "--version"))
        self.assertIn(f"{OLD[0]}.N|{MAJOR}.N|torch-2.N", run(NEW_PT2, "downgrade", "--help"))
        self.assertIn(f"older schemas (1, 2, 5.x, 7.x, {OLD[0]}.x)", run(NEW_PT2, "upgrade", "--help"))
        newer = self.program(lambda program: program["schema_version"].update(major=MAJOR + 1))
        self.assertIn(f"7.x, {OLD[0]}.x or {MAJOR}.x (up to {MAJOR}.0 in full)", run(NEW_PT2, "validate", newer, code=3))
        head = self.program(lambda program: None)
        self.assertIn(f"expected {OLD[0]}.2 to {MAJOR}.0", run(NEW_PT2, "downgrade", head, "-o", "-", "--to", f"{OLD[0]}.1", code=2))
        run(sys.executable, "tests/project/literal_versions_test.py")

    def test_no_type_in_memory_holds_the_old_version(self):
        said = run(NEW_PT2, "downgrade", PROGRAMS / "torch-2.13.0/mlp.json", "-o", self.folder / "old.pt2b", "--to", OLD_TEXT, code=2)
        self.assertIn(f"cannot hold a program of schema {OLD_TEXT} in memory", said)

    @unittest.skipUnless(PYTHON, "no Python with nanobind")
    def test_python_reads_and_writes_both_versions(self):
        model = PROGRAMS / "torch-2.13.0/mlp.pt2"
        script = f"""
import json, pt2, zipfile
assert pt2.schema_version == ({MAJOR}, 0), pt2.schema_version
program = pt2.load({str(model)!r})
assert program.graph_module.module_call_graph[0].depth == 0
assert json.loads(program.to_json())["schema_version"] == {{"major": {MAJOR}, "minor": 0, "patch": 0}}
try:
    pt2.downgrade(program, to="{OLD_TEXT}")
except ValueError as error:
    assert "in memory" in str(error), error
else:
    raise AssertionError("not refused")
pt2.downgrade({str(model)!r}, to=({OLD[0]}, {OLD[1]}), out="old.pt2")
with zipfile.ZipFile("old.pt2") as new, zipfile.ZipFile({str(model)!r}) as old:
    name = next(name for name in old.namelist() if name.endswith("models/model.json"))
    assert new.read(name) == old.read(name)
"""
        run(PYTHON, "-c", script, cwd=self.folder, env=dict(os.environ, PYTHONPATH=str(COPY / "build/bindings/python")))

    def test_hashes_of_what_did_not_change_stay(self):
        def hash_of(schema, *options):
            return run(SCHEMAGEN, "hash", schema, *options)

        for path in (ROOT / "schema/released").iterdir():
            self.assertEqual(hash_of(COPY / "schema/released" / path.name), hash_of(path))
        self.assertEqual(hash_of(COPY / f"schema/released/{OLD_TEXT}.yaml"), hash_of(ROOT / "schema/pt2.yaml"))
        for options in ([], ["--projection", "json"], ["--projection", "bin"]):
            root = ["--root", "AOTInductorModelPickleData", *options]
            self.assertEqual(hash_of(COPY / "schema/pt2.yaml", *root), hash_of(ROOT / "schema/pt2.yaml", *root))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
