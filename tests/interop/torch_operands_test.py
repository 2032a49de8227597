"""pt2 validate finds operands that torch's operators refuse, by dtype and by device, and no others.

A node of each operator is asked of torch and of pt2, with the dtype or device of one operand changed: dtypes of torch's kernels for
the CPU, devices of its fake tensors.

Needs torch. PT2_BINARY names the pt2 command.
"""

import copy
import io
import json
import logging
import os
import subprocess
import unittest
import zipfile

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

PT2 = os.environ.get("PT2_BINARY", "build/bin/pt2")
DTYPES = {"FLOAT": torch.float32, "DOUBLE": torch.float64, "HALF": torch.float16, "LONG": torch.int64, "INT": torch.int32,
          "BYTE": torch.uint8, "BOOL": torch.bool}  # fmt: skip
NUMBERS = {name: number for name, number in zip(DTYPES, (7, 8, 6, 5, 4, 1, 12))}


class Operand:
    def __init__(self, *sizes, dtype="FLOAT"):
        self.sizes, self.dtype, self.device = sizes, dtype, "cpu"

    def tensor(self):
        return torch.zeros(self.sizes, dtype=DTYPES[self.dtype], device=self.device)

    def changed(self, **changes):
        other = copy.copy(self)
        other.__dict__.update(changes)
        return other


def matrices():
    return Operand(2, 3), Operand(3, 4)


def index(*sizes):
    return Operand(*sizes, dtype="LONG")


def mask():
    return Operand(3, dtype="BOOL")


def convolution(dimensions, weight=(3, 2), **more):
    space = [2] * dimensions
    return {"input": Operand(1, 2, *space), "weight": Operand(*weight, *space), **more}


CALLS = {
    "addbmm.default": {"self": Operand(2, 4), "batch1": Operand(2, 2, 3), "batch2": Operand(2, 3, 4)},
    "addmm.default": {"self": Operand(4), "mat1": matrices()[0], "mat2": matrices()[1]},
    "addmv.default": {"self": Operand(2), "mat": Operand(2, 3), "vec": Operand(3)},
    "baddbmm.default": {"self": Operand(2, 2, 4), "batch1": Operand(2, 2, 3), "batch2": Operand(2, 3, 4)},
    "bmm.default": {"self": Operand(2, 2, 3), "mat2": Operand(2, 3, 4)},
    "conv1d.default": convolution(1),
    "conv2d.default": convolution(2),
    "conv3d.default": convolution(3),
    "conv_transpose1d.default": convolution(1, (2, 3)),
    "conv_transpose2d.input": convolution(2, (2, 3)),
    "conv_transpose3d.input": convolution(3, (2, 3)),
    "convolution.default": convolution(
        1, bias=None, stride=[1], padding=[0], dilation=[1], transposed=False, output_padding=[0], groups=1
    ),
    "dot.default": {"self": Operand(3), "tensor": Operand(3)},
    "embedding.default": {"weight": Operand(3, 4), "indices": index(5)},
    "gather.default": {"self": Operand(3, 4), "dim": 0, "index": index(3, 4)},
    "index_add.default": {"self": Operand(3, 4), "dim": 0, "index": index(3), "source": Operand(3, 4)},
    "index_copy.default": {"self": Operand(3, 4), "dim": 0, "index": index(3), "source": Operand(3, 4)},
    "index_fill.int_Scalar": {"self": Operand(3, 4), "dim": 0, "index": index(3), "value": 1.0},
    "index_fill.int_Tensor": {"self": Operand(3, 4), "dim": 0, "index": index(3), "value": Operand()},
    "index_put.default": {"self": Operand(3, 4), "indices": [index(3)], "values": Operand(3, 4)},
    "index_reduce.default": {"self": Operand(3, 4), "dim": 0, "index": index(3), "source": Operand(3, 4), "reduce": "prod"},
    "index_select.default": {"self": Operand(3, 4), "dim": 0, "index": index(3)},
    "linear.default": {"input": Operand(2, 3), "weight": Operand(4, 3), "bias": Operand(4)},
    "masked_fill.Scalar": {"self": Operand(3), "mask": mask(), "value": 1.0},
    "masked_fill.Tensor": {"self": Operand(3), "mask": mask(), "value": Operand()},
    "masked_scatter.default": {"self": Operand(3), "mask": mask(), "source": Operand(3)},
    "masked_select.default": {"self": Operand(3), "mask": mask()},
    "matmul.default": {"self": matrices()[0], "other": matrices()[1]},
    "mm.default": {"self": matrices()[0], "mat2": matrices()[1]},
    "mv.default": {"self": Operand(2, 3), "vec": Operand(3)},
    "scaled_dot_product_attention.default": {name: Operand(1, 2, 3, 4) for name in ("query", "key", "value")},
    "put.default": {"self": Operand(3, 4), "index": index(3), "source": Operand(3)},
    "scatter.reduce": {"self": Operand(3, 4), "dim": 0, "index": index(3, 4), "src": Operand(3, 4), "reduce": "add"},
    "scatter.src": {"self": Operand(3, 4), "dim": 0, "index": index(3, 4), "src": Operand(3, 4)},
    "scatter.value": {"self": Operand(3, 4), "dim": 0, "index": index(3, 4), "value": 1.0},
    "scatter.value_reduce": {"self": Operand(3, 4), "dim": 0, "index": index(3, 4), "value": 1.0, "reduce": "add"},
    "scatter_add.default": {"self": Operand(3, 4), "dim": 0, "index": index(3, 4), "src": Operand(3, 4)},
    "scatter_reduce.two": {"self": Operand(3, 4), "dim": 0, "index": index(3, 4), "src": Operand(3, 4), "reduce": "sum"},
    "take.default": {"self": Operand(3, 4), "index": index(3)},
    "take_along_dim.default": {"self": Operand(3, 4), "indices": index(3, 4), "dim": 0},
    "vdot.default": {"self": Operand(3), "other": Operand(3)},
    "where.self": {"condition": mask(), "self": Operand(3), "other": Operand(3)},
    "cat.default": {"tensors": [Operand(3), Operand(3)]},
    "index.Tensor": {"self": Operand(3, 4), "indices": [index(3)]},
    "native_layer_norm.default": {"input": Operand(2, 3), "normalized_shape": [3], "weight": Operand(3), "bias": Operand(3), "eps": 1.0},
}
# Of empty indices, torch does not always look at the dtype.
EMPTY = {
    name: {**arguments, each: index(0), "self": Operand(3), **({"source": Operand(0)} if "source" in arguments else {}),
           **({"src": Operand(3)} if "src" in arguments else {})}
    for name, arguments in CALLS.items()
    for each in ("index", "indices")
    if "self" in arguments and isinstance(arguments.get(each), Operand)
}  # fmt: skip
# Only torch 2.13 refuses these.
ONCE_TAKEN = {
    ("masked_fill.Scalar", "mask", "BYTE"),
    ("masked_fill.Tensor", "mask", "BYTE"),
    ("masked_scatter.default", "mask", "BYTE"),
    ("masked_select.default", "mask", "BYTE"),
    ("index_copy.default", "index", "INT"),
}
NOT_ASKED = {"native_layer_norm.default"}
# Accepted only by fake kernels.
FAKES_TAKE = ("conv", "native_dropout_backward")


def operator(name):
    packet, overload = name.split(".")
    return getattr(getattr(torch.ops.aten, packet), overload)


def torch_refuses(name, arguments, mode):
    def real(value):
        if isinstance(value, list):
            return [real(item) for item in value]
        return value.tensor() if isinstance(value, Operand) else value

    try:
        with mode or torch.no_grad():
            operator(name)(**{key: real(value) for key, value in arguments.items()})
        return False
    except Exception:  # noqa: BLE001
        return True


class Programs:
    """Makes programs of one node, of one that torch wrote."""

    def __init__(self):
        program = torch.export.export(Relu(), (torch.zeros(2),))
        file = io.BytesIO()
        torch.export.save(program, file)
        with zipfile.ZipFile(file) as archive:
            [member] = [name for name in archive.namelist() if name.endswith("models/model.json")]
            self.document = json.loads(archive.read(member))

    def of_call(self, name, arguments):
        document = copy.deepcopy(self.document)
        module = document["graph_module"]
        graph, specs = module["graph"], module["signature"]["input_specs"]
        meta = next(iter(graph["tensor_values"].values()))
        result = graph["nodes"][0]["outputs"][0]["as_tensor"]["name"]
        graph["tensor_values"] = {result: meta}
        graph["inputs"].clear()
        specs.clear()

        def given(value):
            if isinstance(value, Operand):
                tensor = f"t{len(specs)}"
                kind, _, number = value.device.partition(":")
                graph["tensor_values"][tensor] = {
                    **meta,
                    "dtype": NUMBERS[value.dtype],
                    "sizes": [{"as_int": size} for size in value.sizes],
                    "strides": [{"as_int": 1} for _ in value.sizes],
                    "device": {"type": kind, "index": int(number) if number else None},
                }
                graph["inputs"].append({"as_tensor": {"name": tensor}})
                specs.append({"user_input": {"arg": {"as_tensor": {"name": tensor}}}})
                return {"as_tensor": {"name": tensor}}
            if isinstance(value, list) and value and isinstance(value[0], Operand):
                return {"as_tensors": [given(item)["as_tensor"] for item in value]}
            if isinstance(value, list):
                return {"as_ints": value}
            kind = {bool: "as_bool", int: "as_int", float: "as_float", str: "as_string", type(None): "as_none"}[type(value)]
            return {kind: True if value is None else value}

        node = graph["nodes"][0]
        node["target"] = f"torch.ops.aten.{name}"
        node["inputs"] = [{"name": key, "arg": given(value), "kind": 1} for key, value in arguments.items()]
        return document


class Relu(torch.nn.Module):
    def forward(self, x):
        return x.relu()


def rules_found(document):
    done = subprocess.run([PT2, "validate", "--json", "-"], input=json.dumps(document).encode(), capture_output=True)
    assert done.returncode in (0, 1, 3), done.stderr
    [result] = json.loads(done.stdout)
    assert not result["errors"], result["errors"]
    return {finding["rule"] for finding in result["findings"]}


def operand_names(arguments):
    return [name for name, value in arguments.items() if isinstance(value, Operand)]


def pointwise_calls():
    """A call for each pointwise operator of aten with several tensors, which torch takes."""
    literals = {"number": 1, "float": 1.0, "int": 1, "Scalar": 1, "bool": False}
    for name in torch._C._dispatch_get_all_op_names():
        if not name.startswith("aten::"):
            continue
        name = name[6:] if "." in name else name[6:] + ".default"
        if not hasattr(torch.ops.aten, name.split(".")[0]):
            continue
        target = operator(name)
        declared = target._schema.arguments
        tensors = [each.name for each in declared if str(each.type) == "Tensor"]
        if torch.Tag.pointwise not in target.tags or len(tensors) < 2 or any("out" in each.name and each.kwarg_only for each in declared):
            continue
        for dtype in ("FLOAT", "LONG", "BOOL"):
            arguments = {
                each.name: Operand(2, 3, dtype="BOOL" if each.name in ("mask", "condition") else dtype)
                if each.name in tensors
                else literals.get(str(each.type), 1)
                for each in declared
                if each.name in tensors or not each.has_default_value()
            }
            if not torch_refuses(name, arguments, FakeTensorMode()):
                yield name, arguments
                break


class Operands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        logging.disable(logging.CRITICAL)
        cls.programs = Programs()

    def test_dtypes(self):
        refused = 0
        for name, arguments in [*CALLS.items(), *EMPTY.items()]:
            self.assertFalse(torch_refuses(name, arguments, None), name)
            self.assertNotIn("OPERAND_DTYPE", rules_found(self.programs.of_call(name, arguments)), name)
            for changed in operand_names(arguments):
                for dtype in DTYPES:
                    call = {**arguments, changed: arguments[changed].changed(dtype=dtype)}
                    is_found = "OPERAND_DTYPE" in rules_found(self.programs.of_call(name, call))
                    is_refused = torch_refuses(name, call, None)
                    refused += is_refused
                    if name in NOT_ASKED or (name, changed, dtype) in ONCE_TAKEN:
                        self.assertFalse(is_found, (name, changed, dtype))
                    else:
                        self.assertEqual(is_refused, is_found, (name, changed, dtype))
        print(refused, "calls refused for a dtype")
        self.assertGreater(refused, 300)

    def test_devices(self):
        calls = [*CALLS.items(), *pointwise_calls()]
        refused = 0
        for name, arguments in calls:
            if name == "masked_select.default":
                continue
            self.assertNotIn("OPERAND_DEVICE", rules_found(self.programs.of_call(name, arguments)), name)
            for changed in operand_names(arguments):
                call = {**arguments, changed: arguments[changed].changed(device="cuda:0")}
                is_found = "OPERAND_DEVICE" in rules_found(self.programs.of_call(name, call))
                is_refused = torch_refuses(name, call, FakeTensorMode())
                refused += is_refused
                if name in NOT_ASKED or (is_found and name.startswith(FAKES_TAKE)):
                    continue
                self.assertEqual(is_refused, is_found, (name, changed))
        print(refused, "calls refused for a device, of", len(calls), "operators")
        self.assertGreater(refused, 250)


if __name__ == "__main__":
    unittest.main()
