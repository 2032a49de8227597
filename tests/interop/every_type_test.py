#!/usr/bin/python3
"""A schema of every type and key of the language, in all that reads and writes its values.

tests/schemas/everything.yaml is taken as it is, and a type Root added that holds all others. Its code compiles without a warning
by g++ and clang++, as C++17 and C++20. Random values, as our writer writes them, come back byte for byte from our binary form, and with the same
meaning from Apache Thrift, from the pydantic models that datamodel-code-generator makes of the JSON Schema, and from
the TypeScript that json-schema-to-typescript makes of it; so do programs of torch by schema/pt2.yaml.

Needs SCHEMAGEN_BINARY, the programs of schema_values.cpp and compact_convert.cpp in SCHEMA_VALUES and COMPACT_CONVERT, and
the libraries to link in LIBRARIES. The generators of models are those that `find_model_tools` of dev/install.sh
puts into build/model_tools. What needs a compiler or a generator that is not there is skipped, all with exit code 77 without
Thrift's Python package.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import yaml

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "tests"))
import random_schema_test  # noqa: E402
import random_seed  # noqa: E402
import thrift_test  # noqa: E402

SCHEMAS = REPOSITORY / "tests" / "schemas"
HEAD = REPOSITORY / "schema" / "pt2.yaml"
PROGRAMS = sorted((REPOSITORY / "tests" / "data" / "programs" / "torch-2.13.0").glob("[!a]*.json"))
SCHEMAGEN = os.environ.get("SCHEMAGEN_BINARY", "schemagen")
MODEL_TOOLS = REPOSITORY / "build" / "model_tools"
PYTHON = MODEL_TOOLS / "venv" / "bin" / "python"
NODE_MODULES = MODEL_TOOLS / "node_modules"
VALUES = 10
WARNINGS = "-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror".split()

# Writes each value with all fields, and without those that have their default.
BY_PYDANTIC = """
import sys
import models
root = getattr(models, sys.argv[1])
for line in sys.stdin:
    value = root.model_validate_json(line)
    print(value.model_dump_json(by_alias=True))
    print(value.model_dump_json(by_alias=True, exclude_defaults=True))
"""

# One line per value: whether it is refused.
REFUSED_BY_PYDANTIC = """
import sys
import models
for line in sys.stdin:
    try:
        getattr(models, sys.argv[1]).model_validate_json(line)
        print("taken", line)
    except ValueError:
        print("refused")
"""


def run(*command, stdin=None, folder=None):
    done = subprocess.run([*map(str, command)], input=stdin, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{command}\n{done.stdout}{done.stderr}")
    return done.stdout


def lines_of(values):
    return "".join(value + "\n" for value in values)


# Not in everything.yaml.
MORE = """
  StatedVersion:
    kind: struct
    cpp_name: Stated
    fields:
      major: {id: 1, type: int}
      minor: {id: 2, type: int}
  Root:
    kind: struct
    reserved: {ids: [30000], names: [gone]}
    allow: [{rule: FIELD_RENAMED, reason: nobody wrote it}]
    fields:
      version: {id: 20000, type: StatedVersion, states_version: true, allow: [{rule: FIELD_RENAMED, reason: nor this}]}
"""


def schema_of_everything():
    """everything.yaml, with a root that holds all of its types."""
    text = (SCHEMAS / "everything.yaml").read_text(encoding="utf-8")
    model = json.loads(run(SCHEMAGEN, "export", SCHEMAS / "everything.yaml", "--format", "model", "-o", "-"))
    text = re.sub(r"^roots: \[", "allow: [{rule: TYPE_REMOVED, reason: of no use}]\nroots: [Root, ", text, flags=re.MULTILINE)
    fields = [f"      f{i}: {{id: {i + 1}, type: \"List[{type_['name']}]\"}}\n" for i, type_ in enumerate(model["types"])]
    return text.rstrip() + MORE + "".join(fields)


def with_version(schema, value):
    """Returns the value with the schema's version instead of a random one, which readers reject."""
    return json.dumps({**json.loads(value), "version": schema["version"]})


def for_javascript(value):
    """Returns the value without integers beyond 2**53, which JavaScript's numbers cannot represent."""
    if isinstance(value, dict):
        return {key: for_javascript(item) for key, item in value.items()}
    if isinstance(value, list):
        return [for_javascript(item) for item in value]
    if isinstance(value, int) and abs(value) > 2**53:
        return 7
    return value


def typescript(schema, root, values, folder):
    """What a program in TypeScript writes that has these values of the type `root`: they are of that type, or it does not compile.

    The types are ours, or from json-schema-to-typescript for a JSON Schema."""
    if schema.suffix == ".json":
        run(NODE_MODULES / ".bin" / "json2ts", "-i", schema, "-o", folder / "models.ts")
    else:
        run(SCHEMAGEN, "export", schema, "--format", "typescript", "-o", folder / "models.ts")
    (folder / "program.ts").write_text(
        f"import type {{ {root} }} from './models';\nconst values: {root}[] = [\n" + ",\n".join(values) +
        "\n];\ndeclare const console: { log(text: string): void };\nfor (const value of values) console.log(JSON.stringify(value));\n",
        encoding="utf-8")
    run(NODE_MODULES / ".bin" / "tsc", "--strict", "--target", "es2020", "--module", "commonjs", "--types", "", "program.ts",
        folder=folder)
    return run("node", "program.js", folder=folder).splitlines()


def pydantic_models(schema, folder):
    run(PYTHON.parent / "datamodel-codegen", "--input", schema, "--input-file-type", "jsonschema", "--output-model-type",
        "pydantic_v2.BaseModel", "--strict-nullable", "--formatters", "builtin", "--output", folder / "models.py")


class InFolder(unittest.TestCase):
    maxDiff = 2000

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)

    def json_schema(self, schema, root):
        path = self.folder / "schema.json"
        run(SCHEMAGEN, "export", schema, "--format", "json-schema", "--root", root, "-o", path)
        return path

    def pydantic(self, script, root, values):
        return run(PYTHON, "-c", script, root, stdin=lines_of(values), folder=self.folder).splitlines()


has_pydantic = unittest.skipUnless(PYTHON.exists(), "no datamodel-code-generator")
has_typescript = unittest.skipUnless((NODE_MODULES / ".bin" / "tsc").exists() and shutil.which("node"), "no json-schema-to-typescript")


class EverythingTest(InFolder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        shutil.copytree(SCHEMAS, cls.folder, dirs_exist_ok=True)
        cls.schema = cls.folder / "s.yaml"
        cls.schema.write_text(schema_of_everything(), encoding="utf-8")
        run(SCHEMAGEN, "generate", cls.schema, "-o", cls.folder / "s", "--namespace", "s")
        (cls.folder / "all.cpp").write_text(
            "".join(f'#include "{path.relative_to(cls.folder)}"\n' for path in sorted((cls.folder / "s").rglob("*.*"))
                    if path.suffix in (".h", ".cpp")))
        cls.tool = random_schema_test.compiled(str(cls.folder))
        drawn = run(os.environ["SCHEMA_VALUES"], cls.schema, "Root", VALUES, random_seed.SEED)
        cls.parsed = yaml.safe_load(cls.schema.read_text(encoding="utf-8"))
        cls.payloads = cls.convert("to-binary", [with_version(cls.parsed, value) for value in drawn.splitlines()])
        cls.values = cls.convert("to-json", cls.payloads)

    @classmethod
    def convert(cls, mode, lines):
        return random_schema_test.convert(cls.tool, mode, lines)

    def assert_read_as(self, theirs, values):
        """Our reader gets equal values from their JSON, except for whitespace within an Any."""
        read = self.convert("to-json", self.convert("to-binary", theirs))
        self.assertEqual([json.loads(value) for value in read], [json.loads(value) for value in values])

    def test_it_uses_every_key_and_type_of_the_language(self):
        language = json.loads(run(SCHEMAGEN, "export", "--format", "language", "-o", "-"))
        types = list(self.parsed["types"].values())
        fields = [field for type_ in types for field in type_["fields"].values() if isinstance(field, dict)]
        used = {
            "type": types, "field": fields, "reserved": [type_["reserved"] for type_ in types if "reserved" in type_],
            "allowance": self.parsed["allow"],
        }  # fmt: skip
        self.assertEqual(set(language["properties"]) - set(self.parsed), set())
        for name, maps in used.items():
            self.assertEqual(set(language["definitions"][name]["properties"]) - set().union(*maps), set(), name)
        spelled = " ".join(field["type"] for field in fields)
        for example in language["definitions"]["type_expression"]["examples"]:
            self.assertIn(re.match(r"\w+", example)[0], spelled)

    def test_its_code_compiles_without_a_warning(self):
        for compiler, standard, only in (
            ("g++", "c++17", ()),
            ("g++", "c++20", ("-fsyntax-only",)),
            ("clang++-14", "c++17", ("-fsyntax-only",)),
            ("clang++-14", "c++20", ()),
        ):
            if shutil.which(compiler) is None:
                continue
            with self.subTest(compiler=compiler, standard=standard):
                run(compiler, f"-std={standard}", *only, *WARNINGS, "-O0", "-I", self.folder, "-I", REPOSITORY / "runtime",
                    "-c", self.folder / "all.cpp", "-o", "all.o", folder=self.folder)

    def test_its_values_come_back_from_json_and_from_bytes(self):
        self.assertEqual(self.convert("to-binary", self.values), self.payloads)

    @unittest.skipUnless(shutil.which("thrift"), "no Apache Thrift")
    def test_its_values_come_back_from_apache_thrift(self):
        root = random_schema_test.thrift_root(SCHEMAGEN, str(self.schema), str(self.folder))
        theirs = [thrift_test.write_by_python(thrift_test.read_by_python(root, bytes.fromhex(one))).hex() for one in self.payloads]
        self.assertEqual(self.convert("to-json", theirs), self.values)

    @has_pydantic
    def test_its_values_come_back_from_pydantic(self):
        pydantic_models(self.json_schema(self.schema, "Root"), self.folder)
        theirs = self.pydantic(BY_PYDANTIC, "Root", self.values)
        self.assert_read_as(theirs[::2], self.values)
        self.assert_read_as(theirs[1::2], self.values)
        wrong = [self.values[0][:-1] + ', "more": 1}', "{}", self.values[0].replace("[", "[null, ", 1)]
        self.assertEqual(self.pydantic(REFUSED_BY_PYDANTIC, "Root", wrong), ["refused"] * len(wrong))

    @has_typescript
    def test_its_values_come_back_from_typescript(self):
        values = [json.dumps(for_javascript(json.loads(value))) for value in self.values]
        values = self.convert("to-json", self.convert("to-binary", values))
        for schema in (self.json_schema(self.schema, "Root"), self.schema):
            with self.subTest(schema=schema.name):
                theirs = typescript(schema, "Root", values, self.folder)
                self.assert_read_as(theirs, values)
                for wrong in (values[0][:-1] + ', "more": 1}', "{}", values[0].replace("[", "[null, ", 1)):
                    with self.assertRaisesRegex(AssertionError, "program.ts.*error TS"):
                        typescript(schema, "Root", [wrong], self.folder)

    @has_typescript
    def test_a_union_in_typescript_has_exactly_one_member(self):
        for wrong in ("{}", '{"get": "a", "int": "b"}', '{"kind": "a"}', '{"other": 1}', "null"):
            with self.subTest(wrong=wrong), self.assertRaisesRegex(AssertionError, "program.ts.*error TS"):
                typescript(self.schema, "Choice", [wrong], self.folder)
        self.assertEqual(typescript(self.schema, "Choice", ['{"get": "a"}', '{"color": 77}'], self.folder),
                         ['{"get":"a"}', '{"color":77}'])


class ProgramsTest(InFolder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.values = [cls.ours(path.read_text(encoding="utf-8")) for path in PROGRAMS]

    @staticmethod
    def ours(text):
        """Returns the program after a round trip through our codec's binary form."""
        tool = os.environ["COMPACT_CONVERT"]
        return thrift_test.convert(tool, "to-json", thrift_test.convert(tool, "to-binary", text.encode())).decode()

    @has_pydantic
    def test_programs_come_back_from_pydantic(self):
        pydantic_models(self.json_schema(HEAD, "ExportedProgram"), self.folder)
        theirs = self.pydantic(BY_PYDANTIC, "ExportedProgram", self.values)
        self.assertEqual([self.ours(one) for one in theirs[::2]], self.values)
        self.assertEqual([self.ours(one) for one in theirs[1::2]], self.values)

    @has_typescript
    def test_programs_come_back_from_typescript(self):
        values = [json.dumps(for_javascript(json.loads(value))) for value in self.values]
        for schema in (self.json_schema(HEAD, "ExportedProgram"), HEAD):
            with self.subTest(schema=schema.name):
                theirs = typescript(schema, "ExportedProgram", values, self.folder)
                self.assertEqual([self.ours(one) for one in theirs], [self.ours(value) for value in values])


class NamesTest(InFolder):
    @has_typescript
    def test_typescript_takes_the_words_of_its_language_as_names(self):
        words = """any arguments as async await bigint boolean break case catch class const constructor declare default delete do else
            enum eval export extends false finally for from function get if implements import in infer instanceof interface is keyof let
            module namespace never new null number object of package private protected public readonly require return set static string
            super switch symbol this throw true try type typeof undefined unique unknown var void while with yield
            hasOwnProperty toString valueOf""".split()
        types = "Array Function Infinity Map NaN Number Object Omit Partial Pick Readonly Record Set String Symbol".split()
        members = {word: {"id": number, "type": "str"} for number, word in enumerate(words, 1)}
        schema = {"name": "words", "version": {"major": 1, "minor": 0}, "roots": ["Root"], "types": {
            **{name: {"kind": "struct", "fields": {"x": {"id": 1, "type": "int"}}} for name in types},
            "Word": {"kind": "union", "fields": members},
            "Level": {"kind": "enum", "fields": {word: number for number, word in enumerate(words)}},
            "Root": {"kind": "struct", "fields": {
                **members, "one": {"id": 500, "type": "Word"}, "level": {"id": 501, "type": "Level"},
                **{f"of_{name}": {"id": 600 + number, "type": name} for number, name in enumerate(types)}}}}}  # fmt: skip
        path = self.folder / "words.yaml"
        path.write_text(json.dumps(schema))
        value = {**dict.fromkeys(words, "text"), "one": {words[0]: "text"}, "level": 3, **{f"of_{name}": {"x": 1} for name in types}}
        self.assertEqual([json.loads(each) for each in typescript(path, "Root", [json.dumps(value)], self.folder)], [value])


if __name__ == "__main__":
    unittest.main()
