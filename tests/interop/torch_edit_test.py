"""torch loads what pt2 changed, and finds the requested change.

Every 2.13 fixture is renamed, all values and weights, and runs to the same outputs; moved to the device meta, every value of
it is there, and back it is the file that it was; cut in two at random places, the parts run one after the other to the outputs
of the whole, as they do when they are joined again. What keeps the values of a program does: nodes that pass a value on, put in and taken out again; patterns replaced, dead nodes dropped,
subgraphs put in place of their calls, metadata left out, outputs and inputs added.

Needs torch. PT2_BINARY names the pt2 command, EDIT_PROGRAM the program edit_program.
"""

import json
import logging
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest
import warnings

import torch
import torch.utils._pytree as pytree
from program_json import cut, names_in, user_values, values_of
from torch_load_test import TORCH_CANNOT, outcome, register_custom_operator

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import random_seed  # noqa: E402

HEAD = pathlib.Path(__file__).parent.parent / "data" / "programs" / "torch-2.13.0"
PT2 = os.environ["PT2_BINARY"]
EDIT_PROGRAM = os.environ["EDIT_PROGRAM"]


def run(*arguments):
    return subprocess.run([PT2, *map(str, arguments)], check=True, capture_output=True).stdout


class TorchLoadsEdited(unittest.TestCase):
    def setUp(self):
        logging.disable(logging.WARNING)
        warnings.simplefilter("ignore")
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    @classmethod
    def setUpClass(cls):
        register_custom_operator()

        torch.library.define("fused::linear_relu", "(Tensor x, Tensor w, Tensor b) -> Tensor")
        linear_relu = lambda x, w, b: torch.nn.functional.linear(x, w, b).relu()  # noqa: E731
        torch.library.impl("fused::linear_relu", "CompositeExplicitAutograd", linear_relu)

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
                        for value in pytree.tree_leaves(node.meta.get("val")):
                            if isinstance(value, torch.Tensor):
                                self.assertEqual(value.device.type, "meta", f"{source.stem}: {node}")

    def edited(self, step, source):
        """The archive `source` after a step of edit_program, and how many nodes its graph had and has."""
        target = self.folder / f"{step}.pt2"
        counts = subprocess.run([EDIT_PROGRAM, step, source, target], check=True, capture_output=True, text=True).stdout
        return target, *map(int, counts.split())

    def check_alike(self, theirs, target):
        ours = outcome(target)
        self.assertNotIsInstance(ours, str, f"torch on our file: {ours}")
        torch.testing.assert_close(ours[1], theirs[1], rtol=0, atol=0, equal_nan=True)

    def test_edits_that_keep_the_values_of_programs_do(self):
        grown = 0
        for source in sorted(HEAD.glob("*.pt2")):
            if ("*", source.stem) in TORCH_CANNOT:
                continue
            theirs = outcome(source)
            for step in ("clone", "fold", "dead", "bare", "rewrite"):
                with self.subTest(source.stem, step=step):
                    target, before, after = self.edited(step, source)
                    grown += after > before
                    if step == "rewrite":
                        has_fused = "fused.linear_relu" in torch.export.load(target).graph_module.code
                        self.assertEqual(has_fused, source.stem == "mlp")
                    if step in ("fold", "dead"):
                        self.assertLessEqual(after, before)
                    self.check_alike(theirs, target)
        self.assertGreater(grown, 10)

    def test_outputs_and_inputs_that_are_added_are_there(self):
        for source in sorted(HEAD.glob("*.pt2")):
            if ("*", source.stem) in TORCH_CANNOT:
                continue
            with self.subTest(source.stem):
                whole = torch.export.load(source)
                arguments, keywords = whole.example_inputs
                torch.manual_seed(0)
                expected = pytree.tree_leaves(whole.module()(*arguments, **keywords))
                target, _, _ = self.edited("outputs", source)
                torch.manual_seed(0)
                given = pytree.tree_leaves(torch.export.load(target).module()(*arguments, **keywords))
                torch.testing.assert_close(given[:len(expected)], expected, rtol=0, atol=0, equal_nan=True)
                target, _, _ = self.edited("input", source)
                torch.manual_seed(0)
                given = torch.export.load(target)
                values = given.graph.find_nodes(op="placeholder")
                added = next(node.meta["val"] for node in values if node.name == "added")
                extra = torch.zeros([int(size) for size in added.shape], dtype=added.dtype)
                given._example_inputs = (*arguments, extra), keywords
                given = pytree.tree_leaves(given.module()(*arguments, extra, **keywords))
                torch.testing.assert_close(given, expected, rtol=0, atol=0, equal_nan=True)

    def test_inlined_subgraphs_compute_what_they_did(self):
        class Model(torch.nn.Module):
            def forward(self, x):
                with torch.no_grad():
                    y = x.sin()
                    with torch.enable_grad():
                        z = y * x
                    y = y + z
                return y, z.cos(), x

        source = self.folder / "no_grad.pt2"
        torch.export.save(torch.export.export(Model(), (torch.randn(3, 4),)), source)
        self.assertIn("wrap_with", torch.export.load(source).graph_module.code)
        target, _, _ = self.edited("inline", source)
        self.assertNotIn("wrap_with", torch.export.load(target).graph_module.code)
        self.check_alike(outcome(source), target)

    def test_two_models_in_turn_are_one_program(self):
        models = [torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.ReLU()), torch.nn.Sequential(torch.nn.Linear(3, 2))]
        paths = [self.folder / f"{number}.pt2" for number in range(2)]
        for model, path, columns in zip(models, paths, (4, 3)):
            dynamic = ({0: torch.export.Dim("batch", min=2, max=32)},)
            torch.export.save(torch.export.export(model, (torch.randn(5, columns),), dynamic_shapes=dynamic), path)
        joined = self.join(*paths)
        self.assertEqual(sorted(joined.state_dict), ["0.bias", "0.bias_1", "0.weight", "0.weight_1"])
        x = torch.randn(7, 4)
        torch.testing.assert_close(joined.module()(x), models[1](models[0](x)), rtol=0, atol=0)

    def join(self, first, second):
        target = self.folder / "joined.pt2"
        subprocess.run([EDIT_PROGRAM, "join", first, second, target], check=True)
        return torch.export.load(target)

    def part(self, source, inputs, outputs, name):
        """The part as torch loads it, to be called with its inputs."""
        given = ["--inputs", ",".join(inputs)] if inputs else []
        target = self.folder / name
        run("extract", source, "-o", target, *given, "--outputs", ",".join(outputs))
        module = torch.export.load(target).module()
        return lambda values: dict(zip(outputs, pytree.tree_leaves(module(*(values[name] for name in inputs)))))

    def check_cut(self, source, program, whole, at):
        """Cuts after `at` nodes; whether torch can load such parts: it takes no symbolic floats or bools as inputs."""
        graph, signature = program["graph_module"]["graph"], program["graph_module"]["signature"]
        users_in = user_values(signature["input_specs"], {"user_input", "constant_input"})
        users_out = user_values(signature["output_specs"], {"user_output"})
        model_values = set(names_in(graph["inputs"])) - set(users_in)
        between = cut(graph, model_values, at)
        if set(between) & (set(graph["sym_bool_values"]) | set(graph["sym_float_values"])):
            return False
        inputs = list(dict.fromkeys(name for name in users_in if name))
        outputs = list(dict.fromkeys(name for name in users_out if name))
        arguments, keywords = whole.example_inputs
        values = dict(zip(users_in, pytree.tree_leaves((arguments, keywords))))
        torch.manual_seed(0)
        expected = dict(zip(users_out, pytree.tree_leaves(whole.module()(*arguments, **keywords))))
        torch.manual_seed(0)
        middle = self.part(source, inputs, between, "head.pt2")(values)
        last = self.part(source, between, outputs, "tail.pt2")(middle)
        for name in outputs:
            torch.testing.assert_close(last[name], expected[name], rtol=0, atol=0, equal_nan=True)
        joined = self.join(self.folder / "head.pt2", self.folder / "tail.pt2").module()
        torch.manual_seed(0)
        last = dict(zip(outputs, pytree.tree_leaves(joined(*(values[name] for name in inputs)))))
        for name in outputs:
            torch.testing.assert_close(last[name], expected[name], rtol=0, atol=0, equal_nan=True)
        return True

    def test_parts_run_one_after_the_other_to_the_outputs_of_the_whole(self):
        chance = random.Random(random_seed.SEED)
        cuts = 0
        for source in sorted(HEAD.glob("*.pt2")):
            if {("*", source.stem)} & TORCH_CANNOT or source.stem == "effects":  # tokens cannot be cut
                continue
            program = json.loads(run("convert", source, "-"))
            count = len(program["graph_module"]["graph"]["nodes"])
            for at in chance.sample(range(1, count), min(3, count - 1)):
                with self.subTest(source.stem, at=at):
                    whole = torch.export.load(source)  # again, because a run changes buffers
                    cuts += self.check_cut(source, program, whole, at)
        self.assertGreater(cuts, 20)


if __name__ == "__main__":
    unittest.main()
