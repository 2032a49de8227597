"""`schemagen check`."""

import json
import unittest

from schemagen_command import BAD_INPUT, CommandTest, DONE, IO_FAILED, REPOSITORY, SMALL


import diff_test
try:
    import yaml
except ImportError:
    yaml = None

OTHER_LANGUAGES = {
    "PyTorch's schema.yaml": "# @generated\nArgument:\n  kind: union\n  fields:\n    as_none: {type: bool}\nSCHEMA_VERSION:\n- 8\n- 20\nTREESPEC_VERSION: 1\n",
    "a Python module": "from dataclasses import dataclass\n\n@dataclass\nclass A:\n    x: int\n",
    "a Protocol Buffers schema": '// A comment\nsyntax = "proto3";  // and another\nmessage A {\n  int32 x = 1;\n}\n',
    "a FlatBuffers schema": "namespace a.b;\nstruct V { x:float; }\ntable M {\n  v:V;\n}\nroot_type M;\n",
    "a Thrift schema": "namespace cpp a\nstruct X {\n  1: i32 y\n}\n",
    "an Avro schema": '{"type": "record", "name": "A", "fields": [{"name": "x", "type": "int"}]}',
    "a JSON Schema": '\n{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}',
    "a Cap'n Proto schema": "@0xdbb9ad1f14bf0b36;\nstruct A {\n  x @0 :Int32;\n}\n",
}


class OtherLanguagesTest(CommandTest):
    def test_a_schema_in_another_language_is_named_in_a_single_error(self):
        for language, text in OTHER_LANGUAGES.items():
            self.write("s", text)
            for command in ("check", "hash", "fmt", "export --format html -o x"):
                with self.subTest(language=language, command=command):
                    _, errors = self.run_command(*command.split(), "s", code=BAD_INPUT)
                    self.assertTrue(errors.startswith(f"s:1:1: error: this is {language}, not a schemagen schema\n"), errors)
                    self.assertEqual(errors.count("error:"), 1)
                    self.assertEqual("schemagen import" in errors, language in ("PyTorch's schema.yaml", "a Python module"))


class CheckFormatsTest(CommandTest):
    BAD = sorted((REPOSITORY / "tests/bad").glob("*.yaml"))

    def test_errors_of_imported_files_are_told_with_their_names_in_every_format(self):
        self.write("s.yaml", SMALL.replace("roots", "imports: [b.yaml]\nroots"))
        self.write("b.yaml", SMALL.replace("A:", "B:"))
        message = "unknown type 'A' in 'roots'"
        _, errors = self.run_command("check", "s.yaml", code=BAD_INPUT)
        self.assertEqual(errors, f"b.yaml:3:9: error: {message}\n    3 | roots: [A]\n      |         ^\nhint: did you mean 'B'?\n")
        report = json.loads(self.run_command("check", "s.yaml", "--format", "json", code=BAD_INPUT)[0])
        self.assertEqual([file["file"] for file in report["files"]], ["s.yaml"])
        self.assertEqual([finding["place"] for finding in report["findings"]], [{"file": "b.yaml", "line": 3, "column": 9, "length": 1}])
        self.assertIn("file=b.yaml,line=3", self.run_command("check", "s.yaml", "--format", "github", code=BAD_INPUT)[0])
        [result] = json.loads(self.run_command("check", "s.yaml", "--format", "sarif", code=BAD_INPUT)[0])["runs"][0]["results"]
        self.assertEqual(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "b.yaml")

    def test_errors_do_not_quote_imported_files_that_are_no_schemas(self):
        self.write("s.yaml", SMALL.replace("roots", "imports: [other]\nroots"))
        for text, place in (("root:hunter2:1:0\nx: [", "line 2, column 2"), ("password: hunter2\n", "line 1, column 1"), ("hunter2\n", "line 1, column 1"),
                            ("- hunter2\n", "line 1, column 1"), ("types: {hunter2: hunter2}\n", "line 1, column 1")):
            for form in ("text", "json", "github", "sarif"):
                with self.subTest(text=text, form=form):
                    self.write("other", text)
                    said = "".join(self.run_command("check", "s.yaml", "--format", form, code=BAD_INPUT))
                    self.assertNotIn("hunter2", said)
                    self.assertIn("'other' is not a schema: see " + place, said)

    def test_what_is_read_from_stdin_imports_from_the_current_folder(self):
        self.write("b.yaml", SMALL.replace("A", "B"))
        schema = SMALL.replace("roots", "imports: [b.yaml]\nroots")
        self.write("s.yaml", schema)
        expected = self.run_command("hash", "s.yaml")
        self.assertEqual(self.run_command("hash", "-", stdin=schema), expected)
        self.assertEqual(self.run_command("fmt", "-", stdin=schema)[0], schema)
        self.assertNotEqual(self.run_command("hash", "-", stdin=SMALL), expected)

    def checked(self, form, *schemas, code=BAD_INPUT):
        out, errors = self.run_command("check", *schemas, "--format", form, code=code)
        self.assertEqual(errors, "")
        return out

    def test_json_says_what_the_text_says_of_every_bad_schema(self):
        for path in self.BAD:
            with self.subTest(schema=path.name):
                (self.folder / path.name).write_bytes(path.read_bytes())
                text = self.run_command("check", path.name, code=BAD_INPUT)[1]
                report = json.loads(self.checked("json", path.name))
                self.assertEqual(list(report), ["format", "files", "counts", "findings"])
                self.assertEqual(report["format"], "schemagen-check 1")
                self.assertEqual(report["files"], [{"file": path.name, "valid": False}])
                said = []
                for finding in report["findings"]:
                    self.assertEqual(list(finding), ["rule", "level", "message", "fix", "place", "notes"])
                    said.append((finding["level"], finding))
                    said += [("note", note) for note in finding["notes"]]
                lines = [line for line in text.splitlines() if line.startswith(path.name + ":")]
                self.assertEqual(lines, [
                    "{file}:{line}:{column}: ".format(**one["place"]) + f"{level}: {one['message']}" for level, one in said
                ])
                hints = [line[len("hint: "):] for line in text.splitlines() if line.startswith("hint: ")]
                self.assertEqual(hints, [finding["fix"] for finding in report["findings"] if finding["fix"]])
                self.assertEqual(report["counts"], {"error": len(report["findings"]), "warning": 0, "note": 0})

    def test_several_files_are_one_report_and_the_code_is_as_for_text(self):
        self.write("good.yaml", SMALL)
        self.write("note.yaml", SMALL.replace("a: {", "class: {"))
        self.write("bad.yaml", "name: s\n")
        report = json.loads(self.checked("json", "good.yaml", "note.yaml", code=DONE))
        self.assertEqual([one["valid"] for one in report["files"]], [True, True])
        self.assertEqual([(one["rule"], one["level"]) for one in report["findings"]], [("SCHEMA_NOTE", "note")])
        self.assertEqual(report["findings"][0]["place"], {"file": "note.yaml", "line": 8, "column": 7, "length": 5})
        report = json.loads(self.checked("json", "bad.yaml", "good.yaml"))
        self.assertEqual([one["valid"] for one in report["files"]], [False, True])
        self.assertEqual(report["counts"]["error"], 2)
        self.assertEqual(json.loads(self.checked("json", "good.yaml", code=DONE))["findings"], [])
        self.assertEqual(self.checked("github", "good.yaml", code=DONE), "")
        for form in ("json", "sarif", "github"):
            self.run_command("check", "bad.yaml", "gone.yaml", "--format", form, code=IO_FAILED)

    def test_sarif_of_every_bad_schema_has_what_viewers_need(self):
        log = json.loads(self.checked("sarif", *self.BAD))
        self.assertEqual((log["version"], len(log["runs"])), ("2.1.0", 1))
        run = log["runs"][0]
        diff_test.Sarif().check_run(run)
        self.assertEqual(len(run["results"]), len(json.loads(self.checked("json", *self.BAD))["findings"]))

    def test_columns_of_sarif_count_characters(self):
        self.write("s.yaml", SMALL.replace("{id: 1", "{doc: \"\u00e4\u00f6\u2603\", id: 0"))
        for form, column in {"json": 27 + 4, "sarif": 27}.items():
            report = json.loads(self.checked(form, "s.yaml"))
            if form == "json":
                self.assertEqual(report["findings"][0]["place"]["column"], column)
            else:
                place = report["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
                self.assertEqual(place["region"], {"startLine": 8, "startColumn": column, "endColumn": column + 1})

    def test_github_has_one_command_per_line(self):
        for line in self.checked("github", *self.BAD).splitlines():
            self.assertRegex(line, r"^::(error|warning|notice) file=[^:\n]*,title=SCHEMA_[A-Z]*::\S")
            self.assertNotRegex(line, "[\x00-\x1f]")
        self.write("s.yaml", SMALL.replace("int", "itn"))
        self.assertEqual(self.checked("github", "s.yaml"),
                         "::error file=s.yaml,line=8,col=24,endColumn=27,title=SCHEMA_ERROR::unknown type 'itn'%0A"
                         "hint: did you mean 'int'?\n")


if __name__ == "__main__":
    unittest.main()
