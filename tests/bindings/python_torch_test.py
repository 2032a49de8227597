"""pt2.torch.load() gives what torch.export.load() gives, and runs no pickle; torch takes tensors of pt2.open(), and what pt2 saves.

    python_torch_test.py [--all] [unittest's options]

--all compares every archive of torch 2.6 to 2.15, not only those of torch 2.13 and a few models of the others, and tries all hostile
files of interop/hostile_corpus.py, for which it needs a C compiler. Needs torch.
PT2_PYTHON_PACKAGE is the folder that has the package pt2, PT2_BINARY names the pt2 command. PT2_TEST_STEPS: how many random changes of
files --all tries (300).
"""

import inspect
import io
import json
import resource
import zipfile
import logging
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import warnings

import numpy
import torch
from torch._export.serde import schema
from torch._export.serde.serialize import _bytes_to_dataclass
from torch._subclasses.fake_tensor import FakeTensorMode

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "interop"))
sys.path.insert(0, os.environ.get("PT2_PYTHON_PACKAGE", str(ROOT / "build" / "bindings" / "python")))

import pt2  # noqa: E402
import pt2.torch  # noqa: E402
from hostile_corpus import Model, compiled_library, corpus, plain_archive, prepare  # noqa: E402
from programs import PROGRAMS, files, register_custom_operator  # noqa: E402
from python_hostile_test import HOSTILE, SEED, SMALL, STEPS, mutant, watched  # noqa: E402

PT2 = os.environ.get("PT2_BINARY", "build/bin/pt2")
TODAY = PROGRAMS / "torch-2.13.0"
ALL = "--all" in sys.argv
OTHERS = ["2.6.0", "2.8.0", "2.12.1", "2.14.0", "2.15.0"]
REFUSED = ["2.1.2", "2.2.2", "2.4.1", "2.5.1"]  # torch refuses these major versions
BASE_DTYPES = {"torch.complex64": "complex64", ">c8": "complex64"}  # others are float32
SOME = {"mlp", "dtypes", "shared_weights"}


def state_of(tensor):
    """Describes all properties of a tensor in a state dict, bit for bit."""
    data = tensor.detach().contiguous().reshape(-1)
    return (type(tensor), tensor.dtype, tensor.shape, tensor.stride(), tensor.storage_offset(), tensor.requires_grad, tensor.device,
            bytes(data.view(torch.uint8).numpy()) if data.numel() else b"")


def shared(tensors):
    """Returns which tensors share a storage."""
    return sorted(sorted(name for name, other in tensors.items() if other.untyped_storage().data_ptr() == tensor.untyped_storage().data_ptr())
                  for tensor in tensors.values() if tensor.numel())


def result(load):
    """Returns the program and its outputs for its example inputs, or the names of the errors from loading and running it."""
    try:
        program = load()
    except Exception as error:  # noqa: BLE001
        return type(error).__name__, None
    try:
        arguments, keywords = program.example_inputs
        torch.manual_seed(0)
        return program, program.module()(*arguments, **keywords)
    except Exception as error:  # noqa: BLE001
        return program, type(error).__name__


class TorchTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        logging.disable(logging.WARNING)
        warnings.simplefilter("ignore")
        register_custom_operator()

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def assert_alike(self, ours, theirs):
        (our_program, our_output), (their_program, their_output) = ours, theirs
        if isinstance(their_program, str):
            self.assertIsInstance(our_program, str)  # torch's error is about another format that it tries
            return
        self.assertNotIsInstance(our_program, str)
        self.assertEqual(our_program.graph_module.code, their_program.graph_module.code)
        self.assertEqual(str(our_program.graph_signature), str(their_program.graph_signature))
        self.assertEqual(str(our_program.range_constraints), str(their_program.range_constraints))
        for part in ("state_dict", "constants"):
            our_tensors, their_tensors = getattr(our_program, part), getattr(their_program, part)
            self.assertEqual(list(our_tensors), list(their_tensors))
            for name, tensor in their_tensors.items():
                self.assertEqual(state_of(our_tensors[name]), state_of(tensor), name)
            self.assertEqual(shared(our_tensors), shared(their_tensors))
        self.assertEqual(str(our_program.example_inputs), str(their_program.example_inputs))
        if isinstance(their_output, str):
            self.assertEqual(our_output, their_output)
        else:
            torch.testing.assert_close(our_output, their_output, rtol=0, atol=0, equal_nan=True)

    def test_a_program_is_what_torch_makes_of_the_file(self):
        paths = list(files("2.13.0"))
        paths += [path for path in files(*OTHERS) if ALL or path.stem in SOME]
        for path in paths:
            with self.subTest(path.parent.name + "/" + path.stem):
                self.assert_alike(result(lambda: pt2.torch.load(path)), result(lambda: torch.export.load(path)))

    def test_a_program_that_torch_refuses_is_what_it_makes_of_the_upgraded_file(self):
        for path in files(*REFUSED):
            if not ALL and path.stem not in SOME:
                continue
            with self.subTest(path.parent.name + "/" + path.stem):
                upgraded = self.folder / "upgraded.pt2"
                subprocess.run([PT2, "upgrade", path, "-o", upgraded], check=True, capture_output=True)
                self.assert_alike(result(lambda: pt2.torch.load(path)), result(lambda: torch.export.load(upgraded)))

    def test_progress_is_told_up_to_all_there_is(self):
        path, told = next(files("2.13.0")), []
        pt2.torch.load(path, progress=lambda *numbers: told.append(numbers))
        self.assertGreater(len(told), 1)
        self.assertEqual(told[-1], (path.stat().st_size,) * 2)

    def test_dataclasses_are_those_that_torch_makes_of_the_json(self):
        for path in files("2.13.0", suffix=".json"):
            with self.subTest(path.stem):
                ours = pt2.torch._torch_dataclasses.as_dataclasses(pt2.load(path))
                theirs = _bytes_to_dataclass(schema.ExportedProgram, path.read_bytes())
                # NaN is not equal to itself.
                if path.stem == "nonfinite":
                    ours, theirs = (re.sub(r"<\w+\.\w+: (\d+)>", r"\1", repr(each)) for each in (ours, theirs))
                self.assertEqual(ours, theirs)

    def load_watched(self, path):
        """Loads a file and returns the exception if it is not one of torch's own. Runs no code from the file."""

        def load():
            try:
                pt2.torch.load(path)
            except (pt2.DataError, OSError):
                raise
            except Exception:  # noqa: BLE001
                pass

        error, ran = watched(load)
        self.assertEqual(ran, [])
        self.assertFalse(os.path.exists("MARKER"))
        return error

    def test_what_would_run_code_does_not(self):
        """Files that each create MARKER in the working folder when torch loads them, or tries to."""
        before = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)
        sys.path.insert(0, "")
        self.addCleanup(sys.path.remove, "")
        refused = 0
        for path in HOSTILE:
            with self.subTest(path.stem):
                refused += self.load_watched(path) is not None
        self.assertGreater(refused, 8)
        if not ALL:
            return
        library = compiled_library(self.folder)
        prepare(self.folder, library)
        path = self.folder / "file.pt2"
        for file in corpus(Model(plain_archive(), library)):
            with self.subTest(file.name):
                path.write_bytes(file.data)
                self.load_watched(path)

    def test_damaged_files_are_programs_or_documented_errors(self):
        draw = random.Random(SEED)
        data = [path.read_bytes() for path in SMALL if path.suffix == ".pt2"]
        path = self.folder / "file.pt2"
        pt2.torch.load(TODAY / "mlp.pt2")
        for number in range(STEPS if ALL else STEPS // 5):
            path.write_bytes(mutant(draw, draw.choice(data)))
            with self.subTest(number):
                error = self.load_watched(path)
                with unittest.mock.patch.object(pt2.torch, "_Deserializer"):
                    again, _ = watched(lambda: pt2.torch.load(path))
                self.assertEqual(str(again), str(error))

    def test_example_inputs_with_keys_that_torch_would_run_are_left_out(self):
        for path in HOSTILE:
            if path.stem.startswith("K"):
                with self.subTest(path.stem), self.assertWarnsRegex(UserWarning, "example inputs were left out"):
                    warnings.simplefilter("always")
                    self.assertIsNone(pt2.torch.load(path).example_inputs)
        warnings.simplefilter("ignore")

    def test_programs_with_several_empty_buffers_can_be_saved(self):
        class Buffers(torch.nn.Module):
            def __init__(self):
                super().__init__()
                for name, size in ("a", (0,)), ("b", (0,)), ("c", (2, 0)):
                    self.register_buffer(name, torch.zeros(size), persistent=name != "b")

            def forward(self, x):
                return torch.cat([x, self.a, self.b, self.c.reshape(-1)])

        path, again = self.folder / "empty.pt2", self.folder / "again.pt2"
        torch.export.save(torch.export.export(Buffers(), (torch.ones(2),)), path)
        for is_mapped in (True, False):
            program = pt2.torch.load(path, mmap=is_mapped)
            torch.export.save(program, again)
            pt2.torch.save(program, again)
            self.assertEqual({tensor.data_ptr() for tensor in program.state_dict.values()}, {0})
            torch.testing.assert_close(torch.export.load(again).module()(torch.ones(2)), torch.ones(2))

    def test_example_inputs_keep_keys_that_are_numbers_or_tuples(self):
        class AddOne(torch.nn.Module):
            def forward(self, given):
                return {key: value + 1 for key, value in given.items()}

        path = self.folder / "keys.pt2"
        given = {key: torch.ones(2) for key in (0.5, ("user", "buys", "item"), (1, ("a", 2.5)))}
        torch.export.save(torch.export.export(AddOne(), (given,)), path)
        (ours,), _ = pt2.torch.load(path).example_inputs
        self.assertEqual(list(ours), list(torch.export.load(path).example_inputs[0][0]))

    def test_example_inputs_that_expand_without_end_are_found_and_left_out(self):
        tuples = b"\x80\x02K\x01\x85q\x00" + b"".join(b"h%c\x86q%c" % (i - 1, i) for i in range(1, 61)) + b"}\x86."
        cycle = b"\x80\x02]q\x00h\x00a\x85}\x86."
        plain = PROGRAMS / "torch-2.13.0" / "mlp.pt2"
        for pickled in (tuples, cycle):
            inner = io.BytesIO()
            with zipfile.ZipFile(inner, "w") as archive:
                for name, data in {"data.pkl": pickled, "version": b"3\n", "byteorder": b"little"}.items():
                    archive.writestr("archive/" + name, data)
            self.check_left_out(plain, "/data/sample_inputs/", inner.getvalue())

    def check_left_out(self, plain, record, content):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "changed.pt2")
            with zipfile.ZipFile(plain) as before, zipfile.ZipFile(path, "w") as after:
                for name in before.namelist():
                    after.writestr(name, content if record in name else before.read(name))
            self.assertIn("PICKLE_MALFORMED", [found.rule for found in pt2.scan(path)])
            with self.assertWarnsRegex(UserWarning, "more than 1000000 values"):
                self.assertIsNone(pt2.torch.load(path).example_inputs)

    def test_tensors_without_bytes_are_zeros_that_take_no_memory(self):
        plain = PROGRAMS / "torch-2.13.0" / "mlp.pt2"
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "absent.pt2")
            with zipfile.ZipFile(plain) as before, zipfile.ZipFile(path, "w") as after:
                for name in before.namelist():
                    data = before.read(name)
                    if name.endswith("weights_config.json"):
                        config = json.loads(data)
                        config["config"]["l1.weight"]["tensor_meta"].update(sizes=[{"as_int": 1 << 30}], strides=[{"as_int": 1}])
                        data = json.dumps(config)
                    after.writestr(name, b"" if name.endswith("weights/weight_0") else data)
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            for keywords in ({}, {"mmap": False}):
                weight = pt2.torch.load(path, **keywords).state_dict["l1.weight"]
                self.assertEqual((weight.shape, weight[0].item(), weight[-1].item()), ((1 << 30,), 0, 0))
            self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 1 << 19, "KiB")

    def test_example_inputs_that_only_a_pickle_can_hold_are_left_out(self):
        class Scale(torch.nn.Module):
            def forward(self, x, other):
                return x * other.factor

        class Other:
            def __init__(self, factor):
                self.factor = factor

        torch.utils._pytree.register_pytree_node(Other, lambda other: ([other.factor], None), lambda leaves, _: Other(*leaves),
                                                 serialized_type_name="tests.Other", to_dumpable_context=lambda _: "",
                                                 from_dumpable_context=lambda _: None,
                                                 flatten_with_keys_fn=lambda other: (
                                                     [(torch.utils._pytree.GetAttrKey("factor"), other.factor)], None))
        sys.modules[__name__].Other = Other
        Other.__qualname__ = "Other"
        path = self.folder / "other.pt2"
        torch.export.save(torch.export.export(Scale(), (torch.ones(2), Other(torch.ones(2)))), path)
        with self.assertWarnsRegex(UserWarning, "Other"):
            warnings.simplefilter("always")
            program = pt2.torch.load(path)
        warnings.simplefilter("ignore")
        self.assertIsNone(program.example_inputs)

    def test_weights_can_be_trained_and_the_file_stays_as_it_is(self):
        before = (TODAY / "mlp.pt2").read_bytes()
        program = pt2.torch.load(TODAY / "mlp.pt2")
        for tensor in program.state_dict.values():
            with torch.no_grad():
                tensor.add_(1)
        fresh = pt2.torch.load(TODAY / "mlp.pt2")
        for name, tensor in fresh.state_dict.items():
            self.assertFalse(torch.equal(tensor, program.state_dict[name]))
        self.assertEqual((TODAY / "mlp.pt2").read_bytes(), before)

    def test_torch_takes_tensors_of_an_open_file(self):
        theirs = torch.export.load(TODAY / "shared_weights.pt2").state_dict
        self.assertTrue(theirs)
        with pt2.open(TODAY / "shared_weights.pt2") as file:
            tensors = {name: torch.from_dlpack(file.tensor(name)) for name in theirs}
        for name, tensor in theirs.items():
            self.assertTrue(torch.equal(tensors[name], tensor.detach()), name)
        for tensor in tensors.values():
            tensor.zero_()
        with pt2.open(TODAY / "shared_weights.pt2") as file:
            for name, tensor in theirs.items():
                self.assertTrue(torch.equal(torch.from_dlpack(file.tensor(name)), tensor.detach()), name)

    def test_what_is_saved_is_loaded_by_torch(self):
        for path in files("2.13.0", without=("joint", "lifted_constants", "custom_op")):
            if not ALL and path.stem not in SOME | {"cond"}:
                continue
            with self.subTest(path.stem):
                theirs = torch.export.load(path)
                saved = self.folder / "saved.pt2"
                pt2.torch.save(theirs, saved)
                self.assertEqual(list(self.folder.iterdir()), [saved])
                self.assert_alike(result(lambda: torch.export.load(saved)), result(lambda: theirs))

    def test_load_and_save_take_what_torch_takes_and_give_what_it_gives(self):
        for ours, theirs in ((pt2.torch.load, torch.export.load), (pt2.torch.save, torch.export.save)):
            own = inspect.signature(ours).parameters
            for name, parameter in inspect.signature(theirs).parameters.items():
                self.assertEqual((own[name].kind, own[name].default), (parameter.kind, parameter.default), name)
        program = torch.export.load(TODAY / "mlp.pt2")
        extra = {"notes.txt": "größe", "folder/a": "x"}
        for module in (torch.export, pt2.torch):
            for file in (io.BytesIO(), tempfile.TemporaryFile(), self.folder / "saved.pt2"):
                module.save(program, file, extra_files=extra, opset_version={"aten": 3}, pickle_protocol=4)
                for load in (torch.export.load, pt2.torch.load):
                    if not isinstance(file, pathlib.Path):
                        self.assertEqual(file.tell(), 0)
                    found = {"old": "kept"}
                    loaded = load(file, extra_files=found, expected_opset_version={"aten": 1})
                    self.assertEqual(found, {"old": "kept", **extra})
                    self.assertEqual(str(loaded), str(program))
                    self.assertEqual({name: state_of(each) for name, each in loaded.state_dict.items()},
                                     {name: state_of(each) for name, each in program.state_dict.items()})
                    if not isinstance(file, pathlib.Path):
                        file.seek(0)

    def ways_in(self, array):
        """Yields the name of each way to save an array as the weight `w`, and a function that does it and returns what the file then has."""
        out = self.folder / "array.pt2"

        def saved(program, tensors):
            pt2.save(program, out, tensors=tensors)
            return pt2.open(out).tensor("w").numpy()

        def built(method):
            builder = pt2.Builder()
            builder.output(getattr(builder, method)("w", array))
            return saved(builder.finish(), builder.tensors)

        def holder():
            builder = pt2.Builder()
            builder.output(builder.buffer("w", numpy.zeros(array.shape, BASE_DTYPES.get(str(array.dtype), "float32"))))
            return builder.finish()

        def edited():
            program = holder()
            with pt2.edit(program) as graph:
                graph.replace_weight("w", array)
            return saved(program, graph.tensors)

        for method in ("parameter", "buffer", "constant"):
            yield f"Builder.{method}", lambda method=method: built(method)
        yield "save", lambda: saved(holder(), {"w": array})
        yield "edit.replace_weight", edited

    def test_every_kind_of_array_is_saved_as_the_values_that_it_shows_or_refused_by_name(self):
        base = torch.arange(6.0).reshape(2, 3) + 1
        both = torch.complex(base, -base)
        shown = {
            "plain": base, "transposed": base.t(), "expanded": base[:, :1].expand(2, 3), "conjugate": both.conj(), "conjugate and transposed": both.conj().t(),
            "negative": torch._neg_view(base), "imaginary part of a conjugate": both.conj().imag, "both": torch._neg_view(both.conj()),
            "adjoint": both.mH, "with gradients": base.clone().requires_grad_(), "parameter": torch.nn.Parameter(base), "zeros": torch._efficientzerotensor((2, 3)),
            "big-endian": numpy.arange(6, dtype=">f4").reshape(2, 3), "big-endian complex": numpy.arange(6, dtype=">c8"),
            "of numpy": numpy.arange(6.0, dtype="float32")[::-2], "of a file": pt2.open(TODAY / "mlp.pt2").tensor("l1.weight"),
            "of bytes": pt2.open((TODAY / "mlp.pt2").read_bytes()).tensor("l1.weight"),
        }
        for kind, array in shown.items():
            if isinstance(array, torch.Tensor):
                want = array.detach().resolve_conj().resolve_neg().clone().numpy() if kind != "zeros" else numpy.zeros((2, 3), "float32")
            else:
                want = numpy.asarray(array)
            for way, save in self.ways_in(array):
                with self.subTest(kind, way=way):
                    found = save()
                    self.assertEqual((found.shape, found.dtype.newbyteorder("=")), (want.shape, want.dtype.newbyteorder("=")))
                    numpy.testing.assert_array_equal(found, want)
        with FakeTensorMode() as mode:
            fake = mode.from_tensor(base)
        refused = {
            "FakeTensor": fake, "meta": torch.empty(2, 3, device="meta"), "sparse_coo": base.to_sparse(), "sparse_csr": base.to_sparse_csr(),
            "quantized": torch.quantize_per_tensor(base, 0.1, 0, torch.qint8),
        }
        if torch.backends.mkldnn.is_available():
            refused["mkldnn"] = base.to_mkldnn()
        for word, array in refused.items():
            for way, save in self.ways_in(array):
                with self.subTest(word, way=way), self.assertRaisesRegex(TypeError, word):
                    save()

    def test_lazy_views_are_saved_as_the_values_that_they_show(self):
        class Holder(torch.nn.Module):
            def __init__(self):
                super().__init__()
                base = torch.arange(3.0) + 1
                self.register_buffer("conjugate", torch.complex(base, base).conj())
                self.register_buffer("unsaved", torch._neg_view(base), persistent=False)
                self.weight = torch.nn.Parameter(torch.complex(base, base).conj())
                self.constant = torch.complex(base, base).conj().imag

            def forward(self, x):
                return self.conjugate * x + self.unsaved + self.weight + self.constant

        exported = torch.export.export(Holder(), (torch.tensor(2),), strict=False)
        out = self.folder / "lazy.pt2"
        pt2.torch.save(exported, out)
        for load in (torch.export.load, pt2.torch.load):
            loaded = load(out)
            self.assertTrue(torch.equal(loaded.module()(torch.tensor(2)), exported.module()(torch.tensor(2))))
            self.assertIsInstance(loaded.state_dict["weight"], torch.nn.Parameter)
        self.assertTrue(exported.state_dict["conjugate"].is_conj())

    def test_what_is_saved_of_tensors_is_loaded_by_torch(self):
        theirs = torch.export.load(TODAY / "mlp.pt2")
        tensors = {**theirs.state_dict, **theirs.constants}
        path = self.folder / "saved.pt2"
        pt2.save(pt2.load(TODAY / "mlp.pt2"), path, tensors=tensors)
        ours = torch.export.load(path)
        arguments, keywords = theirs.example_inputs
        torch.testing.assert_close(ours.module()(*arguments, **keywords), theirs.module()(*arguments, **keywords), rtol=0, atol=0)
        for name, tensor in theirs.state_dict.items():
            self.assertEqual(state_of(ours.state_dict[name]), state_of(tensor), name)

    def test_what_is_changed_through_views_is_what_torch_runs(self):
        program = pt2.load(TODAY / "mlp.pt2")
        graph, signature = program.graph_module.graph, program.graph_module.signature
        linear, relu, linear_1, mul, add = graph.nodes
        relu.target = "torch.ops.aten.sigmoid.default"
        mul.inputs[1].arg = pt2.Argument.as_int(3)
        add.inputs[1].arg = pt2.Argument.as_float(0.25)
        add.inputs[1].arg.value = 0.5
        linear_1.inputs[0].arg.value.name = relu.outputs[0].value.name = "activation"
        graph.tensor_values["activation"] = graph.tensor_values.pop("relu")
        x, y = (pt2.Argument.as_tensor(pt2.TensorArgument(name=name)) for name in ("add", "neg"))
        operand = pt2.NamedArgument(name="self", arg=x, kind=pt2.ArgumentKind.POSITIONAL)
        graph.nodes.append(pt2.Node(target="torch.ops.aten.neg.default", inputs=[operand], outputs=[y]))
        graph.tensor_values["neg"] = graph.tensor_values["add"]
        graph.outputs[0] = signature.output_specs[0].value.arg = y
        self.assertEqual(pt2.verify(program), [])
        path = self.folder / "changed.pt2"
        pt2.save(program, path, like=TODAY / "mlp.pt2")
        for load in (torch.export.load, pt2.torch.load):
            changed = load(path)
            state = changed.state_dict
            (given,), _ = changed.example_inputs
            hidden = torch.sigmoid(torch.nn.functional.linear(given, state["l1.weight"], state["l1.bias"]))
            expected = -(torch.nn.functional.linear(hidden, state["l2.weight"], state["l2.bias"]) * 3 + 0.5)
            torch.testing.assert_close(changed.module()(given), expected)

    def test_an_error_of_a_file_that_cannot_be_written_has_the_path_that_was_given(self):
        exported = torch.export.load(TODAY / "mlp.pt2")
        with self.assertRaises(FileNotFoundError) as caught:
            pt2.torch.save(exported, "/nowhere/new.pt2")
        self.assertEqual(caught.exception.filename, "/nowhere/new.pt2")


if __name__ == "__main__":
    unittest.main(argv=[argument for argument in sys.argv if argument != "--all"])
