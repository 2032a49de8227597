#!/usr/bin/env python3
"""Constants that torch 2.1 pickled in a program's JSON come to be the archive's: torch loads them, bit for bit, and computes with them.

torch 2.1 wrote a tensor that the graph refers to by get_attr as base64 of a file of torch.save, under the name of the node, in `constants` of
its graph, without a tensor value (serialize.py of 2.1.2, serialize_input and serialize_graph). No model of the fixtures has one, so they are put
into one of them here, in the same way.

Needs torch. PT2_BINARY names the pt2 command.
"""

import base64
import io
import json
import logging
import os
import pathlib
import subprocess
import tempfile
import unittest
import warnings
import zipfile

import torch

logging.disable(logging.WARNING)
PROGRAMS = pathlib.Path(__file__).parent.parent / "data" / "programs"
PT2 = os.environ.get("PT2_BINARY", "build/bin/pt2")
PROGRAM = "serialized_exported_program.json"

WHOLE = torch.arange(12, dtype=torch.float32).reshape(2, 6) / 7
CONSTANTS = {
    "_tensor_constant0": torch.tensor([0.1, -0.0]),
    "_tensor_constant1": WHOLE[:, 1:5:2],  # strides (6, 2), offset 1
    "_tensor_constant2": torch.tensor(2**62 + 1),
    "_tensor_constant3": torch.tensor([[1.5, float("nan")]], dtype=torch.bfloat16),
    "_tensor_constant4": torch.tensor([1 - 2j]),
    "_tensor_constant5": torch.zeros(0, 3, dtype=torch.bool),
    "_tensor_constant6": torch.tensor([3.0], requires_grad=True),
}


def saved(value):
    file = io.BytesIO()
    torch.save(value, file)
    return base64.b64encode(file.getvalue()).decode()


def with_constants(document, constants):
    """The program of mlp.pt2, which then adds the first constant, joins that with the second, and returns all."""
    graph = document["graph_module"]["graph"]
    unset = dict.fromkeys(graph["outputs"][0])

    def tensor(name):
        return {**unset, "as_tensor": {"name": name}}

    def node(target, inputs, output, like):
        graph["nodes"].append({"target": target, "inputs": [{"name": name, "arg": arg} for name, arg in inputs], "outputs": [tensor(output)],
                               "metadata": {}})
        graph["tensor_values"][output] = json.loads(json.dumps(graph["tensor_values"][like]))

    node("torch.ops.aten.lift_fresh_copy.default", [("self", tensor("_tensor_constant0"))], "lift", "add")
    graph["tensor_values"]["lift"]["meta"].update(sizes=[{"as_expr": None, "as_int": 2}], strides=[{"as_expr": None, "as_int": 1}])
    node("torch.ops.aten.add.Tensor", [("self", tensor("add")), ("other", tensor("lift")), ("alpha", {**unset, "as_int": 1})], "sum", "add")
    both = [{"name": "sum"}, {"name": "_tensor_constant1"}]
    node("torch.ops.aten.cat.default", [("tensors", {**unset, "as_tensors": both}), ("dim", {**unset, "as_int": 0})], "cat", "add")
    graph["tensor_values"]["cat"]["meta"]["sizes"][0]["as_int"] = 5
    graph["outputs"] = [tensor("cat"), *map(tensor, constants)]
    document["graph_module"]["signature"]["user_outputs"] = ["cat", *constants]
    leaf = {"type": None, "context": None, "children_spec": []}
    document["graph_module"]["call_spec"]["out_spec"] = json.dumps(
        [1, {"type": "builtins.tuple", "context": "null", "children_spec": [leaf] * len(graph["outputs"])}])
    graph["constants"] = {name: saved(value) for name, value in constants.items()}
    return document


def bits(tensor):
    return tensor.dtype, tensor.shape, tensor.stride(), tensor.requires_grad, tensor.detach().reshape(-1).view(torch.uint8).tolist()


class ConstantsTest(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore")
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.mlp, self.old, self.json, self.out = PROGRAMS / "torch-2.1.2" / "mlp.pt2", *map(self.folder.joinpath, ("old.pt2", "old.json", "out.pt2"))
        with zipfile.ZipFile(self.mlp) as source, zipfile.ZipFile(self.old, "w") as target:
            for name in source.namelist():
                content = source.read(name)
                if name == PROGRAM:
                    content = json.dumps(with_constants(json.loads(content), CONSTANTS)).encode()
                    self.json.write_bytes(content)
                target.writestr(name, content)

    def run_pt2(self, *arguments, code=0):
        """Standard output, and standard error where it is to end with `code`."""
        done = subprocess.run([PT2, *map(str, arguments)], capture_output=True, text=True)
        self.assertEqual(code, done.returncode, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def check_out(self):
        """torch loads the archive that was written, with the constants; its outputs equal mlp's with them."""
        program = torch.export.load(self.out)
        for name, value in CONSTANTS.items():
            self.assertEqual(bits(value), bits(program.constants[name]), name)
        self.run_pt2("upgrade", self.mlp, "-o", self.folder / "mlp.pt2")
        x = torch.randn(3, 4)
        plain = torch.export.load(self.folder / "mlp.pt2").module()(x)
        first, *others = program.module()(x)
        self.assertTrue(torch.equal(first, torch.cat([plain + CONSTANTS["_tensor_constant0"], CONSTANTS["_tensor_constant1"]])))
        self.assertEqual([bits(tensor)[4] for tensor in others], [bits(tensor)[4] for tensor in CONSTANTS.values()])

    def test_every_way_to_write_an_archive_keeps_them(self):
        edited = self.folder / "edited.json"
        self.run_pt2("convert", self.old, edited)
        for command in [["upgrade", self.old, "-o", self.out], ["convert", self.old, self.out], ["harden", self.old, "-o", self.out],
                        ["canonicalize", "--form", "names", self.old, "-o", self.out],
                        ["convert", edited, self.out, "--into", self.old], ["convert", self.json, self.out, "--into", self.mlp]]:
            with self.subTest(command=[str(word) for word in command]):
                self.out.unlink(missing_ok=True)
                self.run_pt2(*command)
                self.check_out()
                self.run_pt2("validate", self.out)
                self.assertEqual([], json.loads(self.run_pt2("scan", "--format", "json", self.out)))
                self.assertEqual("", self.run_pt2("diff", "--weights", self.old, self.out).replace("no differences\n", ""))

    def test_they_are_added_to_raw_ones_that_an_archive_has(self):
        self.run_pt2("convert", self.mlp, self.folder / "raw.pt2")
        self.run_pt2("convert", self.old, self.folder / "raw_with_constants.pt2")
        self.run_pt2("convert", self.json, self.out, "--into", self.folder / "raw.pt2")
        self.check_out()
        error = self.run_pt2("convert", self.json, self.folder / "no.pt2", "--into", self.folder / "raw_with_constants.pt2", code=3)
        self.assertIn("duplicate tensor '_tensor_constant0'", error)

    def test_they_are_tensors_of_the_archive_that_has_them_in_its_program(self):
        listed = {weight["name"]: weight for weight in json.loads(self.run_pt2("weights", "--json", self.old))}
        for name, value in CONSTANTS.items():
            weight = listed[name]
            self.assertEqual((weight["kind"], weight["persistent"], weight["pickled"], weight["record"]), ("constant", False, True, PROGRAM))
            self.assertEqual((weight["dtype"], weight["shape"], weight["stride"], weight["offset"]),
                             (str(value.dtype).removeprefix("torch."), list(value.shape), list(value.stride()), value.storage_offset()))
        self.run_pt2("validate", self.old)
        self.run_pt2("convert", self.old, self.out)
        self.assertEqual(self.run_pt2("hash", "--weights", self.old).split()[0], self.run_pt2("hash", "--weights", self.out).split()[0])

    def test_formats_without_a_place_for_tensors_refuse_them_by_name_and_say_what_to_do(self):
        for command in [["convert", self.json, self.folder / "new.json"], ["convert", self.json, self.folder / "new.pt2b"],
                        ["upgrade", self.json, "-o", self.folder / "new.json"], ["upgrade", self.json, "--dry-run"],
                        ["canonicalize", self.json, "-o", "-"], ["rename", self.json, "-o", self.folder / "new.json", "add=plus"]]:
            with self.subTest(command=command[0]):
                error = self.run_pt2(*command, code=3)
                self.assertIn("the program contains the constants '_tensor_constant0', ", error)
                self.assertIn("pt2 convert IN OUT.pt2 --into ARCHIVE", error)
        self.assertEqual([self.json, self.old], sorted(self.folder.iterdir()))
        self.assertIn("_tensor_constant0", self.run_pt2("show", self.json))

    def test_a_dry_run_says_what_becomes_of_them(self):
        changes = self.run_pt2("upgrade", "--dry-run", self.old)
        self.assertIn("graph_module.graph: turned the constant '_tensor_constant0' into an input", changes)
        self.assertIn("converted the archive to a PT2 archive", changes)
        self.assertNotIn("zip member", changes)


if __name__ == "__main__":
    unittest.main()
