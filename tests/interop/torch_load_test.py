"""torch loads what pt2 writes.

Every 8.x fixture is taken apart, its program's JSON read and written by pt2, put back into the archive with Python's zipfile,
and loaded by torch.export.load. What torch makes of it must be what it makes of the original: the same code and the same
outputs on the example inputs, or the same failure where torch cannot load the original either.

Needs torch. PT2_BINARY names the pt2 command.
"""

import logging
import os
import pathlib
import subprocess
import tempfile
import unittest
import warnings
import zipfile

import torch

PROGRAMS = pathlib.Path(__file__).parent.parent / "data" / "programs"
RELEASES = ["2.6.0", "2.8.0", "2.12.1", "2.13.0", "2.14.0", "2.15.0"]
PT2 = os.environ.get("PT2_BINARY", "build/bin/pt2")

# For reasons outside the text.
TORCH_CANNOT = {
    ("2.6.0", "cond"),  # before about 8.4, higher-order nodes have no is_hop_single_tensor_return
    ("*", "lifted_constants"),  # string outputs
    ("*", "joint"),  # module() cannot handle a joint graph's outputs
}


def register_custom_operator():
    """The operator of the custom_op fixture, near enough for two runs to be compared."""

    def scale(x, a, *, dims, mode):
        return x * a, [x.clone(), x + len(dims)]

    torch.library.define("fxlib::scale", "(Tensor x, float a, *, int[] dims, str mode) -> (Tensor, Tensor[])")
    torch.library.impl("fxlib::scale", "CompositeExplicitAutograd", scale)


def with_our_json(source: pathlib.Path, target: pathlib.Path):
    """A copy of the archive whose program went through pt2."""
    written = subprocess.run([PT2, "convert", str(source), "-"], check=True, capture_output=True).stdout
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        replaced = 0
        for member in old.infolist():
            data = old.read(member)
            if member.filename == "serialized_exported_program.json" or "/models/" in member.filename:
                data = written
                replaced += 1
            new.writestr(zipfile.ZipInfo(member.filename), data)
    assert replaced == 1, f"{source}: {replaced} programs"


def outcome(program):
    """(code, outputs) of a program or of the file of one, or the name of the error that torch raises."""
    try:
        if isinstance(program, pathlib.Path):
            program = torch.export.load(program)
        code = program.graph_module.code
        arguments, keywords = program.example_inputs
        torch.manual_seed(0)
        return code, program.module()(*arguments, **keywords)
    except Exception as error:  # noqa: BLE001
        return type(error).__name__


class TorchLoads(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        logging.disable(logging.WARNING)
        warnings.simplefilter("ignore")
        register_custom_operator()

    def check(self, release: str, source: pathlib.Path):
        with tempfile.TemporaryDirectory() as folder:
            target = pathlib.Path(folder) / source.name
            with_our_json(source, target)
            theirs, ours = outcome(source), outcome(target)
        known = {(release, source.stem), ("*", source.stem)} & TORCH_CANNOT
        self.assertEqual(isinstance(theirs, str), bool(known), f"torch on its own file: {theirs}")
        if isinstance(theirs, str):
            self.assertEqual(theirs, ours)
            return
        self.assertNotIsInstance(ours, str, f"torch on our file: {ours}")
        self.assertEqual(theirs[0], ours[0])
        torch.testing.assert_close(ours[1], theirs[1], rtol=0, atol=0, equal_nan=True)


def add_tests():
    for release in RELEASES:
        sources = sorted((PROGRAMS / f"torch-{release}").glob("*.pt2"))
        assert sources, f"no fixtures of torch {release}"
        for source in sources:
            name = f"test_{source.stem}_of_torch_{release.replace('.', '_')}_loads_and_runs_alike"
            setattr(TorchLoads, name, lambda self, r=release, s=source: self.check(r, s))


add_tests()

if __name__ == "__main__":
    unittest.main()
