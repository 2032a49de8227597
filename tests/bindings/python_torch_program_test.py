"""pt2.torch.load() builds the same ExportedProgram as torch's deserializer.

    python_torch_program_test.py [--all] [unittest's options]

--all compares every program of tests/data, not only those of torch 2.13 and a few others. Needs torch 2.13.
PT2_PYTHON_PACKAGE is the folder that has the package pt2.
"""

import concurrent.futures
import gc
import logging
import os
import pathlib
import shutil
import sys
import tempfile
import types
import unittest
import unittest.mock
import warnings
import weakref

import sympy
import torch
from torch._export.serde import serialize
from torch._subclasses.fake_tensor import FakeTensor
from torch.fx.traceback import NodeSource
from torch.utils import _pytree

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "interop"))
sys.path.insert(0, os.environ.get("PT2_PYTHON_PACKAGE", str(ROOT / "build" / "bindings" / "python")))

import pt2  # noqa: E402
import pt2.torch  # noqa: E402
from programs import PROGRAMS, files, register_custom_operator  # noqa: E402

ALL = "--all" in sys.argv
TODAY = PROGRAMS / "torch-2.13.0"
OLD = ROOT / "tests" / "data" / "old_exports"
SYMBOLIC = (torch.SymInt, torch.SymFloat, torch.SymBool)
PLAIN = (int, float, complex, str, bytes, type(None), torch.dtype, torch.device, torch.layout, torch.memory_format)
TABLES = ("var_to_range", "backed_var_to_val", "var_to_sources", "source_to_var", "replacements", "unbacked_renamings")
COUNTS = ("num_deferred_runtime_asserts", "unbacked_symint_counter", "unbacked_symfloat_counter")


def load_by_torch(path):
    """Loads a program by torch's deserializer, with the tensors of pt2.torch."""
    with unittest.mock.patch.object(pt2.torch, "_torch_program", None):
        return pt2.torch.load(path)


def load_by_pt2(path, **options):
    """Loads a program without torch's deserializer."""
    with unittest.mock.patch.object(pt2.torch, "_Deserializer", side_effect=AssertionError("torch's deserializer was called")):
        return pt2.torch.load(path, **options)


class Described:
    """Describes a program as lists, dicts and texts. Objects are numbered in the order in which they are met, so that two
    descriptions are equal only if the same places share an object."""

    def __init__(self):
        self.numbers = {}
        self.kept = []

    def number(self, kind, identity, kept=None):
        self.kept.append(kept)
        return self.numbers.setdefault((kind, identity), len(self.numbers))

    def symbolic(self, value):
        node = value.node
        return (type(value), node.pytype, sympy.srepr(node._expr), sympy.srepr(node.expr), node._hint, node.constant,
                self.number("environment", id(node.shape_env), node.shape_env))

    def size(self, value):
        """Tracing tells sizes apart by their objects."""
        is_symbolic = isinstance(value, SYMBOLIC)
        return [self.number("size", id(value.node), value.node), self.symbolic(value)] if is_symbolic else value

    def tensor(self, value):
        made = [type(value), self.number("tensor", id(value), value), value.dtype, value.device, value.layout, value.requires_grad,
                value.is_leaf, value._version, value._is_view(), str(torch._C._dispatch_keys(value)),
                [self.size(each) for each in (*value.size(), *value.stride(), value.storage_offset())]]
        if value.layout == torch.strided:
            storage = value.untyped_storage()
            made += [self.number("storage", storage._cdata, storage), self.value(storage.nbytes()), torch._C._is_cow_tensor(value)]
        if isinstance(value, FakeTensor):
            made += [self.number("mode", id(value.fake_mode), value.fake_mode), sorted(vars(value)), value.constant, value.real_tensor]
        elif value.layout == torch.strided and value.device.type == "cpu" and value.numel():
            made.append(bytes(value.detach().contiguous().reshape(-1).view(torch.uint8).numpy()))
        return made

    def value(self, value):
        if isinstance(value, torch.Tensor):
            return self.tensor(value)
        if isinstance(value, SYMBOLIC):
            return self.symbolic(value)
        if isinstance(value, float):
            return repr(value)  # NaN is not equal to itself
        if isinstance(value, PLAIN):
            return value if isinstance(value, (int, str)) else repr(value)
        if isinstance(value, sympy.Basic):
            return sympy.srepr(value)
        if isinstance(value, torch.fx.Node):
            return "%" + value.name
        if isinstance(value, NodeSource):
            return [self.number("source", id(value), value), value.to_dict()]
        if isinstance(value, dict):
            return [type(value), self.number("dict", id(value), value) if value else None,
                    [(self.value(key), self.value(each)) for key, each in value.items()]]
        if isinstance(value, list):
            return [type(value), self.number("list", id(value), value) if type(value) is list and value else None,
                    *map(self.value, value)]
        if isinstance(value, tuple):
            return [type(value), *map(self.value, value)]
        if hasattr(value, "__dataclass_fields__"):
            return [type(value), [(name, self.value(getattr(value, name))) for name in value.__dataclass_fields__]]
        if isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType, torch._ops.OperatorBase)):
            return value
        return str(value)

    def graph(self, module):
        graph = module.graph
        nodes = [[node.op, node.name, self.value(node.target), self.value(node.args), self.value(dict(node.kwargs)), node.type,
                  [user.name for user in node.users], self.value(node.meta)] for node in graph.nodes]
        names = graph._graph_namespace
        return [type(module).__name__, nodes, module.code, self.value(module.meta), module.training, sorted(vars(module)),
                sorted(names._used_names), dict(names._base_count), type(graph._codegen), graph.owning_module is module,
                [(name, self.graph(each)) for name, each in module.named_children()]]

    def environment(self, program):
        values = [value for node in program.graph.nodes for value in _pytree.tree_leaves(node.meta.get("val"))]
        mode = next((value.fake_mode for value in values if isinstance(value, FakeTensor)), None)
        if mode is None:
            return None
        env = mode.shape_env
        asserts = [(str(key), [str(each.expr) for each in found]) for key, found in env.deferred_runtime_asserts.items()]
        return [*(self.value(getattr(env, name)) for name in TABLES), *(getattr(env, name) for name in COUNTS), asserts,
                sorted(map(str, env.size_like)), list(map(str, env.var_to_stack)), [str(each.expr) for each in env.guards],
                sorted(map(str, env.axioms)), sorted(map(str, env.divisible)), env.frozen,
                sorted(key for key in vars(mode) if getattr(mode, key) is True)]

    def program(self, program):
        return {
            "graph": self.graph(program.graph_module),
            "environment": self.environment(program),
            "signature": self.value(program.graph_signature),
            "ranges": self.value(program.range_constraints),
            "calls": [[each.fqn, self.value(each.signature)] for each in program.module_call_graph],
            "state": self.value(program.state_dict),
            "constants": self.value(program.constants),
            "inputs": self.value(program.example_inputs),
            "rest": [[each.__name__ for each in program.verifiers], program._guards_code, sorted(vars(program)), str(program)],
        }


def description(program):
    return Described().program(program)


class Big(torch.nn.Module):
    """Calls that do not occur in the programs of tests/data."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x, y):
        with torch.no_grad():
            z = self.linear(x)
        values, places = torch.topk(z, 2)
        parts = torch.split(z, 2, 1)
        mapped = torch.vmap(lambda row: row.sin())(x)
        count = y.sum().to(torch.int64).abs().item()
        torch._check(count >= 2)
        torch._check(count <= 40)
        torch._check(count % 2 == 1)
        rows = x.shape[0]
        return (values, places, parts, mapped, torch.zeros(count * 2, rows), y.nonzero(), z[: rows - 1], rows * 2, z.to(torch.bfloat16),
                torch.cond(rows > 4, lambda a: a.sin(), lambda a: a.cos(), (z,)))


class Equal(torch.nn.Module):
    """Makes a size that depends on data also an input."""

    def forward(self, x, y):
        count = x.item()
        torch._check(count == y.shape[0])
        return torch.zeros(count) + y, torch.zeros(count, 2)


class Halved(torch.nn.Module):
    """Has strides of which torch asks whether they are ordered, when it makes fake tensors again."""

    def forward(self, x, y):
        x = torch.nn.functional.conv2d(x, y, stride=2).permute(0, 2, 3, 1)
        return x.contiguous().view(1, -1, 4) + 1, x.transpose(1, 3).contiguous(memory_format=torch.channels_last)


class ProgramTest(unittest.TestCase):
    maxDiff = 2000

    @classmethod
    def setUpClass(cls):
        logging.disable(logging.WARNING)
        warnings.simplefilter("ignore")
        register_custom_operator()

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def export(self, *arguments, **keywords):
        path = self.folder / "program.pt2"
        torch.export.save(torch.export.export(*arguments, **keywords), path)
        return path

    def assert_same(self, path, theirs=load_by_torch):
        expected, found = description(theirs(path)), description(load_by_pt2(path))
        for part, value in expected.items():
            self.assertEqual(found[part], value, part)

    def assert_same_or_same_error(self, path):
        try:
            load_by_torch(path)
        except Exception as error:  # noqa: BLE001
            with self.assertRaises(type(error)) as caught:
                pt2.torch.load(path)
            self.assertEqual(str(caught.exception)[:200], str(error)[:200])
        else:
            self.assert_same(path)

    def test_programs_of_all_releases_are_the_same(self):
        paths = [*files("2.13.0"), *OLD.glob("2.6.0-*.pt2")]
        if ALL:
            paths = [path for path in (ROOT / "tests" / "data").rglob("*.pt2") if path.parent.name not in ("hostile", "packages")]
        for path in paths:
            with self.subTest(path.parent.name + "/" + path.stem):
                self.assert_same_or_same_error(path)

    def test_programs_are_what_torch_loads_of_the_file(self):
        for path in files("2.13.0", "2.8.0", without=("lifted_constants",)):
            with self.subTest(path.parent.name + "/" + path.stem):
                self.assert_same(path, torch.export.load)

    def test_exported_programs_are_the_same(self):
        dynamic = {0: torch.export.Dim.AUTO}
        for model, arguments, sizes in (
            (Big(), (torch.randn(6, 4), torch.ones(5)), (dynamic, None)),
            (Equal(), (torch.tensor(5), torch.ones(5)), (None, dynamic)),
            (Halved(), (torch.randn(1, 4, 8, 10), torch.randn(4, 4, 2, 2)), ({2: dynamic[0], 3: dynamic[0]}, None)),
        ):
            with self.subTest(type(model).__name__):
                path = self.export(model, arguments, dynamic_shapes=sizes)
                self.assert_same(path)
                self.assert_same(path, torch.export.load)
                # Tracing names the nodes of sizes by how many sizes are different objects.
                theirs, ours = (load(path).run_decompositions() for load in (torch.export.load, load_by_pt2))
                self.assertEqual([node.name for node in ours.graph.nodes], [node.name for node in theirs.graph.nodes])
                torch.export.save(torch.export.load(path).run_decompositions(), path)
                self.assert_same(path)

    def test_old_programs_run(self):
        names = ("2.2.2-map_functorch-strict", "2.2.2-map_op-strict", "2.4.1-no_grad-strict", "2.6.0-cond-strict")
        for path in (PROGRAMS / "torch-2.6.0" / "cond.pt2", *(OLD / f"{name}.pt2" for name in names)):
            with self.subTest(path.stem):
                program = load_by_pt2(path)
                values = {node.name: node.meta.get("val") for node in program.graph.nodes}
                inputs = [values[name] for name in program.graph_signature.user_inputs]
                outputs = program.module()(*(torch.ones(value.shape, dtype=value.dtype) for value in inputs))
                self.assertTrue(_pytree.tree_leaves(outputs))

    def test_what_only_torch_can_build_goes_to_its_deserializer(self):
        path = TODAY / "mlp.pt2"
        expected = description(pt2.torch.load(path))
        cases = {
            "extension": unittest.mock.patch.object(serialize, "_registered_extension_types", lambda: (torch._ops.OpOverload,)),
            "verifier": unittest.mock.patch.object(pt2.torch._torch_program, "_VERIFIERS", set()),
            "schema version": unittest.mock.patch.object(pt2.torch._torch_program._serialize, "SCHEMA_VERSION", (9, 1)),
            "kind of argument": unittest.mock.patch.object(pt2.torch._torch_program, "_ARGUMENTS", set()),
            "kind of input": unittest.mock.patch.object(pt2.torch._torch_program, "_INPUTS", set()),
        }
        for name, patch in cases.items():
            with self.subTest(name), patch, self.assertRaises(pt2.torch._torch_program.Unsupported):
                pt2.torch._torch_program.build(pt2.open(TODAY / "cond.pt2").program, {}, {}, None)
        with unittest.mock.patch.object(pt2.torch._torch_program, "_VERIFIERS", set()):
            logging.disable(logging.NOTSET)
            pt2.torch._reported.clear()
            with self.assertLogs("pt2.torch", logging.INFO) as log:
                self.assertEqual(description(pt2.torch.load(path)), expected)
            logging.disable(logging.WARNING)
        self.assertIn("verifier 'TRAINING'", log.output[0])

    def test_an_error_names_what_is_wrong_with_the_program(self):
        program, broken = pt2.load(TODAY / "mlp.pt2"), self.folder / "broken.pt2"
        del program.graph_module.graph.nodes[0]
        pt2.save(program, broken, like=TODAY / "mlp.pt2")
        with self.assertRaisesRegex(pt2.DataError, r"graph_module\.graph\.nodes\[0\].*\[NAME_UNDEFINED\]"):
            load_by_pt2(broken)

    def test_torch_modes_see_torchs_deserializer(self):
        with torch.device("cpu"), self.assertRaises(pt2.torch._torch_program.Unsupported):
            pt2.torch._torch_program.build(pt2.open(TODAY / "mlp.pt2").program, {}, {}, None)

    def test_an_unknown_operator_is_an_error_with_its_name(self):
        program = pt2.load(TODAY / "mlp.pt2")
        program.graph_module.graph.nodes[0].target = "torch.ops.unknown.operator.default"
        path = self.folder / "unknown.pt2"
        pt2.save(program, path, like=TODAY / "mlp.pt2")
        with self.assertRaisesRegex(serialize.SerializeError, "unknown.operator"):
            pt2.torch.load(path)

    def test_expressions_are_what_sympy_makes_of_the_text(self):
        functions = {name: getattr(torch.utils._sympy.functions, name) for name in ("FloorDiv", "Mod", "IntTrueDiv", "ToFloat", "PythonMod")}
        s0, s1 = "Symbol('s0', positive=True, integer=True)", "Symbol('s1', positive=True, integer=True)"
        for text in (
            s0, "Symbol('u0', integer=True)", f"Add({s0}, Mul(Integer(-2), {s1}), Integer(1))", f"Pow({s0}, Integer(2))",
            f"FloorDiv(Add({s0}, Integer(-1)), Integer(2))", f"Mod({s0}, Integer(3))", f"Max(Integer(1), {s0})",
            f"Mul(Float('1.5', precision=53), ToFloat({s0}))", f"IntTrueDiv({s0}, Integer(2))", f"Mul(Rational(1, 2), {s0})",
            f"Equality({s0}, Integer(3))", f"And(LessThan({s0}, Integer(3)), Unequality({s1}, Integer(4)))", f"Not(Equality({s0}, {s1}))",
            f"GreaterThan({s0}, Integer(0))", "s0", "2*s0 + 1", "-u0 <= -2", "u0 >= 0", "s0**2 - s1*(s0 + 1)", "16 > s0",
        ):
            with self.subTest(text):
                made, _ = pt2.torch._torch_program._expression_of(text, {})
                self.assertEqual(sympy.srepr(made), sympy.srepr(sympy.sympify(text, locals=functions)))
        for text in ("s0//2", "s0 % 2", "1.5*s0", "s0 and s1", "s0 != s1", "1 < s0 < 3", "oo", "f(s0)", "OpaqueUnaryFn_sqrt(Symbol('s0'))", "Symbol('Add')", "x.y"):
            with self.subTest(text), self.assertRaises(pt2.torch._torch_program.Unsupported):
                pt2.torch._torch_program._expression_of(text, {})

    def test_collection_is_as_before_after_success_and_error(self):
        unknown = self.folder / "unknown.pt2"
        program = pt2.load(TODAY / "mlp.pt2")
        program.graph_module.graph.nodes[0].target = "torch.ops.unknown.operator.default"
        pt2.save(program, unknown, like=TODAY / "mlp.pt2")
        self.addCleanup(gc.enable)
        for enable, enabled in ((gc.enable, True), (gc.disable, False)):
            enable()
            pt2.torch.load(TODAY / "mlp.pt2")
            self.assertEqual(gc.isenabled(), enabled)
            with self.assertRaises(serialize.SerializeError):
                pt2.torch.load(unknown)
            self.assertEqual(gc.isenabled(), enabled)
            with unittest.mock.patch.object(pt2.torch._torch_program, "build", side_effect=KeyboardInterrupt):
                self.assertRaises(KeyboardInterrupt, pt2.torch.load, TODAY / "mlp.pt2")
            self.assertEqual(gc.isenabled(), enabled)

    def test_a_program_that_is_dropped_is_freed(self):
        for name in ("mlp", "dynamic", "unbacked", "cond", "sym_values"):
            with self.subTest(name):
                program = load_by_pt2(TODAY / f"{name}.pt2")
                nodes = list(program.graph.nodes)
                kept = [program, program.graph_module, nodes[0], nodes[-1], *program.state_dict.values()]
                kept += [node.meta["val"] for node in nodes if isinstance(node.meta.get("val"), FakeTensor)]
                kept += [value.fake_mode for value in kept if isinstance(value, FakeTensor)]
                watched = [weakref.ref(each) for each in kept]
                del program, nodes, kept
                gc.collect()
                self.assertEqual([each() for each in watched if each() is not None], [])

    def test_threads_load_the_same_programs(self):
        paths = [path for path in files("2.13.0", without=("lifted_constants", "custom_op"))]
        expected = {path: description(load_by_pt2(path)) for path in paths}
        before = gc.isenabled()
        with unittest.mock.patch.object(pt2.torch._torch_program, "_VERIFIERS", {"ATEN"}):  # some errors come from torch's deserializer
            with concurrent.futures.ThreadPoolExecutor(8) as pool:
                loads = [(path, pool.submit(pt2.torch.load, path)) for path in paths * 3]
        for path, load in loads:
            with self.subTest(path.stem):
                self.assertEqual(description(load.result()), expected[path])
        self.assertEqual(gc.isenabled(), before)

    def test_device_moves_the_program_and_its_tensors(self):
        for name in ("mlp", "shared_weights", "dynamic"):
            with self.subTest(name):
                moved = load_by_pt2(TODAY / f"{name}.pt2", device="meta")
                self.assertNotIn("cpu", moved.graph_module.code)
                tensors = [*moved.state_dict.values(), *moved.constants.values(), *_pytree.tree_leaves(moved.example_inputs)]
                tensors += [value for node in moved.graph.nodes for value in _pytree.tree_leaves(node.meta.get("val"))]
                self.assertEqual({each.device.type for each in tensors if isinstance(each, torch.Tensor)}, {"meta"})
                arguments, keywords = moved.example_inputs
                outputs = _pytree.tree_leaves(moved.module()(*arguments, **keywords))
                self.assertEqual({each.device.type for each in outputs if isinstance(each, torch.Tensor)}, {"meta"})
        with self.assertRaises(RuntimeError):
            pt2.torch.load(TODAY / "mlp.pt2", device="nowhere")

    def test_copied_weights_are_verified_and_leave_the_file(self):
        for name in ("mlp", "shared_weights"):
            with self.subTest(name):
                path = self.folder / f"{name}.pt2"
                shutil.copy(TODAY / path.name, path)
                copied = load_by_pt2(path, mmap=False)
                self.assertEqual(description(copied), description(load_by_pt2(path)))
                data = bytearray(path.read_bytes())
                weight = next(each for each in copied.state_dict.values() if each.numel())
                found = data.find(bytes(weight.detach().contiguous().reshape(-1).view(torch.uint8).numpy()))
                data[found] ^= 1
                path.write_bytes(data)
                with self.assertRaisesRegex(pt2.DataError, "CRC|checksum"):
                    pt2.torch.load(path, mmap=False)
                changed = next(each for each in pt2.torch.load(path).state_dict.values() if each.numel())
                self.assertFalse(torch.equal(changed, weight))

    def test_a_saved_archive_has_the_bytes_of_torchs_without_objects(self):
        folders = [self.folder / name for name in ("ours", "theirs")]
        for folder in folders:
            folder.mkdir()
        for path in files("2.13.0", without=("lifted_constants", "custom_op")):
            with self.subTest(path.stem):
                program = torch.export.load(path)
                written = [folder / "program.pt2" for folder in folders]
                torch.export.save(program, written[1])
                pt2.torch._torch_archive.write(program, str(written[0]))
                self.assertEqual(*(each.read_bytes() for each in written))

    def test_tensors_share_storages_and_objects_as_in_torch(self):
        for release in ("2.6.0", "2.8.0", "2.13.0"):
            with self.subTest(release):
                path = PROGRAMS / f"torch-{release}" / "shared_weights.pt2"
                ours, theirs = pt2.torch.load(path), torch.export.load(path)
                sizes = []
                for program in (ours, theirs):
                    saved = self.folder / "state.pt"
                    torch.save(program.state_dict, saved)
                    sizes.append(saved.stat().st_size)
                self.assertEqual(*sizes)
                self.assertEqual(Described().value(ours.state_dict), Described().value(theirs.state_dict))


if __name__ == "__main__":
    unittest.main(argv=[argument for argument in sys.argv if argument != "--all"])
