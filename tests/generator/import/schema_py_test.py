#!/usr/bin/env python3
"""`schemagen import`: classes, constants and the version of a schema.py. Needs the command in SCHEMAGEN_BINARY."""

import textwrap
import unittest

from port import PortTest


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


class RejectsBadFiles(PortTest):
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

    def test_rejects_a_constant_of_more_than_64_bits(self):
        self.assert_rejected(
            "BIG = 9223372036854775808\nclass E(IntEnum):\n    A = 0\n",
            "schema.py:2:1: error: the constant 'BIG' does not fit in 64 bits: '9223372036854775808'\n",
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


if __name__ == "__main__":
    unittest.main()
