"""What the functions of the Python package say and make of programs: the same as the command.

PT2_PYTHON_PACKAGE is the folder that has the package pt2, where it is not installed. PT2_PROGRAMS: folders of programs, with ":"
between them, instead of those of tests/data/programs; what is no program there has to be refused by package and command alike.
Needs neither torch nor NumPy.
"""

import array
import collections
import concurrent.futures
import copy
import json
import os
import pathlib
import pickle
import sys
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
if "PT2_PYTHON_PACKAGE" in os.environ:
    sys.path.insert(0, os.environ["PT2_PYTHON_PACKAGE"])

import pt2  # noqa: E402
from pt2 import _pt2  # noqa: E402

PROGRAMS = ROOT / "tests" / "data" / "programs"
FOLDERS = os.environ.get("PT2_PROGRAMS", str(PROGRAMS)).split(os.pathsep)
WINDOWS = os.name == "nt"
MLP = PROGRAMS / "torch-2.13.0" / "mlp.json"


def is_program(path):
    return path.suffix in (".pt2", ".pt2b") or path.suffix == ".json" and b'"graph_module"' in path.read_bytes()


def split_by_loading(paths):
    """Returns the paths of programs, and those of rejected files."""
    loaded, refused = [], []
    for path in paths:
        try:
            pt2.load(path)
            loaded.append(path)
        except ValueError:
            refused.append(path)
    return loaded, refused


FILES, REFUSED = split_by_loading(sorted(path for folder in FOLDERS for path in pathlib.Path(folder).rglob("*") if is_program(path)))


def command(*arguments, check=(0, 1)):
    """Returns the output of the command, run in this process: starting Python for each call would take a minute."""
    if WINDOWS:  # os.dup2() does not reach the files of another C library
        return _pt2.call_command([os.fsencode(str(argument)) for argument in arguments])[0]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        kept = [os.dup(number) for number in (1, 2)]
        try:
            os.dup2(out.fileno(), 1)
            os.dup2(errors.fileno(), 2)
            code = _pt2.run_command([b"pt2", *(os.fsencode(str(argument)) for argument in arguments)])
        finally:
            for number, old in enumerate(kept, 1):
                os.dup2(old, number)
                os.close(old)
        out.seek(0)
        errors.seek(0)
        if code not in check:
            raise AssertionError((arguments, code, errors.read()))
        return out.read()


def json_in(path):
    """Returns the JSON of a file's only program, or None if it has none or several."""
    if path.suffix != ".pt2":
        return path.read_bytes().rstrip(b"\n") if path.suffix == ".json" else None
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        found = [name for name in names if name.endswith("serialized_exported_program.json") or "/models/" in name and name.endswith(".json")]
        return archive.read(found[0]) if len(found) == 1 else None


def findings_of(path):
    programs = json.loads(command("validate", "--json", path))
    return [tuple(found[key] for key in ("rule", "level", "path", "message")) for file in programs for found in file["findings"]]


def for_each_file(test):
    def run(self):
        for path in FILES:
            with self.subTest(path=str(path)):
                test(self, path)

    return run


class FilesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.by_version = collections.Counter()

    @classmethod
    def tearDownClass(cls):
        print(f"{len(FILES)} programs, {len(REFUSED)} refused; JSON:", dict(cls.by_version), file=sys.stderr)

    def test_a_file_called_minus_is_a_file(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        pathlib.Path("-").write_bytes(MLP.read_bytes())
        self.assertEqual(pt2.load("-").to_json(), pt2.load(MLP).to_json())
        self.assertEqual(pt2.info("-")["operators"], pt2.info(MLP)["operators"])
        self.assertEqual(pt2.scan("-"), [])

    def test_what_is_refused_is_refused_by_the_command(self):
        self.assertGreater(len(FILES), 30)
        if "PT2_PROGRAMS" not in os.environ:
            self.assertEqual(REFUSED, [])
        for path in REFUSED:
            with self.subTest(path=str(path)):
                command("hash", path, check=(2, 3))

    @for_each_file
    def test_a_program_is_its_own_json_binary_copy_and_pickle(self, path):
        program = pt2.load(path)
        text = program.to_json()
        head = path.with_suffix(".head.json")
        given = json_in(path)
        is_of_today = given and json.loads(given)["schema_version"] == dict(zip(("major", "minor"), pt2.schema_version))
        if given and head.exists():
            self.by_version["older, as torch 2.13 writes it"] += 1
            self.assertEqual(text, head.read_bytes().rstrip(b"\n"))
        elif is_of_today:
            self.by_version["of today, byte for byte"] += 1
            self.assertEqual(text, given)
        else:
            self.by_version["upgraded" if given else "binary, or of several models"] += 1
        for twin in (
            pt2.from_json(text),
            pt2.from_pt2b(program.to_pt2b()),
            copy.deepcopy(program),
            pickle.loads(pickle.dumps(program)),
        ):
            self.assertIs(type(twin), pt2.ExportedProgram)
            self.assertEqual(twin.to_json(), text)

    @for_each_file
    def test_it_is_said_of_it_what_the_command_says(self, path):
        program = pt2.load(path)
        info = json.loads(command("info", "--json", path))
        signature = pt2.signature(program)
        for name, expected in info["signature"].items():
            got = getattr(signature, name)
            self.assertEqual(vars(got) if name == "backward_signature" and got is not None else got, expected, name)
        self.assertEqual(pt2.operators(path), info["operators"])
        self.assertEqual(pt2.hash(program), command("hash", path).decode().strip())
        self.assertEqual(pt2.hash(path), pt2.hash(program))
        self.assertEqual(
            [(found.rule, found.level, found.path, found.message) for found in pt2.verify(path)], findings_of(path)
        )
        self.assertEqual(pt2.show(path), command("show", path).decode())
        self.assertEqual(str(program), pt2.show(path))
        shown = {line.strip()[:400] for line in str(program).splitlines()}
        for node in program.graph_module.graph.nodes:
            self.assertIn(repr(node)[:400], shown)
        self.assertEqual(pt2.stats(path), json.loads(command("stats", "--json", path)))
        if path.suffix == ".pt2":
            with pt2.open(path) as file:
                for weight in json.loads(command("weights", "--json", path)):
                    if weight["dtype"] is None:
                        continue
                    tensor = file.tensor(weight["name"])
                    self.assertEqual((list(tensor.shape), list(tensor.stride)), (weight["shape"], weight["stride"]))
                    self.assertEqual((tensor.kind, tensor.dtype, tensor.device), (weight["kind"], weight["dtype"], weight["device"]))
                    self.assertEqual((tensor.offset, tensor.nbytes), (weight["offset"], weight["bytes"]))

    @for_each_file
    def test_archives_are_scanned_hashed_with_weights_and_hardened(self, path):
        if path.suffix != ".pt2":
            return
        expected = json.loads(command("scan", "--format", "json", path, check=(0, 1, 3)))
        self.assertEqual(
            [(found.rule, found.level, found.record, found.what) for found in pt2.scan(path)],
            [tuple(found[key] for key in ("rule", "level", "record", "what")) for found in expected],
        )
        self.assertEqual(pt2.hash(path, weights=True), command("hash", "--weights", path).decode().strip())
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder, "out.pt2")
            try:
                pt2.harden(path, out)
            except pt2.DataError:
                command("harden", path, "-o", out, check=(3,))
                self.assertEqual(list(pathlib.Path(folder).iterdir()), [])
                return
            self.assertEqual([found for found in pt2.scan(out) if found.level == "error"], [])

    @for_each_file
    def test_programs_go_to_the_newest_schema_and_back_to_older_ones(self, path):
        program = pt2.load(path)
        upgraded = pt2.upgrade(program)
        self.assertEqual((upgraded.schema_version.major, upgraded.schema_version.minor), pt2.schema_version)
        try:
            older = pt2.downgrade(upgraded, to="2.9")
        except pt2.DataError as error:
            self.assertIn("graph_module", str(error))
            return
        self.assertEqual((older.schema_version.major, older.schema_version.minor), (8, 14))


class EditsTest(unittest.TestCase):
    def setUp(self):
        self.program = pt2.load(MLP)

    def test_parts_of_a_program_are_the_whole_again(self):
        whole = self.program
        first = pt2.extract(whole, inputs=["x"], outputs=["relu"])
        second = pt2.extract(whole, inputs=["relu"], outputs=["add"])
        joined = pt2.join(first, second)
        self.assertEqual(pt2.verify(joined), [])
        self.assertEqual(pt2.operators(joined), pt2.operators(whole))
        with self.assertRaisesRegex(ValueError, "'linear' needs the program's input 'x'"):
            pt2.extract(whole, inputs=["relu"], outputs=["linear"])

    def test_edits_give_new_programs_and_leave_the_old_one(self):
        before = self.program.to_json()
        renamed = pt2.rename(self.program, {"relu": "activation", "l1.weight": "first.weight"})
        self.assertEqual(pt2.diff(self.program, pt2.rename(self.program, {"relu": "activation"})), [])
        self.assertIn("first.weight", pt2.signature(renamed).parameters)
        self.assertIn("cuda", str(pt2.retarget(self.program, "cuda:1").to_json()))
        halved = pt2.retarget(self.program, dtype="bfloat16")
        self.assertEqual({meta.dtype for meta in halved.graph_module.graph.tensor_values.values()}, {pt2.ScalarType.BFLOAT16})
        for form in ("normal", "names"):
            self.assertEqual(pt2.hash(pt2.canonicalize(self.program, form)), pt2.hash(self.program))
        self.assertEqual(self.program.to_json(), before)

    def test_differences_say_what_pt2_diff_prints(self):
        changed = copy.deepcopy(self.program)
        changed.graph_module.graph.nodes[1].target = "torch.ops.aten.sigmoid.default"
        (found,) = pt2.diff(self.program, changed)
        self.assertEqual((found.kind, found.part), ("changed", "nodes"))
        with tempfile.TemporaryDirectory() as folder:
            a, b = pathlib.Path(folder, "a.json"), pathlib.Path(folder, "b.json")
            a.write_bytes(self.program.to_json())
            b.write_bytes(changed.to_json())
            self.assertIn(str(found), command("diff", a, b).decode())
        self.assertNotIn("_text", repr(found))

    def test_parts_of_a_program_are_shown_as_by_the_command(self):
        path = MLP.with_suffix(".pt2")
        self.assertEqual(pt2.show(path, node="relu"), command("show", "--node", "relu", path).decode())
        self.assertEqual(pt2.show(path, module="l1"), command("show", "--module", "l1", path).decode())
        self.assertEqual(pt2.show(path, depth=0, fold=True), command("show", "--depth", "0", "--fold", path).decode())
        for given, error in (
            ({"node": "rel"}, "unknown node 'rel', did you mean 'relu'\\?"),
            ({"module": "l3"}, "unknown module 'l3', did you mean 'l1'\\?"),
            ({"depth": -1}, "depth: expected at least 0, got -1"),
            ({"node": "relu", "fold": True}, "node cannot be combined with module, depth or fold"),
        ):
            with self.assertRaisesRegex(ValueError, error):
                pt2.show(path, **given)

    def test_a_long_program_is_represented_by_its_start_and_end(self):
        program = copy.deepcopy(self.program)
        nodes = program.graph_module.graph.nodes
        for _ in range(100):
            nodes.append(copy.copy(nodes[-1]))
        lines, all_lines = repr(program).splitlines(), str(program).splitlines()
        self.assertEqual((lines[:30], lines[-30:]), (all_lines[:30], all_lines[-30:]))
        self.assertEqual(lines[30:-30], [f"  … {len(all_lines) - 60} lines; print() or pt2.show() returns all"])

    def test_symbols_are_represented_by_their_values(self):
        program = pt2.load(MLP.with_name("sym_values.json"))
        sizes = [repr(meta.sizes) for meta in program.graph_module.graph.tensor_values.values()]
        self.assertRegex(" ".join(sizes), r"\[\d+\*?s\d+")
        self.assertEqual(repr(pt2.SymInt.as_int(3)), "3")

    def test_info_has_the_same_keys_for_every_kind_of_file(self):
        paths = [*FILES, *(ROOT / "tests" / "data" / "packages").glob("*.pt2")]
        kinds = {tuple(sorted(pt2.info(path))) for path in paths}
        self.assertEqual(kinds, {tuple(sorted(pt2.Info.__annotations__))})
        compiled = pt2.info(ROOT / "tests" / "data" / "packages" / "aoti.pt2")
        self.assertIsNone(compiled["torch_version"])
        self.assertEqual(compiled["package"]["compiled"][0]["metadata"]["device"], "cpu")

    def test_tensors_of_a_file_are_found_as_in_a_dict(self):
        with pt2.open(MLP.with_suffix(".pt2")) as file:
            self.assertEqual([name for name, _ in file.items()], file.keys())
            self.assertIs(file["l1.weight"], file.get("l1.weight"))
            self.assertIsNone(file.get("l9.weight"))
            with self.assertRaises(KeyError):
                file["l9.weight"]

    def test_patterns_are_rewritten_in_place(self):
        def graph(target):
            meta = self.program.graph_module.graph.tensor_values["relu"]
            x, y = (pt2.Argument.as_tensor(pt2.TensorArgument(name=name)) for name in "xy")
            node = pt2.Node(
                target=target, inputs=[pt2.NamedArgument(name="self", arg=x, kind=pt2.ArgumentKind.POSITIONAL)], outputs=[y]
            )
            return pt2.Graph(inputs=[x], outputs=[y], nodes=[node], tensor_values={"x": meta, "y": meta})

        nodes = self.program.graph_module.graph.nodes
        count = pt2.rewrite(self.program, graph("torch.ops.aten.relu.default"), graph("torch.ops.aten.sigmoid.default"))
        self.assertEqual(count, 1)
        self.assertEqual(nodes[1].target, "torch.ops.aten.relu.default")
        self.assertEqual(self.program.graph_module.graph.nodes[1].target, "torch.ops.aten.sigmoid.default")
        self.assertEqual(pt2.verify(self.program), [])
        whole = self.program.graph_module.graph
        self.assertEqual(pt2.rewrite(self.program, whole, whole), 1)
        self.assertEqual(pt2.verify(self.program), [])

    def test_types_are_inferred_from_a_change_to_the_outputs(self):
        def values():
            return self.program.graph_module.graph.tensor_values

        names = [node.outputs[0].value.name for node in self.program.graph_module.graph.nodes]
        self.assertEqual(pt2.infer(self.program), [])
        whole = self.program.to_json()
        values()["relu"].dtype = pt2.ScalarType.HALF
        self.assertEqual([found.rule for found in pt2.verify(self.program)][:1], ["STALE_TYPE"])
        self.assertIn("relu", pt2.infer(self.program))
        self.assertEqual(self.program.to_json(), whole)
        x = pt2.signature(self.program).user_inputs[0]
        old = [len(values()[name].sizes) for name in names]
        values()[x].sizes.insert(0, pt2.SymInt.as_int(3))
        values()[x].strides.insert(0, pt2.SymInt.as_int(64))
        self.assertLessEqual(set(names), set(pt2.infer(self.program)))
        self.assertEqual([len(values()[name].sizes) for name in names], [rank + 1 for rank in old])
        self.assertEqual(pt2.verify(self.program), [])
        self.program.graph_module.graph.nodes[0].target = "torch.ops.mine.unknown.default"
        values()[x].dtype = pt2.ScalarType.HALF
        before = self.program.to_json()
        self.assertEqual(pt2.infer(pt2.from_json(before)), [])
        with self.assertRaises(pt2.DataError):
            values()["relu"].dtype = pt2.ScalarType.HALF
            self.program.graph_module.graph.nodes[2].target = "torch.ops.mine.unknown.default"
            pt2.infer(self.program)

    def test_rewrite_infers_what_follows(self):
        def graph(target, *more):
            x, y = (pt2.Argument.as_tensor(pt2.TensorArgument(name=name)) for name in "xy")
            meta = copy.deepcopy(self.program.graph_module.graph.tensor_values["relu"])
            inputs = [pt2.NamedArgument(name="self", arg=x, kind=pt2.ArgumentKind.POSITIONAL), *more]
            node = pt2.Node(target=target, inputs=inputs, outputs=[y])
            return pt2.Graph(inputs=[x], outputs=[y], nodes=[node], tensor_values={"x": meta, "y": copy.deepcopy(meta)})

        def ranks():
            graph = self.program.graph_module.graph
            return [len(graph.tensor_values[node.outputs[0].value.name].sizes) for node in graph.nodes]

        relu, before, whole = graph("torch.ops.aten.relu.default"), ranks(), self.program.to_json()
        to_double = pt2.NamedArgument(name="dtype", arg=pt2.Argument.as_scalar_type(pt2.ScalarType.DOUBLE), kind=pt2.ArgumentKind.KEYWORD)
        with self.assertRaisesRegex(pt2.DataError, "'linear_1', a result of .*linear.default: .* got float64 and float32"):
            pt2.rewrite(self.program, relu, graph("torch.ops.aten._to_copy.default", to_double))
        self.assertEqual(self.program.to_json(), whole)
        at_front = pt2.NamedArgument(name="dim", arg=pt2.Argument.as_int(0), kind=pt2.ArgumentKind.POSITIONAL)
        self.assertEqual(pt2.rewrite(self.program, relu, graph("torch.ops.aten.unsqueeze.default", at_front)), 1)
        self.assertEqual(ranks(), [before[0], *(rank + 1 for rank in before[1:])])
        self.assertEqual(pt2.verify(self.program), [])

    def test_arguments_have_their_defaults(self):
        node = self.program.graph_module.graph.nodes[-1]
        arguments = pt2.arguments(node)
        self.assertEqual(list(arguments), ["self", "other", "alpha"])
        self.assertEqual(arguments["alpha"], pt2.Argument.as_int(1))
        node.target = "torch.ops.mine.unknown.default"
        with self.assertRaises(pt2.DataError):
            pt2.arguments(node)

    def test_reports_name_what_a_backend_lacks(self):
        with self.assertWarnsRegex(UserWarning, "^unknown operator 'mm.default', did you mean 'aten.mm.default'\\?$"):
            pt2.operator_report(self.program, ["aten.relu", "mm.default"])
        lacking = [use for use in pt2.operator_report(self.program, ["aten.relu", "aten.add.Tensor"]) if use.missing]
        self.assertEqual([use.target.split(".")[3] for use in lacking], ["linear", "mul"])
        for release in ("2.6", "core-aten"):
            self.assertEqual(pt2.operator_report(self.program, release), pt2.operator_report(self.program, torch=release))
        self.assertEqual([use for use in pt2.operator_report(self.program, torch="2.6") if use.missing], [])
        self.assertEqual(pt2.operator_report(self.program, ("aten.relu",)), pt2.operator_report(self.program, torch=["aten.relu"]))

    def test_a_built_program_is_right_and_calls_that_do_not_fit_are_refused(self):
        class Array:
            shape, dtype = (2, 4), "float32"

        builder = pt2.Builder()
        batch = builder.symbol("s0", 1, 64)
        x = builder.input("x", "float32", [batch, 4])
        y = builder.call("aten.linear.default", x, builder.parameter("linear.weight", Array()))
        builder.output(builder.call("aten.add.Tensor", y, 1, alpha=2))
        with self.assertRaisesRegex(ValueError, "aten::relu\\(Tensor self\\)"):
            builder.call("aten.relu.default", x, x)
        with self.assertRaisesRegex(TypeError, "argument 'self' of aten.relu.default: .*, got <object"):
            builder.call("aten.relu.default", object())
        endless = []
        endless.append(endless)
        with self.assertRaises(RecursionError):
            builder.call("aten.cat.default", endless)
        program = builder.finish()
        self.assertEqual(pt2.verify(program), [])
        self.assertEqual(pt2.signature(program).parameters, ["linear.weight"])
        self.assertEqual(list(builder.tensors), ["linear.weight"])
        for use in (builder.finish, lambda: builder.symbol("s1"), lambda: builder.input("y", "float32", []),
                    lambda: builder.call("aten.relu.default", x), lambda: builder.output(x)):
            with self.assertRaisesRegex(ValueError, "finish\\(\\) was called on this builder"):
                use()

    def test_wrong_operands_and_sizes_are_errors_that_name_the_argument(self):
        builder = pt2.Builder()
        size = builder.symbol("s0")
        x = builder.input("x", "float32", [size])
        for error, message, call in (
            (ValueError, r"shape\[1\] of input 'y': \d+ does not fit into 64 bits", lambda: builder.input("y", "float32", [1, 2**70])),
            (TypeError, r"shape\[0\] of input 'y': expected an int or a Size, got 2.0", lambda: builder.input("y", "float32", [2.0])),
            (TypeError, r"shape\[0\] of input 'y': expected an int or a Size, got None", lambda: builder.input("y", "float32", [None])),
            (TypeError, r"shape\[0\] of input 'y': expected an int or a Size, got 'a'", lambda: builder.input("y", "float32", "ab")),
            (TypeError, "shape: expected a list of ints and sizes, got None", lambda: builder.input("y", "float32", None)),
            (TypeError, "name: expected a str, got 3", lambda: builder.input(3, "float32", [])),
            (ValueError, "min: \\d+ does not fit into 64 bits", lambda: builder.symbol("s1", 2**70)),
            (TypeError, "max: expected an int, got 'x'", lambda: builder.symbol("s1", 1, "x")),
            (ValueError, "argument 'other' of aten.add.Tensor: \\d+ does not fit into 64 bits",
             lambda: builder.call("aten.add.Tensor", x, 2**70)),
            (ValueError, "argument 'alpha' of aten.add.Tensor: -\\d+ does not", lambda: builder.call("aten.add.Tensor", x, x, alpha=-(2**70))),
            (TypeError, "target: expected a str", lambda: builder.call(3)),
            (ValueError, "unknown operator 'aten.nope'; expected a name such as 'aten.add.Tensor'$", lambda: builder.call("aten.nope")),
            (TypeError, "unsupported operand", lambda: size + 1.5),
            (TypeError, "unsupported operand", lambda: size // "x"),
            (TypeError, "unsupported operand", lambda: None - size),
            (ValueError, "does not fit into 64 bits", lambda: 2**70 * size),
        ):
            with self.subTest(message), self.assertRaisesRegex(error, message):
                call()

    def test_mistakes_are_errors_that_say_what_to_give(self):
        for error, message, call in (
            (FileNotFoundError, "No such file", lambda: pt2.load("/nowhere/model.pt2")),
            (PermissionError, "Permission denied", lambda: pt2.load(ROOT)) if WINDOWS else (IsADirectoryError, "Is a directory", lambda: pt2.load(ROOT)),
            (pt2.DataError, "line 1, column 2", lambda: pt2.load(b"{")),
            (TypeError, "PathLike", lambda: pt2.load(3)),
            (TypeError, "expected ExportedProgram, got", lambda: pt2.signature(pt2.Graph())),
            (ValueError, "torch-2.6 to torch-2", lambda: pt2.downgrade(self.program, to="2.5")),
            (ValueError, "unknown form 'x', expected torch, names or normal", lambda: pt2.canonicalize(self.program, "x")),
            (ValueError, "no field 'Node.x'", lambda: pt2.load(MLP, leave_out=["Node.x"])),
            (ValueError, "'all'", lambda: pt2.load(MLP, upgrade="some")),
            (ValueError, "unknown value, parameter or buffer 'y'", lambda: pt2.rename(self.program, {"y": "z"})),
            (ValueError, "expected one of", lambda: pt2.retarget(self.program, dtype="int8")),
            (TypeError, "needs a device or a dtype", lambda: pt2.retarget(self.program)),
            (TypeError, "path of an archive", lambda: pt2.hash(self.program, weights=True)),
            (pt2.DataError, "expected JSON, a zip archive", lambda: pt2.open(ROOT / "README.md" if WINDOWS else b"model.pt2")),
            (ValueError, "null character", lambda: pt2.load("model.pt2\0")),
            (TypeError, "leave_out: expected a list of names", lambda: pt2.load(MLP, leave_out="Node.metadata")),
            (TypeError, "inputs: expected a list of names", lambda: pt2.extract(self.program, inputs="x", outputs=["relu"])),
            (TypeError, "to: expected a release", lambda: pt2.downgrade(self.program, to=(8,))),
            (ValueError, "to: expected a release", lambda: pt2.downgrade(self.program, to="today")),
            (ValueError, "to: expected a release", lambda: pt2.downgrade(self.program, to="814")),
            (ValueError, "cannot downgrade to '7.3'", lambda: pt2.downgrade(self.program, to="7.3")),
            (ValueError, "the program has no symbol 'zz': it has none", lambda: pt2.stats(self.program, bind={"zz": 3})),
            (TypeError, "bind: expected a dict from symbol names to ints", lambda: pt2.stats(self.program, bind={"s0": "x"})),
            (ValueError, "'9.9'", lambda: pt2.operator_report(self.program, "9.9")),
            (TypeError, "torch: expected a list of names", lambda: pt2.operator_report(self.program, [3])),
            (TypeError, "^model: expected a str, got 3", lambda: pt2.load(MLP, model=3)),
            (TypeError, "^model: expected a str, got 3", lambda: pt2.open(MLP, model=3)),
            (TypeError, "^upgrade: expected a str", lambda: pt2.load(MLP, upgrade=True)),
            (TypeError, "^changes: expected a str", lambda: pt2.rename(self.program, {1: "a"})),
            (TypeError, "^device: expected a str", lambda: pt2.retarget(self.program, 3)),
            (TypeError, "^form: expected a str", lambda: pt2.canonicalize(self.program, 3)),
            (TypeError, "^inputs: expected a list of names", lambda: pt2.extract(self.program, inputs=[3], outputs=["relu"])),
        ):
            with self.subTest(message), self.assertRaisesRegex(error, message):
                call()

    def test_none_is_no_program_and_no_file_which_is_said_without_names_of_private_functions(self):
        for call in (pt2.hash, pt2.verify, pt2.load, pt2.open, pt2.show, pt2.view, pt2.stats, pt2.operators, pt2.operator_report, pt2.scan,
                     pt2.from_json, pt2.from_pt2b, pt2.upgrade, pt2.signature, pt2.arguments, pt2.canonicalize,
                     lambda none: pt2.diff(none, self.program), lambda none: pt2.downgrade(none, "2.9"), lambda none: pt2.harden(none, none),
                     lambda none: pt2.rename(none, {}), lambda none: pt2.retarget(none, "cpu"), lambda none: pt2.join(none, none),
                     lambda none: pt2.extract(none, inputs=[], outputs=[]), lambda none: pt2.rewrite(self.program, none, none), lambda none: pt2.match(self.program, none),
                     lambda none: pt2.save(none, "a.json"), lambda none: pt2.save(self.program, none), lambda none: pt2.hash(none, weights=True)):
            with self.assertRaisesRegex(TypeError, "^(expected .*(got|not)|not a|expected str or bytes)") as caught:
                call(None)
            self.assertNotIn("incompatible function arguments", str(caught.exception))

    def test_a_version_may_be_written_as_a_text(self):
        for to in ("8.14", (8, 14), "2.9", "torch-2.9"):
            older = pt2.downgrade(self.program, to)
            self.assertEqual((older.schema_version.major, older.schema_version.minor), (8, 14))

    def test_bytes_may_be_in_any_buffer(self):
        text, binary = self.program.to_json(), self.program.to_pt2b()
        for kind in (bytearray, memoryview, lambda data: array.array("B", data)):
            self.assertEqual(pt2.load(kind(text)), self.program)
            self.assertEqual(pt2.from_json(kind(text)), self.program)
            self.assertEqual(pt2.from_pt2b(kind(binary)), self.program)

    def test_importing_all_leaves_pythons_own_functions(self):
        names = {}
        exec("from pt2 import *", names)
        self.assertEqual({"open", "hash", "ProgramBuilder", "OpenFile", "FileTensor", "ListIterator"} & set(names), set())
        self.assertLessEqual({"load", "Node", "DataError", "Builder", "Value", "Size"}, set(names))
        self.assertTrue(callable(pt2.open) and callable(pt2.hash))

    def test_a_notebook_shows_the_page_in_a_frame_that_may_do_nothing_but_run_it(self):
        self.assertRegex(self.program._repr_html_(), "^<iframe sandbox=\"allow-scripts\" ")

    def test_a_file_may_have_any_name(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "\u00e4\u6587.json" if WINDOWS else os.fsdecode(b"\xff\xe4.json"))
            pt2.save(self.program, path)
            self.assertEqual(pt2.load(path), self.program)
            self.assertEqual(pt2.verify(pathlib.Path(path)), [])

    def test_a_program_can_be_left_out_of_fields(self):
        slim = pt2.load(MLP, leave_out=["Node.metadata"])
        self.assertTrue(all(len(node.metadata) == 0 for node in slim.graph_module.graph.nodes))

    def test_what_a_newer_schema_added_is_kept_if_asked_for(self):
        text = self.program.to_json().replace(b'"minor": 20', b'"minor": 99').replace(b'{"target":', b'{"stream": 7, "target":', 1)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "newer.json")
            path.write_bytes(text)
            with self.assertRaisesRegex(pt2.DataError, "stream.*8.99.*8.20"):
                pt2.load(path)
            program = pt2.load(path, keep_unknown=True)
            program.graph_module.graph.nodes[0].metadata["note"] = "kept"
            pt2.save(program, path)
            self.assertEqual(path.read_bytes().count(b'"stream": 7'), 1)
            self.assertIn(b'"note": "kept"', path.read_bytes())

    def test_what_was_kept_in_the_entry_of_a_value_goes_with_its_name(self):
        document = json.loads(self.program.to_json())
        document["schema_version"]["minor"] = 99
        for name, entry in document["graph_module"]["graph"]["tensor_values"].items():
            entry["came_from"] = name
        program = pt2.load(json.dumps(document).encode(), keep_unknown=True)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "newer.json")

            def origins(program):
                pt2.save(program, path)
                return {name: entry["came_from"] for name, entry in json.loads(path.read_bytes())["graph_module"]["graph"]["tensor_values"].items()}

            same = origins(program)
            self.assertEqual(list(same), list(same.values()))
            swapped = pt2.rename(program, {"x": "relu", "relu": "x"})
            self.assertEqual(origins(swapped), {**same, "x": "relu", "relu": "x"})
            self.assertEqual(origins(pt2.rename(swapped, {"x": "relu", "relu": "x"})), same)
            self.assertEqual(origins(program), same)

    def test_functions_refuse_a_program_whose_class_kept_unknown_fields(self):
        text = self.program.to_json().replace(b'{"target":', b'{"stream": 7, "target":', 1)
        program = pt2.ExportedProgram.from_json(text, unknown_fields="keep")
        self.assertIn(b'"stream": 7', program.to_json())
        for call in (lambda: pt2.verify(program), lambda: pt2.canonicalize(program), program.to_pt2b, program.graph_module.to_json):
            with self.assertRaisesRegex(ValueError, "^ExportedProgram: .* would lose its unknown fields"):
                call()
        program.drop_unknown()
        self.assertEqual(program.to_json(), self.program.to_json())

    def test_what_was_kept_follows_the_program_or_is_given_up_aloud(self):
        text = self.program.to_json().replace(b'"minor": 20', b'"minor": 99').replace(b'{"target":', b'{"stream": 7, "target":', 1)
        program = pt2.load(text, keep_unknown=True)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "newer.json")
            for made in (copy.copy(program), copy.deepcopy(program), pt2.rename(program, {"relu": "activation"}), pt2.retarget(program, "cuda:0")):
                pt2.save(made, path)
                self.assertIn(b'"stream": 7', path.read_bytes())
            for call in (program.to_json, program.to_pt2b, lambda: pickle.dumps(program), lambda: pt2.upgrade(program),
                         lambda: pt2.downgrade(program, "2.9"), lambda: pt2.canonicalize(program),
                         lambda: pt2.extract(program, inputs=["x"], outputs=["relu"]), lambda: pt2.join(program, program),
                         lambda: pt2.rewrite(program, program.graph_module.graph, program.graph_module.graph)):
                with self.assertRaisesRegex(ValueError, "fields of a newer schema would be lost; hint: call drop_unknown"):
                    call()
            del program.graph_module.graph.nodes[0]
            with self.assertRaisesRegex(pt2.DataError, "stream"):
                pt2.save(program, path)
            program.drop_unknown()
            pt2.save(program, path)
            self.assertNotIn(b"stream", path.read_bytes())
            self.assertEqual(pt2.load(path), program)

    def test_threads_read_at_once_and_changes_wait_their_turn(self):
        def work(path):
            program = pt2.load(path)
            return pt2.hash(program), len(pt2.verify(program)), program.to_json()

        expected = [work(path) for path in FILES]
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            self.assertEqual(list(pool.map(work, FILES)), expected)
            # Others see the value before or after a change, or an error.
            shared = pt2.load(MLP)

            def rename(number):
                try:
                    shared.graph_module.graph.nodes[0].target = f"torch.ops.aten.t{number}.default"
                except RuntimeError as error:
                    self.assertIn("while it is being read", str(error))

            done = [pool.submit(rename, i) if i % 2 else pool.submit(shared.to_json) for i in range(400)]
            for future in done:
                future.result()


if __name__ == "__main__":
    unittest.main()
