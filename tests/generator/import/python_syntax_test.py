#!/usr/bin/env python3
"""`schemagen import`: files that are not Python. Needs the command in SCHEMAGEN_BINARY."""

import unittest

from port import PortTest


class PythonSyntaxTest(PortTest):
    def test_rejects_what_is_not_python(self):
        result = self.run_tool({"schema.py": "x = 1\nclass A(:\n"}, "schema.py")
        self.assertEqual(result.code, 3)
        self.assertRegex(result.errors, r"^schema\.py:2:9: error: not Python: .+\n$")

    def test_rejects_deep_nesting_without_crashing(self):
        for deep in ["[" * 5000 + "]" * 5000, "-" * 5000 + "1", "a" + ".b" * 5000, "a" + "[0]" * 5000, "lambda: " * 5000 + "1"]:
            with self.subTest(deep[:8]):
                result = self.port(f"X = {deep}\n@dataclass\nclass S: pass\n")
                self.assertEqual(result.code, 3)
                self.assertRegex(result.errors, r"^schema\.py:2:\d+: error: not Python: nested too deeply\n$")


if __name__ == "__main__":
    unittest.main()
