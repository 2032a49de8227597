#!/usr/bin/env python3
"""`schemagen import`: docs, ids and reservations of older schemas. Needs the command in SCHEMAGEN_BINARY."""

import json
import pathlib
import subprocess
import tempfile
import textwrap
import unittest

from port import COMMENTED, SCHEMAGEN, PortTest


class CarriesDocs(PortTest):
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

    def test_carries_what_people_wrote_from_an_older_file(self):
        text = self.ported_types(COMMENTED, "--docs-from", "old.yaml", **{"old.yaml": self.OLD})
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
        text = self.ported_types(COMMENTED, "--docs-from", "old.yaml", **{"old.yaml": old})
        self.assertIn("    doc: |\n      One: 1.\n\n      Two.\n    fields:\n", text)
        self.assertIn("      a:\n        id: 10\n        type: int\n        doc: |-\n          First.\n          Second.\n", text)

    def test_an_older_file_wins_over_comments_and_the_first_one_over_the_second(self):
        second = "types:\n  S: {kind: struct, doc: Second., fields: {c: {id: 1, type: int, doc: Of c.}}}\n"
        text = self.ported_types(
            COMMENTED,
            *["--comments", "--docs-from", "old.yaml", "--docs-from", "second.yaml"],
            **{"old.yaml": self.OLD, "second.yaml": second},
        )
        self.assertIn("doc: A doc.\n", text)
        self.assertIn('doc: "Of a, say."', text)
        self.assertIn('doc: "Or this: one."', text)
        self.assertIn("doc: Of c.", text)

    def test_porting_again_over_the_result_changes_nothing(self):
        source = COMMENTED + "\nclass E(IntEnum):\n    A = 0\n"
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


class ReportsErrors(PortTest):
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


if __name__ == "__main__":
    unittest.main()
