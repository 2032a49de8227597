#!/usr/bin/env python3
"""`--operators FILE`: schemas of operators that are not PyTorch's, in all commands that ask what nodes call.

PT2_BINARY names the pt2 command. Run from anywhere.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "data" / "programs" / "torch-2.13.0" / "custom_op.pt2"
PT2 = os.environ.get("PT2_BINARY", "build/bin/pt2")
SCALE = "fxlib::scale(Tensor x, float a, *, int[] dims, str mode) -> (Tensor, Tensor[])"


def pt2(*arguments):
    done = subprocess.run([PT2, *map(str, arguments)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


class OperatorsOptionTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "operators.txt"

    def operators(self, text):
        self.file.write_text(text)
        return "--operators", self.file

    def rules(self, *arguments):
        code, text, _ = pt2("validate", "--json", PROGRAM, *arguments)
        return code, [finding["rule"] for finding in json.loads(text)[0]["findings"]]

    def test_operators_with_a_schema_are_known(self):
        self.assertIn("OPERATOR_UNKNOWN", self.rules()[1])
        self.assertEqual(self.rules(*self.operators(f"# our own\n\n{SCALE}\r\n")), (0, []))

    def test_their_arguments_are_held_against_the_schema(self):
        code, rules = self.rules(*self.operators(SCALE.replace("float a", "str a").replace("str mode", "str other")))
        self.assertEqual(code, 1)
        self.assertEqual(sorted(rules), ["ARGUMENT_MISSING", "ARGUMENT_TYPE", "ARGUMENT_UNKNOWN"])
        self.assertEqual(pt2("check", PROGRAM, *self.operators(SCALE.replace("float a", "str a")))[0], 1)

    def test_every_command_that_asks_takes_them(self):
        option = self.operators(SCALE)
        for command in (["stats", PROGRAM], ["diff", PROGRAM, PROGRAM], ["show", PROGRAM, "--node", "getitem"],
                        ["extract", PROGRAM, "-o", self.file.with_name("part.pt2"), "--inputs=x", "--outputs=add"], ["check", "--policy=load", PROGRAM]):
            with self.subTest(command=command[0]):
                code, _, error = pt2(*command, *option)
                self.assertEqual((code, error), (0, ""))

    def test_show_as_json_lists_the_arguments_that_a_schema_has_and_a_node_leaves_out(self):
        schema = SCALE.replace("str mode", 'str mode, int extra=7')
        _, text, _ = pt2("show", "--json", PROGRAM, *self.operators(schema))
        arguments = [argument for node in json.loads(text)["nodes"] for argument in node["arguments"]]
        self.assertIn({"name": "extra", "text": "7", "default": True}, arguments)

    def test_lines_that_are_no_schema_are_refused_with_their_place(self):
        for text, line, reason in (("# one\nmy::scale(Tenser x) -> Tensor\n", 2, "Tenser"),
                                   (f"{SCALE}\n\n{SCALE}\n", 3, "duplicate operator"),
                                   (f"{SCALE} # has_effects scales\n", 1, "unknown word 'scales'"),
                                   (f"{SCALE} # writes:z\n", 1, "the operator has no argument 'z'")):
            for command in ("validate", "stats", "show"):
                code, _, error = pt2(command, PROGRAM, *self.operators(text))
                self.assertEqual(code, 3, error)
                self.assertTrue(error.startswith(f"pt2: error: {self.file}:{line}: "), error)
                self.assertIn(reason, error)

    def test_a_file_that_is_not_there_is_an_error_of_reading(self):
        code, _, error = pt2("validate", PROGRAM, "--operators", self.file)
        self.assertEqual(code, 4, error)
        self.assertIn(str(self.file), error)


if __name__ == "__main__":
    unittest.main()
