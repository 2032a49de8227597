#!/usr/bin/env python3
"""Tests of the schemagen command: exit codes, messages and typos.

Needs the command in SCHEMAGEN_BINARY. Run from anywhere: `python3 tests/tools/schemagen_test.py`.
"""

import ast
import hashlib
import html.parser
import json
import os
import pathlib
import random
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import types
import typing
import unittest

import diff_command_test

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import head_schema  # noqa: E402

try:
    import jsonschema
except ImportError:
    jsonschema = None
try:
    import resource
except ImportError:
    resource = None
try:
    import yaml  # only to compare with what it writes
except ImportError:
    yaml = None

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("SCHEMAGEN_BINARY", "schemagen")
DATA = REPOSITORY / "tests" / "data"
VECTORS = DATA / "vectors"
HEAD = REPOSITORY / "schema" / "pt2.yaml"

DONE, NO, USAGE, BAD_INPUT, IO_FAILED = 0, 1, 2, 3, 4

SMALL = """\
name: s
version: {major: 1, minor: 0}
roots: [A]
types:
  A:
    kind: struct
    fields:
      a: {id: 1, type: int}
"""


class CommandTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.folder / name
        path.write_bytes(text.encode("utf-8"))
        return str(path)

    def run_command(self, *arguments, stdin="", code=DONE):
        """Runs schemagen in the test's folder; checks the exit code; gives (stdout, stderr)."""
        done = subprocess.run(
            [BINARY, *map(str, arguments)], cwd=self.folder, input=stdin.encode("utf-8"), capture_output=True
        )
        out, errors = done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
        self.assertEqual(done.returncode, code, f"{arguments}\nstdout: {out}\nstderr: {errors}")
        return out, errors


class HashTest(CommandTest):
    def schema_path(self, name):
        """The file of a schema as digests.txt calls it: `small.yaml`, `pt2-8.20`."""
        if name == "small.yaml":
            return VECTORS / name
        released = REPOSITORY / "schema" / "released" / (name[len("pt2-") :] + ".yaml")
        return released if released.exists() else HEAD

    def test_prints_every_digest_of_the_vectors(self):
        lines = [line.split() for line in (VECTORS / "digests.txt").read_text().splitlines()]
        lines = [line for line in lines if line and line[0] != "#"]
        self.assertEqual(len(lines), 15)
        for schema, what, root, digest in lines:
            arguments = [] if root == "-" else ["--root", root]
            arguments += [] if what == "schema" else ["--projection", what]
            with self.subTest(schema=schema, what=what, root=root):
                out, errors = self.run_command("hash", self.schema_path(schema), *arguments)
                self.assertEqual((out, errors), (digest + "\n", ""))

    def test_prints_the_text_that_is_hashed(self):
        small = VECTORS / "small.yaml"
        out, _ = self.run_command("hash", small, "--text")
        self.assertEqual(out, (VECTORS / "small.nsf.txt").read_text(encoding="utf-8"))
        for projection in ("bin", "json"):
            out, _ = self.run_command("hash", small, "--text", "--root", "Rec", "--projection", projection)
            self.assertEqual(out, (VECTORS / f"small.Rec.nsf-{projection}.txt").read_text(encoding="utf-8"))

    def test_a_projection_is_of_the_only_root_if_none_is_named(self):
        small = self.write("s.yaml", SMALL)
        named, _ = self.run_command("hash", small, "--root", "A", "--projection", "bin")
        alone, _ = self.run_command("hash", small, "--projection", "bin")
        self.assertEqual(named, alone)

    def test_a_projection_without_a_root_is_refused_where_there_are_several(self):
        out, errors = self.run_command("hash", HEAD, "--projection", "json", code=USAGE)
        self.assertEqual(out, "")
        self.assertIn("hint: add --root; its roots are ExportedProgram, PayloadConfig,", errors)
        _, errors = self.run_command("hash", VECTORS / "small.yaml", "--projection", "bin", code=USAGE)
        self.assertIn("hint: add --root; the schema names no roots", errors)

    def test_an_unknown_root_or_projection_is_a_usage_error(self):
        small = self.write("s.yaml", SMALL)
        _, errors = self.run_command("hash", small, "--root", "B", code=USAGE)
        self.assertIn("has no type 'B'\nhint: did you mean 'A'?\n", errors)
        _, errors = self.run_command("hash", small, "--root", "Tensor", code=USAGE)
        self.assertIn("has no type 'Tensor'\nhint: its roots are A\n", errors)
        _, errors = self.run_command("hash", small, "--projection", "binary", code=USAGE)
        self.assertIn("'binary' is not a projection: write bin or json", errors)

    def test_an_expected_hash_is_right_in_every_spelling_and_length(self):
        small = self.write("s.yaml", SMALL)
        digest = self.run_command("hash", small)[0].strip()
        hexadecimal = digest[len("sha256:") :]
        for expected in (digest, hexadecimal, hexadecimal[:16], digest[: 7 + 20], hexadecimal.upper()):
            with self.subTest(expected=expected):
                self.assertEqual(self.run_command("hash", small, "--expect", expected), ("", ""))

    def test_another_hash_than_the_expected_one_shows_both_and_how_to_go_on(self):
        small = self.write("s.yaml", SMALL)
        digest = self.run_command("hash", small, "--root", "A")[0].strip()
        out, errors = self.run_command("hash", small, "--root", "A", "--expect", "0123456789abcdef", code=NO)
        self.assertEqual(out, "")
        self.assertIn("  expected: 0123456789abcdef\n", errors)
        self.assertIn(f"  is:       {digest}\n", errors)
        self.assertIn(f"`schemagen hash {small} --root A --text`", errors)

    def test_what_is_no_hash_cannot_be_expected(self):
        small = self.write("s.yaml", SMALL)
        for expected in ("0123456789abcde", "xyz", "sha1:0123456789abcdef"):
            _, errors = self.run_command("hash", small, "--expect", expected, code=USAGE)
            self.assertIn("at least 16 hexadecimal digits", errors)
        self.run_command("hash", small, "--text", "--expect", "0123456789abcdef", code=USAGE)

    def test_reads_stdin(self):
        digest, _ = self.run_command("hash", self.write("s.yaml", SMALL))
        self.assertEqual(self.run_command("hash", "-", stdin=SMALL)[0], digest)

    def test_a_schema_with_errors_and_one_that_is_not_there_have_their_own_codes(self):
        out, errors = self.run_command("hash", self.write("s.yaml", "name: s\n"), code=BAD_INPUT)
        self.assertEqual(out, "")
        self.assertIn("error: the schema has no 'types'", errors)
        _, errors = self.run_command("hash", "gone.yaml", code=IO_FAILED)
        self.assertIn("cannot read gone.yaml", errors)


class FmtTest(CommandTest):
    UGLY = SMALL.replace("roots: [A]", "roots:\n- A   # why")
    NICE = SMALL.replace("roots: [A]", "roots:\n  - A  # why")

    def test_writes_the_layout_in_place_and_nothing_else(self):
        path = self.write("s.yaml", self.UGLY)
        self.assertEqual(self.run_command("fmt", path), ("", ""))
        self.assertEqual(pathlib.Path(path).read_text(), self.NICE)
        self.assertEqual([p.name for p in self.folder.iterdir()], ["s.yaml"])

    def test_keeps_links_and_permissions(self):
        path = pathlib.Path(self.write("s.yaml", self.UGLY))
        path.chmod(0o640)
        link = self.folder / "link.yaml"
        link.symlink_to("s.yaml")
        self.run_command("fmt", link)
        self.assertTrue(link.is_symlink())
        self.assertEqual(path.read_text(), self.NICE)
        self.assertEqual(path.stat().st_mode & 0o777, 0o640)

    def test_leaves_a_file_alone_that_is_in_the_layout(self):
        path = pathlib.Path(self.write("s.yaml", self.NICE))
        os.utime(path, (1, 1))
        self.run_command("fmt", path)
        self.assertEqual(path.stat().st_mtime, 1)

    def test_check_names_the_files_in_another_layout_and_writes_nothing(self):
        ugly, nice = self.write("ugly.yaml", self.UGLY), self.write("nice.yaml", self.NICE)
        self.assertEqual(self.run_command("fmt", "--check", nice), ("", ""))
        self.assertEqual(self.run_command("fmt", nice, ugly, "--check", code=NO), (f"{ugly}\n", ""))
        self.assertEqual(pathlib.Path(ugly).read_text(), self.UGLY)

    def test_every_checked_in_schema_is_in_the_layout(self):
        schemas = [HEAD, HEAD.with_name("draft.yaml"), *HEAD.parent.glob("released/*.yaml")]
        self.assertGreaterEqual(len(schemas), 14)
        self.assertEqual(self.run_command("fmt", "--check", *schemas), ("", ""))

    def test_stdin_goes_to_stdout(self):
        self.assertEqual(self.run_command("fmt", "-", stdin=self.UGLY), (self.NICE, ""))
        self.assertEqual(self.run_command("fmt", "-", "--check", stdin=self.UGLY, code=NO), ("<stdin>\n", ""))

    def test_what_cannot_be_formatted_is_left_as_it_is(self):
        text = SMALL.replace("version: {major: 1, minor: 0}", "version: {  # a\n  major: 1, minor: 0\n  }  # b")
        path = self.write("s.yaml", text)
        _, errors = self.run_command("fmt", path, code=BAD_INPUT)
        self.assertIn("s.yaml:4:6: error: this comment has no place in the layout", errors)
        self.assertEqual(pathlib.Path(path).read_text(), text)
        _, errors = self.run_command("fmt", self.write("bad.yaml", "name: 1\n"), code=BAD_INPUT)
        self.assertIn("bad.yaml", errors)

    def test_the_worst_of_several_files_gives_the_code_and_the_others_are_written(self):
        bad, ugly = self.write("bad.yaml", "name: s\n"), self.write("ugly.yaml", self.UGLY)
        self.run_command("fmt", bad, ugly, code=BAD_INPUT)
        self.assertEqual(pathlib.Path(ugly).read_text(), self.NICE)
        self.run_command("fmt", "gone.yaml", code=IO_FAILED)

    def test_random_comments_are_neither_lost_nor_moved_by_a_second_run(self):
        chance = random.Random(5)
        lines = (VECTORS / "small.yaml").read_text(encoding="utf-8").splitlines()
        for _ in range(40):
            text, count = "", 0
            for line in lines:
                while chance.random() < 0.2:
                    count += 1
                    text += chance.choice(["", "\n"]) + " " * chance.randrange(9) + f"# above {count}\n"
                if chance.random() < 0.2:
                    count += 1
                    line += chance.choice([" ", "   ", "\t"]) + f"# behind {count}: \"{{["
                text += line + "\n"
            out, _ = self.run_command("fmt", "-", stdin=text)
            comments = [sorted(re.findall(r"# .*", t)) for t in (text, out)]
            self.assertEqual(len(comments[0]), count)
            self.assertEqual(comments[0], comments[1])
            self.assertEqual(self.run_command("fmt", "-", stdin=out)[0], out)


class ExportTest(CommandTest):
    def test_writes_to_a_file_or_to_stdout(self):
        small = self.write("s.yaml", SMALL)
        text, _ = self.run_command("export", small, "--format", "torch-yaml", "-o", "-")
        self.assertTrue(text.startswith("# @generated by update_schema.py\n# checksum<<"))
        self.assertEqual(self.run_command("export", small, "--format", "torch-yaml", "-o", "out.yaml"), ("", ""))
        self.assertEqual((self.folder / "out.yaml").read_text(), text)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["out.yaml", "s.yaml"])

    def test_what_cannot_be_written_has_its_own_code(self):
        small = self.write("s.yaml", SMALL)
        self.run_command("export", small, "--format", "thrift", "-o", "s.yaml/out", code=IO_FAILED)
        self.assertEqual((self.folder / "s.yaml").read_text(), SMALL)

    def test_an_error_in_the_schema_leaves_the_old_file(self):
        bad = self.write("bad.yaml", SMALL.replace("int", "itn"))
        self.write("out.thrift", "old")
        _, errors = self.run_command("export", bad, "--format", "thrift", "-o", "out.thrift", code=BAD_INPUT)
        self.assertIn("unknown type 'itn'", errors)
        self.assertEqual((self.folder / "out.thrift").read_text(), "old")

    def test_format_and_output_have_to_be_said(self):
        small = self.write("s.yaml", SMALL)
        _, errors = self.run_command("export", small, "-o", "-", code=USAGE)
        self.assertIn("--format is required", errors)
        _, errors = self.run_command("export", small, "--format", "thrift", code=USAGE)
        self.assertIn("-o is required", errors)
        _, errors = self.run_command("export", small, "--format", "yaml", "-o", "-", code=USAGE)
        self.assertIn("'yaml' is not a format; the formats are thrift,", errors)

    @unittest.skipUnless(shutil.which("dot"), "Graphviz is not installed")
    def test_graphviz_draws_the_graph_of_every_schema(self):
        for path in [HEAD, HEAD.with_name("draft.yaml"), VECTORS / "small.yaml", *HEAD.parent.glob("released/*.yaml")]:
            with self.subTest(schema=path.name):
                self.run_command("export", path, "--format", "dot", "-o", "graph.dot")
                drawn = subprocess.run(["dot", "-Tsvg", "graph.dot"], cwd=self.folder, capture_output=True, text=True)
                self.assertEqual((drawn.returncode, drawn.stderr), (0, ""))
                self.assertIn("</svg>", drawn.stdout)

    def test_the_page_is_well_formed(self):
        class Checker(html.parser.HTMLParser):
            def __init__(self):
                super().__init__()
                self.open = []

            def handle_starttag(self, tag, attributes):
                if tag not in ("meta", "br"):
                    self.open.append(tag)

            def handle_startendtag(self, tag, attributes):
                pass

            def handle_endtag(self, tag):
                assert self.open.pop() == tag, (tag, self.getpos())

        for path in [HEAD, HEAD.with_name("draft.yaml"), VECTORS / "small.yaml"]:
            text, _ = self.run_command("export", path, "--format", "html", "-o", "-")
            checker = Checker()
            checker.feed(text)
            checker.close()
            self.assertEqual(checker.open, [])

    @unittest.skipUnless(yaml, "PyYAML is not installed")
    def test_defaults_are_written_and_hashed_as_python_does(self):
        pieces = ["a", "b c", "Z9", " ", "-", ":", ": ", "#", " #", "'", '"', "\\", "\n", "\t", "\x01", "é", "☃", "😀"]
        pieces += list("0123456789.eE+_~=<>[]{},&*!|%@`?") + ["null", "true", "on", "..."]
        chance = random.Random(8)
        texts = ["".join(chance.choices(pieces, k=chance.randrange(6))) for _ in range(2000)]
        fields = {f"f{i}": {"type": "str", "default": text} for i, text in enumerate(texts)}
        schema = "name: s\nversion: {major: 1, minor: 0}\ntypes:\n  A:\n    kind: struct\n    fields:\n"
        for i, text in enumerate(texts):
            schema += f"      f{i}: {{id: {i + 1}, type: str, default: {json.dumps(text, ensure_ascii=False)}}}\n"
        ours, _ = self.run_command("export", "-", "--format", "torch-yaml", "-o", "-", stdin=schema)
        theirs = {"A": {"kind": "struct", "fields": fields}, "SCHEMA_VERSION": [1, 0]}
        lines = ours.splitlines(keepends=True)
        self.assertEqual("".join(lines[2:]), yaml.dump(theirs, sort_keys=False))
        self.assertEqual(lines[1], f"# checksum<<{hashlib.sha256(repr(theirs).encode()).hexdigest()}>>\n")


KINDS = """\
name: s
version: {major: 1, minor: 0}
roots: [A]
types:
  A:
    kind: struct
    fields:
      bool: {id: 1, type: bool}
      int: {id: 2, type: int}
      float: {id: 3, type: float}
      str: {id: 4, type: str}
      bytes: {id: 5, type: bytes}
      unit: {id: 6, type: "Tuple[()]"}
      any: {id: 7, type: Any}
      ints: {id: 8, type: "List[int]"}
      floats: {id: 9, type: "Dict[str, List[float]]"}
      maybe: {id: 10, type: "Optional[str]"}
      choice: {id: 11, type: E}
      one: {id: 12, type: U}
      later: {id: 13, type: int, default: 5}
      small: {id: 14, type: int8}
      whole: {id: 15, type: uint64}
      single: {id: 16, type: float32}
      by_tiny: {id: 17, type: "Dict[int8, bool]"}
      by_byte: {id: 18, type: "Dict[uint8, bool]"}
      by_whole: {id: 19, type: "Dict[uint64, bool]"}
      by_choice: {id: 20, type: "Dict[E, bool]"}
  E: {kind: enum, fields: {x: 0, y: 7}}
  U: {kind: union, fields: {a: {id: 1, type: int}, b: {id: 2, type: A, boxed: true}}}
"""

KINDS_VALUE = {
    "bool": True, "int": -(2**63), "float": 1.5, "str": "é", "bytes": "AAE=", "unit": [], "any": [None, {"x": 1}],
    "ints": [1, 2**63 - 1], "floats": {"a": [1, "NaN", "-Infinity"]}, "maybe": None, "choice": 9, "one": {"a": 1},
    "small": -128, "whole": 2**64 - 1, "single": 3.4028235e38,
    "by_tiny": {"-128": True, "0": True, "127": True}, "by_byte": {"0": True, "255": True},
    "by_whole": {"0": True, str(2**64 - 1): True}, "by_choice": {"7": True, str(-(2**31)): True},
}  # fmt: skip


class JsonSchemaCase(CommandTest):
    def validator(self, schema, root=None, stdin=""):
        text, _ = self.run_command("export", schema, "--format", "json-schema", "-o", "-", stdin=stdin)
        document = json.loads(text)
        jsonschema.Draft7Validator.check_schema(document)
        if root is not None:  # alone, for messages that can be read
            document["anyOf"] = [{"$ref": f"#/definitions/{root}"}]
        return jsonschema.Draft7Validator(document)

    def assert_accepts(self, validator, value):
        error = jsonschema.exceptions.best_match(validator.iter_errors(value))
        if error is not None:
            self.fail(f"{list(error.absolute_path)}: {error.message[:300]}")


@unittest.skipUnless(jsonschema, "jsonschema is not installed")
class JsonSchemaTest(JsonSchemaCase):
    def test_accepts_every_kind_of_value(self):
        validator = self.validator("-", stdin=KINDS)
        self.assert_accepts(validator, KINDS_VALUE)
        self.assert_accepts(validator, {**KINDS_VALUE, "later": 6, "one": {"b": KINDS_VALUE}})

    def test_rejects_what_is_wrong_in_one_place(self):
        validator = self.validator("-", stdin=KINDS)
        wrong = {
            "bool": [None, 0, "true"],
            "int": [None, 1.5, "1", True, 2**63, -(2**63) - 1],
            "float": [None, "1", "nan", "inf", True],
            "small": [None, 1.5, 128, -129],
            "whole": [None, -1, 2**64],
            "single": [None, "1", 1e39, -3.4028236e38],
            "str": [None, 1],
            "bytes": [None, "AAE", "A A=", "AA-_"],
            "unit": [None, [1], {}],
            "ints": [None, [1.5], [None], {}],
            "floats": [None, {"a": 1.5}, []],
            "maybe": [1],
            "choice": [None, "x", 2**31, 1.5],
            "one": [None, {}, {"a": 1, "b": KINDS_VALUE}, {"c": 1}, {"a": None}, {"b": {}}, []],
            "later": [None, "5"],
            "unknown": [None, 1],
            **{name: [{key: True} for key in ("", "x", "07", "-0", "+1", " 1", "1.0", key)] for name, key in {
                "by_tiny": "1000", "by_byte": "-1", "by_whole": str(10**20), "by_choice": "10000000000"}.items()},
        }
        for name, values in wrong.items():
            for value in values:
                with self.subTest(field=name, value=value):
                    self.assertFalse(validator.is_valid({**KINDS_VALUE, name: value}))
        for name in KINDS_VALUE:
            with self.subTest(missing=name):
                self.assertFalse(validator.is_valid({k: v for k, v in KINDS_VALUE.items() if k != name}))

    def test_every_checked_in_schema_gives_a_correct_json_schema(self):
        for path in [HEAD, HEAD.with_name("draft.yaml"), *HEAD.parent.glob("released/*.yaml")]:
            with self.subTest(schema=path.name):
                self.validator(path)


def core_loader():
    """A reader of YAML 1.2, as editors have it: `yes` is text, and keys are what is written."""

    class Loader(yaml.SafeLoader):
        yaml_implicit_resolvers = {}

        def construct_number(self, node):
            return int(node.value, 10 if node.value.lstrip("+-").isdigit() else 0)

        def construct_mapping(self, node, deep=False):
            return {key.value: self.construct_object(value, deep=True) for key, value in node.value}

    for tag, pattern in {
        "null": r"~|null|Null|NULL|", "bool": "true|True|TRUE|false|False|FALSE",
        "int": "[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+",
        "float": r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)",
    }.items():  # fmt: skip
        Loader.add_constructor("tag:yaml.org,2002:int", Loader.construct_number)
        Loader.add_implicit_resolver("tag:yaml.org,2002:" + tag, re.compile(f"^(?:{pattern})$"), None)
    return Loader


@unittest.skipUnless(jsonschema and yaml, "jsonschema or PyYAML is not installed")
class LanguageTest(CommandTest):
    # What breaks no rule that JSON Schema could hold: two places that do not fit, and what only `check` refuses of YAML.
    NOT_SEEN = {
        "cpp_name_taken", "cycle", "cycle_by_value", "cycle_by_value_in_union", "cycle_by_value_through_optional", "cycle_required",
        "cycle_required_and_by_value", "cycle_required_through_union", "cycle_without_end", "default_of_itself", "duplicate_id",
        "duplicate_key",
        "enum_numbers_twice_at_the_end", "id_used_twice", "id_used_twice_at_the_end", "id_used_twice_in_union", "keyword",
        "reserved_id", "reserved_used", "yaml_anchor_and_alias", "yaml_directive", "yaml_duplicate_key",
    }  # fmt: skip

    def setUp(self):
        super().setUp()
        document = json.loads(self.run_command("export", "--format", "language")[0])
        jsonschema.Draft7Validator.check_schema(document)
        self.validator = jsonschema.Draft7Validator(document)
        self.loader = core_loader()

    def errors(self, text):
        return [f"{list(e.absolute_path)}: {e.message[:200]}" for e in self.validator.iter_errors(yaml.load(text, self.loader))]

    def test_takes_every_schema_without_errors(self):
        tests = REPOSITORY / "tests"
        schemas = [*HEAD.parent.rglob("*.yaml"), *(tests / "schemas").glob("*.yaml"), *(tests / "compat").rglob("*.yaml"),
                   *(tests / "golden").glob("*/*.yaml"), *(tests / "data").rglob("*.yaml")]
        count = 0
        for path in schemas:
            if path.parent.name == "mistakes":
                continue
            with self.subTest(schema=str(path.relative_to(REPOSITORY))):
                self.assertEqual(self.errors(path.read_text(encoding="utf-8")), [])
                count += 1
        self.assertGreater(count, 130)

    def test_refuses_every_schema_with_an_error_that_it_can_see(self):
        for path in [*(REPOSITORY / "tests/bad").glob("*.yaml"), *(REPOSITORY / "tests/golden/mistakes").glob("*.yaml")]:
            with self.subTest(schema=path.name):
                try:
                    found = bool(self.errors(path.read_text(encoding="utf-8")))
                except (yaml.YAMLError, AttributeError, TypeError, UnicodeError):
                    continue  # what is no YAML, an editor's own reader refuses
                self.assertEqual(found, path.stem not in self.NOT_SEEN)

    def test_each_key_has_a_sentence_for_editors(self):
        def keys(value):
            for key, inner in value.items() if isinstance(value, dict) else []:
                if key == "properties" and "additionalProperties" in value:
                    yield from inner.items()
                yield from keys(inner)

        found = list(keys(self.validator.schema))
        self.assertGreaterEqual(len(found), 28)
        for name, what in found:
            self.assertRegex(what["description"], r"^[A-Z`].*\.$|^`.*\.$", name)

    def test_wrong_use_says_what_is_right(self):
        small = self.write("s.yaml", SMALL)
        _, errors = self.run_command("export", small, "--format", "language", code=USAGE)
        self.assertIn("--format language is of no schema\nhint: leave SCHEMA out", errors)
        _, errors = self.run_command("export", "--format", "dot", "-o", "-", code=USAGE)
        self.assertIn("SCHEMA is required\nhint: ", errors)
        self.run_command("export", "--format", "language", "-o", "language.json")
        self.assertEqual(json.loads((self.folder / "language.json").read_text()), self.validator.schema)


NUMBERS = """name: numbers
version: {major: 1, minor: 0}
types:
  Pixel:
    kind: struct
    fields:
      rgb: {id: 1, type: "List[uint8]"}
      depth: {id: 2, type: "Optional[Dict[str, float32]]", default: null}
      count: {id: 3, type: uint64, default: 18446744073709551615}
      weight: {id: 4, type: float32, default: 0.1}
      tiny: {id: 5, type: int8, default: -128}
      small: {id: 6, type: int16}
      medium: {id: 7, type: int32, default: 7}
      number: {id: 8, type: int64}
      word: {id: 9, type: uint16, default: 65535}
      half: {id: 10, type: uint32}
      keyed: {id: 11, type: "Dict[int16, Dict[uint8, str]]", default: {}}
"""


class TorchYamlTest(CommandTest):
    def test_numbers_that_torch_does_not_have_are_refused_by_name(self):
        self.write("numbers.yaml", NUMBERS)
        done = self.run_command("export", "numbers.yaml", "--format", "torch-yaml", "-o", "out.yaml", code=3)
        self.assertEqual(done, ("", "numbers.yaml: error: 'Pixel.rgb' is of type 'List[uint8]', but PyTorch's schema.yaml has no "
                                "numbers but int and float\nhint: take another format\n"))
        self.assertFalse((self.folder / "out.yaml").exists())


class PythonTest(CommandTest):
    """`export --format python`, held to the schema.py of torch and to the script that reads it."""

    PORT = REPOSITORY / "dev/port_schema.py"

    def python_of(self, path):
        return self.run_command("export", path, "--format", "python", "-o", "-")[0]

    def module_of(self, text):
        """What Python makes of the text of a module."""
        module = types.ModuleType("made")
        sys.modules["made"] = module
        self.addCleanup(sys.modules.pop, "made", None)
        exec(compile(text, "made", "exec"), module.__dict__)
        return module

    def assert_comes_back(self, path, *options):
        self.write("schema.py", self.python_of(path))
        subprocess.run([sys.executable, self.PORT, "schema.py", "-o", "again.yaml", *options], cwd=self.folder, check=True,
                       stderr=subprocess.PIPE)
        self.assertEqual(self.run_command("hash", "again.yaml"), self.run_command("hash", path))

    def test_it_is_what_torch_has_but_for_comments_layout_and_tables(self):
        theirs = ast.parse((DATA / f"torch_schemas/{head_schema.VERSION}.py").read_text(encoding="utf-8"))
        theirs.body = [node for node in theirs.body if not ast.unparse(node).partition(":")[0].endswith("_TO_C10")]
        self.assertEqual(ast.unparse(ast.parse(self.python_of(HEAD))), ast.unparse(theirs))

    def test_what_reads_torchs_gives_the_schema_back(self):
        self.write("numbers.yaml", NUMBERS)
        for path in [HEAD, *HEAD.parent.glob("released/*.yaml"), self.folder / "numbers.yaml"]:
            with self.subTest(schema=path.name):
                self.assert_comes_back(path)

    def test_python_runs_it(self):
        for path in (REPOSITORY / "tests/schemas").glob("*.yaml"):
            with self.subTest(schema=path.name):
                module = self.module_of(self.python_of(path))
                classes = [one for one in vars(module).values() if hasattr(one, "__dataclass_fields__")]
                self.assertTrue(classes)
                for one in classes:
                    for name, (kind, number) in {
                        name: (hint, hint.__metadata__[0]) for name, hint in typing.get_type_hints(one, include_extras=True).items()
                    }.items():
                        self.assertIn(name, one.__dataclass_fields__)
                        self.assertTrue(1 <= number <= 32767, kind)

    def test_composed_defaults_are_made_anew_for_each_object_and_read_back(self):
        schema = SMALL.replace("a: {id: 1, type: int}", """a: {id: 1, type: int, default: 0}
      list: {id: 2, type: "List[E]", default: [X]}
      map: {id: 3, type: "Dict[str, float]", default: {b: 1}}
      p: {id: 4, type: P, default: {x: 7}}
      u: {id: 5, type: "List[U]", default: [{p: {x: 1, s: "t"}}]}
  E: {kind: enum, fields: {X: 3}}
  P: {kind: struct, fields: {x: {id: 1, type: int}, s: {id: 2, type: "Optional[str]", default: null}}}
  U: {kind: union, fields: {p: {id: 1, type: P}}}""").replace("      p: {id: 4", """      by_int: {id: 6, type: "Dict[int, uint8]", default: {-1: 2}}
      by_e: {id: 7, type: "Dict[E, List[str]]", default: {X: ["a"]}}
      nested: {id: 8, type: "List[K]", default: [{by_e: {X: 1}}]}
      p: {id: 4""") + """
  K: {kind: struct, fields: {by_e: {id: 1, type: "Dict[E, int]"}}}"""
        path = self.write("small.yaml", schema)
        module = self.module_of(self.python_of(path))
        a = module.A()
        a.list_.append(1)
        self.assertEqual(module.A().list_, [module.E.X])
        self.assertEqual((a.by_int, a.by_e, a.nested), ({-1: 2}, {module.E.X: ["a"]}, [module.K({module.E.X: 1})]))
        self.assertEqual((a.map, a.p, a.u), ({"b": 1.0}, module.P(x=7), [module.U.create(p=module.P(x=1, s="t"))]))
        self.assert_comes_back(path, "--name", "small")

    def test_torchs_yaml_refuses_a_default_that_torch_has_not(self):
        schema = SMALL.replace("a: {id: 1, type: int}", 'a: {id: 1, type: "List[int]", default: [1]}')
        errors = self.run_command("export", "-", "--format", "torch-yaml", "-o", "-", stdin=schema, code=BAD_INPUT)[1]
        self.assertIn("-: error: PyTorch's schemas have no default such as that of 'A.a': [1]\n", errors)

    def test_a_module_of_python_has_a_name_that_python_can_import(self):
        for name in ("class", "None", "a-b", "1a", "a.b"):
            out, errors = self.run_command("generate", HEAD, "-o", "made", "--python", name, code=USAGE)
            self.assertIn(f"'{name}' is not the name of a Python module", errors)

    def test_names_of_python_are_evaded_and_docs_stay_comments(self):
        schema = SMALL.replace("a: {id: 1, type: int}", """class: {id: 1, type: int, doc: "x\\ny = 1"}
      class_: {id: 2, type: int}
      list: {id: 3, type: "List[int]", default: []}
      more: {id: 4, type: "List[E]", default: []}
      late: {id: 5, type: "Optional[E]"}
      text: {id: 6, type: str, default: "a\\\\'\\"b\\n"}
  E: {kind: enum, fields: {None: 0, mro: 1}}""")
        python = self.run_command("export", "-", "--format", "python", "-o", "-", stdin=schema)[0]
        self.assertIn("    # x\n    # y = 1\n    class__: Annotated[int, 1]\n    class_: Annotated[int, 2]\n"
                      "    list_: Annotated[list[int], 3] = field(default_factory=list)\n", python)
        self.assertIn('    late: Annotated["E | None", 5]\n', python)
        self.assertIn("    None_ = 0\n    mro_ = 1\n", python)
        module = {}
        exec(python, module)
        self.assertEqual(module["A"](class__=1, class_=2, late=None).text, "a\\'\"b\n")

    def test_an_enum_can_be_declared_after_a_struct_that_has_a_member_of_it_as_default(self):
        path = self.write("small.yaml", SMALL.replace("type: int}", """type: E, default: X}
      b: {id: 2, type: B}
  B: {kind: struct, fields: {x: {id: 1, type: "Optional[A]", default: null, boxed: true}}}
  E: {kind: enum, fields: {X: 3}}"""))
        module = self.module_of(self.python_of(path))
        self.assertIs(module.A(b=module.B()).a, module.E.X)
        self.assertIs(typing.get_type_hints(module.A)["b"], module.B)
        self.assert_comes_back(path, "--name", "small")

    def test_names_that_python_or_the_module_needs_mean_what_the_schema_says_and_come_back(self):
        names = ("int", "list", "dict", "str", "field", "dataclass", "Annotated", "IntEnum", "len", "classmethod", "SCHEMA_VERSION",
                 "SCHEMA_NAMES", "_Union", "E", "None", "int_")
        constants = ", ".join(f"{name}: {i}" for i, name in enumerate(names))
        path = self.write("small.yaml", SMALL.replace("types:", "constants: {" + constants + "}\ntypes:").replace("a: {id: 1, type: int}", """E: {id: 1, type: E, default: X}
      again: {id: 2, type: E, default: None}
      Map: {id: 3, type: "Optional[Map]", default: null}
      field: {id: 4, type: "List[Map]", default: []}
      Annotated: {id: 5, type: "List[Annotated]", default: []}
      Annotated_: {id: 6, type: "Dict[str, Annotated]", default: {}}
      int: {id: 7, type: "List[int]", default: [1]}
      __x: {id: 8, type: int, default: 8}
      __init__: {id: 9, type: int, default: 9}
      default: {id: 10, type: "List[Map]", default: [{__x: 3, list: 4}]}
      cls: {id: 11, type: "Optional[IntEnum]", default: null}
  E: {kind: enum, fields: {X: 3, None: 1, __y: 2, _z_: 4, int: 5}}
  Map: {kind: struct, fields: {__x: {id: 1, type: int}, list: {id: 2, type: int, default: 0}}}
  Annotated: {kind: struct, fields: {}}
  IntEnum: {kind: union, fields: {cls: {id: 1, type: int}, __x: {id: 2, type: E}}}"""))
        module = self.module_of(self.python_of(path))
        a = module.A()
        hints = typing.get_type_hints(module.A)
        renamed = {name: here.rpartition(".")[2] for here, name in module.SCHEMA_NAMES.items() if here.startswith("A.")}
        self.assertEqual({name: getattr(a, renamed.get(name, name)) for name in ("E", "again", "int", "__x", "__init__", "default")}, {
            "E": module.E.X, "again": module.E.None_, "int": [1], "__x": 8, "__init__": 9, "default": [module.Map(3, 4)]})
        self.assertEqual({name: hints[renamed.get(name, name)] for name in ("E", "again", "Map", "field", "Annotated", "Annotated_", "int")}, {
            "E": module.E, "again": module.E, "Map": module.Map | None, "field": list[module.Map], "Annotated": list[module.Annotated_],
            "Annotated_": dict[str, module.Annotated_], "int": list[int]})
        self.assertEqual(len(module.E), 5)
        self.assertEqual(module.IntEnum_.create(cls=1).cls, 1)
        values = {module.SCHEMA_NAMES.get(name, name): value for name, value in vars(module).items() if type(value) is int}
        self.assertEqual(values, {name: i for i, name in enumerate(names)})
        self.assert_comes_back(path, "--name", "small")


class ModelTest(CommandTest):
    """`export --format model`, and what an example makes of it."""

    SCHEMAS = [HEAD, *HEAD.parent.glob("released/*.yaml"), *(REPOSITORY / "tests/schemas").glob("*.yaml")]
    GOLDEN = REPOSITORY / "tests/golden/model"
    EXAMPLE = REPOSITORY / "docs/examples/model_to_typescript.py"

    def model_of(self, path):
        return json.loads(self.run_command("export", path, "--format", "model", "-o", "-")[0])

    def cpp_name(self, thing):
        return {"cpp_name": thing["cpp_name"]} if thing["cpp_name"] != thing["name"] else {}

    def schema_of(self, model):
        """The schema that the model says, as YAML, of which JSON is a part."""
        types = {}
        for one in model["types"]:
            if one["kind"] == "enum":
                fields = {value["name"]: value["number"] for value in one["values"]}
                extra = {"json": one["json"]}
            else:
                extra = {}
                keys = ("id", "default", "boxed", "states_version", "doc", "deprecated", "since", "allow")
                fields = {
                    field["name"]: {"type": field["spelled"], **self.cpp_name(field), **{
                        key: field[key] for key in keys if key in field and (key == "default" or field[key])}}
                    for field in one["fields"]
                }  # fmt: skip
            types[one["name"]] = {key: one[key] for key in ("kind", "doc", "reserved", "allow")} | self.cpp_name(one) | extra | {"fields": fields}
        document = {key: model[key] for key in ("name", "version", "allow")}
        document["constants"] = {one["name"]: one["value"] for one in model["constants"]}
        document["roots"] = [one["type"] for one in model["roots"]]
        return json.dumps(document | {"types": types}, ensure_ascii=False)

    def without_places(self, value):
        if isinstance(value, dict):
            return {key: self.without_places(inner) for key, inner in value.items() if key != "place"}
        return [self.without_places(inner) for inner in value] if isinstance(value, list) else value

    def test_all_of_a_schema_can_be_made_of_it_again(self):
        for path in self.SCHEMAS:
            with self.subTest(schema=path.name):
                model = self.model_of(path)
                schema = self.schema_of(model)
                self.write("again.yaml", schema)
                self.assertEqual(self.run_command("hash", "again.yaml")[0], model["hash"] + "\n")
                self.assertEqual(self.without_places(self.model_of("again.yaml")), self.without_places(model))

    def test_hashes_are_those_of_the_command_and_spellings_those_of_the_types(self):
        def spelled(type_):
            if "of" not in type_:
                return {"named": type_.get("name"), "Tuple": "Tuple[()]"}.get(type_["kind"], type_["kind"])
            key = spelled(type_.get("key", {"kind": "str"})) + ", " if type_["kind"] == "Dict" else ""
            return f"{type_['kind']}[{key}{spelled(type_['of'])}]"

        for path in self.SCHEMAS:
            model = self.model_of(path)
            for root in model["roots"][:1]:
                for key, arguments in {"hash": (), "binary_hash": ("--projection", "bin"), "json_hash": ("--projection", "json")}.items():
                    self.assertEqual(self.run_command("hash", path, "--root", root["type"], *arguments)[0], root[key] + "\n")
            for one in model["types"]:
                for field in one.get("fields", []):
                    self.assertEqual(spelled(field["type"]), field["spelled"])

    def test_places_are_those_of_the_names(self):
        folder = REPOSITORY / "tests/schemas"
        model = self.model_of(folder / "everything.yaml")
        things = [*model["constants"], *model["types"]]
        things += [inner for one in model["types"] for inner in one.get("fields", []) + one.get("values", [])]
        self.assertGreater(len(things), 60)
        for thing in things:
            place = thing["place"]
            begin = place["column"] - 1
            line = (folder / place.get("file", "everything.yaml")).read_text(encoding="utf-8").splitlines()[place["line"] - 1]
            self.assertEqual(line[begin : begin + place["length"]], thing["name"])
        self.assertEqual({thing["place"].get("file") for thing in things}, {None, "in/colors.yaml"})

    def test_types_come_after_what_they_hold_by_value(self):
        model = self.model_of(HEAD)
        types = {one["name"]: one for one in model["types"]}
        order = model["definition_order"]
        self.assertEqual(sorted(order), sorted(types))
        for name in order:
            for field in types[name].get("fields", []):
                held = field["type"]["of"] if field["type"]["kind"] == "Optional" else field["type"]
                if held["kind"] == "named" and not field["boxed"]:
                    self.assertLess(order.index(held["name"]), order.index(name), f"{name}.{field['name']}")

    def test_the_example_is_short_and_writes_typescript(self):
        self.assertLessEqual(len(self.EXAMPLE.read_text().splitlines()), 60)
        for path in self.SCHEMAS:
            model, _ = self.run_command("export", path, "--format", "model", "-o", "-")
            done = subprocess.run([sys.executable, self.EXAMPLE], input=model.encode(), capture_output=True)
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            if path.stem != "everything":
                continue
            for name, text in {"everything.json": model, "everything.ts": done.stdout.decode()}.items():
                if os.environ.get("UPDATE_GOLDEN"):
                    self.GOLDEN.mkdir(exist_ok=True)
                    (self.GOLDEN / name).write_text(text, encoding="utf-8")
                self.assertEqual(text, (self.GOLDEN / name).read_text(encoding="utf-8"))


# Releases whose JSON the language describes: before them a union was written with all of its members.
RELEASES = {
    "2.4.1": "released/5.3", "2.5.1": "released/7.3", "2.6.0": "released/8.2", "2.8.0": "released/8.8",
    "2.12.1": "pt2", "2.13.0": "pt2", "2.14.0": "pt2", "2.15.0": "pt2",
}  # fmt: skip


@unittest.skipUnless(jsonschema, "jsonschema is not installed")
class JsonSchemaOfProgramsTest(JsonSchemaCase):
    def programs(self, release):
        for path in sorted((DATA / "programs" / f"torch-{release}").glob("*.json")):
            text = path.read_text(encoding="utf-8")
            # Up to torch 2.5 an unbounded range was the bare token Infinity, which is no JSON and no int.
            if path.name != "about.json" and not re.search(r'_val": -?Infinity', text):
                yield path.name, json.loads(text)

    def test_accepts_the_programs_of_every_release_that_has_its_encoding(self):
        for release, schema in RELEASES.items():
            own = self.validator(REPOSITORY / "schema" / f"{schema}.yaml", "ExportedProgram")
            head = self.validator(HEAD, "ExportedProgram")
            count = 0
            for name, program in self.programs(release):
                with self.subTest(release=release, program=name):
                    as_of_head = name.endswith((".head.json", ".canonical.json"))
                    self.assert_accepts(head if as_of_head else own, program)
                    count += 1
            self.assertGreaterEqual(count, 3)  # of torch 2.15 there are three

    def places(self, value, path=()):
        """Every value of a document that is not in one of the free-form tables, with its path."""
        yield path, value
        if isinstance(value, dict):
            for key, inner in value.items():
                yield from self.places(inner, (*path, key))
        elif isinstance(value, list) and value:
            yield from self.places(value[0], (*path, 0))

    def changed(self, program, path, value):
        if not path:
            return value
        copy = dict(program) if isinstance(program, dict) else list(program)
        copy[path[0]] = self.changed(program[path[0]], path[1:], value)
        return copy

    def test_rejects_programs_with_a_value_of_the_wrong_type_anywhere(self):
        validator = self.validator(HEAD, "ExportedProgram")
        program = dict(self.programs("2.13.0"))["mlp.json"]
        count = 0
        for path, value in self.places(program):
            with self.subTest(path=path):
                wrong = [] if isinstance(value, (dict, str)) else {"no such key": 1}
                self.assertFalse(validator.is_valid(self.changed(program, path, wrong)))
                count += 1
        self.assertGreater(count, 100)


@unittest.skipUnless(yaml, "PyYAML is not installed")
class HooksTest(CommandTest):
    def setUp(self):
        super().setUp()
        hooks = yaml.safe_load((REPOSITORY / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
        self.hooks = {hook["id"]: hook for hook in hooks}

    def run_hook(self, name, *arguments, code=DONE):
        command = self.hooks[name]["entry"].split()
        self.assertEqual(command[0], "schemagen")
        return self.run_command(*command[1:], *arguments, code=code)

    def test_each_hook_runs_and_says_no_where_it_should(self):
        self.write("s.yaml", FmtTest.NICE)
        self.write("ugly.yaml", FmtTest.UGLY)
        self.write("bad.yaml", "name: s\n")
        self.run_hook("schemagen-check", "s.yaml", "ugly.yaml")
        self.run_hook("schemagen-check", "s.yaml", "bad.yaml", code=BAD_INPUT)
        self.run_hook("schemagen-fmt", "s.yaml", "ugly.yaml", "--check", code=NO)
        self.run_hook("schemagen-fmt", "s.yaml", "ugly.yaml")
        self.run_hook("schemagen-fmt", "s.yaml", "ugly.yaml", "--check")
        self.run_hook("schemagen-generate-check", "s.yaml", "-o", "out", code=NO)
        self.run_command("generate", "s.yaml", "-o", "out")
        self.run_hook("schemagen-generate-check", "s.yaml", "-o", "out")

    def test_hooks_take_schemas_and_not_the_workflow_that_checks_them(self):
        for name in ("schemagen-check", "schemagen-fmt"):
            pattern = self.hooks[name]["files"]
            for path in ("schema.yaml", "a/schema.yml", "schema/pt2.yaml", "schema/released/8.2.yaml", "app/notes.schema.yaml",
                         "notes_schema.yml", "proto/schemas/a.yaml"):
                self.assertTrue(re.search(pattern, path), path)
            for path in (".github/workflows/schema-check.yml", "schemas.yaml", "schema/README.md", "a.yaml"):
                self.assertFalse(re.search(pattern, path), path)


class UsageTest(CommandTest):
    def test_every_command_has_help(self):
        out, _ = self.run_command("--help")
        for command in ("generate", "check", "fmt", "hash", "export"):
            self.assertIn(f"\n  {command} ", out)
            self.assertIn(f"Usage: schemagen {command} ", self.run_command(command, "--help")[0])

    def test_help_tells_of_a_command_as_its_option_does(self):
        self.assertEqual(self.run_command("help"), self.run_command("--help"))
        self.assertEqual(self.run_command("help", "diff"), self.run_command("diff", "--help"))

    def test_no_message_holds_much_of_what_somebody_else_wrote(self):
        name = "x" * 100_000
        self.write("old.yaml", SMALL)
        self.write("new.yaml", SMALL.replace("A:", f"A{name}:", 1))
        self.write("bad.yaml", f"name: {name}-\nversion: {name}\n{name}: 1\n")
        for arguments in (["check", "bad.yaml"], ["check", name], ["diff", "old.yaml", "new.yaml"], ["explain", name],
                          ["hash", "old.yaml", "--root", name], ["generate", "old.yaml", "-o", "out", "--namespace", name + "-"],
                          ["diff", "old.yaml", "new.yaml", "--format", name], [name], ["check", "--" + name]):
            with self.subTest(arguments=[argument[:20] for argument in arguments]):
                done = subprocess.run([BINARY, *arguments], cwd=self.folder, capture_output=True, text=True)
                for line in (done.stdout + done.stderr).splitlines():
                    self.assertLess(len(line), 1000, line[:200])

    def test_version_is_said_everywhere(self):
        out, _ = self.run_command("--version")
        self.assertRegex(out, r"^schemagen \d+\.\d+\.\d+\n$")
        for command in re.findall(r"^  ([a-z]+) ", self.run_command("--help")[0].split("Subcommands:")[1], re.MULTILINE):
            self.assertEqual(self.run_command(command, "--version"), (out, ""))

    def test_names_may_look_like_options_behind_two_dashes(self):
        for name in ("a.yaml", "-b.yaml", "--text"):
            self.write(name, SMALL)
        for arguments in ("check -- a.yaml", "check a.yaml -- -b.yaml", "check -- a.yaml -b.yaml", "hash -- --text",
                          "hash --text -- --text", "-- hash a.yaml", "hash a.yaml --", "diff -- -b.yaml --text"):
            with self.subTest(arguments=arguments):
                self.run_command(*arguments.split())
        _, errors = self.run_command("check", "a.yaml", "--", "--gone", code=IO_FAILED)
        self.assertIn("cannot read ./--gone", errors)
        self.assertIn("SCHEMA is required", self.run_command("hash", "--", code=USAGE)[1])
        self.assertIn("unexpected argument", self.run_command("hash", "a.yaml", "--", "--text", code=USAGE)[1])

    def test_names_of_files_do_not_disturb_a_terminal(self):
        self.write("\x1b[31m.yaml", "name: s\n")
        self.write("\x1b[32m.yaml", SMALL)
        for arguments, code in {
            ("check", "\x1b[31m.yaml"): BAD_INPUT, ("check", "\x1b[33m.yaml"): IO_FAILED,
            ("diff", "\x1b[31m.yaml", "\x1b[32m.yaml"): BAD_INPUT, ("diff", "git:\x1b[31m:x", "\x1b[32m.yaml"): IO_FAILED,
            ("hash", "\x1b[32m.yaml", "--expect", "0" * 16): NO, ("check", "--\x1b[31m"): USAGE,
            ("generate", "\x1b[32m.yaml", "-o", "\x1b[34m", "--check"): NO,
            ("bump", "\x1b[32m.yaml", "--against", "\x1b[32m.yaml"): DONE,
        }.items():  # fmt: skip
            with self.subTest(arguments=arguments):
                self.assertNotIn("\x1b", "".join(self.run_command(*arguments, code=code)))

    def test_no_command_or_a_wrong_one_is_a_usage_error(self):
        for arguments, words in {
            "": "schemagen: error: expected a command\nhint: run 'schemagen --help' for usage",
            "hahs s.yaml": "schemagen: error: unknown command 'hahs'\nhint: did you mean 'hash'?",
            "hahs --help": "schemagen: error: unknown command 'hahs'\nhint: did you mean 'hash'?",
            "conquer s.yaml": "schemagen: error: unknown command 'conquer'\nhint: expected one of generate, amalgamate,",
            "hash s.yaml -q": "schemagen hash: error: unknown option '-q'\nhint: run 'schemagen hash --help' for usage",
            "--versoin": "schemagen: error: unknown option '--versoin'\nhint: did you mean '--version'?",
            "hash": "schemagen hash: error: SCHEMA is required\nhint: run 'schemagen hash --help' for usage",
            "fmt": "schemagen fmt: error: SCHEMA is required\n",
            "export s.yaml": "schemagen export: error: --format is required\n",
            "hash s.yaml --rot A": "schemagen hash: error: unknown option '--rot'\nhint: did you mean '--root'?",
            "hash s.yaml --rot=A": "schemagen hash: error: unknown option '--rot'\nhint: did you mean '--root'?",
            "hash s.yaml t.yaml": "schemagen hash: error: unexpected argument 't.yaml'\n",
            "diff - -": "schemagen diff: error: only one of the schemas can be read from stdin\n",
            "diff a.yaml b.yaml --policy ful":
                "schemagen diff: error: --policy: ful not in {full,backward,pytorch}\nhint: did you mean 'full'?\n",
            "diff a.yaml b.yaml --format jsn": "hint: did you mean 'json'?\n",
            "check a.yaml --format srif": "hint: did you mean 'sarif'?\n",
            "check a.yaml --formt sarif": "unknown option '--formt'\nhint: did you mean '--format'?\n",
            "amalgamate s.yaml --codecs jsno -o .": "hint: did you mean 'json'?\n",
            "generate s.yaml -o . --only types.hh": "hint: did you mean 'types.h'?\n",
            "help dif": "schemagen: error: unknown command 'dif'\nhint: did you mean 'diff'?\n",
            "diff a.yaml b.yaml --threshold no": "--threshold: no not in {note,warning,breaking,error}\n",
        }.items():
            with self.subTest(arguments=arguments):
                out, errors = self.run_command(*arguments.split(), code=USAGE)
                self.assertEqual(out, "")
                self.assertIn(words, errors)
                self.assertIn("\nhint: ", errors)

    def test_check_reports_all_files(self):
        self.write("a.yaml", "name: s\n")
        self.write("b.yaml", "nam: s\n")
        self.write("c.yaml", SMALL)
        _, errors = self.run_command("check", "a.yaml", "c.yaml", "b.yaml", code=BAD_INPUT)
        self.assertIn("a.yaml:1:1: error: the schema has no 'version'", errors)
        self.assertIn("b.yaml:1:1: error: unknown key 'nam' in the schema", errors)


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
        diff_command_test.Sarif().check_run(run)
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


class LostAnswerTest(CommandTest):
    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no device that is always full")
    def test_an_answer_that_cannot_be_written_is_an_error_of_every_command(self):
        self.write("s.yaml", SMALL)
        self.write("new.yaml", SMALL.replace("minor: 0", "minor: 1"))
        self.write("ugly.yaml", FmtTest.UGLY)
        for arguments in (
            "--help", "--version", "hash --help", "hash --version", "hash s.yaml", "hash s.yaml --text", "rules",
            "rules --format json", "explain FIELD_RENAMED", "check s.yaml --format json", "diff s.yaml new.yaml", "fmt -", "fmt --check ugly.yaml",
            "generate s.yaml -o out --list-outputs", "export s.yaml --format dot -o -",
            "bump s.yaml --against s.yaml", "bump s.yaml --against s.yaml -o -",
        ):  # fmt: skip
            with self.subTest(arguments=arguments), open("/dev/full", "wb") as full:
                done = subprocess.run([BINARY, *arguments.split()], cwd=self.folder, input=SMALL.encode(), stdout=full,
                                      stderr=subprocess.PIPE)
                self.assertEqual(done.returncode, IO_FAILED)
                self.assertIn(b"schemagen: error: cannot write to stdout", done.stderr)

    @unittest.skipUnless(resource, "memory cannot be limited")
    def test_too_little_memory_is_said(self):
        def limited(*arguments, **how):
            limit = (1 << 28, 1 << 28)
            return subprocess.run([BINARY, *arguments], cwd=self.folder, capture_output=True, **how,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limit))

        if limited("--version").returncode != DONE:
            self.skipTest("this build needs more memory at the start")
        with open(self.folder / "large.yaml", "w+b") as large:  # without blocks on the disk
            large.truncate(1 << 28)
            for done in (limited("check", "large.yaml"), limited("check", "-", stdin=large)):
                self.assertEqual(done.returncode, IO_FAILED)
                self.assertRegex(done.stderr, rb"^schemagen: .*memory\n$")


class WriteTest(CommandTest):
    """What all commands do that write files."""

    COMMANDS = {
        "export": "export s.yaml --format dot -o FILE",
        "depfile": "generate s.yaml -o out --depfile FILE",
        "stamp": "generate s.yaml -o out --stamp FILE",
        "bump": "bump new.yaml --against s.yaml -o FILE",
    }  # the end of each is the path of a file

    def setUp(self):
        super().setUp()
        self.write("s.yaml", SMALL)
        self.write("new.yaml", SMALL.replace("a: {", "b: {id: 2, type: str}\n      a: {"))

    def run_writing(self, name, path, code=DONE):
        return self.run_command(*self.COMMANDS[name].replace("FILE", path).split(), code=code)

    def names(self):
        return sorted(p.name for p in self.folder.iterdir() if p.name != "out")

    def test_a_link_stays_and_what_it_leads_to_is_written(self):
        for name in self.COMMANDS:
            for old in ("old", None):
                with self.subTest(command=name, old=old):
                    folder = self.folder / f"{name}-{old}"
                    (folder / "far").mkdir(parents=True)
                    (folder / "link").symlink_to("hop")
                    (folder / "hop").symlink_to("far/target")
                    if old:
                        (folder / "far/target").write_text(old)
                    self.run_writing(name, f"{folder.name}/link")
                    self.assertTrue((folder / "link").is_symlink() and (folder / "hop").is_symlink())
                    self.assertFalse((folder / "far/target").is_symlink())
                    self.assertNotEqual((folder / "far/target").read_text(), "old")
                    self.assertEqual([p.name for p in (folder / "far").iterdir()], ["target"])

    def test_links_in_a_circle_are_an_error(self):
        (self.folder / "a").symlink_to("b")
        (self.folder / "b").symlink_to("a")
        self.run_writing("export", "a", code=IO_FAILED)
        self.assertEqual(self.names(), ["a", "b", "new.yaml", "s.yaml"])

    def test_a_pipe_is_written_to_and_stays(self):
        os.mkfifo(self.folder / "pipe")
        for name in self.COMMANDS:
            with self.subTest(command=name):
                # Open for both, a pipe waits for nobody.
                with open(os.open(self.folder / "pipe", os.O_RDWR | os.O_NONBLOCK), "rb", buffering=0) as pipe:
                    self.run_writing(name, "pipe")
                    self.assertEqual(bool(pipe.read(1 << 16)), name != "stamp")
                self.assertTrue((self.folder / "pipe").is_fifo())

    def test_a_device_is_written_to_and_stays(self):
        sink = self.folder / "sink"
        try:
            os.mknod(sink, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
            sink.write_bytes(b"x")
        except OSError as e:
            self.skipTest(f"no device can be made: {e}")
        for name in self.COMMANDS:
            self.run_writing(name, "sink")
            self.assertTrue(sink.is_char_device())

    def test_stdout_can_be_named_by_its_path(self):
        out, _ = self.run_command("export", "s.yaml", "--format", "dot", "-o", "-")
        if os.path.exists("/proc/self/fd"):
            self.assertEqual(self.run_writing("export", "/proc/self/fd/1"), (out, ""))

    def test_files_with_names_beside_it_are_left_alone(self):
        for name in self.COMMANDS:
            self.write("file.tmp", "mine")
            self.run_writing(name, "file")
            self.assertEqual((self.folder / "file.tmp").read_text(), "mine")
            self.assertEqual(self.names(), ["file", "file.tmp", "new.yaml", "s.yaml"])
        self.write("s.yaml.tmp", "mine")
        self.write("s.yaml", FmtTest.UGLY)
        self.run_command("fmt", "s.yaml")
        self.assertEqual((self.folder / "s.yaml.tmp").read_text(), "mine")

    def test_a_name_may_be_as_long_as_names_can_be(self):
        self.run_writing("export", "x" * 255)

    def test_a_folder_that_is_not_there_is_an_error_and_stays_so(self):
        for name in self.COMMANDS:
            _, errors = self.run_writing(name, "no/such/file", code=IO_FAILED)
            self.assertIn("schemagen: error: cannot create a temporary file to write 'no/such/file': No such file or directory\n", errors)
            self.assertEqual(self.names(), ["new.yaml", "s.yaml"])
        self.run_command("generate", "s.yaml", "-o", "a/new/folder", "--stamp", "a/new/folder/stamp")
        self.run_command("generate", "s.yaml", "-o", "s.yaml/out", code=IO_FAILED)


class GenerateTest(CommandTest):
    def test_what_is_no_folder_and_no_namespace_is_a_usage_error(self):
        self.write("s.yaml", SMALL)
        for command in ("generate", "amalgamate"):
            _, errors = self.run_command(command, "s.yaml", "-o", "-", code=USAGE)
            self.assertIn("error: -o: '-' is not a folder", errors)
            for name, words in {
                "class": "'class' is a keyword of C++", "a::new::b": "'new' is a keyword of C++",
                "a:b": "'a:b' is not a C++ namespace", "a::": "'a::' is not", "1a": "'1a' is not",
                "::a": "'::a' is not", "a::::b": "'a::::b' is not", "é": "'é' is not",
            }.items():  # fmt: skip
                _, errors = self.run_command(command, "s.yaml", "-o", "out", "--namespace", name, code=USAGE)
                self.assertIn("error: --namespace: " + words, errors)
            self.run_command(command, "s.yaml", "-o", "out", "--namespace", "a::classy::_b1")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["out", "s.yaml"])

    def test_a_stamp_is_touched_each_time_and_what_the_depfile_is_about(self):
        self.write("s.yaml", SMALL)
        command = ("generate", "s.yaml", "-o", "out", "--depfile", "s.d", "--stamp", "s.stamp")
        self.run_command(*command)
        self.assertEqual((self.folder / "s.d").read_text(), "s.stamp: s.yaml\n")
        for name in ("s.stamp", "out/types.h"):
            os.utime(self.folder / name, (1, 1))
        self.run_command(*command)
        self.assertGreater((self.folder / "s.stamp").stat().st_mtime, 1)
        self.assertEqual((self.folder / "out/types.h").stat().st_mtime, 1)

    def test_the_depfile_names_the_files_that_are_imported(self):
        (self.folder / "s").mkdir()
        self.write("s/s.yaml", SMALL.replace("roots", "imports: [in/b.yaml, c.yaml]\nroots"))
        (self.folder / "s/in").mkdir()
        self.write("s/in/b.yaml", SMALL.replace("A", "B").replace("roots", "imports: [../c.yaml]\nroots"))
        self.write("s/c.yaml", SMALL.replace("A", "C"))
        for command in ("generate", "amalgamate"):
            self.run_command(command, "s/s.yaml", "-o", "out", "--depfile", "s.d", "--stamp", "s.stamp")
            self.assertEqual((self.folder / "s.d").read_text(), "s.stamp: s/s.yaml s/in/b.yaml s/c.yaml\n")

    def test_a_failed_run_leaves_no_stamp(self):
        self.write("s.yaml", "name: s\n")
        self.run_command("generate", "s.yaml", "-o", "out", "--stamp", "s.stamp", code=BAD_INPUT)
        self.assertFalse((self.folder / "s.stamp").exists())


if __name__ == "__main__":
    unittest.main()
