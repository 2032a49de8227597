"""torch loads what pt2 changed, and it is what was asked for.

Every 2.13 fixture is renamed, all values and weights, and runs to the same outputs; moved to the device meta, every value of
it is there, and back it is the file that it was.

Needs torch. PT2_BINARY names the pt2 command.
"""

import json
import logging
import os
import pathlib
import subprocess
import tempfile
import unittest
import warnings

import torch
from torch_load_test import TORCH_CANNOT, outcome, register_custom_operator

HEAD = pathlib.Path(__file__).parent.parent / "data" / "programs" / "torch-2.13.0"
PT2 = os.environ["PT2_BINARY"]


def run(*arguments):
    return subprocess.run([PT2, *map(str, arguments)], check=True, capture_output=True).stdout


def names_in(argument):
    """The values that an argument names."""
    if isinstance(argument, list):
        return [name for item in argument for name in names_in(item)]
    if not isinstance(argument, dict):
        return []
    if set(argument) <= {"name", "class_fqn"} and "name" in argument:
        return [argument["name"]]
    if set(argument) == {"as_name"}:
        return [argument["as_name"]]
    return [name for key, item in argument.items() if key != "as_graph" for name in names_in(item)]


def values_of(graph):
    return names_in(graph["inputs"]) + [name for node in graph["nodes"] for name in names_in(node["outputs"])]


class TorchLoadsEdited(unittest.TestCase):
    def setUp(self):
        logging.disable(logging.WARNING)
        warnings.simplefilter("ignore")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    @classmethod
    def setUpClass(cls):
        register_custom_operator()

    def test_renamed_programs_run_alike(self):
        ran = 0
        for source in sorted(HEAD.glob("*.pt2")):
            if ("*", source.stem) in TORCH_CANNOT:
                continue
            with self.subTest(source.stem):
                program = json.loads(run("convert", source, "-"))["graph_module"]
                changes = [f"{name}=new_{name}" for name in values_of(program["graph"])]
                weights = [w["name"] for w in json.loads(run("weights", source, "--json"))]
                changes += [f"{name}=renamed.{name}" for name in weights]
                target = self.folder / source.name
                run("rename", source, "-o", target, *changes)
                self.assertEqual(sorted(w["name"] for w in json.loads(run("weights", target, "--json"))),
                                 sorted("renamed." + name for name in weights))
                theirs, ours = outcome(source), outcome(target)
                self.assertNotIsInstance(ours, str, f"torch on our file: {ours}")
                torch.testing.assert_close(ours[1], theirs[1], rtol=0, atol=0, equal_nan=True)
                ran += 1
        self.assertGreater(ran, 10)

    def test_retargeted_programs_are_on_their_device_and_come_back(self):
        for source in sorted(HEAD.glob("*.pt2")):
            with self.subTest(source.stem):
                moved, back = self.folder / "moved.pt2", self.folder / "back.pt2"
                run("retarget", source, "-o", moved, "--device", "meta", "--from", "cpu")
                run("retarget", moved, "-o", back, "--device", "cpu")
                self.assertEqual(run("convert", back, "-"), run("convert", source, "-"))
                self.assertEqual(run("weights", back, "--json"), run("weights", source, "--json"))
                if ("*", source.stem) in TORCH_CANNOT:
                    continue
                program = torch.export.load(moved)
                for module in program.graph_module.modules():
                    for node in module.graph.nodes:
                        for value in torch.utils._pytree.tree_leaves(node.meta.get("val")):
                            if isinstance(value, torch.Tensor):
                                self.assertEqual(value.device.type, "meta", f"{source.stem}: {node}")


if __name__ == "__main__":
    unittest.main()
