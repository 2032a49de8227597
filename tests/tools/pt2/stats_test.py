#!/usr/bin/env python3
"""`pt2 stats`: what it prints, and what it says of arguments that make no sense.

PT2_BINARY names the pt2 command. Run from anywhere.
"""

import json
import math
import os
import pathlib
import subprocess
import unittest

PROGRAMS = pathlib.Path(__file__).resolve().parents[2] / "data" / "programs" / "torch-2.13.0"
PT2 = os.environ.get("PT2_BINARY", "build/bin/pt2")


def stats(*arguments):
    done = subprocess.run([PT2, "stats", *map(str, arguments)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


class StatsCommandTest(unittest.TestCase):
    def test_the_same_numbers_are_printed_and_in_json(self):
        code, text, _ = stats(PROGRAMS / "mlp.pt2")
        self.assertEqual(code, 0)
        counted = json.loads(stats(PROGRAMS / "mlp.pt2", "--json")[1])
        self.assertEqual(counted["multiply_adds"], 144)
        self.assertIn("multiply-adds  144\n", text)
        self.assertEqual(sum(row["multiply_adds"] for row in counted["by"]), 144)
        self.assertEqual(counted["not_counted"], {})

    def test_symbols_stay_expressions_until_they_are_bound(self):
        self.assertEqual(json.loads(stats(PROGRAMS / "dynamic.pt2", "--json")[1])["multiply_adds"], "10*s17 + 10*s77")
        bound = json.loads(stats(PROGRAMS / "dynamic.pt2", "--json", "--bind", "s17=2", "--bind", "s77=3")[1])
        self.assertEqual(bound["multiply_adds"], 50)
        self.assertIsInstance(bound["peak_bytes"], int)

    def test_rows_are_by_module_or_node_when_asked(self):
        by_module = json.loads(stats(PROGRAMS / "mlp.pt2", "--json", "--by", "module")[1])["by"]
        self.assertEqual(["", "l1", "l2"], sorted(row["name"] for row in by_module))
        self.assertEqual(by_module[0]["multiply_adds"], 144)
        weights = json.loads(subprocess.run([PT2, "weights", PROGRAMS / "mlp.pt2", "--json"], capture_output=True, check=True).stdout)
        shapes = {weight["name"]: weight["shape"] for weight in weights if weight["kind"] == "parameter"}
        for row in by_module:
            expected = sum(math.prod(shape) for name, shape in shapes.items() if name.startswith(row["name"]))
            self.assertEqual(row["parameters"], expected, row["name"])
        by_node = json.loads(stats(PROGRAMS / "mlp.pt2", "--json", "--by", "node")[1])["by"]
        self.assertIn("linear", [row["name"] for row in by_node])

    def test_arguments_that_make_no_sense_are_usage_errors_that_say_what_is_expected(self):
        for argument in ("s0", "=3", "s0=", "s0=x"):
            code, _, error = stats(PROGRAMS / "mlp.pt2", "--bind", argument)
            self.assertEqual(code, 2, argument)
            self.assertIn("expected SYMBOL=INTEGER", error)
        code, _, error = stats(PROGRAMS / "dynamic.pt2", "--bind", "s0=4")
        self.assertEqual(code, 2)
        self.assertIn("the program has no symbol 's0': its symbols are s17, s77\n", error)
        code, _, error = stats(PROGRAMS / "mlp.pt2", "--bind", "s0=4")
        self.assertEqual(code, 2)
        self.assertIn("the program has no symbol 's0': it has none\n", error)
        code, _, error = stats(PROGRAMS / "mlp.pt2", "--by", "layer")
        self.assertEqual(code, 2)
        self.assertIn("module", error)


if __name__ == "__main__":
    unittest.main()
