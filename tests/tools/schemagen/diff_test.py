#!/usr/bin/env python3
"""Tests `schemagen diff`, `explain` and `rules` from outside.

Needs the command in SCHEMAGEN_BINARY. Run from anywhere: `python3 tests/tools/schemagen/diff_test.py`.
"""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import urllib.parse

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent.parent
COMPAT = SOURCE / "tests/compat"
SCHEMAGEN = os.environ.get("SCHEMAGEN_BINARY", "schemagen")

HEAD = "name: s\nversion: {major: 1, minor: %d}\ntypes:\n  A:\n    kind: struct\n    fields:\n"
X = "      x: {id: 10, type: str}\n"
Y = "      y: {id: 20, type: int, default: 0}\n"


def run(*arguments, cwd=SOURCE, stdin=""):
    result = subprocess.run([SCHEMAGEN, *map(str, arguments)], cwd=cwd, input=stdin, capture_output=True,
                            text=True, timeout=60)
    return result.returncode, result.stdout, result.stderr


def diff(rule, *arguments):
    """Returns the output of `diff` for a rule's example; short folder names keep it short."""
    return run("diff", "old.yaml", "new.yaml", *arguments, cwd=COMPAT / rule)


class Folder(unittest.TestCase):
    def setUp(self):
        self.path = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def write(self, name, text):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path


class Imports(Folder):
    HEAD = "name: s\nversion: {major: 1, minor: 0}\nimports: [in/b.yaml]\ntypes:\n"
    A = "  A:\n    kind: struct\n    fields:\n      b: {id: 10, type: B}\n"
    B = "name: b\nversion: {major: 1, minor: 0}\ntypes:\n  B:\n    kind: struct\n    fields:\n"

    def setUp(self):
        super().setUp()
        self.schema = self.write("s.yaml", self.HEAD + self.A)
        self.write("in/b.yaml", self.B + X)

    def git(self, *arguments):
        subprocess.run(["git", "-c", "user.name=test", "-c", "user.email=test@example.org", *arguments], cwd=self.path, check=True,
                       capture_output=True)

    def commit(self):
        self.git("init", "-q", "-b", "main")
        self.git("add", ".")
        self.git("commit", "-qm", "one")

    def test_a_type_that_moves_to_another_file_changes_nothing(self):
        whole = self.write("whole.yaml", self.HEAD.replace("imports: [in/b.yaml]\n", "") + self.A + "  B:\n    kind: struct\n    fields:\n" + X)
        for old, new in ((whole, self.schema), (self.schema, whole)):
            code, out, err = run("diff", old, new, cwd=self.path)
            self.assertEqual((code, err), (0, ""), out)
            self.assertIn("no findings", out)
            self.assertIn("schema hash is still", out)

    def test_imports_are_those_of_the_same_state_in_git(self):
        self.commit()
        self.write("in/b.yaml", self.B + X + Y)
        for old in ("git:main:s.yaml", "git:HEAD:./s.yaml"):
            code, out, err = run("diff", old, "s.yaml", cwd=self.path)
            self.assertEqual((code, err), (1, ""))
            self.assertRegex(out, r"(?m)^in/b\.yaml:8:7: warning: field 'B\.y' was added.* \[FIELD_ADDED_DEFAULTED\]\n    8 \| " + Y.rstrip())
            self.assertIn("VERSION_NOT_BUMPED", out)
        self.write("in/b.yaml", self.B.rstrip() + " {}\n")
        code, out, _ = run("diff", "git:main:s.yaml", "s.yaml", "--format", "json", cwd=self.path)
        removed = [finding for finding in json.loads(out)["findings"] if finding["path"] == "B.x"]
        self.assertTrue(removed)
        self.assertEqual({(finding["new"]["file"], finding["old"]["file"]) for finding in removed}, {("in/b.yaml", "git:main:in/b.yaml")})
        code, out, _ = run("diff", "git:main:s.yaml", "s.yaml", "--format", "sarif", cwd=self.path)
        self.assertIn("in/b.yaml", out)

    def test_a_missing_import_is_told_by_what_git_says(self):
        self.write("s.yaml", self.HEAD.replace("in/b", "in/c") + self.A)
        self.commit()
        code, out, err = run("diff", "git:main:s.yaml", "s.yaml", cwd=self.path)
        self.assertEqual((code, out), (3, ""))
        self.assertRegex(err, r"\Agit:main:s\.yaml:3:11: error: cannot read git:main:in/c\.yaml: path 'in/c\.yaml' does not exist in 'main'\n")

    def test_a_folder_in_git_is_no_import(self):
        self.write("s.yaml", self.HEAD.replace("in/b.yaml", "in") + self.A)
        self.commit()
        code, out, err = run("diff", "git:main:s.yaml", "s.yaml", cwd=self.path)
        self.assertEqual((code, out), (3, ""))
        self.assertEqual(err.splitlines()[0], "git:main:s.yaml:3:11: error: cannot read git:main:in: expected a file, got a folder")

    def test_releases_import_from_their_folder(self):
        self.write("released/1.0.yaml", self.HEAD + self.A)
        self.write("released/in/b.yaml", self.B + X)
        code, out, err = run("diff", "released", "s.yaml", cwd=self.path)
        self.assertEqual((code, err), (0, ""), out)

    def test_bump_writes_the_version_of_the_schema_alone(self):
        self.commit()
        self.write("in/b.yaml", self.B + X + Y)
        code, out, _ = run("bump", "s.yaml", "--against", "git:main:s.yaml", cwd=self.path)
        self.assertEqual(code, 0)
        self.assertIn("s.yaml: 1.0 -> 1.1", out)
        self.assertEqual(self.schema.read_text(), (self.HEAD + self.A).replace("minor: 0", "minor: 1"))
        self.assertEqual((self.path / "in/b.yaml").read_text(), self.B + X + Y)


class ExitCodes(Folder):
    def test_nothing_to_attend_to(self):
        code, out, err = diff("FIELD_ADDED_OPTIONAL")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(out, (COMPAT / "FIELD_ADDED_OPTIONAL/expected.txt").read_text())

    def test_breaking_findings_and_a_version_that_does_not_suffice(self):
        self.assertEqual(diff("FIELD_RENAMED")[0], 1)
        self.assertEqual(diff("VERSION_NOT_BUMPED")[0], 1)

    def test_the_threshold(self):
        self.assertEqual(diff("UNION_MEMBER_ADDED")[0], 0)
        self.assertEqual(diff("UNION_MEMBER_ADDED", "--threshold", "warning")[0], 1)
        old = self.write("old.yaml", HEAD % 0 + X)
        new = self.write("new.yaml", (HEAD % 0 + X.replace("x", "z")).replace("major: 1", "major: 2"))
        self.assertEqual(run("diff", old, new)[0], 1)
        self.assertEqual(run("diff", old, new, "--threshold", "error")[0], 0)

    def test_usage(self):
        for arguments in [(), ("old.yaml",), ("old.yaml", "new.yaml", "--format", "xml"),
                          ("old.yaml", "new.yaml", "--policy", "none"), ("-", "-")]:
            with self.subTest(arguments):
                self.assertEqual(run("diff", *arguments)[0], 2)

    def test_a_schema_with_errors(self):
        bad = self.write("bad.yaml", "name: s\n")
        good = self.write("good.yaml", HEAD % 0 + X)
        for old, new in [(bad, good), (good, bad)]:
            code, out, err = run("diff", old, new)
            self.assertEqual((code, out), (3, ""))
            self.assertIn("has no 'version'", err)

    def test_a_file_that_cannot_be_read(self):
        good = self.write("good.yaml", HEAD % 0 + X)
        code, out, err = run("diff", self.path / "none.yaml", good)
        self.assertEqual((code, out), (4, ""))
        self.assertIn("none.yaml", err)


class Baselines(Folder):
    def git(self, *arguments):
        subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e", *arguments], cwd=self.path, check=True,
                       capture_output=True)

    def test_a_state_in_git(self):
        self.git("init", "-q")
        self.write("dir/s.yaml", HEAD % 0 + X)
        self.git("add", ".")
        self.git("commit", "-q", "-m", "one")
        self.write("dir/s.yaml", HEAD % 1 + X + Y)
        code, out, _ = run("diff", "git:HEAD:dir/s.yaml", "dir/s.yaml", cwd=self.path)
        self.assertEqual(code, 0)
        self.assertIn("field 'A.y' was added", out)
        self.assertEqual(run("diff", "git:HEAD:dir/s.yaml", "git:HEAD:dir/s.yaml", cwd=self.path)[0], 0)
        for name in ["git:HEAD:none.yaml", "git:none:dir/s.yaml", "git:--output=x:dir/s.yaml", "git:;touch x:s"]:
            with self.subTest(name):
                code, out, err = run("diff", name, "dir/s.yaml", cwd=self.path)
                self.assertEqual((code, out), (4, ""))
                self.assertIn(name, err)
        self.assertEqual(run("diff", "git:HEAD:dir", "dir/s.yaml", cwd=self.path)[0], 3)
        for name in ["git:HEAD", "git:"]:
            code, _, err = run("diff", name, "dir/s.yaml", cwd=self.path)
            self.assertEqual(code, 2)
            self.assertIn(f"OLD: '{name}' does not name a file: write git:REF:PATH", err)
        for name, said in {
            "git:HEAD:none.yaml": "path 'none.yaml' does not exist in 'HEAD'",
            "git:none:dir/s.yaml": "invalid object name 'none'.",
        }.items():
            self.assertEqual(run("diff", name, "dir/s.yaml", cwd=self.path)[2],
                             f"schemagen: error: cannot read {name}: {said}\n")
        # Passes git's suggestion on.
        err = run("diff", "git:HEAD:s.yaml", "s.yaml", cwd=self.path / "dir")[2]
        self.assertRegex(err, r"^schemagen: error: cannot read git:HEAD:s.yaml: .*; Did you mean 'HEAD:dir/s.yaml'.*\n$")
        self.assertFalse((self.path / "x").exists())

    def test_a_folder_of_releases_knows_ids_that_come_back(self):
        self.write("released/1.0.yaml", HEAD % 0 + X + "      gone: {id: 20, type: str, default: a}\n")
        self.write("released/1.1.yaml", HEAD % 1 + X)
        new = self.write("new.yaml", HEAD % 2 + X + Y)
        self.assertEqual(run("diff", self.path / "released/1.1.yaml", new)[0], 0)
        code, out, _ = run("diff", self.path / "released", new)
        self.assertEqual(code, 1)
        self.assertIn("id 20 of 'A.y' belonged to 'gone' (str) in 1.0 [FIELD_ID_REUSED]", out)

    def test_stdin(self):
        old = self.write("old.yaml", HEAD % 0 + X)
        code, out, _ = run("diff", old, "-", stdin=HEAD % 1 + X + Y)
        self.assertEqual(code, 0)
        self.assertIn("<stdin>:8:7: warning: field 'A.y' was added", out)


class Json(unittest.TestCase):
    def test_all_keys_of_every_example(self):
        finding_keys = ["rule", "level", "path", "message", "new", "old", "effects", "bump", "fix", "paste",
                        "allowed", "causes", "example"]
        for folder in sorted(COMPAT.iterdir()):
            with self.subTest(folder.name):
                report = json.loads(diff(folder.name, "--format", "json")[1])
                self.assertEqual(list(report), ["format", "policy", "old", "new", "bump", "suggested_version",
                                                "version_suffices", "roots", "counts", "findings"])
                self.assertEqual(report["format"], "schemagen-diff 1")
                levels = [f["level"] for f in report["findings"] if f["allowed"] is None]
                for level in ["error", "breaking", "warning", "note"]:
                    self.assertEqual(report["counts"][level], levels.count(level))
                for finding in report["findings"]:
                    self.assertEqual(list(finding), finding_keys)
                    for cause in finding["causes"]:
                        self.assertEqual(list(cause), finding_keys)
                    self.assertEqual(set(finding["effects"].values()) - {"yes", "depends", "no"}, set())

    def test_an_id_that_changed(self):
        report = json.loads(diff("FIELD_ID_CHANGED", "--format", "json")[1])
        finding = report["findings"][0]
        self.assertEqual(finding["path"], "A.y")
        self.assertEqual(finding["new"], {"file": "new.yaml", "line": 8, "column": 15, "length": 2})
        self.assertEqual(finding["old"], {"file": "old.yaml", "line": 8, "column": 15, "length": 2})
        self.assertEqual(finding["effects"]["new_reads_old_binary"], "no")
        self.assertEqual(finding["effects"]["new_reads_old_json"], "yes")
        self.assertEqual(finding["paste"], "id: 20")
        self.assertEqual(finding["example"], {"flow": "new_reads_old_binary", "type": "A",
                                              "value": '{"x": "", "y": "a"}'})
        self.assertEqual(report["suggested_version"], {"major": 2, "minor": 0})
        self.assertIs(report["version_suffices"], False)
        self.assertEqual(report["roots"][0], {"root": "A", "json_unchanged": True, "binary_unchanged": False})

    def test_it_is_the_same_each_time(self):
        self.assertEqual(diff("TYPE_RETARGETED", "--format", "json"), diff("TYPE_RETARGETED", "--format", "json"))


class Sarif(unittest.TestCase):
    """Checks the parts that SARIF 2.1.0 requires, and those that viewers need."""

    def check_location(self, location):
        place = location["physicalLocation"]
        uri = place["artifactLocation"]["uri"]
        self.assertTrue(urllib.parse.urlparse(uri))
        self.assertNotRegex(uri, r"[^A-Za-z0-9\-._~/:%]")
        if "region" in place:
            region = place["region"]
            self.assertGreaterEqual(region["startLine"], 1)
            self.assertGreaterEqual(region["startColumn"], 1)
            self.assertGreater(region["endColumn"], region["startColumn"])
        for logical in location.get("logicalLocations", []):
            self.assertTrue(logical["fullyQualifiedName"])
        if "message" in location:
            self.assertIsInstance(location["message"]["text"], str)

    def check_run(self, one):
        driver = one["tool"]["driver"]
        self.assertEqual(driver["name"], "schemagen")
        self.assertTrue(driver["version"])
        self.assertIn(one["columnKind"], ["utf16CodeUnits", "unicodeCodePoints"])
        ids = [rule["id"] for rule in driver["rules"]]
        self.assertEqual(len(ids), len(set(ids)))
        for rule in driver["rules"]:
            for text in ["shortDescription", "fullDescription", "help"]:
                self.assertTrue(rule[text]["text"])
            self.assertIn(rule["defaultConfiguration"]["level"], ["none", "note", "warning", "error"])
        for result in one["results"]:
            self.assertEqual(ids[result["ruleIndex"]], result["ruleId"])
            self.assertIn(result["level"], ["none", "note", "warning", "error"])
            self.assertTrue(result["message"]["text"])
            self.assertEqual(len(result["locations"]), 1)
            for location in result["locations"] + result["relatedLocations"]:
                self.check_location(location)
            for suppression in result.get("suppressions", []):
                self.assertEqual(suppression["kind"], "inSource")
                self.assertTrue(suppression["justification"])

    def test_every_example(self):
        for folder in sorted(COMPAT.iterdir()):
            with self.subTest(folder.name):
                log = json.loads(diff(folder.name, "--format", "sarif")[1])
                self.assertEqual(log["version"], "2.1.0")
                self.assertTrue(log["$schema"].endswith("sarif-2.1.0.json"))
                self.assertEqual(len(log["runs"]), 1)
                self.check_run(log["runs"][0])
                self.assertIn(folder.name, [result["ruleId"] for result in log["runs"][0]["results"]])

    def test_a_finding_has_both_places(self):
        log = json.loads(diff("FIELD_ID_CHANGED", "--format", "sarif")[1])
        result = log["runs"][0]["results"][0]
        place = result["locations"][0]["physicalLocation"]
        self.assertEqual(place["artifactLocation"]["uri"], "new.yaml")
        self.assertEqual(place["region"], {"startLine": 8, "startColumn": 15, "endColumn": 17})
        self.assertEqual(result["locations"][0]["logicalLocations"], [{"fullyQualifiedName": "A.y"}])
        self.assertEqual(result["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"], "old.yaml")

    def test_what_is_allowed_is_suppressed(self):
        log = json.loads(diff("SUPPRESSION_UNUSED", "--format", "sarif")[1])
        suppressed = [result for result in log["runs"][0]["results"] if "suppressions" in result]
        self.assertEqual([result["ruleId"] for result in suppressed], ["FIELD_ID_CHANGED"])

    def test_columns_count_characters_and_names_are_escaped(self):
        with tempfile.TemporaryDirectory() as holder:
            name = os.path.join(holder, "\u00e4 b.yaml")
            with open(name, "w", encoding="utf-8") as file:
                file.write(HEAD % 0 + '      x: {doc: "\u00e4\u00f6\u2603", id: 11, type: str}\n')
            with open(os.path.join(holder, "old.yaml"), "w", encoding="utf-8") as file:
                file.write(HEAD % 0 + X)
            log = json.loads(run("diff", os.path.join(holder, "old.yaml"), name, "--format", "sarif")[1])
        place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
        self.assertEqual(place["region"]["startColumn"], 27)
        self.assertTrue(place["artifactLocation"]["uri"].startswith("file:///"))
        self.assertTrue(place["artifactLocation"]["uri"].endswith("/%C3%A4%20b.yaml"))


class OtherFormats(unittest.TestCase):
    def test_github_has_one_command_per_line(self):
        for folder in sorted(COMPAT.iterdir()):
            with self.subTest(folder.name):
                for line in diff(folder.name, "--format", "github")[1].splitlines():
                    self.assertRegex(line, r"^::(error|warning|notice) [^:\n]*::\S")
        line = diff("FIELD_ID_CHANGED", "--format", "github")[1].splitlines()[0]
        self.assertTrue(line.startswith("::error file=new.yaml,line=8,col=15,endColumn=17,title=FIELD_ID_CHANGED::id of "
                                        "'A.y' changed from 20 to 30%0A"))

    def test_markdown_tables_have_as_many_cells_in_each_row(self):
        for folder in sorted(COMPAT.iterdir()):
            with self.subTest(folder.name):
                out = diff(folder.name, "--format", "markdown")[1]
                self.assertTrue(out.startswith("### Schema "))
                rows = [line for line in out.splitlines() if line.startswith("|")]
                for row in rows:
                    self.assertIn(len(re.findall(r"(?<!\\)\|", row)), [4, 7], row)
                self.assertEqual(out.count("```") % 2, 0)


class Rules(unittest.TestCase):
    def test_the_lists_agree(self):
        rules = json.loads(run("rules", "--format", "json")[1])
        text = run("rules")[1]
        self.assertEqual(sorted(rule["id"] for rule in rules), sorted(folder.name for folder in COMPAT.iterdir()))
        for rule in rules:
            self.assertIn(rule["id"], text)
            self.assertIn(rule["purpose"], text)
            self.assertRegex(rule["purpose"], r"^[A-Z`].*\.$")
            for key in ["why", "example", "fix"]:
                self.assertTrue(rule[key], rule["id"] + " " + key)

    def test_explain(self):
        for rule in json.loads(run("rules", "--format", "json")[1]):
            code, out, err = run("explain", rule["id"])
            self.assertEqual((code, err), (0, ""))
            self.assertTrue(out.startswith(rule["id"]))
            self.assertLessEqual(max(map(len, out.splitlines())), 110)

    def test_a_typo_gets_a_suggestion(self):
        code, out, err = run("explain", "FIELD_ID_REUSE")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("did you mean 'FIELD_ID_REUSED'?", err)
        self.assertIn("did you mean 'FIELD_RENAMED'?", run("explain", "field_renamed")[2])


if __name__ == "__main__":
    unittest.main()
