#!/usr/bin/env python3
"""Tests `schemagen bump` from outside.

Needs the command in SCHEMAGEN_BINARY. Run from anywhere: `python3 tests/tools/schemagen/bump_test.py`.
"""

import os
import pathlib
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[3]
COMPAT = SOURCE / "tests/compat"
SCHEMAGEN = os.environ.get("SCHEMAGEN_BINARY", "schemagen")

DONE, NO, USAGE, BAD_INPUT, IO_FAILED = 0, 1, 2, 3, 4

HEAD = "# Of things.\nname: s\nversion: {major: %s, minor: %s}  # of the format\ntypes:\n  A:\n    kind: struct\n    fields:\n"
X = "      x: {id: 10, type: str}\n"
Y = "      y: {id: 20, type: int, default: 0}\n"


def schema(version, *fields):
    return HEAD % tuple(version.split(".")) + "".join(fields)


class BumpTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8"))

    def read(self, name):
        return (self.folder / name).read_bytes().decode("utf-8")

    def run_tool(self, *arguments, stdin=""):
        done = subprocess.run([SCHEMAGEN, *map(str, arguments)], cwd=self.folder, input=stdin.encode("utf-8"),
                              capture_output=True, timeout=60)
        return done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8")

    def bump(self, *arguments, old=None, new=None):
        """Writes old.yaml and new.yaml, bumps new.yaml, and returns the exit code, stdout and stderr."""
        if old is not None:
            self.write("old.yaml", old)
        if new is not None:
            self.write("new.yaml", new)
        return self.run_tool("bump", "new.yaml", "--against", "old.yaml", *arguments)


class Versions(BumpTest):
    def check(self, old, new, expected, *arguments):
        """The bump changes only the version of the file, and the new version suffices."""
        code, _, err = self.bump(*arguments, old=old, new=new)
        self.assertEqual(code, DONE, err)
        self.assertEqual(self.read("new.yaml"), expected)
        self.assertEqual(self.bump(*arguments)[0], DONE)
        self.assertEqual(self.read("new.yaml"), expected, "the second time")
        out = self.run_tool("diff", "old.yaml", "new.yaml", *arguments)[1]
        self.assertRegex(out, " suffices\n")

    def test_an_addition_needs_a_minor_version(self):
        self.check(schema("1.3", X), schema("1.3", X, Y), schema("1.4", X, Y))

    def test_a_break_needs_a_major_version(self):
        self.check(schema("1.3", X), schema("1.3", X.replace("10", "15")), schema("2.0", X.replace("10", "15")))

    def test_what_no_reader_sees_needs_none(self):
        self.check(schema("1.3", X, Y), schema("1.3", Y, X), schema("1.3", Y, X))

    def test_a_version_that_is_high_enough_stays(self):
        for version in ["1.4", "1.9", "2.0", "3.7"]:
            self.check(schema("1.3", X), schema(version, X, Y), schema(version, X, Y))
        self.check(schema("1.3", X), schema("1.4", X), schema("1.4", X))

    def test_a_version_that_is_not_high_enough_goes_up(self):
        broken = X.replace("10", "15")
        self.check(schema("1.3", X), schema("1.4", broken), schema("2.0", broken))

    def test_a_version_that_went_back_comes_back(self):
        self.check(schema("1.3", X), schema("1.2", X), schema("1.3", X))
        self.check(schema("1.3", X), schema("1.2", X, Y), schema("1.4", X, Y))

    def test_what_is_allowed_does_not_count(self):
        allowed = "      x: {id: 15, type: str, allow: [{rule: FIELD_ID_CHANGED, reason: no binary files}]}\n"
        self.check(schema("1.3", X), schema("1.3", allowed), schema("1.3", allowed))

    def test_policies(self):
        gone = "    reserved: {ids: [20], names: [\"y\"]}\n"
        old, new = (X, Y), (X, gone)
        self.check(schema("1.3", *old), schema("1.3", *new), schema("2.0", *new), "--policy", "full")
        self.check(schema("1.3", *old), schema("1.3", *new), schema("1.4", *new), "--policy", "backward")
        # PyTorch's minor versions start at 1, and must be consecutive.
        self.check(schema("1.3", *old), schema("1.3", *new), schema("2.1", *new), "--policy", "pytorch")
        self.check(schema("1.3", X), schema("1.7", X, Y), schema("1.4", X, Y), "--policy", "pytorch")

    def test_every_example_of_a_rule(self):
        for folder in sorted(COMPAT.iterdir()):
            with self.subTest(folder.name):
                code, _, err = self.bump(old=(folder / "old.yaml").read_text(), new=(folder / "new.yaml").read_text())
                _, out, _ = self.run_tool("diff", "old.yaml", "new.yaml")
                if code == DONE:
                    self.assertIn(" suffices\n", out)
                else:
                    self.assertEqual(code, NO)
                    self.assertIn("\nno version number is enough: fix the errors first\n", out)
                    self.assertEqual(self.read("new.yaml"), (folder / "new.yaml").read_text())

    def test_layout_line_ends_and_comments_stay(self):
        new = "# \u00e9 1.3\r\nversion:  # 1.3\r\n    minor:   3\r\n    major: 1 # major: 1\r\nname: s\r\n"
        new += "types: {A: {kind: struct, fields: {x: {id: 11, type: str}}}}"
        self.check(schema("1.3", X), new, new.replace("minor:   3", "minor:   0").replace("r: 1 #", "r: 2 #"))


class Words(BumpTest):
    def test_only_the_findings_that_need_the_version_are_shown(self):
        code, out, err = self.bump(old=schema("1.3", X), new=schema("1.3", X.replace("10", "15"), Y))
        self.assertEqual(code, DONE)
        self.assertEqual(out, "new.yaml: needs a new major version (2.0 or higher); 1.3 does not suffice\nnew.yaml: 1.3 -> 2.0\n")
        self.assertTrue(err.startswith("new.yaml:8:15: breaking: id of 'A.x' changed from 10 to 15 [FIELD_ID_CHANGED]\n"))
        self.assertIn("old.yaml:8:15: note: it was here\n", err)
        self.assertNotIn("'A.y'", err)
        self.assertNotIn("VERSION_NOT_BUMPED", err)

    def test_nothing_is_shown_where_the_version_suffices(self):
        self.assertEqual(self.bump(old=schema("1.3", X), new=schema("1.4", X, Y)),
                         (DONE, "new.yaml: needs a new minor version (1.4 or higher); 1.4 suffices\n", ""))
        self.assertEqual(self.bump(old=schema("1.3", X), new=schema("1.3", X)),
                         (DONE, "new.yaml: needs no new version; 1.3 suffices\n", ""))

    def test_what_no_version_makes_right_is_refused(self):
        new = schema("1.3", X)
        code, out, err = self.bump(old=schema("1.3", X, Y), new=new)
        self.assertEqual((code, out), (NO, ""))
        self.assertIn("[FIELD_REMOVED_NOT_RESERVED]\n", err)
        self.assertIn("    reserved: {ids: [20], names: [\"y\"]}\n", err)
        self.assertTrue(err.endswith("new.yaml: no version number is enough: fix the errors first\n"))
        self.assertEqual(self.read("new.yaml"), new)

    def test_help_teaches(self):
        code, out, _ = self.run_tool("bump", "--help")
        self.assertEqual(code, DONE)
        for word in ["--against", "--policy", "-o", "Exit codes:", "Example: schemagen bump"]:
            self.assertIn(word, out)


class Files(BumpTest):
    OLD, NEW, BUMPED = schema("1.3", X), schema("1.3", X, Y), schema("1.4", X, Y)

    def test_another_file_or_stdout(self):
        code, out, err = self.bump("-o", "bumped.yaml", old=self.OLD, new=self.NEW)
        self.assertEqual(code, DONE)
        self.assertIn("1.3 -> 1.4", out)
        self.assertEqual((self.read("new.yaml"), self.read("bumped.yaml")), (self.NEW, self.BUMPED))
        code, out, err = self.bump("-o", "-")
        self.assertEqual((code, out), (DONE, self.BUMPED))
        self.assertIn("1.3 -> 1.4", err)
        self.assertEqual(self.read("new.yaml"), self.NEW)

    def test_a_version_that_suffices_is_written_to_another_file_too(self):
        self.assertEqual(self.bump("-o", "same.yaml", old=self.OLD, new=self.BUMPED)[0], DONE)
        self.assertEqual(self.read("same.yaml"), self.BUMPED)

    def test_stdin_to_stdout(self):
        self.write("old.yaml", self.OLD)
        code, out, err = self.run_tool("bump", "-", "--against", "old.yaml", stdin=self.NEW)
        self.assertEqual((code, out), (DONE, self.BUMPED))
        self.assertIn("<stdin>: 1.3 -> 1.4\n", err)
        self.write("new.yaml", self.NEW)
        self.assertEqual(self.run_tool("bump", "new.yaml", "--against", "-", stdin=self.OLD)[0], DONE)
        self.assertEqual(self.read("new.yaml"), self.BUMPED)

    def test_a_link_stays_one_and_a_file_that_suffices_is_not_touched(self):
        self.write("real/s.yaml", self.NEW)
        (self.folder / "new.yaml").symlink_to("real/s.yaml")
        self.assertEqual(self.bump(old=self.OLD)[0], DONE)
        self.assertTrue((self.folder / "new.yaml").is_symlink())
        self.assertEqual(self.read("real/s.yaml"), self.BUMPED)
        before = (self.folder / "real/s.yaml").stat()
        self.assertEqual(self.bump()[0], DONE)
        after = (self.folder / "real/s.yaml").stat()
        self.assertEqual((before.st_ino, before.st_mtime_ns), (after.st_ino, after.st_mtime_ns))

    def test_a_folder_of_releases(self):
        self.write("released/1.2.yaml", schema("1.2", X, "      gone: {id: 20, type: str, default: a}\n"))
        self.write("released/1.3.yaml", self.OLD)
        self.write("new.yaml", schema("1.3", X, Y))
        code, _, err = self.run_tool("bump", "new.yaml", "--against", "released")
        self.assertEqual((code, self.read("new.yaml")), (DONE, schema("2.0", X, Y)))
        self.assertIn("id 20 of 'A.y' belonged to 'gone' (str) in 1.2 [FIELD_ID_REUSED]\n", err)
        other = Y.replace("20", "30")
        self.write("new.yaml", schema("1.3", X, other))
        self.assertEqual(self.run_tool("bump", "new.yaml", "--against", "released")[0], DONE)
        self.assertEqual(self.read("new.yaml"), schema("1.4", X, other))

    def test_a_state_in_git(self):
        git = ["git", "-c", "user.name=n", "-c", "user.email=e"]
        for command in [["init", "-q"], ["add", "s.yaml"], ["commit", "-q", "-m", "one"]]:
            self.write("s.yaml", self.OLD)
            subprocess.run(git + command, cwd=self.folder, check=True, capture_output=True)
        self.write("s.yaml", self.NEW)
        self.assertEqual(self.run_tool("bump", "s.yaml", "--against", "git:HEAD:s.yaml")[0], DONE)
        self.assertEqual(self.read("s.yaml"), self.BUMPED)
        self.assertEqual(self.run_tool("generate", "s.yaml", "-o", "out")[0], DONE)
        code, _, err = self.run_tool("bump", "s.yaml", "--against", "out/types.h")
        self.assertEqual(code, BAD_INPUT)
        self.assertIn("expected a schema, got code generated from a schema: pass the schema itself", err)

    def test_usage(self):
        self.write("old.yaml", self.OLD)
        self.write("new.yaml", self.NEW)
        for arguments, word in [
            (["new.yaml"], "--against"), (["--against", "old.yaml"], "SCHEMA"),
            (["new.yaml", "old.yaml"], "unexpected argument 'old.yaml'"),
            (["new.yaml", "--agains", "old.yaml"], "did you mean '--against'?"),
            (["new.yaml", "--against", "old.yaml", "--policy", "non"], "pytorch"),
            (["-", "--against", "-"], "only one of the schemas"),
            (["git:HEAD:s.yaml", "--against", "old.yaml"], "cannot be written"),
        ]:
            with self.subTest(arguments):
                code, out, err = self.run_tool("bump", *arguments)
                self.assertEqual((code, out), (USAGE, ""))
                self.assertIn(word, err)
        self.assertEqual(self.read("new.yaml"), self.NEW)

    def test_schemas_with_errors(self):
        for old, new in [("name: s\n", self.NEW), (self.OLD, "name: s\n")]:
            code, out, err = self.bump(old=old, new=new)
            self.assertEqual((code, out), (BAD_INPUT, ""))
            self.assertIn("has no 'version'", err)
            self.assertEqual(self.read("new.yaml"), new)

    def test_files_that_cannot_be_read_or_written(self):
        self.write("old.yaml", self.OLD)
        self.write("new.yaml", self.NEW)
        self.write("file", "")
        for arguments in [["none.yaml", "--against", "old.yaml"], ["new.yaml", "--against", "none.yaml"],
                          ["new.yaml", "--against", "old.yaml", "-o", "file/out.yaml"],
                          ["new.yaml", "--against", "git:HEAD:new.yaml"]]:
            with self.subTest(arguments):
                code, _, err = self.run_tool("bump", *arguments)
                self.assertEqual(code, IO_FAILED, err)
        self.assertEqual(self.read("new.yaml"), self.NEW)


class MajorSteps(BumpTest):
    """`--major` lists what an author has to write, and adds what is missing to a file."""

    OLD = schema("1.4", X, Y)
    NEW = schema("2.0", X.replace("x:", "z:"), Y, "    reserved: {names: [x]}\n")

    def test_it_lists_each_step_with_a_value_to_test(self):
        code, out, err = self.bump("--major", old=self.OLD, new=self.NEW)
        self.assertEqual((code, err), (DONE, ""))
        self.assertIn("upgrade A in a_to_2():\n  field 'A.x' (id 10) was renamed to 'z'\n  test: read A {\"x\": \"a\"} of version 1.4\n", out)
        self.assertIn("downgrade A in a_to_1():\n", out)

    def test_it_lists_steps_for_the_version_that_it_writes(self):
        code, out, _ = self.bump("--major", old=self.OLD, new=self.NEW.replace("major: 2, minor: 0", "major: 1, minor: 4"))
        self.assertEqual(code, DONE)
        self.assertIn("1.4 -> 2.0\nupgrade A in a_to_2():", out)

    def test_a_minor_version_needs_no_steps(self):
        code, out, _ = self.bump("--major", old=schema("1.4", X), new=schema("1.5", X, Y))
        self.assertEqual(code, DONE)
        self.assertIn("no upgrade steps: the major version is the same\n", out)

    def test_it_creates_a_file_and_adds_only_what_is_missing(self):
        code, out, _ = self.bump("--major", "--upgrade-steps", "steps.cpp", old=self.OLD, new=self.NEW)
        self.assertEqual(code, DONE)
        self.assertIn("steps.cpp: added 1 function and its row", out)
        text = self.read("steps.cpp")
        self.assertIn("void a_to_2(DomValue&, const UpgradeContext& context) {\n  context.fail(", text)
        self.assertIn('      {{1, 4}, "A", a_to_2},\n', text)
        code, out, _ = self.bump("--major", "--upgrade-steps", "steps.cpp")
        self.assertIn("steps.cpp: has all steps\n", out)
        self.assertEqual(self.read("steps.cpp"), text)
        code, out, _ = self.bump("--major", "--upgrade-steps", "steps.cpp", old=self.NEW, new=self.NEW.replace(" z:", " t:").replace("[x]", "[x, z]").replace("2, m", "3, m"))
        self.assertEqual(code, DONE)
        self.assertIn('      {{1, 4}, "A", a_to_2},\n      {{2, 0}, "A", a_to_3},\n', self.read("steps.cpp"))

    def test_a_file_without_the_comments_is_refused(self):
        self.write("steps.cpp", "int x;\n")
        code, _, err = self.bump("--major", "--upgrade-steps", "steps.cpp", old=self.OLD, new=self.NEW)
        self.assertEqual(code, USAGE)
        self.assertIn("lacks the comment '// schemagen bump: functions'", err)
        self.assertEqual(self.read("steps.cpp"), "int x;\n")


if __name__ == "__main__":
    unittest.main()
