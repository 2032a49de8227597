#!/usr/bin/env python3
"""Walks through a bump of PyTorch's schema as CONTRIBUTING.md describes it: port, diff, bump, generate.

With the schemas that torch 2.6.0, 2.8.0, 2.9.1 and 2.13.0 have (tests/data/torch_schemas), and with edits of the last of
them that PyTorch's own checker does not see, or sees as something else. What it misses because it lies in strings, e.g.
in SymExpr.expr_str, is no part of any schema.

Needs the command in SCHEMAGEN_BINARY. Run from anywhere: `python3 tests/tools/schemagen/schema_bump_test.py`.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[3]
TORCH_SCHEMAS = SOURCE / "tests/data/torch_schemas"
SCHEMAGEN = [os.environ.get("SCHEMAGEN_BINARY", "schemagen")]

DONE, NO, BAD_INPUT = 0, 1, 3


def edited(text, *edits):
    """`text` after replacements (old, new); each `old` must occur exactly once."""
    for old, new in edits:
        assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times"
        text = text.replace(old, new)
    return text


class Walk(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.folder / "released").mkdir()

    def run_tool(self, tool, *arguments, code=DONE):
        done = subprocess.run([*tool, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, code, f"{arguments}\n{done.stdout}{done.stderr}")
        return done.stdout, done.stderr

    def port(self, text, *options):
        """Replaces schema.yaml by the port of a schema.py, which keeps what schema.yaml says so far, in the one layout."""
        (self.folder / "schema.py").write_text(text)
        old = ["--docs-from", "schema.yaml", "--reserve-from", "schema.yaml"] if (self.folder / "schema.yaml").exists() else []
        ported = self.run_tool(SCHEMAGEN, "import", "schema.py", *old, *options, "-o", "schema.yaml")
        self.run_tool(SCHEMAGEN, "fmt", "--check", "schema.yaml")
        return ported

    def release(self):
        shutil.copy(self.folder / "schema.yaml", self.folder / "released" / (self.version() + ".yaml"))

    def schema(self):
        return (self.folder / "schema.yaml").read_text()

    def version(self):
        return ".".join(re.search(r"^version: {major: (\d+), minor: (\d+)}$", self.schema(), re.MULTILINE).groups())

    def diff(self, *options, code=None):
        """Returns the report on schema.yaml against all releases."""
        done = subprocess.run([*SCHEMAGEN, "diff", "released", "schema.yaml", "--format", "json", *options],
                              cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertIn(done.returncode, [DONE, NO], done.stderr)
        if code is not None:
            self.assertEqual(done.returncode, code)
        return json.loads(done.stdout)

    def found(self, report, *levels):
        return {(finding["rule"], finding["path"]) for finding in report["findings"]
                if finding["allowed"] is None and not finding["rule"].startswith("VERSION_")
                and (not levels or finding["level"] in levels)}

    def bump(self, *options, code=DONE):
        return self.run_tool(SCHEMAGEN, "bump", "schema.yaml", "--against", "released", *options, code=code)

    def set_version(self, version):
        """Sets the version, as if the author had not thought of it yet."""
        major, minor = version.split(".")
        text = re.sub(r"^version: {.*}$", "version: {major: %s, minor: %s}" % (major, minor), self.schema(), flags=re.MULTILINE)
        (self.folder / "schema.yaml").write_text(text)

    def generate(self):
        self.run_tool(SCHEMAGEN, "generate", "schema.yaml", "-o", "generated")
        self.run_tool(SCHEMAGEN, "generate", "schema.yaml", "-o", "generated", "--check")
        first_line = (self.folder / "generated/types.h").read_text().split("\n")[0]
        self.assertIn(f" from pt2 {self.version()} ", first_line)


class RealSteps(Walk):
    def step(self, version, *options):
        """From the current schema to the schema of a torch release."""
        self.release()
        self.port((TORCH_SCHEMAS / f"{version}.py").read_text(), *options)

    def check_bumps(self, version, needed, levels):
        """A bump leaves PyTorch's own version; an author without one gets the next."""
        before = self.schema()
        old = max((path.stem for path in (self.folder / "released").iterdir()), key=lambda name: int(name.split(".")[1]))
        self.assertEqual(self.found(self.diff(code=DONE), "breaking", "error"), set())
        self.assertEqual(self.found(self.diff(code=DONE), "warning"), levels)
        self.bump()
        self.assertEqual(self.schema(), before)
        self.set_version(old)
        self.diff(code=NO)
        self.bump()
        self.assertEqual(self.version(), needed)
        self.set_version(version)
        self.assertEqual(self.schema(), before)
        self.generate()

    def check_own(self, version):
        """Checks that the schema equals the project's own file of that version."""
        self.assertEqual(self.version(), version)
        released = SOURCE / f"schema/released/{version}.yaml"
        own = released if released.exists() else SOURCE / "schema/pt2.yaml"
        self.assertEqual(self.run_tool(SCHEMAGEN, "hash", "schema.yaml"), self.run_tool(SCHEMAGEN, "hash", own))

    def test_from_8_2_to_8_20(self):
        self.port((TORCH_SCHEMAS / "8.2.py").read_text())
        self.check_own("8.2")

        self.step("8.8")
        # PyTorch's schema names no roots: `Program` takes over, because it refers to ExportedProgram.
        report = self.diff(code=NO)
        self.assertEqual(self.found(report, "breaking"), {("ROOT_REMOVED", "ExportedProgram")})
        self.port((TORCH_SCHEMAS / "8.8.py").read_text(), "--root", "ExportedProgram")
        self.check_bumps("8.8", "8.3", {("UNION_MEMBER_ADDED", "Argument.as_optional_tensor"),
                                        ("FIELD_ADDED_DEFAULTED", "GraphModule.treespec_namedtuple_fields")})
        self.check_own("8.8")

        self.step("8.14")
        report = self.diff(code=NO)
        self.assertEqual(self.found(report, "breaking"), {("ROOT_REMOVED", "Model")})
        # `allow` says that no file had the fields that PyTorch removed without a new major version.
        paste = next(finding["paste"] for finding in report["findings"] if finding["rule"] == "ROOT_REMOVED")
        allow = edited(paste, ("...", "no release wrote such files"))
        (self.folder / "schema.yaml").write_text(edited(self.schema(), ("\nroots:", f"\n{allow}\nroots:")))
        self.run_tool(SCHEMAGEN, "fmt", "--check", "schema.yaml", code=NO)
        self.run_tool(SCHEMAGEN, "fmt", "schema.yaml")
        self.assertIn(allow.replace('"', ""), self.schema())
        self.check_bumps("8.14", "8.9", {("TYPE_REMOVED", "Program"), ("UNION_MEMBER_ADDED", "Argument.as_complex"),
                                         ("FIELD_ADDED_DEFAULTED", "ExportedProgram.guards_code"),
                                         ("UNION_MEMBER_ADDED", "OutputSpec.parameter_mutation")})
        self.check_own("8.14")

        self.step("8.20")
        added = ["as_float_lists", "as_int_lists", "as_nested_tensors", "as_string_to_argument"]
        self.check_bumps("8.20", "8.15", {("UNION_MEMBER_ADDED", "Argument." + name) for name in added})
        self.check_own("8.20")

    def test_an_id_that_went_from_field_to_field_over_three_releases(self):
        """PyTorch gave id 90 of ExportedProgram to `tensor_paths`, removed it, and gave 90 to `guards_code`."""
        paths = "    tensor_paths: Annotated[dict[str, str], 90] = field(default_factory=dict)\n"
        guards = "    guards_code: Annotated[list[str], %s] = field(default_factory=list)\n"
        torch_8_20 = (TORCH_SCHEMAS / "8.20.py").read_text()
        between = edited(torch_8_20, ("(8, 20)", "(8, 10)"), (guards % 90, paths + guards % 110))
        self.port(between)
        self.release()
        # Without the earlier schema, neither release reserves what it removes.
        for version, text in {"8.12": edited(between, ("(8, 10)", "(8, 12)"), (paths, "")), "8.20": torch_8_20}.items():
            (self.folder / "schema.yaml").unlink()
            self.port(text)
            report = self.diff(code=NO)
            if version == "8.12":
                self.assertIn(("FIELD_REMOVED_NOT_RESERVED", "ExportedProgram"), self.found(report, "error"))
                self.bump(code=NO)
                self.release()
        self.assertIn(("FIELD_ID_REUSED", "ExportedProgram.guards_code"), self.found(report))
        # Only an id has changed since the last release.
        out, _ = self.run_tool(SCHEMAGEN, "diff", "released/8.12.yaml", "schema.yaml", code=NO)
        self.assertIn("[FIELD_ID_CHANGED]", out)
        self.assertNotIn("[FIELD_ID_REUSED]", out)


class MissedEdits(Walk):
    """Edits of PyTorch's schema, what is found, the version they need, and the one that PyTorch's checker wants."""

    TORCH = (TORCH_SCHEMAS / "8.20.py").read_text()
    GUARDS = "    guards_code: Annotated[list[str], 90] = field(default_factory=list)\n"

    def setUp(self):
        super().setUp()
        self.port(self.TORCH)
        self.release()

    def check(self, *edits, found, needs, torch_wants):
        """`found`: (rule, path) of findings, except those that affect no reader."""
        self.port(edited(self.TORCH, *edits))
        report = self.diff()
        self.assertEqual(self.found(report), found)
        suggested = report["suggested_version"]
        self.assertEqual(f"{suggested['major']}.{suggested['minor']}", needs)
        self.bump()
        self.assertEqual(self.version(), needs)
        self.assertIs(self.diff()["version_suffices"], True)
        self.set_version("8.20")
        theirs = self.diff("--policy", "pytorch")
        suggested = theirs["suggested_version"]
        said = "error" if theirs["bump"] == "error" else f"{suggested['major']}.{suggested['minor']}"
        self.assertEqual(said, torch_wants)

    def test_an_id_changes(self):
        self.check((self.GUARDS, self.GUARDS.replace("90", "120")),
                   found={("FIELD_ID_CHANGED", "ExportedProgram.guards_code")}, needs="9.0", torch_wants="8.20")

    def test_two_ids_are_swapped(self):
        self.check(("as_int: Annotated[int, 50]", "as_int: Annotated[int, 170]"),
                   ("as_bool: Annotated[bool, 170]", "as_bool: Annotated[bool, 50]"),
                   found={("FIELD_ID_REUSED", "Argument.as_int")}, needs="9.0", torch_wants="8.20")

    def test_a_default_changes(self):
        self.check(("is_single_tensor_return: Annotated[bool, 70] = False", "is_single_tensor_return: Annotated[bool, 70] = True"),
                   found={("DEFAULT_CHANGED", "Graph.is_single_tensor_return")}, needs="9.0", torch_wants="8.20")

    def test_an_enum_value_is_renamed(self):
        self.check(("    POSITIONAL = 1", "    BY_POSITION = 1"),
                   found={("ENUM_VALUE_RENAMED", "ArgumentKind.BY_POSITION")}, needs="8.20", torch_wants="9.1")

    def test_an_enum_value_gets_another_number(self):
        self.check(("    KEYWORD = 2", "    KEYWORD = 3"),
                   found={("ENUM_VALUE_RENUMBERED", "ArgumentKind.KEYWORD")}, needs="9.0", torch_wants="error")

    def test_a_member_is_added_to_a_union_that_old_readers_know(self):
        self.check(("    as_none: Annotated[bool, 10]\n    as_int: Annotated[int, 20]",
                    "    as_none: Annotated[bool, 10]\n    as_int: Annotated[int, 20]\n    as_bytes: Annotated[str, 60]"),
                   found={("UNION_MEMBER_ADDED", "ConstantValue.as_bytes")}, needs="8.21", torch_wants="8.21")

    def test_an_enum_value_is_added(self):
        self.check(("    KEYWORD = 2", "    KEYWORD = 2\n    VARIADIC = 3"),
                   found={("ENUM_VALUE_ADDED", "ArgumentKind.VARIADIC")}, needs="8.21", torch_wants="8.21")

    def test_a_required_field_becomes_optional(self):
        self.check(("    class_fqn: Annotated[str, 20]", "    class_fqn: Annotated[str | None, 20] = None"),
                   found={("REQUIRED_TO_OPTIONAL", "CustomObjArgument.class_fqn")}, needs="9.0", torch_wants="error")
        self.bump("--policy", "backward")
        self.assertEqual(self.version(), "8.21")

    def test_members_change_places(self):
        self.check(("    as_tensor: Annotated[TensorArgument, 20]\n    as_none: Annotated[bool, 10]\n",
                    "    as_none: Annotated[bool, 10]\n    as_tensor: Annotated[TensorArgument, 20]\n"),
                   found={("FIELD_REORDERED", "OptionalTensorArgument")}, needs="8.20", torch_wants="8.20")

    def test_several_fields_go_at_once(self):
        # PyTorch's checker names only the last.
        verifiers = "    verifiers: Annotated[list[str], 70] = field(default_factory=list)\n"
        self.check((verifiers, ""), (self.GUARDS, ""),
                   found={("FIELD_REMOVED_OPTIONAL", "ExportedProgram.verifiers"),
                          ("FIELD_REMOVED_OPTIONAL", "ExportedProgram.guards_code")}, needs="9.0", torch_wants="9.1")

    def test_a_required_field_of_a_new_type_and_one_of_an_old_type(self):
        new_type = "@dataclass\nclass Guard:\n    code: Annotated[str, 10]\n\n\n@dataclass\nclass ExportedProgram:\n"
        old_type = "@dataclass\nclass ExportedProgram:\n"
        optional = "    guard: Annotated[Guard | None, 120] = None\n"
        self.check((old_type, new_type), (self.GUARDS, self.GUARDS + optional),
                   found={("TYPE_ADDED", "Guard"), ("FIELD_ADDED_OPTIONAL", "ExportedProgram.guard")}, needs="8.21",
                   torch_wants="8.21")

    def test_a_required_field_of_an_old_type(self):
        self.check((self.GUARDS, "    guard: Annotated[str, 120]\n" + self.GUARDS),
                   found={("FIELD_ADDED_REQUIRED", "ExportedProgram.guard")}, needs="9.0", torch_wants="9.1")

    def test_a_type_goes_with_the_member_that_used_it(self):
        self.check(("@dataclass\nclass ComplexValue:\n    real: Annotated[float, 10]\n    imag: Annotated[float, 20]\n", ""),
                   ("    as_complex: Annotated[ComplexValue, 260]\n", ""),
                   found={("TYPE_REMOVED", "ComplexValue"), ("UNION_MEMBER_REMOVED", "Argument.as_complex")}, needs="9.0",
                   torch_wants="9.1")

    def test_the_id_of_a_field_that_goes_is_used_at_once(self):
        other = "    notes: Annotated[list[int], 90] = field(default_factory=list)\n"
        self.port(edited(self.TORCH, (self.GUARDS, other)))
        report = self.diff(code=NO)
        self.assertIn(("FIELD_ID_REUSED", "ExportedProgram.notes"), self.found(report, "error"))
        self.bump()  # readers refuse files of another major version
        self.assertEqual(self.version(), "9.0")

    def test_a_reserved_id_is_used(self):
        self.port(edited(self.TORCH, (self.GUARDS, "")))
        self.assertIn("reserved: {ids: [90], names: [guards_code]}", self.schema())
        self.bump()
        self.release()
        other = edited(self.TORCH, ("(8, 20)", "(9, 0)"), (self.GUARDS, self.GUARDS.replace("guards_code", "notes")))
        self.port(other)
        report = self.diff(code=NO)
        self.assertEqual(self.found(report, "error"), {("FIELD_ID_REUSED", "ExportedProgram.notes")})
        self.bump()
        self.assertEqual(self.version(), "10.0")


if __name__ == "__main__":
    unittest.main()
