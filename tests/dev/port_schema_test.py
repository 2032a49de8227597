#!/usr/bin/env python3
"""Tests of dev/port_schema.py. Run from anywhere: `python3 tests/dev/port_schema_test.py`."""

import contextlib
import importlib.util
import io
import os
import pathlib
import re
import stat
import subprocess
import sys
import tempfile
import textwrap
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
TOOL = REPOSITORY / "dev" / "port_schema.py"


sys.dont_write_bytecode = True  # leave no cache beside the tool


def load_tool():
    spec = importlib.util.spec_from_file_location("port_schema", TOOL)
    module = importlib.util.module_from_spec(spec)
    sys.modules["port_schema"] = module
    spec.loader.exec_module(module)
    return module


port_schema = load_tool()


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
                data = content if isinstance(content, bytes) else textwrap.dedent(content).encode("utf-8")
                pathlib.Path(folder, name).write_bytes(data)
            before = os.getcwd()
            os.chdir(folder)
            errors = io.StringIO()
            try:
                with contextlib.redirect_stderr(errors):
                    code = port_schema.main([*arguments, "-o", output])
            except SystemExit as e:
                code = e.code
            finally:
                os.chdir(before)
            written = pathlib.Path(folder, output)
            text = written.read_bytes().decode("utf-8") if written.is_file() else None
            return Ported(code, text, errors.getvalue())

    def port(self, source, *options, version="SCHEMA_VERSION = (8, 20)\n", **files):
        """Ports a schema.py of which the first line is the version, so that `source` begins in line 2."""
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
        """The messages are exactly `expected`, and nothing is written."""
        result = self.port(source, *options, **files)
        self.assertEqual(result.errors, textwrap.dedent(expected).lstrip("\n"))
        self.assertEqual(result.code, code)
        self.assertIsNone(result.text)

    def assert_message(self, source, expected, *options, code=0, **files):
        """The messages are exactly `expected`, and the file is written all the same."""
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
            ("Dict[float, str]", "the keys of a Dict are str, integers or an enum"),
            ("dict", "'dict' does not say what it holds"),
            ("List[Optional[int]]", "Optional stands only outermost"),
            ("Union[int, str]", "of alternatives, the language has only Optional[T]"),
            ("int | str | None", "of alternatives, the language has only Optional[T]"),
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
        for type_, python in [
            ("int", "None"),
            ("int", "True"),
            ("int", "1.5"),
            ("int", "9223372036854775808"),
            ("bool", "0"),
            ("str", "3"),
            ("str", r"'\ud800'"),
            ("float", "'1'"),
            ("float", "1e999"),
            ("Optional[int]", "3"),
            ("List[int]", "field(default_factory=dict)"),
            ("List[int]", "field(default_factory=lambda: [1.5])"),
            ("List[int]", "field(default_factory=lambda: {'a': 1})"),
            ("Dict[str, int]", "field(default_factory=list)"),
            ("E", "2"),
            ("E", "E.C"),
            ("bytes", "b''"),
            ("Tuple[()]", "()"),
        ]:
            with self.subTest(f"{type_} = {python}"):
                column = len(f"    f: Annotated[{type_}, 10] = ") + 1
                self.assert_rejected(
                    self.field(type_, python),
                    f"schema.py:7:{column}: error: the default of 'f' of 'S' does not fit its type "
                    f"{type_}\n",
                )

    def test_rejects_a_default_that_is_no_literal(self):
        for python in ["compute()", "field(default_factory=set)", "3 + n", "other.B"]:
            with self.subTest(python):
                self.assert_rejected(
                    self.field("int", python),
                    """
                    schema.py:7:29: error: the default of 'f' of 'S' is not a literal
                    hint: it can be None, a bool, number, string or enum member, or field(default_factory=...) of list, dict or a lambda of such
                    """,
                )

    def test_any_takes_only_null_as_a_default(self):
        text = self.ported_types(self.field("Any", "None"))
        self.assertIn('f: {id: 10, type: "Optional[Any]", default: null}', text)
        text = self.assert_message(
            self.field("Any", "3"),
            "schema.py:7:29: warning: 'f' of 'S' loses its default: Any can only have null\n",
        )
        self.assertIn("f: {id: 10, type: Any}\n", text)

    def test_rejects_a_default_of_a_union_member(self):
        self.assert_rejected(
            "class U(_Union):\n    a: Annotated[int, 10] = 3\n",
            """
            schema.py:3:29: error: 'a' of union 'U' has a default
            hint: a member of a union is set or it is not: remove the default
            """,
        )


class NumbersFields(PortTest):
    def test_rejects_a_file_without_ids_and_names_the_option(self):
        self.assert_rejected(
            "@dataclass\nclass S:\n    a: int\n    b: int\n@dataclass\nclass T:\n    c: int\n",
            """
            schema.py:4:5: error: no field of this file has an id
            hint: --assign-ids numbers the fields of each type 10, 20, 30 ...
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
                a: Annotated[int, 0]
                b: Annotated[int, 32768]
                c: Annotated[int, "x"]
                d: Annotated[int, True]
                e: Annotated[int, 32767]
                f: Annotated[int, 1]
            """,
            """
            schema.py:4:23: error: id 0 of 'a' of 'S' is outside 1..32767
            schema.py:5:23: error: id 32768 of 'b' of 'S' is outside 1..32767
            schema.py:6:23: error: the id of 'c' of 'S' is not an integer
            schema.py:7:23: error: the id of 'd' of 'S' is not an integer
            """,
        )

    def test_rejects_an_id_used_twice_and_shows_both_places(self):
        self.assert_rejected(
            "@dataclass\nclass S:\n    a: Annotated[int, 7]\n    b: Annotated[int, 7]\n",
            """
            schema.py:5:5: error: id 7 is used twice in 'S'
            schema.py:4:5: note: first used by 'a' here
            """,
        )

    def test_rejects_more_fields_than_there_are_ids(self):
        fields = "".join(f"    f{i}: int\n" for i in range(3277))
        self.assert_rejected(
            "@dataclass\nclass S:\n" + fields,
            "schema.py:3280:5: error: 'S' has more fields than there are ids up to 32767\n",
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
            ("A.n", "only a member that holds a struct or union can be boxed"),
            ("A.l", "only a member that holds a struct or union can be boxed"),
        ]:
            with self.subTest(request):
                result = self.port(source, "--box", request)
                self.assertEqual(result.code, 2)
                self.assertTrue(result.errors.endswith(f"error: --box {request}: {message}\n"), result.errors)
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
        self.assertTrue(result.errors.endswith("error: --root Nothing: no such type\n"))


class RejectsBadPython(PortTest):
    def test_rejects_what_is_not_python(self):
        result = self.run_tool({"schema.py": "x = 1\nclass A(:\n"}, "schema.py")
        self.assertEqual(result.code, 3)
        self.assertRegex(result.errors, r"^schema\.py:2:9: error: not Python: .+\n$")

    def test_rejects_text_that_is_not_utf8(self):
        result = self.run_tool({"schema.py": b"x = 1\ny = '\xff'\n"}, "schema.py")
        self.assertEqual((result.code, result.errors), (3, "schema.py:2:6: error: not UTF-8\n"))

    def test_rejects_a_file_without_version_and_types(self):
        result = self.run_tool({"schema.py": "x = 'y'\n"}, "schema.py")
        self.assertEqual(result.code, 3)
        self.assertEqual(
            result.errors,
            "schema.py:1:1: error: no dataclass, union or enum in this file\n"
            "schema.py:1:1: error: no SCHEMA_VERSION in this file\n"
            "hint: write SCHEMA_VERSION = (major, minor) at the top level\n",
        )

    def test_rejects_a_version_that_is_none(self):
        for version in ["'8.20'", "(8, 20, 1)", "(8, -1)", "(8, 2147483648)", "True", "8.2", "()", "f()"]:
            with self.subTest(version):
                result = self.port("class E(IntEnum):\n    A = 0\n", version=f"SCHEMA_VERSION = {version}\n")
                self.assertEqual(result.code, 3)
                self.assertEqual(
                    result.errors,
                    "schema.py:1:1: error: SCHEMA_VERSION is neither (major, minor) nor one integer\n",
                )

    def test_rejects_a_constant_of_more_than_64_bits(self):
        self.assert_rejected(
            "BIG = 9223372036854775808\nclass E(IntEnum):\n    A = 0\n",
            "schema.py:2:1: error: constant 'BIG' does not fit in 64 bits\n",
        )

    def test_rejects_unknown_types_also_inside_others(self):
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
            schema.py:5:23: error: unknown type 'Gone'
            schema.py:6:18: note: 'c' of 'S' becomes Any: the language has no tuples
            schema.py:6:29: error: unknown type 'Gone'
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
            schema.py:4:5: error: 'A' is defined twice in 'E'
            schema.py:3:5: note: first defined here
            schema.py:8:5: error: 'f' is defined twice in 'S'
            schema.py:7:5: note: first defined here
            schema.py:9:1: error: 'E' is defined twice
            schema.py:2:1: note: first defined here
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
            hint: the name of a type begins with an upper-case letter and has letters, digits and '_' of ASCII
            schema.py:4:5: error: 'größe' is not a valid name for a field
            hint: a name has letters, digits and '_' of ASCII
            schema.py:6:1: error: 'List' is a built-in type of the schema language
            """,
        )

    def test_rejects_enum_members_that_are_no_numbers(self):
        self.assert_rejected(
            """
            class E(IntEnum):
                A = 0
                B = "b"
                C = 2147483648
                D = 0
                F = 1 << 3
            """,
            """
            schema.py:4:5: error: the value of 'B' in 'E' is not an integer
            schema.py:5:5: error: the value of 'C' in 'E' does not fit in 32 bits
            schema.py:6:5: error: number 0 is used twice in 'E'
            schema.py:3:5: note: first used by 'A' here
            schema.py:7:5: error: the value of 'F' in 'E' is not an integer
            """,
        )

    def test_rejects_unions_and_enums_without_members(self):
        self.assert_rejected(
            "class E(IntEnum): pass\nclass U(_Union): pass\n@dataclass\nclass S: pass\n",
            """
            schema.py:2:1: error: the enum 'E' has no members
            schema.py:3:1: error: the union 'U' has no members
            """,
        )

    def test_rejects_deep_nesting_without_crashing(self):
        alternatives = " | ".join(["int"] * 5000)
        result = self.port(f"@dataclass\nclass S:\n    f: Annotated[{alternatives}, 10]\n")
        self.assertEqual(result.code, 3)
        self.assertRegex(result.errors, r"^schema\.py:\d+:\d+: error: .*(nested|depth|recursion)")

    def test_reports_all_errors_of_all_files_in_one_run(self):
        self.assert_rejected(
            "@dataclass\nclass S:\n    a: Annotated[Gone, 10]\n    b: Annotated[int, 10]\n",
            """
            old.yaml:1:1: error: no types in this file
            schema.py:4:18: error: unknown type 'Gone'
            schema.py:5:5: error: id 10 is used twice in 'S'
            schema.py:4:5: note: first used by 'a' here
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
          Gone: {kind: enum, doc: Gone., fields: {}}
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
        old = """
            types:
              S:
                kind: struct
                cpp_name: Renamed
                fields:
                  a: {id: 1, type: Version, states_version: true, doc: Which.}
            """
        text = self.ported_types(self.SOURCE, "--docs-from", "old.yaml", **{"old.yaml": old})
        self.assertIn("    kind: struct\n    cpp_name: Renamed\n    fields:\n", text)
        self.assertIn("      a: {id: 10, type: int, states_version: true, doc: Which.}\n", text)

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

    def reserved(self, old, *, expected_errors="", source=SOURCE):
        result = self.port(source, "--reserve-from", "old.yaml", **{"old.yaml": old})
        self.assertEqual((result.code, result.errors), (0, textwrap.dedent(expected_errors).lstrip("\n")))
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
            ["reserved: {ids: [20, 300], names: [late, early]}", "reserved: {ids: [-5, 1], names: [B, D]}"],
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
                fields: {}
                reserved: {ids: [9]}
            """
        self.assertEqual(
            self.reserved(old), ["reserved: {ids: [5, 7], names: [was]}", "reserved: {ids: [9]}"]
        )

    def test_a_field_that_moved_reserves_its_old_id(self):
        old = "types:\n  S: {kind: struct, fields: {kept: {id: 11, type: int}}}\n"
        self.assertEqual(self.reserved(old), ["reserved: {ids: [11]}"])

    def test_a_renamed_field_reserves_its_old_name_with_a_warning(self):
        old = "types:\n  S: {kind: struct, fields: {before: {id: 40, type: List}}}\n"
        self.assertEqual(
            self.reserved(
                old,
                expected_errors="""
                schema.py:5:5: warning: 'S' uses id 40 again, for 'renamed: int'
                old.yaml:2:30: note: it was 'before: List' here
                """,
            ),
            ["reserved: {names: [before]}"],
        )

    def test_warns_of_what_is_reserved_and_used_again(self):
        old = """
            types:
              S:
                kind: struct
                fields: {}
                reserved: {ids: [10, 20], names: [kept]}
              E:
                kind: enum
                fields: {}
                reserved: {ids: [2]}
            """
        self.assertEqual(
            self.reserved(
                old,
                expected_errors="""
                schema.py:4:5: warning: 'S' uses id 10 again, for 'kept: int'
                old.yaml:6:22: note: it is reserved here
                schema.py:4:5: warning: 'S' uses the name 'kept' again
                old.yaml:6:39: note: it is reserved here
                schema.py:8:5: warning: 'E' uses number 2 again, for 'C'
                old.yaml:10:22: note: it is reserved here
                """,
            ),
            ["reserved: {ids: [20]}"],
        )

    def test_allowances_of_the_old_file_stay_behind(self):
        allow = "allow: [{rule: FIELD_ID_CHANGED, reason: never written}]"
        old = f"name: pt2\nversion: {{major: 8, minor: 1}}\n{allow}\ntypes:\n  S:\n    kind: struct\n    {allow}\n"
        old += f"    fields:\n      a: {{id: 10, type: int, doc: Why., {allow}}}\n"
        files = {"old.yaml": old}
        result = self.port("@dataclass\nclass S:\n    a: Annotated[int, 10]\n", "--docs-from", "old.yaml", "--reserve-from", "old.yaml", **files)
        self.assertEqual(result.code, 0, result.errors)
        said = "note: 'allow' stays behind: it was about the changes up to this file\n"
        self.assertEqual(result.errors, f"old.yaml:3:1: {said}old.yaml:7:5: {said}old.yaml:9:41: {said}")
        self.assertNotIn("allow", result.text)
        self.assertIn("doc: Why.", result.text)

    def test_notes_that_a_type_which_is_gone_cannot_reserve(self):
        old = "types:\n  Gone: {kind: struct, fields: {a: {id: 10, type: int}}}\n"
        self.assertEqual(
            self.reserved(
                old,
                expected_errors="""
                old.yaml:2:3: note: 'Gone' no longer exists: only existing types can reserve ids
                """,
            ),
            [],
        )

    def test_warns_of_a_type_that_changed_its_kind(self):
        old = "types:\n  S: {kind: enum, fields: {A: 10}}\n"
        self.assertEqual(
            self.reserved(
                old,
                expected_errors="""
                schema.py:3:1: warning: 'S' is of kind struct now, so nothing of the old one is reserved
                old.yaml:2:3: note: it was of kind enum here
                """,
            ),
            [],
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
              A: {kind: struct, fields: {a: {doc: D, cpp_name: b, since: "1.0", deprecated: no more}}}
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
        self.assertIn("reserved: {ids: [5], names: [z, was]}", first.text)
        again = self.port(
            source, "--docs-from", "out.yaml", "--reserve-from", "out.yaml", **{"out.yaml": first.text}
        )
        self.assertEqual((again.code, again.errors, again.text), (0, "", first.text))


class ReadsYaml(PortTest):
    SOURCE = "@dataclass\nclass S: pass\n"

    def test_reads_all_that_our_files_are_written_in(self):
        old = """
            # A comment.
            name: pt2   # another
            version: {major: 8, minor: 20}
            roots:
              - S
            types:

              S:
                kind: 'struct'
                doc: "it\\u0027s \\"#1\\" # quoted"   # not quoted
                fields: { a : {id: 1, type: "List[int]"} , }
            """
        text = self.ported_types(self.SOURCE, "--docs-from", "old.yaml", **{"old.yaml": old})
        self.assertIn('    doc: "it\'s \\"#1\\" # quoted"\n', text)

    def test_rejects_what_schemas_do_without(self):
        for old, message in [
            ("", "1:1: error: the file is empty"),
            ("# nothing\n", "1:1: error: the file is empty"),
            ("types:\n", "1:7: error: types is not a map"),
            ("a: 1\na: 2\n", "2:1: error: key 'a' stands twice, first in line 1"),
            ("a: {b: 1, b: 2}\n", "1:11: error: key 'b' stands twice, first in line 1"),
            ("a: {ü: 1, b: 1, b: 2}\n", "1:18: error: key 'b' stands twice, first in line 1"),
            ("[a]: 1\n", "1:1: error: a key is not a scalar"),
            ("a: &x b\n", "1:4: error: schemas do without anchors, aliases and tags"),
            ("a: *x\n", "1:4: error: schemas do without anchors, aliases and tags"),
            ("a: !!str b\n", "1:4: error: schemas do without anchors, aliases and tags"),
            ("a: 1\n---\nb: 1\n", "2:1: error: a schema is one document"),
            ("a: " + "[" * 60 + "\n", "1:53: error: nested too deeply"),
        ]:
            with self.subTest(old):
                self.assert_rejected(
                    self.SOURCE, f"old.yaml:{message}\n", "--docs-from", "old.yaml", **{"old.yaml": old}
                )

    def test_rejects_what_is_no_yaml_where_it_ends_to_be(self):
        for old, place in [
            ("a: 1\n  b: 2\n", "2:4"),
            ("a:\n    b: 1\n  c: 2\n", "3:3"),
            ("a: b: c\n", "1:5"),
            ("a: [1, 2\n", "2:1"),
            ("a: {b: 1 c: 2}\n", "1:11"),
            ("a: 'b\n", "2:1"),
            ('a: "\\y"\n', "1:6"),
            ("a: ['ü', ]x\n", "1:12"),
            ("a: 1\nü: \x01\n", "2:5"),
        ]:
            with self.subTest(old):
                result = self.run_tool({"schema.py": self.SOURCE, "old.yaml": old}, "schema.py", "--docs-from", "old.yaml")
                self.assertEqual(result.code, 3)
                self.assertRegex(result.errors, rf"(?m)^old\.yaml:{place}: error: .")

    def test_without_pyyaml_python_is_read_and_yaml_asks_for_it(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "yaml.py").write_text("raise ImportError('hidden')\n")
            (folder / "schema.py").write_text("SCHEMA_VERSION = 1\n" + self.SOURCE)
            (folder / "old.yaml").write_text("types: {}\n")

            def run(*options):
                return subprocess.run([sys.executable, TOOL, "schema.py", *options, "-o", "-"], cwd=folder, text=True,
                                      capture_output=True, check=False, env={**os.environ, "PYTHONPATH": name})

            self.assertTrue(run().stdout.startswith("name: pt2\n"))
            asked = run("--reserve-from", "old.yaml")
            self.assertEqual((asked.returncode, asked.stdout, asked.stderr), (
                3, "", "old.yaml:1:1: error: YAML cannot be read, as this Python has no module 'yaml'\n"
                "hint: install PyYAML: python3-yaml of Debian, or pyyaml by pip\n"))

    def test_rejects_what_is_no_schema(self):
        self.assert_rejected(
            self.SOURCE,
            """
            old.yaml:1:1: error: unknown key 'nmae' in the file
            old.yaml:3:3: error: 'A' is not struct, union or enum
            old.yaml:4:3: error: 'B' is not struct, union or enum
            old.yaml:4:6: error: 'B' is not a map
            old.yaml:7:5: error: unknown key 'docs' in 'C'
            old.yaml:9:15: error: the id of 'a' of 'C' is not an integer
            old.yaml:9:20: error: unknown key 'tpye' in 'a' of 'C'
            old.yaml:10:10: error: 'b' of 'C' is not a map
            old.yaml:11:22: error: a reserved id of 'C' is not an integer
            old.yaml:11:33: error: names of reserved of 'C' is not a list
            old.yaml:12:37: error: the value of 'X' in 'D' is not an integer
            old.yaml:12:48: error: doc of 'D' is not a scalar
            """,
            *["--reserve-from", "old.yaml"],
            **{
                "old.yaml": """\
                nmae: pt2
                types:
                  A: {kind: class, fields: {}}
                  B: 3
                  C:
                    kind: struct
                    docs: x
                    fields:
                      a: {id: "1", tpye: int}
                      b: int
                    reserved: {ids: [x], names: was}
                  D: {kind: enum, fields: {A: 0, X: 012}, doc: [a]}
                """
            },
        )

    def test_reads_the_schemas_of_this_project(self):
        for path in sorted((REPOSITORY / "schema").rglob("*.yaml")):
            with self.subTest(path.name):
                text = self.ported_types("@dataclass\nclass S: pass\n", "--docs-from", str(path))
                self.assertIn("S:", text)


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

    def test_asks_for_ids(self):
        result = self.port_yaml(self.YAML)
        self.assertEqual(result.code, 3)
        self.assertIn("schema.yaml:7:5: error: no field of this file has an id\n", result.errors)
        self.assertIn("hint: --assign-ids ", result.errors)

    def test_rejects_our_own_schemas(self):
        result = self.port_yaml("name: pt2\ntypes:\n  A: {kind: struct, fields: {}}\n", "--assign-ids")
        self.assertEqual(result.code, 3)
        self.assertEqual(
            result.errors,
            "schema.yaml:2:1: error: this is a schema of schemagen already\n"
            "hint: to write it in the one layout, use schemagen fmt\n",
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
                schema.yaml:5:3: error: 'B' has no fields
                schema.yaml:9:5: error: 'a' of 'C' has no type
                schema.yaml:12:13: error: unknown type 'Gone'
                schema.yaml:15:16: error: the default of 'c' of 'C' does not fit its type int
                schema.yaml:16:5: error: 'd' of 'C' has no type
                schema.yaml:16:8: error: 'd' of 'C' is not a map
                schema.yaml:19:7: error: unknown key 'tpye' in 'd2' of 'C'
                schema.yaml:20:1: error: 'd' is not a valid name for a type
                hint: the name of a type begins with an upper-case letter and has letters, digits and '_' of ASCII
                schema.yaml:23:8: error: the value of 'A' in 'd' is not an integer
                schema.yaml:25:5: error: number 0 is used twice in 'd'
                schema.yaml:24:5: note: first used by 'B' here
                schema.yaml:26:17: error: a part of SCHEMA_VERSION is not an integer
                schema.yaml:27:8: error: 'OTHER' is not an integer
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
        self.assertTrue(result.errors.endswith("error: --name my schema: not an identifier\n"))

    def test_an_unknown_option_is_a_usage_error(self):
        self.assertEqual(self.run_tool({}, "schema.py", "--nonsense").code, 2)

    def test_an_unreadable_file_is_an_io_error(self):
        result = self.run_tool({}, "gone.py")
        self.assertEqual(
            (result.code, result.errors), (4, "gone.py: error: cannot read: No such file or directory\n")
        )
        result = self.run_tool({"schema.py": self.SOURCE}, "schema.py", "--docs-from", "gone.yaml")
        self.assertEqual(
            (result.code, result.errors), (4, "gone.yaml: error: cannot read: No such file or directory\n")
        )

    def test_an_unwritable_file_is_an_io_error(self):
        result = self.run_tool({"schema.py": self.SOURCE}, "schema.py", output="no/such/out.yaml")
        self.assertEqual(
            (result.code, result.errors),
            (4, "no/such/out.yaml: error: cannot write: No such file or directory\n"),
        )

    def test_a_failed_run_leaves_the_old_file_as_it_was(self):
        files = {"schema.py": "SCHEMA_VERSION = 1\n@dataclass\nclass S:\n    a: int\n", "out.yaml": "old"}
        result = self.run_tool(files, "schema.py")
        self.assertEqual((result.code, result.text), (3, "old"))

    def test_reads_standard_input_and_writes_standard_output(self):
        run = subprocess.run(
            [sys.executable, str(TOOL), "-", "-o", "-"],
            input=self.SOURCE.encode(),
            capture_output=True,
            check=False,
        )
        self.assertEqual((run.returncode, run.stderr), (0, b""))
        self.assertEqual(
            run.stdout,
            b"name: pt2\nversion: {major: 1, minor: 0}\nroots: [S]\n"
            b"types:\n  S:\n    kind: struct\n    fields: {}\n",
        )

    def run_in(self, folder, output):
        pathlib.Path(folder, "schema.py").write_text(self.SOURCE)
        return subprocess.run([sys.executable, str(TOOL), "schema.py", "-o", output], cwd=folder, capture_output=True,
                              text=True, check=False)

    def test_a_link_stays_and_what_it_leads_to_is_written(self):
        for old in ("old", None):
            with self.subTest(old=old), tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                (folder / "far").mkdir()
                (folder / "link").symlink_to("hop")
                (folder / "hop").symlink_to("far/target")
                if old:
                    (folder / "far/target").write_text(old)
                    (folder / "far/target").chmod(0o640)
                run = self.run_in(folder, "link")
                self.assertEqual((run.returncode, run.stderr), (0, ""))
                self.assertTrue((folder / "link").is_symlink() and (folder / "hop").is_symlink())
                self.assertTrue((folder / "far/target").read_text().startswith("name: pt2\n"))
                self.assertEqual([p.name for p in (folder / "far").iterdir()], ["target"])
                if old:
                    self.assertEqual(stat.S_IMODE((folder / "far/target").stat().st_mode), 0o640)

    def test_links_in_a_circle_are_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "a").symlink_to("b")
            pathlib.Path(folder, "b").symlink_to("a")
            run = self.run_in(folder, "a")
            self.assertEqual((run.returncode, run.stdout), (4, ""))
            self.assertTrue(run.stderr.startswith("a: error: cannot write: "), run.stderr)
            self.assertTrue(pathlib.Path(folder, "a").is_symlink())

    @unittest.skipUnless(hasattr(os, "mkfifo"), "named pipes are missing")
    def test_a_pipe_is_written_to_and_stays(self):
        with tempfile.TemporaryDirectory() as folder:
            pipe = pathlib.Path(folder, "pipe")
            os.mkfifo(pipe)
            # Open for both, a pipe waits for nobody.
            with open(os.open(pipe, os.O_RDWR | os.O_NONBLOCK), "rb", buffering=0) as reading:
                self.assertEqual(self.run_in(folder, "pipe").returncode, 0)
                self.assertTrue(reading.read(1 << 16).startswith(b"name: pt2\n"))
            self.assertTrue(pipe.is_fifo())

    def test_a_name_may_be_as_long_as_names_can_be(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(self.run_in(folder, "x" * 255).returncode, 0)

    @unittest.skipUnless(os.path.exists("/dev/full"), "/dev/full is missing")
    def test_an_answer_that_cannot_be_written_is_an_io_error(self):
        for unbuffered in ("", "1"):  # empty: not set
            with self.subTest(unbuffered=unbuffered), open("/dev/full", "wb") as full:
                run = subprocess.run([sys.executable, str(TOOL), "-", "-o", "-"], input=self.SOURCE.encode(),
                                     stdout=full, stderr=subprocess.PIPE, check=False,
                                     env={**os.environ, "PYTHONUNBUFFERED": unbuffered})
                self.assertEqual((run.returncode, run.stderr),
                                 (4, b"-: error: cannot write: No space left on device\n"))

    def test_the_version_is_that_of_the_project(self):
        run = subprocess.run([sys.executable, str(TOOL), "--version"], capture_output=True, text=True, check=False)
        project = re.search(r"^project\(pt2 VERSION (\S+)", (REPOSITORY / "CMakeLists.txt").read_text(), re.MULTILINE)
        self.assertEqual((run.returncode, run.stdout), (0, f"port_schema.py {project.group(1)}\n"))

    def test_help_explains_itself(self):
        run = subprocess.run(
            [sys.executable, str(TOOL), "--help"], capture_output=True, text=True, check=False
        )
        self.assertEqual(run.returncode, 0)
        options = ["--assign-ids", "--reserve-from", "--docs-from", "--comments", "--box", "--root"]
        for word in [*options, "examples:", "exit codes:"]:
            self.assertIn(word, run.stdout)


if __name__ == "__main__":
    unittest.main()
