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

    def test_the_sections_are_the_enumerators_in_their_order(self):
        enumerators = re.search(r"enum class RuleId \{([^}]+)\}", (ROOT / "toolbox/pt2/findings/rules.h").read_text())[1]
        page = re.findall(r"^## (\w+)$", (ROOT / "docs/program-rules.md").read_text(), re.MULTILINE)
        self.assertEqual(page, re.findall(r"\w+", enumerators.upper()))


if __name__ == "__main__":
    unittest.main()
