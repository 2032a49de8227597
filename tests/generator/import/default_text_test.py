#!/usr/bin/env python3
"""`schemagen import`: default values. Needs the command in SCHEMAGEN_BINARY."""

import unittest

from port import PortTest


class DefaultTextTest(PortTest):
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


if __name__ == "__main__":
    unittest.main()
