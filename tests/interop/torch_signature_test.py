"""pt2 says of a signature what torch says of it, in every property, and prints it as torch does.

Of every fixture, after an upgrade where it is old, and of random signatures with all kinds of specs. torch makes its own of the
same JSON, by the part of its loader that does so.

Needs torch. PT2_BINARY names the pt2 command; PT2_TEST_SEED sets the seed.
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import types
import unittest

import torch
from torch._export.serde import schema, serialize
from torch.export import graph_signature

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import random_seed  # noqa: E402

PROGRAMS = pathlib.Path(__file__).parent.parent / "data" / "programs"
PT2 = os.environ.get("PT2_BINARY", "build/bin/pt2")
PROPERTIES = [name for name, value in vars(graph_signature.ExportGraphSignature).items() if isinstance(value, property)]


def run_pt2(*arguments, document=None):
    return subprocess.run([PT2, *map(str, arguments)], check=True, capture_output=True, input=document).stdout


class Objects(dict):
    """Custom objects stand for themselves by their names."""

    def __missing__(self, name):
        return name


def torch_signature(program: dict):
    deserializer = serialize.GraphModuleDeserializer()
    deserializer.serialized_name_to_node = {}
    deserializer.constants = Objects()
    data = program["graph_module"]["signature"]
    return deserializer.deserialize_signature(serialize._dict_to_dataclass(schema.GraphSignature, data))


def plain(value):
    """As JSON has it."""
    if isinstance(value, (dict, types.MappingProxyType)):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, graph_signature.ExportBackwardSignature):
        return plain(vars(value))
    return [plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def random_signature(generator: random.Random) -> dict:
    counter = iter(range(10**6))

    def name():
        return f"v{next(counter)}"

    def tensor():
        return {"arg": {"name": name()}}

    def user():
        return generator.choice(
            [
                {"as_tensor": {"name": name()}},
                {"as_sym_int": {"as_name": name()}},
                {"as_sym_float": {"as_name": name()}},
                {"as_int": generator.randrange(-9, 9)},
                {"as_float": generator.random()},
                {"as_string": 'a "b" \\ \u20ac'},
                {"as_bool": generator.random() < 0.5},
                {"as_none": True},
                {"as_custom_obj": {"name": name(), "class_fqn": "my.Class"}},
            ]
        )

    def target():
        return generator.choice(["layer.weight", "bn.mean", "it's", "a b"]) + str(next(counter) % 5)

    inputs = [
        lambda: {"user_input": {"arg": user()}},
        lambda: {"parameter": {**tensor(), "parameter_name": target()}},
        lambda: {"buffer": {**tensor(), "buffer_name": target(), "persistent": generator.random() < 0.5}},
        lambda: {"tensor_constant": {**tensor(), "tensor_constant_name": target()}},
        lambda: {"custom_obj": {"arg": {"name": name(), "class_fqn": "my.Class"}, "custom_obj_name": target()}},
        lambda: {"token": tensor()},
        lambda: {
            "constant_input": {
                "name": name(),
                "value": generator.choice([{"as_int": 3}, {"as_bool": True}, {"as_string": "s"}, {"as_float": 0.5}, {"as_none": True}]),
            }
        },
    ]
    outputs = [
        lambda: {"user_output": {"arg": user()}},
        lambda: {"buffer_mutation": {**tensor(), "buffer_name": target()}},
        lambda: {"parameter_mutation": {**tensor(), "parameter_name": target()}},
        lambda: {"gradient_to_parameter": {**tensor(), "parameter_name": target()}},
        lambda: {"gradient_to_user_input": {**tensor(), "user_input_name": target()}},
        lambda: {"user_input_mutation": {**tensor(), "user_input_name": target()}},
        lambda: {"token": tensor()},
    ]
    specs = [generator.choice(outputs)() for _ in range(generator.randrange(8))]
    if generator.random() < 0.5:
        specs.insert(generator.randrange(len(specs) + 1), {"loss_output": tensor()})
    return {
        "input_specs": [generator.choice(inputs)() for _ in range(generator.randrange(8))],
        "output_specs": specs,
    }


class TorchSignature(unittest.TestCase):
    maxDiff = None

    def check(self, program: dict):
        document = json.dumps(program).encode()
        theirs = torch_signature(program)
        ours = json.loads(run_pt2("info", "--json", "-", document=document))["signature"]
        self.assertEqual(sorted(ours), sorted(PROPERTIES))
        for name in PROPERTIES:
            value = plain(getattr(theirs, name))
            self.assertEqual(ours[name], value, name)
            if isinstance(value, dict):
                self.assertEqual(list(ours[name]), list(value), f"order of {name}")
        self.assertEqual(run_pt2("show", "--signature", "-", document=document).decode(), str(theirs))

    def test_all_fixtures(self):
        sources = sorted(PROGRAMS.glob("torch-*/*.pt2"))
        self.assertGreater(len(sources), 50)
        for source in sources:
            with self.subTest(source=source):
                program = json.loads(run_pt2("convert", source, "-"))
                self.check(program)

    def test_signatures_of_loaded_programs(self):
        """The loader's signature equals the program's."""
        for name in ["mlp", "joint", "mutate_buffer", "pytree_kwargs", "conv_bn_train"]:
            with self.subTest(name=name):
                source = PROGRAMS / "torch-2.13.0" / f"{name}.pt2"
                loaded = torch.export.load(source).graph_signature
                self.assertEqual(run_pt2("show", "--signature", source).decode(), str(loaded))

    def test_random_signatures(self):
        generator = random.Random(random_seed.SEED)
        program = json.loads(run_pt2("convert", PROGRAMS / "torch-2.13.0" / "no_inputs.pt2", "-"))
        for _ in range(60):
            program["graph_module"]["signature"] = random_signature(generator)
            self.check(program)


if __name__ == "__main__":
    unittest.main()
