#!/usr/bin/env python3
"""`schemagen import`: the ids and the layout of the written schema. Needs the command in SCHEMAGEN_BINARY."""

import unittest

from port import PortTest


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



if __name__ == "__main__":
    unittest.main()
