"""`pt2 weights` lists the tensors that torch loads, in every field, and writes files of them that the package safetensors and
NumPy read as the same tensors.

Needs torch, numpy and safetensors. PT2_BINARY names the pt2 command.
"""

import json
import logging
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import warnings

import numpy
import safetensors.torch
import torch
from torch.export.pt2_archive._package import package_pt2
from torch.export.pt2_archive._package_weights import TensorProperties, Weights
from torch.testing._internal.two_tensor import TwoTensor

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import weights_model  # noqa: E402
from torch_load_test import register_custom_operator  # noqa: E402

PROGRAMS = pathlib.Path(__file__).parent.parent / "data" / "programs"
RELEASES = ["2.12.1", "2.13.0", "2.14.0", "2.15.0"]
PT2 = os.environ.get("PT2_BINARY", "build/bin/pt2")

# torch cannot load string outputs.
TORCH_CANNOT = {"lifted_constants"}

# The safetensors package for torch cannot write it.
NOT_IN_SAFETENSORS = {torch.complex128}


def pt2(*arguments):
    return subprocess.run([PT2, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def kind_of(program, name):
    signature = program.graph_signature
    if name in signature.parameters:
        return "parameter"
    return "buffer" if name in signature.buffers else "constant"


def as_listed(program, name, tensor):
    """Returns the contract's description of a tensor, except its record."""
    return {"name": name, "kind": kind_of(program, name), "persistent": name in program.state_dict,
            "dtype": str(tensor.dtype).removeprefix("torch."), "device": str(tensor.device), "shape": list(tensor.shape),
            "stride": list(tensor.stride()), "offset": tensor.storage_offset(), "bytes": tensor.numel() * tensor.element_size()}


class TorchWeights(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        logging.disable(logging.WARNING)
        warnings.simplefilter("ignore")
        register_custom_operator()

    def check(self, path):
        program = torch.export.load(path)
        tensors = weights_model.tensors_of(program)
        listed = [entry for entry in json.loads(pt2("weights", "--json", path)) if entry["kind"] != "object"]
        records = {entry["name"]: (entry.pop("record"), entry.pop("pickled")) for entry in listed}
        self.assertEqual(listed, [as_listed(program, name, tensor) for name, tensor in tensors.items()])
        self.check_shared(tensors, records)
        with tempfile.TemporaryDirectory() as folder:
            self.check_safetensors(path, tensors, pathlib.Path(folder) / "all.safetensors")
            self.check_npz(path, tensors, pathlib.Path(folder) / "all.npz")

    def check_shared(self, tensors, records):
        """Tensors of one storage lie in one record."""
        by_storage = {}
        for name, tensor in tensors.items():
            if tensor.numel():
                by_storage.setdefault(tensor.untyped_storage().data_ptr(), set()).add(records[name][0])
        self.assertEqual({len(found) for found in by_storage.values()} | {1}, {1})

    def check_safetensors(self, path, tensors, out):
        names = [name for name, tensor in tensors.items() if tensor.dtype not in NOT_IN_SAFETENSORS]
        if not names:
            return
        pt2("weights", path, *names, "-o", out)
        read = safetensors.torch.load_file(out)
        self.assertEqual(set(read), set(names))
        for name in names:
            self.assertEqual((read[name].dtype, read[name].shape), (tensors[name].dtype, tensors[name].shape), name)
            self.assertEqual(weights_model.bytes_of(read[name]), weights_model.bytes_of(tensors[name]), name)

    def check_npz(self, path, tensors, out):
        pt2("weights", path, "-o", out)
        with numpy.load(out) as read:
            self.assertEqual(read.files, list(tensors))
            for name, tensor in tensors.items():
                array = read[name]
                self.assertEqual(array.shape, tuple(tensor.shape), name)
                self.assertEqual(array.tobytes(), weights_model.bytes_of(tensor), name)
                if array.dtype.kind != "V":
                    self.assertEqual(array.dtype, tensor.numpy(force=True).dtype, name)

    def check_detached(self, path, folder):
        """What is stripped, and what NumPy writes in its place, is attached again: as .npz, which has all dtypes."""
        stripped, file, again = folder / "stripped.pt2", folder / "weights.npz", folder / "again.pt2"
        pt2("strip", path, "-o", stripped, "--weights", file)
        pt2("attach", stripped, file, "-o", again)
        self.assertEqual(pt2("hash", "--weights", again), pt2("hash", "--weights", path))
        with numpy.load(file) as read:
            arrays = {name: numpy.array(read[name], order="F") for name in read.files}
        for write in (numpy.savez, numpy.savez_compressed):
            write(file, **arrays)
            pt2("attach", stripped, file, "-o", again)
            self.assertEqual(pt2("hash", "--weights", again), pt2("hash", "--weights", path), write)

    def test_weights_of_every_layout_and_dtype(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "layouts.pt2"
            weights_model.save(path)
            self.check(path)
            self.check_detached(path, pathlib.Path(folder))

    def test_tensors_of_classes_of_their_own_are_taken_apart(self):
        class Model(torch.nn.Module):
            def __init__(self):
                super().__init__()
                inner = TwoTensor(torch.randn(3, 4), torch.randn(3, 4))
                self.weight = torch.nn.Parameter(TwoTensor(inner, torch.randn(3, 4)), requires_grad=False)
                self.bias = torch.nn.Parameter(torch.randn(3))

            def forward(self, x):
                return torch.nn.functional.linear(x, self.weight).relu() + self.bias

        model = Model()
        with tempfile.TemporaryDirectory() as folder:
            path, out = pathlib.Path(folder) / "two.pt2", pathlib.Path(folder) / "two.safetensors"
            torch.export.save(torch.export.export(model, (torch.randn(2, 4),)), path)
            listed = {entry["name"]: entry for entry in json.loads(pt2("weights", "--json", path))}
            self.assertEqual(listed["weight"]["class"], f"{TwoTensor.__module__}.TwoTensor")
            self.assertNotIn("class", listed["bias"])
            pt2("weights", path, "-o", out)
            expected = {"weight.b": model.weight.b, "weight.a.a": model.weight.a.a, "weight.a.b": model.weight.a.b, "bias": model.bias}
            given = safetensors.torch.load_file(out)
            self.assertEqual(set(given), set(expected))
            for name, tensor in expected.items():
                self.assertTrue(torch.equal(given[name], tensor), name)

    def test_weights_beside_compiled_code(self):
        base = torch.arange(12.0)
        tensors = {"a": base[2:8].reshape(2, 3), "b": base.reshape(3, 4).t(), "c": torch.arange(3, dtype=torch.int8)}
        weights = Weights({name: (tensor, TensorProperties(tensor)) for name, tensor in tensors.items()})
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "compiled.pt2"
            package_pt2(str(path), aoti_files={"m": [weights]})
            listed = {entry["name"]: entry for entry in json.loads(pt2("weights", "--json", path))}
            self.assertEqual(set(listed), set(tensors))
            for name, tensor in tensors.items():
                expected = {"dtype": str(tensor.dtype).removeprefix("torch."), "shape": list(tensor.shape),
                            "stride": list(tensor.stride()), "offset": tensor.storage_offset(), "pickled": True}
                self.assertEqual({key: listed[name][key] for key in expected}, expected)
            self.assertEqual(listed["a"]["record"], listed["b"]["record"])
            self.check_npz(path, {name: tensors[name] for name in listed}, pathlib.Path(folder) / "all.npz")

    def test_what_no_safetensors_can_hold_is_refused_by_name(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "layouts.pt2"
            weights_model.save(path)
            out = pathlib.Path(folder) / "x.safetensors"
            done = subprocess.run([PT2, "weights", path, "-o", out], capture_output=True, text=True)
            self.assertEqual(done.returncode, 3)
            self.assertIn("tensor 'of_complex128': safetensors does not support complex32", done.stderr)
            self.assertFalse(out.exists())


def add_tests():
    for release in RELEASES:
        for source in sorted((PROGRAMS / f"torch-{release}").glob("*.pt2")):
            if source.stem in TORCH_CANNOT:
                continue
            name = f"test_{source.stem}_of_torch_{release.replace('.', '_')}"
            setattr(TorchWeights, name, lambda self, s=source: self.check(s))


add_tests()

if __name__ == "__main__":
    unittest.main()
