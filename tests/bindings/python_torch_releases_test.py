"""pt2.torch.load() gives in each release of torch what torch.export.load() of that release gives; from torch 2.11 on, without its help.

The torch that runs this is the release that is tested. CI runs 2.13; run others by hand, with their own Python:

    PT2_PYTHON_PACKAGE=build/bindings/python PYTHONPATH=FOLDER_OF_NANOBIND_BACKEND python tests/bindings/python_torch_releases_test.py

Prints how many programs each way of building them got.
"""

import collections
import logging
import os
import pathlib
import sys
import unittest
import unittest.mock
import warnings

import torch
from torch.utils import _pytree

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, os.environ.get("PT2_PYTHON_PACKAGE", str(ROOT / "build" / "bindings" / "python")))

import pt2.torch  # noqa: E402

PROGRAMS = ROOT / "tests" / "data" / "programs"


def number(release):
    return tuple(int(part) for part in release.split("+")[0].split(".")[:2])


def described(program):
    """Describes nodes with their types, the signature, ranges and state."""
    nodes = [(node.op, node.name, str(node.target), str(node.args), str(node.kwargs), str(node.meta.get("val"))) for node in program.graph.nodes]
    state = {name: (tensor.dtype, tuple(tensor.shape), tensor.stride(), tensor.flatten().tolist()) for name, tensor in program.state_dict.items()}
    return {"nodes": nodes, "signature": str(program.graph_signature), "ranges": str(program.range_constraints), "state": str(state),
            "calls": str(program.module_call_graph)}  # fmt: skip


def outputs(program):
    """Returns the outputs for the example inputs, or the error: a joint graph cannot be called, and some releases fail on effects."""
    torch.manual_seed(0)
    arguments, keywords = program.example_inputs
    try:
        return str(_pytree.tree_leaves(program.module()(*arguments, **keywords)))
    except (AssertionError, ValueError) as error:
        return repr(error)


class ReleasesTest(unittest.TestCase):
    def setUp(self):
        logging.getLogger("torch").setLevel(logging.ERROR)
        warnings.simplefilter("ignore")

    def load(self, path):
        """Returns the program, and what built it."""
        with unittest.mock.patch.object(pt2.torch, "_Deserializer", wraps=pt2.torch._Deserializer) as deserializer:
            program = pt2.torch.load(path)
        return program, "torch" if deserializer.called else "pt2"

    def test_programs_are_those_of_torch_export_load_and_run_alike(self):
        built = collections.Counter()
        for folder in sorted(PROGRAMS.glob("torch-2.*")):
            if number(folder.name.removeprefix("torch-")) > number(torch.__version__):
                continue
            for path in sorted(folder.glob("*.pt2")):
                try:
                    theirs = torch.export.load(path)
                except Exception:  # noqa: BLE001  another release, or an operator that only some test has
                    continue
                with self.subTest(f"{folder.name}/{path.stem}"):
                    ours, builder = self.load(path)
                    built[builder] += 1
                    self.assertEqual(described(ours), described(theirs))
                    if theirs.example_inputs and ours.example_inputs:
                        self.assertEqual(outputs(ours), outputs(theirs))
        print(f"torch {torch.__version__}:", *(f"{count} programs by {builder}" for builder, count in built.items()), pt2.torch._why_slow)
        self.assertEqual(list(built), ["pt2" if number(torch.__version__) >= (2, 11) else "torch"])
        self.assertGreater(built.total(), 10)

    def test_a_reason_to_use_torchs_deserializer_is_reported_once(self):
        pt2.torch._reported.clear()
        with unittest.mock.patch.object(pt2.torch, "_torch_program", None), self.assertLogs("pt2.torch", logging.INFO) as log:
            for _ in range(2):
                pt2.torch.load(PROGRAMS / "torch-2.8.0" / "mlp.pt2")
        self.assertEqual(len(log.records), 1)


if __name__ == "__main__":
    unittest.main()
