#!/usr/bin/env python3
"""Tests of `schemagen import`. Needs the command in SCHEMAGEN_BINARY."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import textwrap
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
SCHEMAGEN = os.path.abspath(os.environ.get("SCHEMAGEN_BINARY", "schemagen"))
EXCERPT = re.compile(r"^ *\d* \|.*\n", re.MULTILINE)


class Ported:
    """The results of one run of the tool."""

    def __init__(self, code, text, errors):
        self.code = code
        self.text = text  # of the written file; None if there is none
        self.errors = errors  # stderr


class PortTest(unittest.TestCase):
    maxDiff = None

    def run_tool(self, files, *arguments, output="out.yaml"):
        """Runs the tool in a folder that holds `files` (name -> text or bytes)."""
        with tempfile.TemporaryDirectory() as folder:
            for name, content in files.items():
                if name.endswith(".yaml") and name != "schema.yaml" and "types:" in content:
                    content = self.with_head(textwrap.dedent(content))
                data = content if isinstance(content, bytes) else textwrap.dedent(content).encode("utf-8")
                pathlib.Path(folder, name).write_bytes(data)
            run = subprocess.run([SCHEMAGEN, "import", *arguments, "-o", output], cwd=folder, capture_output=True, check=False)
            written = pathlib.Path(folder, output)
            text = written.read_bytes().decode("utf-8") if written.is_file() else None
            return Ported(run.returncode, text, EXCERPT.sub("", run.stderr.decode("utf-8")))

    def with_head(self, text):
        """An older schema, with what each schema needs."""
        return text if text.startswith("name:") else "name: old\nversion: {major: 8, minor: 1}\n" + text

    def port(self, source, *options, version="SCHEMA_VERSION = (8, 20)\n", **files):
        """Ports a schema.py whose first line is the version, so that `source` begins in line 2."""
        source = version + textwrap.dedent(source).lstrip("\n")
        return self.run_tool({"schema.py": source, **files}, "schema.py", *options)

    def ported_types(self, source, *options, **files):
        """The text below `types:`, after checking that the port was accepted without any message."""
        result = self.port(source, *options, **files)
        self.assertEqual((result.code, result.errors), (0, ""))
        return result.text.split("types:\n", 1)[1]

    def assert_types(self, source, expected, *options, **files):
        self.assertEqual(self.ported_types(source, *options, **files), self.indented(expected))

    def indented(self, text):
        return textwrap.indent(textwrap.dedent(text).lstrip("\n"), "  ", lambda line: line.strip())

    def assert_rejected(self, source, expected, *options, code=3, **files):
        """Asserts that the messages are exactly `expected`, and nothing is written."""
        result = self.port(source, *options, **files)
        self.assertEqual(result.errors, textwrap.dedent(expected).lstrip("\n"))
        self.assertEqual(result.code, code)
        self.assertIsNone(result.text)

    def assert_message(self, source, expected, *options, code=0, **files):
        """Asserts that the messages are exactly `expected`, and the file is written all the same."""
        result = self.port(source, *options, **files)
        self.assertEqual(result.errors, textwrap.dedent(expected).lstrip("\n"))
        self.assertEqual(result.code, code)
        return result.text


class ReadsTypes(PortTest):
    def test_ports_structs_unions_and_enums_in_declaration_order(self):
        result = self.port(
            """
            from dataclasses import dataclass, field
            from enum import IntEnum
            from typing import Annotated
            from torch._export.serde.union import _Union, _union_dataclass

            TREESPEC_VERSION = 1

            class Layout(IntEnum):
                Unknown = 0
                Strided = 7
                _mkldnn = 6

            @dataclass
            class Device:
                type: Annotated[str, 10]
                index: Annotated[int | None, 20] = None

            @_union_dataclass
            class Hint(_Union):
                as_int: Annotated[int, 20]
                as_bool: Annotated[bool, 10]

            @dataclass
            class Tensor:
                device: Annotated[Device, 10]
                hints: Annotated[dict[str, Hint], 30] = field(default_factory=dict)
                layout: Annotated[Layout, 20] = Layout.Strided
            """
        )
        self.assertEqual((result.code, result.errors), (0, ""))
        self.assertEqual(
            result.text,
            textwrap.dedent(
                """\
                name: pt2
                version: {major: 8, minor: 20}
                constants: {TREESPEC_VERSION: 1}
                roots: [Tensor]
                types:
                  Layout:
                    kind: enum
                    fields: {Unknown: 0, Strided: 7, _mkldnn: 6}

                  Device:
                    kind: struct
                    fields:
                      type: {id: 10, type: str}
                      index: {id: 20, type: "Optional[int]", default: null}

                  Hint:
                    kind: union
                    fields:
                      as_int: {id: 20, type: int}
                      as_bool: {id: 10, type: bool}

                  Tensor:
                    kind: struct
                    fields:
                      device: {id: 10, type: Device}
                      hints: {id: 30, type: "Dict[str, Hint]", default: {}}
                      layout: {id: 20, type: Layout, default: Strided}
                """
            ),
        )

    def test_reads_every_spelling_of_a_type(self):
        for python, ours in [
            ("bool", "bool"),
            ("int", "int"),
            ("float", "float"),
            ("str", "str"),
            ("bytes", "bytes"),
            ("Other", "Other"),
            ("'Other'", "Other"),
            ("Any", "Any"),
            ("typing.Any", "Any"),
            ("List[int]", '"List[int]"'),
            ("list[int]", '"List[int]"'),
            ("t.List[Other]", '"List[Other]"'),
            ("list['Other']", '"List[Other]"'),
            ("'list[Other]'", '"List[Other]"'),
            ("Dict[str, List[int]]", '"Dict[str, List[int]]"'),
            ("dict[str, 'Other']", '"Dict[str, Other]"'),
            ("dict[uint8, int]", '"Dict[uint8, int]"'),
            ("Tuple[()]", '"Tuple[()]"'),
            ("tuple[()]", '"Tuple[()]"'),
            ("List[Tuple[()]]", '"List[Tuple[()]]"'),
            ("Optional[int]", '"Optional[int]"'),
            ("Optional['Other']", '"Optional[Other]"'),
            ("Optional[Optional[int]]", '"Optional[int]"'),
            ("Optional[Any]", "Any"),
            ("int | None", '"Optional[int]"'),
            ("None | int", '"Optional[int]"'),
            ("'int | None'", '"Optional[int]"'),
            ("Union[int, None]", '"Optional[int]"'),
            ("Union[int]", "int"),
            ("list[str] | None", '"Optional[List[str]]"'),
        ]:
            with self.subTest(python):
                text = self.ported_types(
                    f"@dataclass\nclass Other: pass\n@dataclass\nclass S:\n    f: Annotated[{python}, 10]\n"
                )
                self.assertIn(f"      f: {{id: 10, type: {ours}}}\n", text)

    def test_a_type_the_language_cannot_say_becomes_any_with_a_note(self):
        for python, reason in [
            ("List[Tuple[Tuple[str, int], Tuple[str, int]]]", "the language has no tuples"),
            ("Optional[Tuple[List[bytes], Dict[str, bytes]]]", "the language has no tuples"),
            ("tuple", "the language has no tuples"),
            ("Dict[float, str]", "the key of a Dict must be str, an integer or an enum"),
            ("dict", "'dict' has no type argument"),
            ("List[Optional[int]]", "Optional can only be the outermost type"),
            ("Union[int, str]", "the language has no alternatives other than Optional[T]"),
            ("int | str | None", "the language has no alternatives other than Optional[T]"),
            ("Set[int]", "the language has no 'Set[...]'"),
            ("complex", "the language has no 'complex'"),
            ("torch.Tensor", "the language has no 'Tensor'"),
            ("Helper", "the language has no 'Helper'"),
            ("'not a type'", "'not a type' is not a type"),
            ("3", "it is not a type"),
        ]:
            with self.subTest(python):
                text = self.assert_message(
                    f"""
                    import torch; from typing import Set
                    class Helper: pass
                    @dataclass
                    class S:
                        f: Annotated[{python}, 10]
                    """,
                    f"schema.py:6:18: note: 'f' of 'S' becomes Any: {reason}\n",
                )
                self.assertIn("      f: {id: 10, type: Any}\n", text)

    def test_numbers_auto_members_from_one(self):
        self.assert_types(
            """
            class Kind(Enum):
                a = auto()
                b = enum.auto()
                x = 10
                y = auto()
                z: int = -3
            """,
            """
            Kind:
              kind: enum
              fields: {a: 1, b: 2, x: 10, y: 11, z: -3}
            """,
        )

    def test_takes_every_way_to_mark_a_union(self):
        for marks in ["@dataclass(repr=False)\nclass U(_Union):", "@_union_dataclass\nclass U(_Union):",
                      "@_union_dataclass\nclass U:", "class U(union._Union):"]:
            with self.subTest(marks):
                text = self.ported_types(f"{marks}\n    a: Annotated[int, 10]\n")
                self.assertEqual(text, "  U:\n    kind: union\n    fields:\n      a: {id: 10, type: int}\n")

    def test_an_integer_version_is_a_major(self):
        result = self.port("class E(IntEnum):\n    A = 0\n", version="SCHEMA_VERSION = 2\n")
        self.assertIn("version: {major: 2, minor: 0}\n", result.text)

    def test_integers_of_the_module_become_constants(self):
        constants = "TREESPEC_VERSION = 1\nLIMIT: int = -5\nFLAG = True\nNAME = 'x'\n"
        result = self.port(constants + "class E(IntEnum):\n    A = 0\n")
        self.assertIn("\nconstants: {TREESPEC_VERSION: 1, LIMIT: -5}\n", result.text)

    def test_what_is_not_part_of_the_schema_is_left_out(self):
        self.assert_types(
            '''
            """A docstring."""
            class _Union:
                @property
                def value(self): return 1
            TABLE: dict[int, str] = {1: "Byte"}
            def helper(): pass
            @dataclass
            class S:
                """Another one."""
                count: ClassVar[int] = 3
                other = 4
                f: Annotated[int, 10]
                def __post_init__(self): pass
            ''',
            """
            S:
              kind: struct
              fields:
                f: {id: 10, type: int}
            """,
        )

    def test_the_input_is_never_run(self):
        self.assert_types(
            "raise SystemExit('run')\nimport no_such_module\n@dataclass\nclass S: pass\n",
            """
            S:
              kind: struct
              fields: {}
            """,
        )


class ReadsDefaults(PortTest):
    PRELUDE = "class E(IntEnum):\n    A = 0\n    B = 1\n"
    STRUCTS = (
        "@dataclass\nclass T:\n    x: Annotated[list[E], 1]\n    y: Annotated[int | None, 2]\n    u: Annotated['U', 3]\n"
        "@_union_dataclass\nclass U(_Union):\n    z: Annotated[str, 1]\n"
    )

    def field(self, type_, default):
        return f"{self.PRELUDE}@dataclass\nclass S:\n    f: Annotated[{type_}, 10] = {default}\n"

    def test_writes_each_kind_of_default(self):
        for type_, python, ours in [
            ("Optional[int]", "None", "null"),
            ("bool", "False", "false"),
            ("bool", "True", "true"),
            ("int", "-7", "-7"),
            ("float", "0.1", "0.1"),
            ("float", "1e22", "1e+22"),
            ("float", "3", "3.0"),
            ("float", "float('nan')", ".nan"),
            ("float", "-float('Infinity')", "-.inf"),
            ("float", "-math.inf", "-.inf"),
            ("Optional[List[float]]", "None", "null"),
            ("Dict[str, float]", "field(default_factory=lambda: {'a': float('+inf'), 'b': nan})", '{"a": .inf, "b": .nan}'),
            ("str", "'<=2.4'", '"<=2.4"'),
            ("str", r"'a \"q\" \\ ☃'", r'"a \"q\" \\ ☃"'),
            ("str", r"'\n\x7f'", r'"\n\u007f"'),
            ("List[int]", "field(default_factory=list)", "[]"),
            ("Dict[str, int]", "dataclasses.field(default_factory=dict, repr=False)", "{}"),
            ("List[float]", "field(default_factory=lambda: [1, 0.5])", "[1.0, 0.5]"),
            ("List[E]", "field(default_factory=lambda: [E.B, 0])", "[B, A]"),
            ("Dict[str, List[bool]]", "field(default_factory=lambda: {'a b': [True], '': []})", '{"a b": [true], "": []}'),
            ("T", "field(default_factory=lambda: T(x=[E.A], y=None, u=U.create(z='v')))", '{x: [A], y: null, u: {z: "v"}}'),
            ("int", "field(default=3)", "3"),
            ("E", "E.B", "B"),
            ("E", "1", "B"),
        ]:
            with self.subTest(f"{type_} = {python}"):
                text = self.ported_types(self.field(type_, python) + self.STRUCTS)
                self.assertIn(f", default: {ours}}}\n", text)

    def test_a_field_without_default_value_is_required(self):
        self.assertNotIn("default", self.ported_types(self.field("int", "field(repr=False)")))

    def test_rejects_a_default_that_does_not_fit(self):
        not_literal = "the default of 'f' of 'S' is not a literal"
        for type_, python, error in [
            ("int", "None", "expected a value of type 'int', got null"),
            ("int", "True", "the default of 'S.f' must be an integer, not 'true'"),
            ("int", "1.5", "the default of 'S.f' must be an integer, not '1.5'"),
            ("int", "9223372036854775808", "the default of 'S.f' does not fit in 64 bits: '9223372036854775808'"),
            ("bool", "0", "the default of 'S.f' must be true or false, not '0'"),
            ("str", "3", "the default of 'S.f' must be a string"),
            ("str", r"'\ud800'", not_literal),
            ("float", "'1'", "the default of 'S.f' must be a number, not the string '1'"),
            ("float", "1e999", "the default of 'S.f' "),
            ("float", "float('one')", not_literal),
            ("int", "math.inf", "the default of 'S.f' must be an integer, not '.inf'"),
            ("Optional[int]", "3", "the default of 'S.f' must be null, not '3', because its type is 'Optional[int]'"),
            ("List[int]", "field(default_factory=dict)", "the default of 'S.f' must be a list, not a map"),
            ("List[int]", "field(default_factory=lambda: [1.5])", "the default of 'S.f[0]' must be an integer, not '1.5'"),
            ("List[int]", "field(default_factory=lambda: {'a': 1})", "the default of 'S.f' must be a list, not a map"),
            ("Dict[str, int]", "field(default_factory=list)", "the default of 'S.f' must be a map, not a list"),
            ("E", "2", "'2' is not a member of 'E'"),
            ("E", "E.C", "'C' is not a member of 'E'"),
            ("bytes", "b''", not_literal),
            ("Tuple[()]", "()", not_literal),
        ]:
            with self.subTest(f"{type_} = {python}"):
                column = len(f"    f: Annotated[{type_}, 10] = ") + 1
                result = self.port(self.field(type_, python))
                self.assertEqual((result.code, result.text), (3, None))
                self.assertTrue(result.errors.startswith(f"schema.py:7:{column}: error: {error}"), result.errors)

    def test_rejects_a_default_that_is_no_literal(self):
        for python in ["compute()", "field(default_factory=set)", "3 + n", "other.B"]:
            with self.subTest(python):
                self.assert_rejected(
                    self.field("int", python),
                    """
                    schema.py:7:29: error: the default of 'f' of 'S' is not a literal
                    hint: write None, a bool, number, string or enum member, or field(default_factory=...) with list, dict or a lambda that returns one of these
                    """,
                )

    def test_any_takes_only_null_as_a_default(self):
        text = self.ported_types(self.field("Any", "None"))
        self.assertIn('f: {id: 10, type: "Optional[Any]", default: null}', text)
        text = self.assert_message(
            self.field("Any", "3"),
            "schema.py:7:29: warning: 'f' of 'S' loses its default: the default of Any can only be null\n",
        )
        self.assertIn("f: {id: 10, type: Any}\n", text)

    def test_rejects_a_default_of_a_union_member(self):
        self.assert_rejected(
            "class U(_Union):\n    a: Annotated[int, 10] = 3\n",
            """
            schema.py:3:29: error: a union member cannot have a default
            hint: remove it: a union always has exactly one member set
            """,
        )


class NumbersFields(PortTest):
    def test_rejects_a_file_without_ids_and_names_the_option(self):
        self.assert_rejected(
            "@dataclass\nclass S:\n    a: int\n    b: int\n@dataclass\nclass T:\n    c: int\n",
            """
            schema.py:4:5: error: 'a' of 'S' has no id
            hint: --reserve-from OLD takes the ids of an older schema, and --assign-ids numbers new fields
            """,
        )

    def test_assigns_ids_in_tens_per_type_in_declaration_order(self):
        self.assert_types(
            "@dataclass\nclass S:\n    b: int\n    a: int\n    c: int\nclass U(_Union):\n    x: str\n",
            """
            S:
              kind: struct
              fields:
                b: {id: 10, type: int}
                a: {id: 20, type: int}
                c: {id: 30, type: int}

            U:
              kind: union
              fields:
                x: {id: 10, type: str}
            """,
            "--assign-ids",
        )

    def test_keeps_ids_that_the_source_has(self):
        source = "@dataclass\nclass S:\n    a: Annotated[int, 7]\n@dataclass\nclass T:\n    a: int\n"
        text = self.ported_types(source, "--assign-ids")
        self.assertIn("a: {id: 7, type: int}", text)
        self.assertIn("a: {id: 10, type: int}", text)

    def test_rejects_a_type_in_which_some_fields_have_no_id(self):
        for options in [[], ["--assign-ids"]]:
            self.assert_rejected(
                "@dataclass\nclass S:\n    a: Annotated[int, 7]\n    b: int\n    c: Annotated[int]\n",
                """
                schema.py:5:5: error: 'b' of 'S' has no id
                hint: write Annotated[T, id]
                schema.py:6:5: error: 'c' of 'S' has no id
                hint: write Annotated[T, id]
                """,
                *options,
            )

    def test_rejects_ids_that_are_no_ids(self):
        self.assert_rejected(
            """
            @dataclass
            class S:
                a: Annotated[int, 7]
                b: Annotated[int, 8]
                c: Annotated[int, "x"]
                d: Annotated[int, True]
                e: Annotated[int, 32767]
                f: Annotated[int, 1]
            """,
            """
            schema.py:6:23: error: the id of 'c' of 'S' is not an integer
            schema.py:7:23: error: the id of 'd' of 'S' is not an integer
            """,
        )

    def test_rejects_ids_that_are_too_small_or_too_large(self):
        self.assert_rejected(
            "@dataclass\nclass S:\n    a: Annotated[int, 0]\n    b: Annotated[int, 32768]\n",
            """
            schema.py:4:23: error: 'id' must be between 1 and 32767, not 0
            hint: the next free id is 10
            schema.py:5:23: error: 'id' must be between 1 and 32767, not 32768
            hint: the next free id is 20
            """,
        )

    def test_rejects_an_id_used_twice_and_shows_both_places(self):
        self.assert_rejected(
            "@dataclass\nclass S:\n    a: Annotated[int, 7]\n    b: Annotated[int, 7]\n",
            """
            schema.py:5:23: error: id 7 is used twice in 'S'
            schema.py:4:23: note: first used by 'a' here
            hint: the next free id is 8
            """,
        )

    def test_rejects_more_fields_than_there_are_ids(self):
        fields = "".join(f"    f{i}: int\n" for i in range(3277))
        self.assert_rejected(
            "@dataclass\nclass S:\n" + fields,
            "schema.py:3280:5: error: 'id' must be between 1 and 32767, not 32770\nhint: the next free id is 1\n",
            "--assign-ids",
        )


class ChoosesBoxes(PortTest):
    def boxed(self, source, *options):
        text = self.ported_types(source, "--assign-ids", *options)
        lines = [line.strip().split(":")[0] for line in text.split("\n") if "boxed: true" in line]
        return lines

    def test_boxes_a_quoted_forward_reference_that_is_part_of_a_recursion(self):
        source = """
            @dataclass
            class GraphArgument:
                graph: "Graph"
            class Argument(_Union):
                as_graph: GraphArgument
            @dataclass
            class Graph:
                inputs: List[Argument]
            """
        self.assertEqual(self.boxed(source), ["graph"])

    def test_does_not_box_a_quoted_reference_without_recursion(self):
        source = "@dataclass\nclass A:\n    b: 'B'\n@dataclass\nclass B:\n    n: int\n"
        self.assertEqual(self.boxed(source), [])

    def test_boxes_the_member_that_closes_a_cycle(self):
        source = """
            @dataclass
            class A:
                b: B
            @dataclass
            class B:
                c: Optional[C]
            class C(_Union):
                n: int
                a: A
            """
        self.assertEqual(self.boxed(source), ["a"])

    def test_prefers_the_quoted_reference_of_a_cycle(self):
        source = "@dataclass\nclass A:\n    b: 'B'\n@dataclass\nclass B:\n    a: Optional[A]\n"
        self.assertEqual(self.boxed(source), ["b"])

    def test_boxes_a_type_that_holds_itself(self):
        source = "@dataclass\nclass A:\n    next: Optional[A]\n    all: List[A]\n"
        self.assertEqual(self.boxed(source), ["next"])

    def test_lists_and_dicts_need_no_box(self):
        self.assertEqual(self.boxed("@dataclass\nclass A:\n    a: List['A']\n    b: Dict[str, 'A']\n"), [])

    def test_boxes_further_members_on_request(self):
        source = "@dataclass\nclass A:\n    n: int\n@dataclass\nclass B:\n    a: A\n    o: Optional[A]\n"
        self.assertEqual(self.boxed(source, "--box", "B.a", "--box", "B.o", "--box", "B.a"), ["a", "o"])

    def test_a_member_boxed_on_request_cuts_its_cycle(self):
        source = "@dataclass\nclass A:\n    b: Optional[B]\n@dataclass\nclass B:\n    a: A\n"
        self.assertEqual(self.boxed(source, "--box", "A.b"), ["b"])

    def test_rejects_a_request_to_box_what_cannot_be_boxed(self):
        source = "@dataclass\nclass A:\n    n: Annotated[int, 1]\n    l: Annotated[List[A], 2]\n"
        for request, message in [
            ("A.x", "no such field; write TYPE.FIELD"),
            ("X.n", "no such field; write TYPE.FIELD"),
            ("A", "no such field; write TYPE.FIELD"),
            ("A.n", "only a member that is a struct or union can be boxed"),
            ("A.l", "only a member that is a struct or union can be boxed"),
        ]:
            with self.subTest(request):
                result = self.port(source, "--box", request)
                self.assertEqual(result.code, 2)
                self.assertIn(f"error: --box {request}: {message}\n", result.errors)
                self.assertIsNone(result.text)


class ChoosesRoots(PortTest):
    SOURCE = """
        class E(IntEnum):
            A = 0
        class U(_Union):
            a: int
        @dataclass
        class Low:
            own: List[Low]
        @dataclass
        class Middle:
            low: Dict[str, Low]
        @dataclass
        class Top:
            middle: Optional[Middle]
        @dataclass
        class Alone:
            again: List[Alone]
        """

    def test_roots_are_the_structs_that_no_other_type_refers_to(self):
        self.assertIn("\nroots: [Top, Alone]\n", self.port(self.SOURCE, "--assign-ids").text)

    def test_names_further_roots_in_declaration_order(self):
        result = self.port(self.SOURCE, "--assign-ids", "--root", "Middle", "--root", "U", "--root", "Top")
        self.assertIn("\nroots: [U, Middle, Top, Alone]\n", result.text)

    def test_rejects_a_root_that_does_not_exist(self):
        result = self.port(self.SOURCE, "--assign-ids", "--root", "Nothing")
        self.assertEqual(result.code, 2)
        self.assertIn("error: --root Nothing: no such type\n", result.errors)


class RejectsBadPython(PortTest):
    def test_rejects_what_is_not_python(self):
        result = self.run_tool({"schema.py": "x = 1\nclass A(:\n"}, "schema.py")
        self.assertEqual(result.code, 3)
        self.assertRegex(result.errors, r"^schema\.py:2:9: error: not Python: .+\n$")

    def test_rejects_text_that_is_not_utf8(self):
        result = self.run_tool({"schema.py": b"x = 1\ny = '\xff'\n"}, "schema.py")
        self.assertEqual((result.code, result.errors), (3, "schema.py:2:6: error: the file contains bytes that are not UTF-8\nhint: save it as UTF-8\n"))

    def test_rejects_a_file_without_version_and_types(self):
        result = self.run_tool({"schema.py": "x = 'y'\n"}, "schema.py")
        self.assertEqual(result.code, 3)
        self.assertEqual(
            result.errors,
            "schema.py:1:1: error: no SCHEMA_VERSION in this file\n"
            "hint: write SCHEMA_VERSION = (major, minor) at the top level\n"
            "schema.py:1:1: error: no dataclass, union or enum in this file\n",
        )

    def test_rejects_a_version_that_is_none(self):
        no_version = "SCHEMA_VERSION is neither (major, minor) nor one integer"
        for version, error in [
            *((text, no_version) for text in ["'8.20'", "(8, 20, 1)", "True", "8.2", "()", "f()"]),
            ("(8, -1)", "'minor' must be between 0 and 2147483647, not -1"),
            ("(8, 2147483648)", "'minor' must be between 0 and 2147483647, not 2147483648"),
        ]:
            with self.subTest(version):
                result = self.port("class E(IntEnum):\n    A = 0\n", version=f"SCHEMA_VERSION = {version}\n")
                self.assertEqual((result.code, result.errors), (3, f"schema.py:1:18: error: {error}\n"))

    def test_rejects_a_constant_of_more_than_64_bits(self):
        self.assert_rejected(
            "BIG = 9223372036854775808\nclass E(IntEnum):\n    A = 0\n",
            "schema.py:2:1: error: the constant 'BIG' does not fit in 64 bits: '9223372036854775808'\n",
        )

    def test_rejects_unknown_types(self):
        self.assert_rejected(
            """
            @dataclass
            class S:
                a: Annotated[Gone, 10]
                b: Annotated[List["Gone"], 20]
                c: Annotated[Tuple[int, Gone], 30]
                d: Annotated[Gone, 40] = 3
            """,
            """
            schema.py:4:18: error: unknown type 'Gone'
            schema.py:5:18: error: unknown type 'Gone'
            schema.py:6:18: note: 'c' of 'S' becomes Any: the language has no tuples
            schema.py:7:18: error: unknown type 'Gone'
            """,
        )

    def test_rejects_inheritance(self):
        self.assert_rejected(
            "@dataclass\nclass A: pass\n@dataclass\nclass B(A):\n    n: Annotated[int, 10]\n",
            """
            schema.py:5:9: error: 'B' has a base class, and the schema language has no inheritance
            hint: repeat the fields of the base class
            """,
        )

    def test_rejects_a_nested_class(self):
        self.assert_rejected(
            "@dataclass\nclass A:\n    class Kind(Enum):\n        X = 1\n    n: Annotated[int, 10]\n",
            """
            schema.py:4:5: error: class 'Kind' is nested in 'A'
            hint: types must be at the top level of the file
            """,
        )

    def test_rejects_types_and_fields_defined_twice(self):
        self.assert_rejected(
            """
            class E(IntEnum):
                A = 0
                A = 1
            @dataclass
            class S:
                f: Annotated[int, 10]
                f: Annotated[str, 20]
            class E(IntEnum):
                B = 0
            """,
            """
            schema.py:4:5: error: duplicate key 'A'
            schema.py:3:5: note: first used here
            hint: remove or rename one of the two
            schema.py:8:5: error: duplicate key 'f'
            schema.py:7:5: note: first used here
            hint: remove or rename one of the two
            schema.py:9:1: error: duplicate key 'E'
            schema.py:2:1: note: first used here
            hint: remove or rename one of the two
            """,
        )

    def test_rejects_names_that_the_language_does_not_take(self):
        self.assert_rejected(
            """
            @dataclass
            class lower:
                größe: Annotated[int, 10]
            @dataclass
            class List: pass
            """,
            """
            schema.py:3:1: error: 'lower' is not a valid name for a type
            hint: begin the name of a type with an upper-case letter
            schema.py:4:5: error: 'größe' is not a valid name for a field
            hint: use letters, digits and '_', and do not begin with a digit
            schema.py:6:1: error: 'List' is a built-in type
            """,
        )

    def test_rejects_enum_members_that_are_no_numbers(self):
        self.assert_rejected(
            """
            class E(IntEnum):
                A = 0
                B = "b"
                F = 1 << 3
            """,
            """
            schema.py:4:5: error: the value of 'B' of 'E' is not an integer
            schema.py:5:5: error: the value of 'F' of 'E' is not an integer
            """,
        )

    def test_rejects_unions_and_enums_without_members(self):
        self.assert_rejected(
            "class E(IntEnum): pass\nclass U(_Union): pass\n@dataclass\nclass S: pass\n",
            """
            schema.py:2:1: error: the enum 'E' has no members
            hint: write them with their numbers: fields: {NAME: 0}
            schema.py:3:1: error: the union 'U' has no members
            hint: write them: fields: {name: {id: 10, type: str}}
            """,
        )

    def test_rejects_deep_nesting_without_crashing(self):
        for deep in ["[" * 5000 + "]" * 5000, "-" * 5000 + "1", "a" + ".b" * 5000, "a" + "[0]" * 5000, "lambda: " * 5000 + "1"]:
            with self.subTest(deep[:8]):
                result = self.port(f"X = {deep}\n@dataclass\nclass S: pass\n")
                self.assertEqual(result.code, 3)
                self.assertRegex(result.errors, r"^schema\.py:2:\d+: error: not Python: nested too deeply\n$")

    def test_reports_the_errors_of_an_older_schema(self):
        self.assert_rejected(
            "@dataclass\nclass S: pass\n",
            """
            old.yaml:1:1: error: the schema has no 'version'
            hint: write version: {major: 1, minor: 0}
            old.yaml:1:1: error: the schema has no 'types'
            hint: write types: and below it each type as Name: {kind: struct, fields: {}}
            """,
            "--docs-from",
            "old.yaml",
            **{"old.yaml": "name: pt2\n"},
        )


class CarriesDocs(PortTest):
    SOURCE = """
        # How a thing
        # is done.

        # Where a thing is.
        # noqa
        #########
        @dataclass
        class S:  # And how.
            # Which one.
            a: Annotated[int, 10]  # type: ignore

            b: Annotated[
                int, 20
            ]  # Or this: one.
            c: Annotated[int, 30]

            # not about anything

        class U(_Union):
            x: Annotated[int, 10]
        """
    OLD = """
        types:
          S:
            kind: struct
            doc: A doc.
            fields:
              a: {id: 1, type: Gone, since: "8.2", deprecated: use b, cpp_name: a_, doc: "Of a, say."}
              gone: {id: 99, type: str, doc: No longer here.}
          Gone: {kind: enum, doc: Gone., fields: {A: 0}}
        """

    def test_comments_become_docs_on_request(self):
        self.assert_types(
            self.SOURCE,
            """
            S:
              kind: struct
              doc: Where a thing is. And how.
              fields:
                a: {id: 10, type: int, doc: Which one.}
                b: {id: 20, type: int, doc: "Or this: one."}
                c: {id: 30, type: int}

            U:
              kind: union
              fields:
                x: {id: 10, type: int}
            """,
            "--comments",
        )

    def test_comments_are_dropped_without_the_option(self):
        self.assertNotIn("doc", self.ported_types(self.SOURCE))

    def test_carries_what_people_wrote_from_an_older_file(self):
        text = self.ported_types(self.SOURCE, "--docs-from", "old.yaml", **{"old.yaml": self.OLD})
        self.assertIn("    kind: struct\n    doc: A doc.\n    fields:\n", text)
        self.assertIn(
            '      a: {id: 10, type: int, since: "8.2", deprecated: use b, cpp_name: a_, '
            'doc: "Of a, say."}\n',
            text,
        )
        self.assertNotIn("gone", text)

    def test_carries_what_makes_a_field_state_the_version_and_the_name_of_a_type(self):
        source = """
            @dataclass
            class Version:
                major: Annotated[int, 10]
                minor: Annotated[int, 20]
            @dataclass
            class S:
                a: Annotated[Version, 10]
            """
        old = """
            roots: [S]
            types:
              Version: {kind: struct, fields: {major: {id: 10, type: int}, minor: {id: 20, type: int}}}
              S:
                kind: struct
                cpp_name: Renamed
                fields:
                  a: {id: 1, type: Version, states_version: true, doc: Which.}
            """
        text = self.ported_types(source, "--docs-from", "old.yaml", **{"old.yaml": old})
        self.assertIn("    kind: struct\n    cpp_name: Renamed\n    fields:\n", text)
        self.assertIn("      a: {id: 10, type: Version, states_version: true, doc: Which.}\n", text)

    def test_a_doc_of_several_lines_stays_one(self):
        old = """
            types:
              S:
                kind: struct
                doc: |
                  One: 1.

                  Two.
                fields:
                  a:
                    id: 1
                    type: int
                    doc: |-
                      First.
                      Second.
            """
        text = self.ported_types(self.SOURCE, "--docs-from", "old.yaml", **{"old.yaml": old})
        self.assertIn("    doc: |\n      One: 1.\n\n      Two.\n    fields:\n", text)
        self.assertIn("      a:\n        id: 10\n        type: int\n        doc: |-\n          First.\n          Second.\n", text)

    def test_an_older_file_wins_over_comments_and_the_first_one_over_the_second(self):
        second = "types:\n  S: {kind: struct, doc: Second., fields: {c: {id: 1, type: int, doc: Of c.}}}\n"
        text = self.ported_types(
            self.SOURCE,
            *["--comments", "--docs-from", "old.yaml", "--docs-from", "second.yaml"],
            **{"old.yaml": self.OLD, "second.yaml": second},
        )
        self.assertIn("doc: A doc.\n", text)
        self.assertIn('doc: "Of a, say."', text)
        self.assertIn('doc: "Or this: one."', text)
        self.assertIn("doc: Of c.", text)


class Reserves(PortTest):
    SOURCE = """
        @dataclass
        class S:
            kept: Annotated[int, 10]
            renamed: Annotated[int, 40]
        class E(IntEnum):
            A = 0
            C = 2
        """

    def reserved(self, old):
        result = self.port(self.SOURCE, "--reserve-from", "old.yaml", **{"old.yaml": old})
        self.assertEqual((result.code, result.errors), (0, ""))
        return [line.strip() for line in result.text.split("\n") if "reserved" in line]

    def test_reserves_what_is_gone(self):
        old = """
            types:
              S:
                kind: struct
                fields:
                  late: {id: 300, type: int}
                  kept: {id: 10, type: int}
                  early: {id: 20, type: int}
              E: {kind: enum, fields: {A: 0, B: 1, C: 2, D: -5}}
            """
        self.assertEqual(
            self.reserved(old),
            ["reserved: {ids: [20, 300], names: [early, late]}", "reserved: {ids: [-5, 1], names: [B, D]}"],
        )

    def test_carries_reservations_over(self):
        old = """
            types:
              S:
                kind: struct
                fields: {}
                reserved: {ids: [7, 5], names: [was]}
              E:
                kind: enum
                fields: {A: 0}
                reserved: {ids: [9]}
            """
        self.assertEqual(
            self.reserved(old), ["reserved: {ids: [5, 7], names: [was]}", "reserved: {ids: [9]}"]
        )

    def test_a_field_that_moved_reserves_its_old_id(self):
        old = "types:\n  S: {kind: struct, fields: {kept: {id: 11, type: int}}}\n"
        self.assertEqual(self.reserved(old), ["reserved: {ids: [11]}"])

    def test_a_renamed_field_reserves_its_old_name(self):
        old = "types:\n  S: {kind: struct, fields: {before: {id: 40, type: str}}}\n"
        self.assertEqual(self.reserved(old), ["reserved: {names: [before]}"])

    def test_what_is_used_again_is_not_reserved_and_diff_reports_it(self):
        old = """
            types:
              S:
                kind: struct
                fields: {}
                reserved: {ids: [10, 20], names: [kept]}
              E:
                kind: enum
                fields: {A: 0}
                reserved: {ids: [2]}
            """
        self.assertEqual(self.reserved(old), ["reserved: {ids: [20]}"])
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "old.yaml").write_text(self.with_head(textwrap.dedent(old).lstrip()))
            (folder / "new.yaml").write_text(self.port(self.SOURCE, "--name", "old", "--reserve-from", "old.yaml", **{"old.yaml": old}).text)
            report = subprocess.run([SCHEMAGEN, "diff", "old.yaml", "new.yaml", "--format", "json"], cwd=folder,
                                    capture_output=True, text=True, check=False)
            found = {(finding["rule"], finding["path"]) for finding in json.loads(report.stdout)["findings"]}
            self.assertLess({("FIELD_ID_REUSED", "S.kept"), ("FIELD_NAME_REUSED", "S.kept"), ("ENUM_NUMBER_REUSED", "E.C")}, found)

    def test_says_that_allowances_of_the_old_file_stay_behind(self):
        allow = "allow: [{rule: FIELD_ID_CHANGED, reason: never written}]"
        old = f"types:\n  S:\n    kind: struct\n    {allow}\n    fields:\n      a: {{id: 10, type: int, doc: Why., {allow}}}\n"
        result = self.port("@dataclass\nclass S:\n    a: Annotated[int, 10]\n", "--docs-from", "old.yaml",
                           "--reserve-from", "old.yaml", **{"old.yaml": old})
        self.assertEqual((result.code, result.errors), (
            0, "old.yaml: note: 2 entries in 'allow' were not copied: they are about earlier changes\n"))
        self.assertNotIn("allow", result.text)
        self.assertIn("doc: Why.", result.text)

    def test_a_type_of_another_kind_and_one_that_is_gone_reserve_nothing(self):
        self.assertEqual(self.reserved("types:\n  S: {kind: enum, fields: {A: 10}}\n"), [])
        self.assertEqual(self.reserved("types:\n  Gone: {kind: struct, fields: {a: {id: 10, type: int}}}\n"), [])

    def test_fields_without_ids_get_those_of_an_older_schema(self):
        source = "@dataclass\nclass S:\n    new: int\n    kept: int\n@dataclass\nclass T:\n    a: int\n"
        old = """
            types:
              S:
                kind: struct
                fields: {kept: {id: 7, type: int}, gone: {id: 31, type: int}}
                reserved: {ids: [50]}
              T: {kind: struct, fields: {a: {id: 3, type: str}}}
            """
        text = self.ported_types(source, "--assign-ids", "--reserve-from", "old.yaml", **{"old.yaml": old})
        for line in ("new: {id: 60, type: int}", "kept: {id: 7, type: int}", "a: {id: 3, type: int}",
                     "reserved: {ids: [31, 50], names: [gone]}"):
            self.assertIn(line + "\n", text)
        self.assert_rejected(
            source,
            """
            schema.py:4:5: error: 'new' of 'S' has no id
            hint: --reserve-from OLD takes the ids of an older schema, and --assign-ids numbers new fields
            """,
            "--reserve-from", "old.yaml", **{"old.yaml": old},
        )

    def test_takes_several_older_files(self):
        first = "types:\n  S: {kind: struct, fields: {a: {id: 1, type: int}}}\n"
        second = "types:\n  S: {kind: union, fields: {b: {id: 2, type: int}}}\n"
        result = self.port(
            self.SOURCE,
            *["--reserve-from", "first.yaml", "--reserve-from", "second.yaml"],
            **{"first.yaml": first, "second.yaml": second},
        )
        self.assertEqual((result.code, result.errors), (0, ""))
        self.assertIn("    reserved: {ids: [1, 2], names: [a, b]}\n", result.text)


class WritesOneLayout(PortTest):
    def test_breaks_a_field_that_would_exceed_100_columns(self):
        source = "@dataclass\nclass S:\n    # {}\n    name: Annotated[Optional[List[int]], 10] = None\n"
        fits = self.ported_types(source.format("x" * 29), "--comments").split("\n")[3]
        self.assertEqual(len(fits), 100)
        self.assertEqual(
            self.ported_types(source.format("x" * 30), "--comments"),
            self.indented(
                f"""
                S:
                  kind: struct
                  fields:
                    name:
                      id: 10
                      type: "Optional[List[int]]"
                      default: null
                      doc: {"x" * 30}
                """
            ),
        )

    def test_writes_the_keys_of_a_field_in_one_order(self):
        old = """
            types:
              A: {kind: struct, fields: {a: {id: 10, type: int, doc: D, cpp_name: b, since: "1.0", deprecated: no more}}}
            """
        text = self.ported_types(
            "@dataclass\nclass A:\n    a: Annotated[Optional['A'], 10] = None\n",
            *["--docs-from", "old.yaml"],
            **{"old.yaml": old},
        )
        keys = [line.strip().split(":")[0] for line in text.split("\n") if line.startswith(" " * 8)]
        self.assertEqual(
            keys, ["id", "type", "default", "boxed", "since", "deprecated", "cpp_name", "doc"]
        )

    def test_breaks_enums_roots_constants_and_reservations_that_are_too_long(self):
        members = [f"member_number_{i}" for i in range(6)]
        source = "class E(IntEnum):\n" + "".join(f"    {name} = {i}\n" for i, name in enumerate(members))
        source += "".join(
            f"LONG_CONSTANT_{i} = {i}\n@dataclass\nclass LongRoot{i}: pass\n" for i in range(9)
        )
        names = ", ".join("x" * 20 + str(i) for i in range(4))
        old = f"""
            types:
              LongRoot0:
                kind: struct
                fields: {{}}
                reserved: {{ids: [7], names: [{names}]}}
            """
        result = self.port(source, "--reserve-from", "old.yaml", **{"old.yaml": old})
        self.assertEqual((result.code, result.errors), (0, ""))
        self.assertIn("    fields:\n      member_number_0: 0\n      member_number_1: 1\n", result.text)
        self.assertIn("\nroots:\n  - LongRoot0\n  - LongRoot1\n", result.text)
        self.assertIn("\nconstants:\n  LONG_CONSTANT_0: 0\n  LONG_CONSTANT_1: 1\n", result.text)
        self.assertIn("    reserved:\n      ids: [7]\n      names: [xxxxxxxxxxxxxxxxxxxx0, ", result.text)

    def test_quotes_docs_that_yaml_would_read_as_something_else(self):
        for doc, written in [
            ("Plain text (with brackets) = 1; it's fine.", None),
            ("With, a comma", '"With, a comma"'),
            ("With: a colon", '"With: a colon"'),
            ("a # b", '"a # b"'),
            ('say "x"', r'"say \"x\""'),
            ("back\\slash", r'"back\\slash"'),
            ("List[int]", '"List[int]"'),
            ("yes", '"yes"'),
            ("Null", '"Null"'),
            ("8.20", '"8.20"'),
            ("ünlich", '"ünlich"'),
        ]:
            with self.subTest(doc):
                text = self.ported_types(f"# {doc}\n@dataclass\nclass S: pass\n", "--comments")
                self.assertIn(f"    doc: {written or doc}\n", text)

    def test_porting_again_over_the_result_changes_nothing(self):
        source = CarriesDocs.SOURCE + "\n        class E(IntEnum):\n            A = 0\n"
        old = """
            types:
              S: {kind: struct, doc: "D: d", fields: {z: {id: 5, type: int}}, reserved: {names: [was]}}
              E: {kind: enum, fields: {B: 1}}
            """
        first = self.port(source, "--comments", "--reserve-from", "old.yaml", **{"old.yaml": old})
        self.assertIn("reserved: {ids: [5], names: [was, z]}", first.text)
        again = self.port(
            source, "--docs-from", "out.yaml", "--reserve-from", "out.yaml", **{"out.yaml": first.text}
        )
        self.assertEqual((again.code, again.errors, again.text), (0, "", first.text))


class ReadsTorchYaml(PortTest):
    YAML = """
        # @generated by update_schema.py
        # checksum<<00>>
        Argument:
          kind: union
          fields:
            as_graph:
              type: GraphArgument
            as_none:
              type: Tuple[()]
        Graph:
          kind: struct
          fields:
            inputs:
              type: List[Argument]
            single:
              type: bool
              default: 'False'
            names:
              type: Dict[str, str]
              default: '{}'
            list:
              type: List[str]
              default: '[]'
            hint:
              type: Optional[int]
              default: None
            version:
              type: str
              default: <=2.4
            count:
              type: int
              default: '-3'
            kind:
              type: Kind
              default: '1'
            odd:
              type: Optional[Tuple[int, int]]
              default: None
        GraphArgument:
          kind: struct
          fields:
            graph:
              type: Graph
        Kind:
          kind: enum
          fields:
            UNKNOWN: 0
            ONE: 1
        SCHEMA_VERSION:
        - 8
        - 20
        TREESPEC_VERSION: 1
        """

    def port_yaml(self, text, *options):
        return self.run_tool({"schema.yaml": textwrap.dedent(text)}, "schema.yaml", *options)

    def test_ports_the_yaml_that_pytorch_derives_from_its_schema(self):
        result = self.port_yaml(self.YAML, "--assign-ids", "--box", "GraphArgument.graph")
        self.assertEqual(result.code, 0)
        self.assertEqual(
            result.errors,
            "schema.yaml:38:13: note: 'odd' of 'Graph' becomes Any: the language has no tuples\n",
        )
        self.assertEqual(
            result.text,
            textwrap.dedent(
                """\
                name: pt2
                version: {major: 8, minor: 20}
                constants: {TREESPEC_VERSION: 1}
                types:
                  Argument:
                    kind: union
                    fields:
                      as_graph: {id: 10, type: GraphArgument}
                      as_none: {id: 20, type: "Tuple[()]"}

                  Graph:
                    kind: struct
                    fields:
                      inputs: {id: 10, type: "List[Argument]"}
                      single: {id: 20, type: bool, default: false}
                      names: {id: 30, type: "Dict[str, str]", default: {}}
                      list: {id: 40, type: "List[str]", default: []}
                      hint: {id: 50, type: "Optional[int]", default: null}
                      version: {id: 60, type: str, default: "<=2.4"}
                      count: {id: 70, type: int, default: -3}
                      kind: {id: 80, type: Kind, default: ONE}
                      odd: {id: 90, type: "Optional[Any]", default: null}

                  GraphArgument:
                    kind: struct
                    fields:
                      graph: {id: 10, type: Graph, boxed: true}

                  Kind:
                    kind: enum
                    fields: {UNKNOWN: 0, ONE: 1}
                """
            ),
        )

    def test_with_an_older_schema_it_comes_back_whole(self):
        for path in [REPOSITORY / "schema/pt2.yaml", *sorted((REPOSITORY / "schema/released").glob("*.yaml"))]:
            with self.subTest(path.stem), tempfile.TemporaryDirectory() as folder:

                def run(*arguments, folder=folder):
                    return subprocess.run([SCHEMAGEN, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout

                run("export", str(path), "--format", "torch-yaml", "-o", "schema.yaml")
                run("import", "schema.yaml", "--docs-from", str(path), "--reserve-from", str(path), "-o", "again.yaml")
                self.assertEqual(run("hash", "again.yaml"), run("hash", str(path)))

    def test_asks_for_ids(self):
        result = self.port_yaml(self.YAML)
        self.assertEqual(result.code, 3)
        self.assertIn("schema.yaml:7:5: error: 'as_graph' of 'Argument' has no id\nhint: --reserve-from OLD ", result.errors)

    def test_rejects_our_own_schemas(self):
        result = self.port_yaml("name: pt2\ntypes:\n  A: {kind: struct, fields: {}}\n", "--assign-ids")
        self.assertEqual(result.code, 3)
        self.assertEqual(
            result.errors,
            "schema.yaml:2:1: error: this is already a schemagen schema\n"
            "hint: to format it, use schemagen fmt\n",
        )

    def test_rejects_what_is_wrong_in_it(self):
        result = self.port_yaml(
            """\
            A:
              kind: class
              fields: {}
            B:
              kind: struct
            C:
              kind: struct
              fields:
                a:
                  default: '1'
                b:
                  type: Gone
                c:
                  type: int
                  default: x
                d: int
                d2:
                  type: int
                  tpye: int
            d:
              kind: enum
              fields:
                A: one
                B: 0
                C: 0
            SCHEMA_VERSION: '8'
            OTHER: text
            """,
            "--assign-ids",
        )
        self.assertEqual(result.code, 3)
        self.assertEqual(
            result.errors,
            textwrap.dedent(
                """\
                schema.yaml:2:9: error: kind 'class' is not struct, union or enum
                schema.yaml:4:1: error: 'B' has no fields
                schema.yaml:9:5: error: 'a' of 'C' has no type
                schema.yaml:16:8: error: 'd' of 'C' must be a map, not 'int'
                schema.yaml:19:7: error: unknown key 'tpye' in 'd2' of 'C'
                schema.yaml:23:8: error: the value of 'A' of 'd' must be an integer, not 'one'
                hint: write digits, as in 10
                schema.yaml:26:17: error: SCHEMA_VERSION is neither (major, minor) nor one integer
                schema.yaml:27:8: error: 'OTHER' must be an integer, not 'text'
                hint: write digits, as in 10
                """
            ),
        )

    def test_rejects_a_file_without_version(self):
        result = self.port_yaml("A:\n  kind: struct\n  fields: {}\n", "--assign-ids")
        self.assertEqual(result.code, 3)
        self.assertEqual(
            result.errors,
            "schema.yaml:1:1: error: no SCHEMA_VERSION in this file\n"
            "hint: write SCHEMA_VERSION = (major, minor) at the top level\n",
        )


class CommandLine(PortTest):
    SOURCE = "SCHEMA_VERSION = 1\n@dataclass\nclass S: pass\n"

    def test_takes_the_name_of_the_schema(self):
        result = self.run_tool({"schema.py": self.SOURCE}, "schema.py", "--name", "draft")
        self.assertTrue(result.text.startswith("name: draft\n"))

    def test_rejects_a_name_that_is_no_identifier(self):
        result = self.run_tool({"schema.py": self.SOURCE}, "schema.py", "--name", "my schema")
        self.assertEqual(result.code, 2)
        self.assertIn("expected an identifier, got 'my schema'", result.errors)

    def test_an_unknown_option_is_a_usage_error(self):
        self.assertEqual(self.run_tool({}, "schema.py", "--nonsense").code, 2)

    def test_comments_of_a_yaml_file_are_a_usage_error(self):
        result = self.run_tool({"schema.yaml": ReadsTorchYaml.YAML}, "schema.yaml", "--comments")
        self.assertEqual(result.code, 2)

    def test_an_unreadable_file_is_an_io_error(self):
        for arguments in [["gone.py"], ["schema.py", "--docs-from", "gone.yaml"], ["schema.py", "--reserve-from", "gone.yaml"]]:
            result = self.run_tool({"schema.py": self.SOURCE}, *arguments)
            self.assertEqual((result.code, result.errors), (
                4, f"schemagen: error: cannot read {arguments[-1]}: No such file or directory\n"))

    def test_an_unwritable_file_is_an_io_error(self):
        result = self.run_tool({"schema.py": self.SOURCE}, "schema.py", output="no/such/out.yaml")
        self.assertEqual(result.code, 4)
        self.assertIn("no/such", result.errors)

    def test_a_failed_run_leaves_the_old_file_as_it_was(self):
        files = {"schema.py": "SCHEMA_VERSION = 1\n@dataclass\nclass S:\n    a: int\n", "out.yaml": "old"}
        result = self.run_tool(files, "schema.py")
        self.assertEqual((result.code, result.text), (3, "old"))

    def test_reads_standard_input_and_writes_standard_output(self):
        run = subprocess.run([SCHEMAGEN, "import", "-", "-o", "-"], input=self.SOURCE.encode(), capture_output=True, check=False)
        self.assertEqual((run.returncode, run.stderr), (0, b""))
        self.assertEqual(
            run.stdout,
            b"name: pt2\nversion: {major: 1, minor: 0}\nroots: [S]\n"
            b"types:\n  S:\n    kind: struct\n    fields: {}\n",
        )


if __name__ == "__main__":
    unittest.main()
