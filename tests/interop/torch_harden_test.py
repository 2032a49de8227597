#!/usr/bin/env python3
"""torch.export.load takes what pt2 harden wrote, and it is the same model: the same state dict, bit for bit, and the same outputs.
Of the files of tests/data/hostile, which run code in torch, nothing is left that does.

Needs torch. PT2_BINARY names the pt2 command.
"""

import logging
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import warnings

import torch

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from hostile_corpus import run_in_child  # noqa: E402
from torch_load_test import outcome, register_custom_operator  # noqa: E402

logging.disable(logging.WARNING)
DATA = pathlib.Path(__file__).parent.parent / "data"
PROGRAMS = DATA / "programs"
HOSTILE = DATA / "hostile"
PT2 = os.environ.get("PT2_BINARY", "build/bin/pt2")


def loaded(path):
    """A program, or None where torch cannot load it."""
    try:
        return torch.export.load(str(path))
    except Exception:  # noqa: BLE001 - torch 2.13 cannot load all files of old releases
        return None


def leaves_something(path):
    """Whether torch does more with a file than to load it and call the module: the payloads of the test data write a file."""
    path = str(path.resolve())

    def load_and_call():
        torch.set_num_threads(1)
        program = torch.export.load(path)
        arguments = program.example_inputs or ((torch.zeros(2, 4),), {})
        program.module()(*arguments[0], **arguments[1])

    with tempfile.TemporaryDirectory() as folder:
        run_in_child(folder, load_and_call, 300)
        return any(pathlib.Path(folder).iterdir())


def same(a, b):
    a, b = torch.utils._pytree.tree_leaves(a), torch.utils._pytree.tree_leaves(b)
    return len(a) == len(b) and all(torch.equal(x, y) if isinstance(x, torch.Tensor) else x == y or x != x for x, y in zip(a, b, strict=True))


class TorchHardenTest(unittest.TestCase):
    def test_what_was_hardened_is_the_same_model(self):
        warnings.simplefilter("ignore")
        register_custom_operator()
        tried = run = 0
        for source in sorted(PROGRAMS.glob("torch-*/*.pt2")):
            before = loaded(source)
            if before is None:
                continue
            with self.subTest(source=source.relative_to(PROGRAMS)), tempfile.TemporaryDirectory() as folder:
                out = pathlib.Path(folder) / "out.pt2"
                done = subprocess.run([PT2, "harden", source, "-o", out], capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                after = torch.export.load(str(out))
                self.assertEqual(list(before.state_dict), list(after.state_dict))
                self.assertTrue(same(before.state_dict, after.state_dict))
                self.assertTrue(same(before.constants, after.constants))
                self.assertTrue(same(before.example_inputs, after.example_inputs))
                tried += 1
                theirs, ours = outcome(source), outcome(out)
                if isinstance(theirs, str):  # torch loads it but cannot run it
                    self.assertEqual(theirs, ours)
                else:
                    torch.testing.assert_close(ours[1], theirs[1], rtol=0, atol=0, equal_nan=True)
                    run += 1
        self.assertGreater(tried, 30)
        self.assertGreater(run, 30)

    def test_a_quantized_weight_becomes_tensors_that_torch_runs_without_its_class(self):
        for command, dtype in (["harden"], torch.float32), (["retarget", "--dtype", "bfloat16"], torch.bfloat16):
            with self.subTest(command), tempfile.TemporaryDirectory() as folder:
                out = pathlib.Path(folder) / "out.pt2"
                subprocess.run([PT2, *command, DATA / "packages" / "int8_linear.pt2", "-o", out], check=True)
                program = torch.export.load(str(out))
                x = torch.randn(2, 32, dtype=dtype)
                weight = program.state_dict["0.weight.qdata"].to(dtype) * program.state_dict["0.weight.scale"]
                expected = torch.nn.functional.linear(x, weight, program.state_dict["0.bias"])
                torch.testing.assert_close(program.module()(x), expected, atol=0.2 if dtype == torch.bfloat16 else 1e-4, rtol=0.02)

    def test_nothing_runs_in_torch_of_what_was_hardened(self):
        fired = 0
        for source in sorted(HOSTILE.glob("*.pt2")):
            with self.subTest(source=source.name), tempfile.TemporaryDirectory() as folder:
                fired += leaves_something(source)
                out = pathlib.Path(folder) / "out.pt2"
                done = subprocess.run([PT2, "harden", source, "-o", out, "--drop-native"], capture_output=True, text=True)
                if out.exists():
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertFalse(leaves_something(out))
                else:
                    self.assertIn(done.returncode, (2, 3))
                    self.assertRegex(done.stderr, ": error: .")
        self.assertGreaterEqual(fired, 8)


if __name__ == "__main__":
    unittest.main()
