"""`pt2 check` says of files whether they may pass: by all that scan, validate and the readers find, in each format, under each policy.

PT2_BINARY names the pt2 command.
"""

import io
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import zipfile

try:
    import yaml
except ImportError:
    yaml = None

PT2 = os.path.abspath(os.environ.get("PT2_BINARY", "build/bin/pt2"))
REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
PROGRAMS = REPOSITORY / "tests/data/programs"
UNLOADABLE = "lifted_constants"  # torch writes string outputs but cannot read them

DONE, NO, USAGE, BAD_INPUT, IO_PROBLEM = 0, 1, 2, 3, 4
CALLS_SYSTEM = b"(S'id'\niposix\nsystem\n."
ESCAPES = "\x1b[2J\u202e\r\n::error::x"


def zipped(members):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as file:
        for name, content in members.items():
            file.writestr(name, content)
    return stream.getvalue()


def members_of(path):
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


class CheckCommandTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.mlp = members_of(PROGRAMS / "torch-2.13.0/mlp.pt2")
        self.program = json.loads(self.mlp["mlp/models/model.json"])

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return path

    def package(self, name="model.pt2", **records):
        """mlp.pt2 with some records replaced; `__` in their names stands for `/`, and None removes a record."""
        members = self.mlp | {"mlp/" + record.replace("__", "/"): content for record, content in records.items()}
        return self.write(name, zipped({name: content for name, content in members.items() if content is not None}))

    def hostile(self, name="hostile.pt2"):
        saved = members_of(io.BytesIO(self.mlp["mlp/data/sample_inputs/model.pt"]))
        return self.package(name, **{"data__sample_inputs__model.pt": zipped(saved | {"archive/data.pkl": CALLS_SYSTEM})})

    def suspicious(self, name="suspicious.json"):
        """A program with a warning and no error."""
        self.program["verifiers"] = ["UNHEARD_OF"]
        return self.write(name, self.program)

    def run_check(self, *arguments, **options):
        done = subprocess.run([PT2, "check", *arguments], capture_output=True, text=True, cwd=self.folder, **options)
        return done.returncode, done.stdout, done.stderr

    def findings(self, *arguments):
        """Returns the exit code, and the findings of all files by rule and level."""
        code, out, err = self.run_check(*arguments, "--format", "json")
        self.assertEqual(err, "")
        return code, [finding for file in json.loads(out) for finding in file["findings"]]

    def rules(self, *arguments):
        code, findings = self.findings(*arguments)
        return code, {(finding["rule"], finding["level"]) for finding in findings if finding["level"] != "note"}


class LevelsTest(CheckCommandTest):
    def test_a_rule_is_off_or_of_another_level_for_validate_and_check(self):
        path = self.suspicious()

        def validated(*arguments):
            done = subprocess.run([PT2, "validate", path, *arguments, "--json"], capture_output=True, text=True)
            [file] = json.loads(done.stdout)
            return done.returncode, {(finding["rule"], finding["level"]) for finding in file["findings"] if finding["level"] != "note"}

        rule = "VERIFIER_UNKNOWN"
        self.assertEqual(validated(), (DONE, {(rule, "warning")}))
        self.assertEqual(validated("--rule", f"{rule}=error"), (NO, {(rule, "error")}))
        self.assertEqual(validated("--rule", f"{rule}=off"), (DONE, set()))
        self.assertEqual(self.rules(path), (NO, {(rule, "error")}))
        self.assertEqual(self.rules(path, "--rule", f"{rule}=warning"), (DONE, {(rule, "warning")}))
        self.assertEqual(self.rules(path, "--rule", f"{rule}=off"), (DONE, set()))

    def test_a_file_has_the_levels_of_a_project_and_the_command_line_wins(self):
        path = self.suspicious()
        rules = self.write("rules.txt", b"# of our project\n\nVERIFIER_UNKNOWN = off  # ours\r\nNAME_EMPTY=warning")
        self.assertEqual(self.rules(path, "--rules", rules), (DONE, set()))
        self.assertEqual(self.rules(path, "--rules", rules, "--rule", "VERIFIER_UNKNOWN=error"), (NO, {("VERIFIER_UNKNOWN", "error")}))

    def test_what_is_no_rule_or_level_is_a_usage_error_with_its_line(self):
        path = self.suspicious()
        rules = self.write("rules.txt", b"NAME_EMPTY=off\nNAME_EMTPY=off\n")
        for arguments, message in [
            (["--rule", "NAME_EMTPY=off"], "--rule: unknown rule 'NAME_EMTPY', did you mean 'NAME_EMPTY'?"),
            (["--rule", "NAME_EMPTY=no"], "--rule: expected NAME_EMPTY=off, note, warning or error, got 'NAME_EMPTY=no'"),
            (["--rule", "NAME_EMPTY"], "--rule: expected NAME_EMPTY=off, note, warning or error, got 'NAME_EMPTY'"),
            (["--rules", rules], f"'{rules}', line 2: unknown rule 'NAME_EMTPY', did you mean 'NAME_EMPTY'?"),
        ]:
            code, out, err = self.run_check(path, *arguments)
            self.assertEqual((code, out, err.splitlines()[0]), (USAGE, "", f"pt2 check: error: {message}"))


class WhatIsFoundTest(CheckCommandTest):
    def test_a_plain_model_passes(self):
        self.assertEqual(self.run_check(self.package()), (DONE, f"{self.folder}/model.pt2: ok\n", ""))

    def test_what_scan_finds_fails(self):
        code, out, _ = self.run_check(self.hostile("a.pt2").name)
        self.assertEqual(code, NO)
        self.assertRegex(out, r"\Aa\.pt2: error: data/sample_inputs/model\.pt!archive/data\.pkl: loading it imports 'posix\.system'.* "
                              r"\(byte 7\) \[PICKLE_GLOBAL\]\n\Z")

    def test_what_breaks_the_schema_is_not_understood(self):
        del self.program["graph_module"]["graph"]["nodes"][0]["target"]
        path = self.package(**{"models__model.json": json.dumps(self.program)})
        code, findings = self.findings(path)
        [finding] = [finding for finding in findings if finding["level"] == "error"]
        self.assertEqual((code, finding["rule"], finding["record"]), (BAD_INPUT, "UNREADABLE", "models/model.json"))
        self.assertEqual((finding["path"], finding["message"], finding["line"]),
                         ("graph_module.graph.nodes[0]", "the required field 'target' is missing", 1))

    def test_what_breaks_a_rule_of_validate_fails_with_its_path(self):
        self.program["graph_module"]["graph"]["nodes"][0]["inputs"][0]["arg"]["as_tensor"]["name"] = "nobody"
        code, out, _ = self.run_check(self.write("a.json", self.program).name)
        self.assertEqual(code, NO)
        self.assertRegex(out, r"(?m)^a\.json: error: graph_module\.graph\.nodes\[0\]\.inputs\[0\]\.arg: .*'nobody'.* \[NAME_UNDEFINED\]$")

    def test_a_weight_that_is_missing_or_too_short_fails(self):
        record = next(name for name in self.mlp if name.endswith("/weight_0")).removeprefix("mlp/").replace("/", "__")
        for content in (None, b"abc"):
            code, rules = self.rules(self.package(**{record: content}))
            self.assertEqual(code, NO)
            self.assertTrue(any(rule.startswith("WEIGHT_") and level == "error" for rule, level in rules), rules)

    def test_a_broken_list_of_weights_is_told_of_itself_and_not_of_the_program(self):
        code, out, _ = self.run_check(self.package("a.pt2", **{"data__weights__model_weights_config.json": "[]"}).name)
        self.assertNotEqual(code, DONE)
        self.assertRegex(out, r"(?m)^a\.pt2: error: record 'data/weights/model_weights_config\.json': .* \[WEIGHT_RECORD\]$")

    def test_what_exceeds_a_limit_is_not_understood(self):
        deep = b"[" * 300 + b"]" * 300
        code, [finding] = self.findings(self.write("deep.json", deep))
        self.assertEqual((code, finding["rule"]), (BAD_INPUT, "UNREADABLE"))
        self.assertIn("nested more than 256 levels deep", finding["message"])

    def test_what_torch_does_not_load_is_told_once(self):
        for content in (b"", b"text"):
            code, findings = self.findings(self.write("file", content))
            self.assertEqual((code, [finding["rule"] for finding in findings]), (BAD_INPUT, ["UNREADABLE"]), findings)

    def test_a_program_that_hides_behind_a_broken_one_is_looked_at(self):
        code, findings = self.findings(self.package(**{"models__model.json": "{", "data__sample_inputs__model.pt": CALLS_SYSTEM}))
        self.assertEqual(code, NO)
        self.assertEqual({finding["rule"] for finding in findings}, {"UNREADABLE", "PICKLE_GLOBAL"})

    def test_models_of_one_archive_are_told_apart_by_their_records(self):
        self.program["graph_module"]["graph"]["nodes"][0]["inputs"][0]["arg"]["as_tensor"]["name"] = "nobody"
        changed = {name.replace("/model.", "/other.").replace("/model_", "/other_"): content for name, content in self.mlp.items()}
        changed["mlp/models/other.json"] = json.dumps(self.program)
        code, findings = self.findings(self.write("two.pt2", zipped(changed | self.mlp)))
        self.assertEqual((code, {finding["record"] for finding in findings if finding["level"] == "error"}), (NO, {"models/other.json"}))

    def test_a_field_of_a_newer_schema_is_a_warning(self):
        self.program["schema_version"] = {"major": 8, "minor": 99}
        self.program["from_the_future"] = []
        path = self.write("newer.json", self.program)
        self.assertEqual(self.rules(path), (NO, {("FIELD_SKIPPED", "error")}))
        self.assertEqual(self.rules(path, "--policy", "load"), (DONE, {("FIELD_SKIPPED", "warning")}))

    def test_a_binary_file_is_checked_as_the_program_that_it_holds(self):
        self.program["graph_module"]["graph"]["nodes"][0]["inputs"][0]["arg"]["as_tensor"]["name"] = "nobody"
        subprocess.run([PT2, "convert", self.write("a.json", self.program), self.folder / "a.pt2b"], check=True)
        self.assertEqual(self.rules("a.pt2b"), self.rules("a.json"))
        self.assertEqual(self.rules("a.pt2b")[0], NO)

    def test_a_program_that_torch_saved_and_cannot_load_does_not_pass(self):
        path = PROGRAMS / f"torch-2.13.0/{UNLOADABLE}.pt2"
        self.assertEqual(self.rules(path, "--policy", "load"), (NO, {("OUTPUT_KIND", "error")}))

    def test_entries_of_folders_that_torch_takes_for_models_are_errors(self):
        for folder in ("models__", "data__aotinductor__", "data__aotinductor__m__"):
            self.assertEqual(self.rules(self.package(**{folder: b""}), "--policy", "load"),
                             (NO, {("ARCHIVE_RECORD", "error")}), folder)
        for folder in ("", "data__", "data__weights__", "extra__"):
            self.assertEqual(self.rules(self.package(**{folder: b""}), "--policy", "load"), (DONE, set()), folder)

    def test_a_record_that_torch_asks_for_and_is_missing_is_an_error(self):
        for record in ("data__sample_inputs__model.pt", "archive_version"):
            self.assertEqual(self.rules(self.package(**{record: None}), "--policy", "load"),
                             (NO, {("ARCHIVE_RECORD", "error")}), record)

    def test_programs_that_torch_saved_pass(self):
        paths = sorted(path for path in PROGRAMS.glob("torch-2.1[0-9]*/*.pt2") if path.stem != UNLOADABLE)
        self.assertGreater(len(paths), 20)
        code, out, _ = self.run_check(*paths, "--policy", "load")
        self.assertEqual([line for line in out.splitlines() if ": error: " in line], [])
        self.assertEqual(code, DONE)


class PolicyTest(CheckCommandTest):
    def test_a_policy_says_what_is_an_error(self):
        broken = self.write("broken.json", b"{}")
        for path, rule, codes in (
            (self.suspicious(), "VERIFIER_UNKNOWN", {"strict": NO, "load": DONE, "inspect": DONE}),
            (self.hostile(), "PICKLE_GLOBAL", {"strict": NO, "load": NO, "inspect": DONE}),
            (broken, "UNREADABLE", {"strict": BAD_INPUT, "load": BAD_INPUT, "inspect": BAD_INPUT}),
        ):
            for policy, expected in codes.items():
                with self.subTest(path=path.name, policy=policy):
                    code, rules = self.rules(path, "--policy", policy)
                    self.assertEqual(code, expected)
                    self.assertIn((rule, "warning" if code == DONE else "error"), rules)

    def test_without_a_policy_it_is_strict(self):
        self.assertEqual(self.run_check(self.suspicious()), self.run_check(self.folder / "suspicious.json", "--policy", "strict"))

    def test_a_file_with_warnings_is_ok(self):
        code, out, _ = self.run_check(self.hostile("a.pt2").name, "--policy", "inspect")
        self.assertEqual(code, DONE)
        self.assertRegex(out, r"\Aa\.pt2: warning: .*\[PICKLE_GLOBAL\]\na\.pt2: ok\n\Z")


class FilesTest(CheckCommandTest):
    def test_all_files_are_checked_and_the_worst_decides(self):
        plain, hostile, broken = self.package("plain.pt2").name, self.hostile().name, self.write("broken.json", b"{}").name
        for files, expected in (((plain, plain), DONE), ((hostile, plain), NO), ((broken, hostile, plain), BAD_INPUT),
                                (("absent.pt2", broken, hostile, plain), IO_PROBLEM)):
            code, out, err = self.run_check(*files)
            self.assertEqual(code, expected)
            self.assertEqual(out.count("plain.pt2: ok\n"), files.count(plain))
            self.assertEqual("absent.pt2" in files, "absent.pt2" in err)

    def test_standard_input_is_a_file_too(self):
        with open(self.hostile()) as file:
            code, out, _ = self.run_check("-", stdin=file)
        self.assertEqual(code, NO)
        self.assertTrue(out.startswith("<stdin>: error: data/sample_inputs/model.pt!"))

    def test_misuse_is_told_before_anything_is_checked(self):
        for arguments, message in (
            (("-", "-"), "standard input (-) can be read only once"),
            ((), "FILE is required"),
            (("a.pt2", "--policy", "lax"), "expected strict, load or inspect, got 'lax'"),
            (("a.pt2", "--format", "xml"), "expected text, json, sarif or github, got 'xml'"),
        ):
            code, out, err = self.run_check(*arguments)
            self.assertEqual((code, out), (USAGE, ""))
            self.assertTrue(err.startswith("pt2 check: error: "), err)
            self.assertIn(message, err)


class FormatTest(CheckCommandTest):
    def test_json_has_an_object_for_each_file(self):
        code, out, _ = self.run_check(self.package("plain.pt2").name, self.hostile().name, "--format", "json")
        plain, hostile = json.loads(out)
        self.assertEqual((code, plain["file"], plain["ok"], hostile["file"], hostile["ok"]), (NO, "plain.pt2", True, "hostile.pt2", False))
        self.assertTrue(all(finding["level"] == "note" for finding in plain["findings"]))
        [finding] = [finding for finding in hostile["findings"] if finding["level"] == "error"]
        self.assertRegex(finding.pop("message"), "^loading it imports 'posix.system'")
        self.assertEqual(finding, {"rule": "PICKLE_GLOBAL", "level": "error", "record": "data/sample_inputs/model.pt!archive/data.pkl", "path": "",
                                   "what": "posix.system", "line": None, "column": None, "offset": 7})

    def test_sarif_has_a_result_for_each_finding_with_its_rule_and_place(self):
        self.suspicious("a b.json")
        code, out, _ = self.run_check(self.hostile().name, "a b.json", self.write("broken.json", b"{}").name, "--policy", "load", "--format", "sarif")
        document = json.loads(out)
        self.assertEqual((code, document["version"]), (BAD_INPUT, "2.1.0"))
        [run] = document["runs"]
        rules = run["tool"]["driver"]["rules"]
        self.assertEqual([rule["id"] for rule in rules], sorted({rule["id"] for rule in rules}))
        for result in run["results"]:
            self.assertEqual(rules[result["ruleIndex"]]["id"], result["ruleId"])
            self.assertIn(result["level"], ("error", "warning", "note"))
            self.assertTrue(result["message"]["text"])
        places = {(result["ruleId"], result["level"]): result["locations"][0] for result in run["results"]}
        hostile = places["PICKLE_GLOBAL", "error"]
        self.assertEqual(hostile["physicalLocation"], {"artifactLocation": {"uri": "hostile.pt2"}})
        self.assertEqual(hostile["logicalLocations"], [{"fullyQualifiedName": "data/sample_inputs/model.pt!archive/data.pkl"}])
        suspicious = places["VERIFIER_UNKNOWN", "warning"]
        self.assertEqual(suspicious["physicalLocation"], {"artifactLocation": {"uri": "a%20b.json"}})
        self.assertEqual(suspicious["logicalLocations"], [{"fullyQualifiedName": "verifiers[0]"}])
        self.assertEqual(places["UNREADABLE", "error"]["physicalLocation"]["region"], {"startLine": 1, "startColumn": 1})

    def test_github_gets_a_command_for_each_error_and_warning(self):
        self.suspicious("100%, a:b.json")
        code, out, _ = self.run_check(self.hostile().name, "100%, a:b.json", self.write("broken.json", b"\n {}").name, self.package("plain.pt2").name,
                                      "--policy", "load", "--format", "github")
        self.assertEqual(code, BAD_INPUT)
        hostile, suspicious, broken = out.splitlines()
        self.assertTrue(hostile.startswith("::error file=hostile.pt2,title=PICKLE_GLOBAL::data/sample_inputs/model.pt!archive/data.pkl: "
                                           "loading it imports 'posix.system'"), hostile)
        self.assertTrue(suspicious.startswith("::warning file=100%25%2C a%3Ab.json,title=VERIFIER_UNKNOWN::verifiers[0]: "), suspicious)
        self.assertTrue(broken.startswith("::error file=broken.json,line=2,col=2,title=UNREADABLE::"), broken)

    def test_hostile_names_cannot_steer_a_terminal_or_a_log(self):
        self.program["graph_module"]["graph"]["nodes"][0]["inputs"][0]["arg"]["as_tensor"]["name"] = ESCAPES
        name = "a\x1b\n::error::x.pt2"
        self.package(name, **{"models__model.json": json.dumps(self.program), f"extra__{ESCAPES}": CALLS_SYSTEM})
        for form in ("text", "json", "sarif", "github"):
            code, out, _ = self.run_check(name, "--format", form)
            self.assertIn(code, (NO, BAD_INPUT))
            self.assertRegex(out, "NAME_UNDEFINED")
            self.assertNotRegex(out, "[\x1b\u202e\r]")
            for line in out.splitlines():
                self.assertRegex(line, {"text": r"\Aa\\x1b\\n::error::x\.pt2: ", "github": r"\A::error file=a\\x1b\\n%3A%3Aerror%3A%3Ax\.pt2,title="}.get(form, "."))

    def test_every_rule_that_it_names_can_be_explained(self):
        for rule in ("FIELD_SKIPPED", "UNREADABLE"):
            done = subprocess.run([PT2, "explain", rule], capture_output=True, text=True)
            self.assertEqual(done.returncode, DONE)
            self.assertTrue(done.stdout.startswith(f"{rule} ("))


class PipelineTest(CheckCommandTest):
    def setUp(self):
        super().setUp()
        (self.folder / "bin").mkdir()
        (self.folder / "bin/pt2").symlink_to(PT2)
        self.environment = os.environ | {"PATH": f"{self.folder}/bin:{os.environ['PATH']}"}

    def shell(self, script, **variables):
        return subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=self.folder, env=self.environment | variables, capture_output=True, text=True)

    def test_the_workflow_refuses_a_model_that_the_policy_does_not_let_pass(self):
        workflow = (REPOSITORY / "tests/embedding/model-check.yml").read_text(encoding="utf-8")
        [command] = re.findall(r"run: (.*pt2 check .*)", workflow)
        self.shell("git init -q")
        self.assertEqual(self.shell(command, POLICY="strict").returncode, DONE)
        self.package("a model.pt2")
        self.shell("git add *.pt2")
        self.assertEqual(self.shell(command, POLICY="strict").returncode, DONE)
        self.hostile()
        self.shell("git add *.pt2")
        refused = self.shell(command, POLICY="strict")
        self.assertNotEqual(refused.returncode, DONE)
        self.assertTrue(refused.stdout.startswith("::error file=hostile.pt2,"), refused)
        self.assertEqual(self.shell(command, POLICY="inspect").returncode, DONE)

    @unittest.skipUnless(yaml, "PyYAML is not installed")
    def test_the_hook_takes_models_and_refuses_a_hostile_one(self):
        hooks = yaml.safe_load((REPOSITORY / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
        [hook] = [hook for hook in hooks if hook["id"] == "pt2-check"]
        for path, is_taken in (("a.pt2", True), ("models/b.pt2b", True), ("a.pt2.txt", False), ("pt2", False), ("a.json", False)):
            self.assertEqual(bool(re.search(hook["files"], path)), is_taken, path)
        self.assertEqual(self.shell(f"{hook['entry']} {self.package()}").returncode, DONE)
        self.assertEqual(self.shell(f"{hook['entry']} {self.hostile()}").returncode, NO)


if __name__ == "__main__":
    unittest.main()
