#!/usr/bin/env python3
"""The rules that `pt2 explain` prints are those of docs/program-rules.md."""

import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADER = ROOT / "generated/pt2/tables/rule_page.h"


class RulePageTest(unittest.TestCase):
    def test_the_generated_table_is_the_page(self):
        with tempfile.TemporaryDirectory() as folder:
            made = pathlib.Path(folder) / "rule_page.h"
            subprocess.run(["cmake", f"-DOUTPUT={made}", "-P", ROOT / "dev/rule_page.cmake"], check=True)
            self.assertEqual(made.read_text(), HEADER.read_text(), "run `ninja generate`")

    def test_the_sections_are_the_rules_of_the_table_in_its_order(self):
        table = re.findall(r'RuleId::\w+, "(\w+)"', (ROOT / "toolbox/pt2/findings/rules.cpp").read_text())
        page = re.findall(r"^## (\w+)$", (ROOT / "docs/program-rules.md").read_text(), re.MULTILINE)
        self.assertEqual(page, table)


if __name__ == "__main__":
    unittest.main()
