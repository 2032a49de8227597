#!/usr/bin/env python3
"""The rules that `pt2 explain` prints are those of docs/program-rules.md."""

import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RULES = ROOT / "generated/pt2/rules"


class RulePageTest(unittest.TestCase):
    def test_the_generated_tables_are_the_page(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["cmake", f"-DOUTPUT={folder}", "-P", ROOT / "dev/rule_page.cmake"], check=True)
            for made in sorted(pathlib.Path(folder).iterdir()):
                self.assertEqual(made.read_text(), (RULES / made.name).read_text(), "run `ninja generate`")

    def test_each_section_is_an_enumerator(self):
        enumerators = re.findall(r"^  (\w+),$", (RULES / "rule_id.h").read_text(), re.MULTILINE)
        sections = re.findall(r"^## (\w+)$", (ROOT / "docs/program-rules.md").read_text(), re.MULTILINE)
        self.assertEqual([name.upper() for name in enumerators], sections)
        self.assertEqual(len(re.findall(r"^    \{", (RULES / "rule_page.h").read_text(), re.MULTILINE)), len(sections))
        self.assertEqual(sections, sorted(sections))


if __name__ == "__main__":
    unittest.main()
