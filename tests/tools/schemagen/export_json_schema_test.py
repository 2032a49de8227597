"""`schemagen export --format json-schema` and `language`."""

import json
import re
import unittest

from schemagen_command import CommandTest, DATA, HEAD, JsonSchemaCase, REPOSITORY, SMALL, USAGE


try:
    import jsonschema
except ImportError:
    jsonschema = None
try:
    import yaml
except ImportError:
    yaml = None

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


def core_loader():
    """A YAML 1.2 reader, as in editors: `yes` is text, and keys keep their spelling."""

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


# Earlier releases wrote all members of a union, which a schema cannot describe.
RELEASES = {
    "2.4.1": "released/5.3", "2.5.1": "released/7.3", "2.6.0": "released/8.2", "2.8.0": "released/8.8",
    "2.12.1": "pt2", "2.13.0": "pt2", "2.14.0": "pt2", "2.15.0": "pt2",
}  # fmt: skip


@unittest.skipUnless(jsonschema, "jsonschema is not installed")
class JsonSchemaTest(JsonSchemaCase):
    def test_accepts_every_kind_of_value(self):
        validator = self.validator("-", stdin=KINDS)
        self.assert_accepts(validator, KINDS_VALUE)
        self.assert_accepts(validator, {**KINDS_VALUE, "later": 6, "one": {"b": KINDS_VALUE}})

    def test_names_the_integers_that_a_validator_accepts_and_readers_reject(self):
        validator = self.validator("-", stdin=KINDS)
        for kind in ("int", "small", "whole", "choice"):
            self.assertTrue(validator.is_valid({**KINDS_VALUE, kind: 1.0}), kind)
        for name in ("int", "int8", "uint64", "E"):
            self.assertRegex(validator.schema["definitions"][name]["description"], r"readers reject 1\.0 and 1e2\.$")

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


@unittest.skipUnless(jsonschema, "jsonschema is not installed")
class JsonSchemaOfProgramsTest(JsonSchemaCase):
    def programs(self, release):
        for path in sorted((DATA / "programs" / f"torch-{release}").glob("*.json")):
            text = path.read_text(encoding="utf-8")
            # Up to torch 2.5, an unbounded range is the bare token Infinity, neither JSON nor an int.
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
            self.assertGreaterEqual(count, 3)

    def places(self, value, path=()):
        """Yields every value of a document outside the free-form tables, with its path."""
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


@unittest.skipUnless(jsonschema and yaml, "jsonschema or PyYAML is not installed")
class LanguageTest(CommandTest):
    # JSON Schema cannot express conflicts between two places, nor YAML that only `check` refuses.
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
                    continue  # an editor's own reader refuses invalid YAML
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
        self.assertIn("--format language takes no schema\nhint: omit SCHEMA", errors)
        _, errors = self.run_command("export", "--format", "dot", "-o", "-", code=USAGE)
        self.assertIn("SCHEMA is required\nhint: ", errors)
        self.run_command("export", "--format", "language", "-o", "language.json")
        self.assertEqual(json.loads((self.folder / "language.json").read_text()), self.validator.schema)


if __name__ == "__main__":
    unittest.main()
