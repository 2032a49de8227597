#!/usr/bin/env python3
"""`schemagen import`: the version of what it reads. Needs the command in SCHEMAGEN_BINARY."""

import unittest

from port import PortTest


class ImportedSchemaTest(PortTest):
    def test_two_integers_are_a_major_and_a_minor(self):
        result = self.port("class E(IntEnum):\n    A = 0\n", version="SCHEMA_VERSION = (8, 20)\n")
        self.assertIn("version: {major: 8, minor: 20}\n", result.text)

    def test_an_integer_version_is_a_major(self):
        result = self.port("class E(IntEnum):\n    A = 0\n", version="SCHEMA_VERSION = 2\n")
        self.assertIn("version: {major: 2, minor: 0}\n", result.text)

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

    def test_rejects_yaml_without_a_version(self):
        result = self.run_tool({"schema.yaml": "A:\n  kind: struct\n  fields: {}\n"}, "schema.yaml", "--assign-ids")
        self.assertEqual(result.code, 3)
        self.assertEqual(
            result.errors,
            "schema.yaml:1:1: error: no SCHEMA_VERSION in this file\n"
            "hint: write SCHEMA_VERSION = (major, minor) at the top level\n",
        )


if __name__ == "__main__":
    unittest.main()
