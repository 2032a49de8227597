"""The functions of the Python package do what the commands of `pt2` do, under the same names. Needs neither torch nor NumPy."""

import contextlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
if "PT2_PYTHON_PACKAGE" in os.environ:
    sys.path.insert(0, os.environ["PT2_PYTHON_PACKAGE"])

import pt2  # noqa: E402
from pt2 import _pt2, _schemagen  # noqa: E402

TODAY = ROOT / "tests" / "data" / "programs" / "torch-2.13.0"
MLP = TODAY / "mlp.pt2"

# Named differently from their functions.
NAMES = {
    "convert": ["load", "save"],
    "validate": ["verify"],
    "weights": ["open", "export_weights"],
    "operators": ["operators", "operator_report"],
}


def call(*arguments):
    """Runs the package's command and returns what it prints."""
    path = os.environ | {"PYTHONPATH": os.path.dirname(pt2.__path__[0])}
    return subprocess.run([sys.executable, "-m", "pt2", *arguments], env=path, check=True, capture_output=True).stdout


class CommandsTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.program = pt2.load(MLP)
        self.input = pt2.signature(self.program).user_inputs[0]
        self.output = pt2.signature(self.program).user_outputs[0]

    def test_each_command_has_a_function(self):
        listed = call("--help").decode().partition("Subcommands:")[2] or call("--help").decode()
        commands = set(re.findall(r"^  ([a-z]+) {2,}\S", listed, re.MULTILINE)) - {"help"}
        self.assertGreaterEqual(commands, {"info", "check", "slim", "strip", "attach", "join", "explain"})
        for command in commands:
            for name in NAMES.get(command, [command]):
                self.assertTrue(callable(getattr(pt2, name, None)), f"add pt2.{name}, which does what `pt2 {command}` does, or its other name to NAMES")

    def test_info_is_what_the_command_prints(self):
        self.assertEqual(pt2.info(MLP), json.loads(call("info", "--json", os.fspath(MLP))))
        self.assertEqual(pt2.info(self.program)["operators"], pt2.operators(self.program))

    def test_check_finds_a_flipped_byte_unless_told_not_to_look(self):
        self.assertEqual([found for found in pt2.check(MLP) if found.level != "note"], [])
        data = bytearray(MLP.read_bytes())
        path = self.folder / "flipped.pt2"
        data[self.offset_of("data/weights/weight_0")] ^= 1
        path.write_bytes(data)
        for function in (pt2.check, pt2.verify):
            found = [each for each in function(path) if each.rule == "RECORD_CHECKSUM"]
            self.assertEqual([(each.level, each.record) for each in found], [("error", "data/weights/weight_0")])
            self.assertNotIn("RECORD_CHECKSUM", [each.rule for each in function(path, checksums=False)])

    def offset_of(self, record):
        import struct
        import zipfile

        with zipfile.ZipFile(MLP) as archive:
            start = next(info for info in archive.infolist() if info.filename.endswith(record)).header_offset
        name, extra = struct.unpack_from("<HH", MLP.read_bytes(), start + 26)
        return start + 30 + name + extra

    def test_weights_go_to_a_file_and_back(self):
        stripped, weights, whole = (self.folder / name for name in ("stripped.pt2", "w.safetensors", "whole.pt2"))
        pt2.strip(MLP, stripped, weights=weights)
        pt2.attach(stripped, weights, whole)
        self.assertEqual(pt2.hash(whole, weights=True), pt2.hash(MLP, weights=True))
        pt2.export_weights(MLP, weights, ["l1.bias"])
        with self.assertRaisesRegex(pt2.DataError, "l1.weight"):
            pt2.attach(stripped, weights, whole)
        with self.assertRaisesRegex(ValueError, "unknown tensor 'l9'"):
            pt2.export_weights(MLP, weights, ["l9"])
        with self.assertRaises(FileNotFoundError) as caught:
            pt2.strip(self.folder / "absent.pt2", stripped)
        self.assertEqual(caught.exception.filename, os.fspath(self.folder / "absent.pt2"))

    def test_slim_says_what_it_saved(self):
        out = self.folder / "slim.pt2"
        self.assertEqual(set(pt2.slim(MLP, out, drop=["stack-traces", "samples"])), {"stack-traces", "samples"})
        self.assertLess(out.stat().st_size, MLP.stat().st_size)
        with self.assertRaisesRegex(ValueError, "slim.. needs parts to drop"):
            pt2.slim(MLP, out)

    def test_archives_are_cut_joined_and_retargeted_with_their_weights(self):
        first, second, joined, half = (self.folder / name for name in ("a.pt2", "b.pt2", "joined.pt2", "half.pt2"))
        pt2.extract(MLP, inputs=[self.input], outputs=["relu"], out=first)
        pt2.extract(MLP, inputs=["relu"], outputs=[self.output], out=second)
        program = pt2.join(first, second, out=joined)
        self.assertEqual(pt2.operators(program), pt2.operators(MLP))
        self.assertEqual([found for found in pt2.verify(joined) if found.level == "error"], [])
        with pt2.open(joined) as a, pt2.open(MLP) as b:
            self.assertLessEqual(set(a.keys()), set(b.keys()))
        self.assertEqual(pt2.join(first, second).to_json(), program.to_json())
        pt2.retarget(MLP, dtype="float16", out=half)
        with pt2.open(half) as file:
            self.assertEqual(file.tensor("l1.weight").dtype, "float16")
        with self.assertRaisesRegex(TypeError, "a program has no tensors"):
            pt2.retarget(self.program, dtype="float16", out=half)
        with self.assertRaisesRegex(ValueError, "unknown device type 'gpu'; expected one of cpu, cuda, "):
            pt2.retarget(self.program, "gpu")

    def test_two_archives_are_compared_with_their_weights(self):
        other = self.folder / "other.pt2"
        pt2.retarget(MLP, dtype="float16", out=other)
        self.assertEqual(pt2.diff(MLP, MLP, weights=True), [])
        self.assertIn("weights", {found.part for found in pt2.diff(MLP, other, weights=True)})
        self.assertIn("<html", pt2.view(MLP, other)[:500])
        with self.assertRaises(TypeError):
            pt2.diff(self.program, other, weights=True)

    def test_rules_are_explained(self):
        self.assertIn("STALE_TYPE", [rule["rule"] for rule in pt2.rules()])
        self.assertTrue(pt2.explain("STALE_TYPE").startswith("STALE_TYPE (warning): "))
        with self.assertRaisesRegex(ValueError, "unknown rule 'STALE'"):
            pt2.explain("STALE")
        self.assertIn("digraph ", pt2.export(self.program)[:100])

    def test_warnings_are_issued_and_nothing_is_printed(self):
        path, output = TODAY / "mlp.json", io.StringIO()
        with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stderr(output), contextlib.redirect_stdout(output):
            warnings.simplefilter("always")
            pt2.downgrade(path, "8.14", out=self.folder / "older.json")
        self.assertRegex(str(caught[0].message), rf"^{re.escape(str(path))}: note: \d+ values of Node\.name dropped: schema 8\.14 lacks the field$")
        self.assertEqual((caught[0].filename, output.getvalue()), (__file__, ""))

    def test_stats_count_tied_weights_once_and_hold_values_of_symbols_against_their_ranges(self):
        class Array:
            dtype, shape = "float32", (2,)

        builder = pt2.Builder()
        size = builder.symbol("s0", 2, 8)
        x = builder.input("x", "float32", [size, 2])
        for name in ("a", "b"):
            x = builder.call("aten.mul.Tensor", x, builder.parameter(name, Array()))
        builder.output(x)
        program = builder.finish()
        for value, message in ((1, "s0: expected a value from 2 to 8, got 1"), (9, "got 9")):
            with self.assertRaisesRegex(ValueError, message):
                pt2.stats(program, {"s0": value})
        self.assertIsNone(pt2.stats(program)["peak_bytes"])
        self.assertIsInstance(pt2.stats(program, {"s0": 2})["peak_bytes"], int)
        self.assertEqual(pt2.stats(program)["parameters"], 4)
        program.graph_module.signature.input_specs[1].value.parameter_name = "a"
        self.assertEqual(pt2.stats(program)["parameters"], 2)

    def test_schemagen_wheel_refuses_what_would_be_code_in_a_build_file(self):
        code = ["a]==]\nmessage(FATAL_ERROR)", "$ENV{HOME}", "a;b", 'a"b', "a\\b", "a\x1bb"]
        for arguments in [[f"{text}/a.yaml"] for text in code] + [["a.yaml", option, text] for option in ("--module", "--version") for text in code]:
            with self.subTest(arguments), contextlib.redirect_stderr(io.StringIO()) as error, self.assertRaises(SystemExit) as raised:
                _schemagen.wheel(arguments)
            self.assertEqual(raised.exception.code, 2)
            self.assertRegex(error.getvalue(), "cannot build a wheel from the path|does not match")


if __name__ == "__main__":
    unittest.main()
