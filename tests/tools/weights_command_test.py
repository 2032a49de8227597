#!/usr/bin/env python3
"""`pt2 weights`: what it prints, and what it says of arguments that make no sense.

PT2_BINARY names the pt2 command. Run from anywhere.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest
import zipfile

DATA = pathlib.Path(__file__).resolve().parents[1] / "data"
MLP = DATA / "programs" / "torch-2.13.0" / "mlp.pt2"
PT2 = os.environ.get("PT2_BINARY", "build/tools/pt2")


def weights(*arguments):
    done = subprocess.run([PT2, "weights", *map(str, arguments)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


class WeightsCommandTest(unittest.TestCase):
    def test_tensors_are_listed_in_columns(self):
        self.assertEqual(weights(MLP, "l1.weight", "np"), (0, """\
  l1.weight  parameter              f32[8, 4]  128 bytes  data/weights/weight_0
  np         non-persistent buffer  f32[2]     8 bytes    data/constants/tensor_0
2 entries, 136 bytes
""", ""))

    def test_json_has_the_keys_of_the_contract(self):
        listed = json.loads(weights(MLP, "--json")[1])
        self.assertEqual(len(listed), 6)
        self.assertEqual(listed[0], {
            "name": "l1.weight", "kind": "parameter", "persistent": True, "dtype": "float32", "device": "cpu", "shape": [8, 4],
            "stride": [4, 1], "offset": 0, "bytes": 128, "record": "data/weights/weight_0", "pickled": False})

    def test_models_are_chosen_by_name(self):
        multi = DATA / "packages" / "multi.pt2"
        self.assertIn("data/weights/weight_2", weights(multi, "--model", "b")[1])
        code, _, error = weights(multi)
        self.assertEqual((code, "one of them must be chosen: 'a', 'b'" in error), (3, True))

    def test_names_that_are_not_there_are_errors_with_the_near_one(self):
        self.assertEqual(weights(MLP, "l1.wieght"),
                         (3, "", f"{MLP}: error: there is no tensor 'l1.wieght', did you mean 'l1.weight'?\n"))

    def test_a_program_by_itself_has_no_weights(self):
        code, _, error = weights(MLP.with_suffix(".json"))
        self.assertEqual((code, error.endswith("there are no weights: this is a program by itself, not an archive\n")), (3, True))

    def test_output_is_told_by_its_ending(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "w.npz"
            self.assertEqual(weights(MLP, "l1.bias", "-o", out), (0, "", ""))
            self.assertEqual(zipfile.ZipFile(out).namelist(), ["l1.bias.npy"])
            code, _, error = weights(MLP, "-o", pathlib.Path(folder) / "w.pth")
            self.assertEqual(code, 2)
            self.assertIn("OUT must end in .safetensors or .npz", error)
            self.assertEqual(weights(MLP, "--json", "-o", out)[0], 2)

    def test_a_failure_leaves_the_old_file(self):
        with tempfile.TemporaryDirectory() as folder:
            damaged = pathlib.Path(folder) / "damaged.pt2"
            bytes_ = bytearray(MLP.read_bytes())
            with zipfile.ZipFile(MLP) as archive:
                offset = archive.getinfo("mlp/data/weights/weight_0").header_offset + 64
            bytes_[offset] ^= 1
            damaged.write_bytes(bytes_)
            out = pathlib.Path(folder) / "w.safetensors"
            out.write_text("old")
            code, _, error = weights(damaged, "-o", out)
            self.assertEqual((code, out.read_text()), (3, "old"), error)
            self.assertIn("CRC-32 mismatch", error)


if __name__ == "__main__":
    unittest.main()
