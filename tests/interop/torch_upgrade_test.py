"""torch loads and runs what pt2 upgrades.

Every archive of torch 2.1 to 2.6 is upgraded by pt2 and loaded by torch.export.load, which refuses all but those of 2.6 as they
are. Its module then runs on its own example inputs, if it has any (torch 2.1 and 2.2 saved none), and on those of the same model
as exported by torch 2.13, for which it has to compute the same.

Then there is what the fixtures do not have: programs of today with higher-order operators, written in the way of older releases.

Needs torch. PT2_BINARY names the pt2 command.
"""

import collections
import io
import json
import logging
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import warnings
import zipfile

import torch
from torch._higher_order_ops.map import map as map_operator
from torch._higher_order_ops.scan import scan

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import head_schema  # noqa: E402

PROGRAMS = pathlib.Path(__file__).parent.parent / "data" / "programs"
PT2 = os.environ.get("PT2_BINARY", "build/bin/pt2")
OLDER_MAJORS = ["2.1.2", "2.2.2", "2.4.1", "2.5.1"]
TODAY = PROGRAMS / "torch-2.13.0"

# For reasons outside the schema, with torch's messages.
CANNOT = {
    ("2.5.1", "lifted_constants"): ("load", "Unable to deserialize output node"),  # string outputs
    ("2.6.0", "lifted_constants"): ("load", "Unable to deserialize output node"),
}
# torch 2.13.0 cannot run its own exports of these models.
NOT_COMPARED = {"joint"}


def register_custom_operator():
    """The operator of the custom_op fixture, near enough for two runs to be compared."""

    def scale(x, a, *, dims, mode):
        return x * a, [x.clone(), x + len(dims)]

    torch.library.define("fxlib::scale", "(Tensor x, float a, *, int[] dims, str mode) -> (Tensor, Tensor[])")
    torch.library.impl("fxlib::scale", "CompositeExplicitAutograd", scale)


def members(path: pathlib.Path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def run(program, example_inputs):
    arguments, keywords = example_inputs
    torch.manual_seed(0)
    return program.module()(*arguments, **keywords)


class UpgradeTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    @classmethod
    def setUpClass(cls):
        logging.disable(logging.WARNING)
        warnings.simplefilter("ignore")

    def upgraded(self, source):
        target = self.folder / f"upgraded_{source.name}"
        subprocess.run([PT2, "upgrade", str(source), "-o", str(target)], check=True)
        return target

    def assert_same(self, ours, theirs):
        torch.testing.assert_close(ours, theirs, equal_nan=True)


class Fixtures(UpgradeTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        register_custom_operator()

    def attempt(self, stage, known, action):
        """Returns the result of `action`; None if it must fail, and does."""
        if known is None or known[0] != stage:
            return action()
        with self.assertRaises(Exception) as caught:
            action()
        self.assertIn(known[1], str(caught.exception))
        return None

    def check_members(self, source, target):
        """All but the program and the version is there as it was, and what was added is empty."""
        old, new = members(source), members(target)
        self.assertEqual(new.pop("version"), head_schema.VERSION.encode())
        self.assertNotEqual(new.pop("serialized_exported_program.json"), old.pop("serialized_exported_program.json"))
        old.pop("version")
        added = {name: new.pop(name) for name in set(new) - set(old)}
        self.assertEqual(new, old)
        self.assertEqual(set(added.values()) - {b""}, set())

    def check_runs(self, target, known, today):
        # Loaded for each run, which may change buffers.
        program = torch.export.load(target)
        if program.example_inputs is not None:
            self.attempt("run", known, lambda: run(program, program.example_inputs))
        if today.stem in NOT_COMPARED:
            return
        reference = torch.export.load(today)
        ours = self.attempt("run", known, lambda: run(torch.export.load(target), reference.example_inputs))
        if ours is not None:
            self.assert_same(ours, run(reference, reference.example_inputs))

    def check(self, release, source):
        known = CANNOT.get((release, source.stem))
        target = self.upgraded(source)
        self.check_members(source, target)
        program = self.attempt("load", known, lambda: torch.export.load(target))
        if program is not None:
            self.check_runs(target, known, TODAY / source.name)

    def test_every_way_to_save_an_old_program_makes_an_archive_that_torch_runs(self):
        for release in OLDER_MAJORS:
            source = PROGRAMS / f"torch-{release}" / "mlp.pt2"
            target = self.folder / "saved.pt2"
            for command in [["convert", source, target], ["canonicalize", source, "--form", "names", "-o", target],
                            ["upgrade", source, "-o", target]]:
                with self.subTest(release=release, command=command[0]):
                    subprocess.run([PT2, *map(str, command)], check=True)
                    self.check_runs(target, None, TODAY / source.name)

    def test_programs_of_older_majors_do_not_load_as_they_are(self):
        for release in OLDER_MAJORS:
            for source in sorted((PROGRAMS / f"torch-{release}").glob("*.pt2")):
                with self.subTest(source=source), self.assertRaises(Exception):
                    torch.export.load(source)


def add_fixture_tests():
    for release in [*OLDER_MAJORS, "2.6.0"]:
        sources = sorted((PROGRAMS / f"torch-{release}").glob("*.pt2"))
        assert sources, f"no fixtures of torch {release}"
        for source in sources:
            name = f"test_{source.stem}_of_torch_{release.replace('.', '_')}_computes_what_it_does_today"
            setattr(Fixtures, name, lambda self, r=release, s=source: self.check(r, s))


add_fixture_tests()


Point = collections.namedtuple("Point", ["x", "y"])
torch.utils._pytree._register_namedtuple(Point, serialized_type_name="Point")


class PointModel(torch.nn.Module):
    def forward(self, point):
        return Point(point.x + point.y, point.x.sin())


class MapModel(torch.nn.Module):
    def forward(self, xs, y):
        return map_operator(lambda x, y: x.sin() + y, xs, y)


class GradModel(torch.nn.Module):
    def forward(self, x):
        with torch.no_grad():
            y = x.sin() + 1
        return y * 2


class CondModel(torch.nn.Module):
    """With two outputs, and another cond in a branch."""

    def forward(self, p, x):
        def nested(x):
            return torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.tan(), (x,)), x + 1

        return torch.cond(p, nested, lambda x: (x.cos(), x - 1), (x,))


class ScanModel(torch.nn.Module):
    def forward(self, start, xs):
        return scan(lambda carried, x: (carried + x, carried * x), start, xs)


def all_nodes(graph):
    for node in graph["nodes"]:
        yield node
        for given in node["inputs"]:
            if "as_graph" in given["arg"]:
                yield from all_nodes(given["arg"]["as_graph"]["graph"])


def write_as_before_8_4(document):
    """A tuple of one tensor was a list, and no flag told it from a tensor (torch 2.6, serialize_hoo_outputs)."""
    for node in all_nodes(document["graph_module"]["graph"]):
        is_single = node.pop("is_hop_single_tensor_return")
        outputs = node["outputs"]
        if node["target"].startswith("torch.ops.higher_order") and len(outputs) == 1 and not is_single:
            node["outputs"] = [{"as_tensors": [outputs[0]["as_tensor"]]}]
    document["schema_version"] = {"major": 8, "minor": 2}


def write_as_schema_2(document):
    """As far as these programs differ: offsets were integers, and map had its operands one by one."""
    write_as_before_8_4(document)
    graph = document["graph_module"]["graph"]
    for node in all_nodes(graph):
        if node["target"].endswith(".map_impl"):
            function, mapped, others = node["inputs"]
            tensors = [*mapped["arg"]["as_tensors"], *others["arg"]["as_tensors"]]
            node["inputs"] = [function, {"name": "", "arg": {"as_int": len(mapped["arg"]["as_tensors"])}},
                              *({"name": "", "arg": {"as_tensor": tensor}} for tensor in tensors)]
    for meta in graph["tensor_values"].values():
        meta["storage_offset"] = meta["storage_offset"]["as_int"]
    for node in graph["nodes"]:
        for given in node["inputs"]:
            if "as_graph" in given["arg"]:
                for meta in given["arg"]["as_graph"]["graph"]["tensor_values"].values():
                    meta["storage_offset"] = meta["storage_offset"]["as_int"]
    document["schema_version"] = 2


def write_as_torch_2_6(document):
    """scan had dim and reverse before its additional inputs."""
    write_as_before_8_4(document)
    document["torch_version"] = "2.6.0"
    for node in all_nodes(document["graph_module"]["graph"]):
        if node["target"].endswith(".scan"):
            node["inputs"][3:3] = [{"name": "", "arg": {"as_int": 0}, "kind": 1}, {"name": "", "arg": {"as_bool": False}, "kind": 1}]


class RewrittenPrograms(UpgradeTest):
    def rewritten(self, model, arguments, rewrite):
        """The program of `model` as an older release would have written it."""
        program = torch.export.export(model, arguments)
        today = io.BytesIO()
        torch.export.save(program, today)
        with zipfile.ZipFile(today) as archive:
            document = json.loads(archive.read(next(n for n in archive.namelist() if "/models/" in n)))
        rewrite(document)
        source = self.folder / "old.pt2"
        with zipfile.ZipFile(source, "w") as archive:
            archive.writestr("serialized_exported_program.json", json.dumps(document))
            archive.writestr("serialized_state_dict.pt", b"")
        return source

    def check(self, model, arguments, rewrite):
        loaded = torch.export.load(self.upgraded(self.rewritten(model, arguments, rewrite)))
        self.assert_same(run(loaded, (arguments, {})), model(*arguments))
        return loaded


class Namedtuples(RewrittenPrograms):
    def write_as_torch_2_3(self, document):
        """A namedtuple's context was an object with the name of its class and its fields (torch 2.2, _namedtuple_serialize)."""

        def rewrite(spec):
            if spec["type"] == "collections.namedtuple":
                spec["context"] = {"class_name": spec["context"], "fields": ["x", "y"]}
            for child in spec["children_spec"]:
                rewrite(child)

        write_as_schema_2(document)
        module = document["graph_module"]
        del module["treespec_namedtuple_fields"]
        for call in module["module_call_graph"]:
            for name in ("in_spec", "out_spec"):
                protocol, spec = json.loads(call["signature"][name])
                rewrite(spec)
                call["signature"][name] = json.dumps([protocol, spec])

    def test_a_namedtuple_loads_by_the_name_of_its_class(self):
        arguments = (Point(torch.randn(3), torch.randn(3)),)
        loaded = self.check(PointModel(), arguments, self.write_as_torch_2_3)
        self.assertIsInstance(run(loaded, (arguments, {})), Point)
        self.assertEqual({"Point": ["x", "y"]}, loaded.graph_module.meta["treespec_namedtuple_fields"])


class HigherOrderOperators(RewrittenPrograms):

    def test_cond_with_two_outputs_and_one_inside(self):
        for decision in [True, False]:
            self.check(CondModel(), (torch.tensor(decision), torch.randn(3)), write_as_before_8_4)

    def test_set_grad_enabled(self):
        self.check(GradModel(), (torch.randn(3),), write_as_before_8_4)

    def test_map(self):
        self.check(MapModel(), (torch.randn(3, 2), torch.randn(2)), write_as_before_8_4)

    def test_map_of_torch_2_2(self):
        self.check(MapModel(), (torch.randn(3, 2), torch.randn(2)), write_as_schema_2)

    def test_scan_of_torch_2_6(self):
        self.check(ScanModel(), (torch.randn(2), torch.randn(4, 2)), write_as_torch_2_6)


class ChangedOperators(UpgradeTest):
    """Programs of releases that called operators in another way give what their models do, upgraded or hardened."""

    def check(self, name, model, arguments):
        source = PROGRAMS.parent / "old_exports" / name
        hardened = self.folder / "hardened.pt2"
        subprocess.run([PT2, "harden", str(source), "-o", str(hardened)], check=True)
        for written in (self.upgraded(source), hardened):
            self.assert_same(run(torch.export.load(written), (arguments, {})), model(*arguments))

    def test_while_loop_of_torch_2_3_had_no_additional_inputs(self):
        self.check("2.3.1-while_loop-strict.pt2", lambda i, x: (torch.tensor(5), x * 16), (torch.tensor(1), torch.randn(3)))

    def test_rrelu_with_noise_of_torch_2_2_and_2_3_wrote_to_no_argument(self):
        def model(x):
            torch.manual_seed(0)
            return torch.nn.functional.rrelu(x, training=True)

        for release in ("2.2.2", "2.3.1"):
            self.check(f"{release}-rrelu_train-strict.pt2", model, (torch.randn(3, 4),))

    def test_attention_of_torch_2_2_on_the_cpu(self):
        def model(q, k, v):
            return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)

        self.check("2.2.2-causal_attention-strict.pt2", model, tuple(torch.randn(3, 1, 2, 4, 8)))


if __name__ == "__main__":
    unittest.main()
