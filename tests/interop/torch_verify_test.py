"""pt2 validate finds what torch refuses.

Of programs that torch wrote, one place of the JSON is broken at random: a string, number, list, key or the kind of a union. Where
torch's loader or verifier then refuses the program, pt2 has to find something that it does not find in the program as it was: a
break of the schema, or a finding.

Needs torch. PT2_BINARY names the pt2 command; PT2_TEST_SEED sets the seed, PT2_TEST_ROUNDS the number of breaks per program.
"""

import collections
import copy
import json
import logging
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest
import warnings

import programs
import torch
from torch._export.serde import serialize
from torch._higher_order_ops.hints_wrap import hints_wrapper
from torch._higher_order_ops.map import map as map_
from torch._higher_order_ops.scan import scan
from torch._higher_order_ops.strict_mode import strict_mode
from torch._higher_order_ops.while_loop import while_loop

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import random_seed  # noqa: E402

HEAD = programs.PROGRAMS / "torch-2.13.0"
PT2 = os.environ.get("PT2_BINARY", "build/bin/pt2")
ROUNDS = int(os.environ.get("PT2_TEST_ROUNDS", 12))
NAMES = [
    "cond",
    "conv_bn_train",
    "custom_op",
    "dtypes",
    "dynamic",
    "effects",
    "lists_out",
    "mlp",
    "mutate_buffer",
    "no_inputs",
    "nonfinite",
    "pytree_kwargs",
    "shared_weights",
    "sym_values",
    "unbacked",
]

# torch's errors for valid programs, and why pt2 reports none.
NOT_OURS = {
    r"is not functional": "by the verifier of another dialect than the program has",
    r"is not in the state dict|is not in the constants dictionary|in the state dict, it should not": "needs the weights",
    r"is not an instance of torch.nn.Parameter": "needs the weights",
    r"'str' object has no attribute 'meta'": "torch reads the condition of _assert_scalar by position only",
    r"target='torch\.ops\.fxlib": "operators of the user",
    r"Node redefined name getitem": "results of an operator of the user in another order",
    r"does not match our current schema version": "pt2 upgrades",
}


def places(value, path=()):
    """The path of each value in the document."""
    yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from places(item, (*path, index))


def at(document, path):
    for step in path:
        document = document[step]
    return document


def broken_value(generator, value, strings):
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return generator.choice([-1, 0, value + 1, value * 2 + 3, 2**40])
    if isinstance(value, float):
        return generator.choice([-value, value + 1])
    if isinstance(value, str):
        return generator.choice(["", value + "_x", generator.choice(strings), value[:-1], value.replace("_", ".")])
    if isinstance(value, list) and value:
        index = generator.randrange(len(value))
        return generator.choice([value[:index] + value[index + 1 :], value + [value[index]], value[::-1]])
    if isinstance(value, dict) and value:
        key = generator.choice(list(value))
        rest = {other: item for other, item in value.items() if other != key}
        return generator.choice([rest, {**rest, generator.choice([key + "_x", *value]): value[key]}])
    return value


def broken(generator, document):
    """A copy with one change, and where that is."""
    all_places = [path for path in places(document) if path and path[0] not in ("schema_version", "torch_version")]
    strings = [value for value in (at(document, path) for path in all_places) if isinstance(value, str)]
    copied = copy.deepcopy(document)
    while copied == document:
        path = generator.choice(all_places)
        parent = at(copied, path[:-1])
        parent[path[-1]] = broken_value(generator, parent[path[-1]], strings)
    return copied, path


def torch_error(document, loaded):
    """Returns torch's error as text; None if it accepts the program."""
    artifact = serialize.SerializedArtifact(
        json.dumps(document).encode(), loaded.state_dict, loaded.constants, loaded.example_inputs
    )
    try:
        serialize.deserialize(artifact)
        return None
    except Exception as error:  # noqa: BLE001
        return f"{type(error).__name__}: {error}"


def findings(document):
    """Returns pt2's findings: rules with paths, or a schema error."""
    done = subprocess.run([PT2, "validate", "--json", "-"], input=json.dumps(document).encode(), capture_output=True)
    assert done.returncode in (0, 1, 3), done.stderr
    result = json.loads(done.stdout)[0]
    rules = {(finding["rule"], finding["path"]) for finding in result["findings"]}
    return rules | {("SCHEMA", error["reason"]) for error in result["errors"]}


class Call(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function
        self.weight = torch.nn.Parameter(torch.ones(3))

    def forward(self, x):
        return self.function(x, self.weight)


def no_grad(x, w):
    with torch.no_grad():
        y = x * w
    return y + 1


def autocast(x, w):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return x @ x.t()


@torch.compiler.nested_compile_region
def region(x, w):
    return x * w + 1


HIGHER_ORDER = {
    "cond": lambda x, w: torch.cond(x.sum() > 0, lambda a: (a * w, a.sum()), lambda a: (a + w, a.max()), (x,)),
    "hints_wrapper": lambda x, w: hints_wrapper(lambda a, b: a + b, (x, w), {}, hints={"key": 1}),
    "invoke_subgraph": lambda x, w: region(x, w) + region(x + 1, w),
    "map_impl": lambda x, w: map_(lambda row, b: (row * b, row.sum()), x, w),
    "scan": lambda x, w: scan(lambda carry, row: (carry + row * w, carry * 2), torch.zeros(3), x),
    "strict_mode": lambda x, w: strict_mode(lambda a: a.sin(), (x,)),
    "while_loop": lambda x, w: while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * w), (torch.tensor(0), x)),
    "wrap_with_autocast": autocast,
    "wrap_with_set_grad_enabled": no_grad,
}


class HigherOrder(unittest.TestCase):
    def test_the_subgraphs_of_torchs_programs_are_sound_until_one_loses_an_input(self):
        logging.disable(logging.CRITICAL)
        warnings.simplefilter("ignore")
        for name, function in HIGHER_ORDER.items():
            with self.subTest(name):
                program = torch.export.export(Call(function), (torch.randn(4, 3),), strict=True)
                document = json.loads(serialize._to_json_bytes(serialize.ExportedProgramSerializer().serialize(program).exported_program))
                [*nodes] = (
                    node for node in document["graph_module"]["graph"]["nodes"] if node["target"] == f"torch.ops.higher_order.{name}"
                )
                self.assertTrue(nodes)
                found = {rule for rule, _ in findings(document)}
                self.assertEqual({rule for rule in found if rule.startswith(("ARGUMENT_", "SUBGRAPH_"))}, set())
                graph = next(each["arg"]["as_graph"]["graph"] for each in nodes[0]["inputs"] if "as_graph" in each["arg"])
                graph["inputs"].pop()
                self.assertIn("SUBGRAPH_ARITY", {rule for rule, _ in findings(document)})


class Breaks(unittest.TestCase):
    def test_what_torch_refuses_is_found(self):
        logging.disable(logging.CRITICAL)
        warnings.simplefilter("ignore")
        programs.register_custom_operator()
        generator = random.Random(random_seed.SEED)
        counts = collections.Counter()
        missed = []
        for name in NAMES:
            loaded = torch.export.load(HEAD / f"{name}.pt2")
            document = json.loads((HEAD / f"{name}.json").read_text())
            self.assertIsNone(torch_error(document, loaded), name)
            before = findings(document)
            for _ in range(ROUNDS):
                changed, path = broken(generator, document)
                error = torch_error(changed, loaded)
                if error is None:
                    counts["torch takes"] += 1
                elif findings(changed) - before:
                    counts["found"] += 1
                elif any(re.search(pattern, error) for pattern in NOT_OURS):
                    counts["not ours"] += 1
                else:
                    where = ".".join(map(str, path))
                    missed.append(f"{name}: {where}: {at(document, path)!r:.80} -> {at(changed, path)!r:.80}: ...{error[-300:]}")
        print(dict(counts), "missed:", len(missed))
        self.assertGreater(counts["found"], len(NAMES))
        self.assertEqual([], missed, "\n\n".join(missed))

    def test_nothing_is_found_in_random_programs(self):
        logging.disable(logging.CRITICAL)
        warnings.simplefilter("ignore")
        generator = random.Random(random_seed.SEED)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "random.pt2"
            for _ in range(5):
                torch.export.save(programs.random_program(generator), path)
                done = subprocess.run([PT2, "validate", str(path)], capture_output=True, text=True)
                self.assertRegex(done.stdout, r": ok \(.*\)\n$", f"seed {random_seed.SEED}")


if __name__ == "__main__":
    unittest.main()
