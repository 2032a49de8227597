"""pt2.open() and pt2.save(): the tensors of files as arrays on the file's mapping, and archives of arrays.

What an archive holds is told by Python's own zipfile and json. Needs numpy. PT2_PYTHON_PACKAGE is the folder that has the package pt2.
"""

import errno
import gc
import importlib.util
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock
import zipfile

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, os.environ.get("PT2_PYTHON_PACKAGE", str(ROOT / "build" / "bindings" / "python")))

import pt2  # noqa: E402

PROGRAMS = ROOT / "tests" / "data" / "programs"
TODAY = PROGRAMS / "torch-2.13.0"
MLP = TODAY / "mlp.pt2"
NUMPY = {1: "u1", 2: "i1", 3: "i2", 4: "i4", 5: "i8", 6: "f2", 7: "f4", 8: "f8", 10: "c8", 11: "c16", 12: "?", 28: "u2", 34: "u4", 35: "u8"}


def records(path):
    """Returns by name, from the archive's own config, the tensors whose dtypes numpy has."""
    with zipfile.ZipFile(path) as archive:
        top = archive.namelist()[0].split("/")[0]
        for part in ("weights", "constants"):
            config = json.loads(archive.read(f"{top}/data/{part}/model_{part}_config.json"))
            for name, payload in config["config"].items():
                meta = payload["tensor_meta"]
                if meta["dtype"] not in NUMPY:
                    continue
                data = archive.read(f"{top}/data/{part}/{payload['path_name']}")
                elements = numpy.frombuffer(data, NUMPY[meta["dtype"]])[meta["storage_offset"]["as_int"]:]
                shape, stride = ([size["as_int"] for size in meta[key]] for key in ("sizes", "strides"))
                yield name, numpy.lib.stride_tricks.as_strided(elements, shape, [step * elements.itemsize for step in stride])


class FilesTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_differences_of_weights_are_those_that_numpy_finds(self):
        names = {"float16": "f2", "float32": "f4", "float64": "f8", "int8": "i1", "int32": "i4", "uint8": "u1", "bool": "?"}
        generator = numpy.random.default_rng(7)
        with tempfile.TemporaryDirectory() as folder:
            for dtype, short in names.items():
                builder = pt2.Builder()
                weight = builder.buffer("w", numpy.zeros((40, 1000), short))
                builder.output(builder.call("aten.clone.default", weight))
                program = builder.finish()
                a, b = (generator.integers(0, 100, (40, 1000)).astype(short) for _ in range(2))
                a[3, :] = b[3, :]
                paths = [os.path.join(folder, name) for name in ("a.pt2", "b.pt2")]
                for path, array in zip(paths, (a, b)):
                    pt2.save(program, path, tensors={"w": array})
                (found,) = pt2.diff(*paths, weights=True)
                wide_a, wide_b = a.astype("f8"), b.astype("f8")
                apart = numpy.abs(wide_a - wide_b)
                self.assertIn(f"{numpy.count_nonzero(a != b)} of 40000 elements differ", found.details[0], dtype)
                self.assertEqual(found.largest_absolute, apart.max(), dtype)
                self.assertEqual(found.largest_relative, (apart[wide_a != 0] / wide_a[wide_a != 0]).max(), dtype)

    def test_arrays_are_what_the_records_of_the_archive_hold(self):
        for path in sorted(TODAY.glob("*.pt2")):
            with self.subTest(path.stem), pt2.open(path) as file:
                for name, expected in records(path):
                    tensor = file.tensor(name)
                    array = tensor.numpy()
                    self.assertEqual((array.dtype, array.shape, array.nbytes), (expected.dtype, expected.shape, tensor.nbytes))
                    self.assertEqual(array.tobytes(), expected.tobytes())
                    self.assertEqual(tensor.shape, expected.shape)
                    self.assertEqual([step * array.itemsize for step in tensor.stride], list(array.strides))

    def test_an_array_is_a_read_only_view_of_the_mapping(self):
        with pt2.open(MLP) as file:
            tensor = file.tensor("l1.weight")
            array = tensor.numpy()
            self.assertTrue(numpy.shares_memory(array, tensor.numpy()))
            self.assertFalse(array.flags.writeable)
            self.assertTrue(numpy.shares_memory(array, numpy.asarray(tensor)))
            self.assertFalse(numpy.shares_memory(array, numpy.array(tensor)))

    def test_arrays_outlive_the_file_and_the_tensor(self):
        with pt2.open(MLP) as file:
            tensor = file.tensor("l1.weight")
        expected = dict(records(MLP))["l1.weight"]
        array = tensor.numpy()
        del tensor, file
        gc.collect()
        numpy.testing.assert_array_equal(array, expected)

    def test_a_closed_file_says_so(self):
        with pt2.open(MLP) as file:
            pass
        self.assertTrue(file.closed)
        for use in (lambda: file.keys(), lambda: file.tensor("l1.weight"), lambda: file.program, lambda: file.container,
                    lambda: file.models, lambda: file.schema_version, file.__enter__):
            with self.assertRaisesRegex(ValueError, "closed"):
                use()

    def test_a_file_says_what_it_is(self):
        with pt2.open(MLP) as file:
            self.assertEqual((file.container, file.models, file.schema_version), ("pt2_archive", ["model"], (8, 20)))
            self.assertEqual(file.program, pt2.load(MLP))
            self.assertIs(file.program, file.program)
            self.assertEqual(file.tensor("l1.weight").kind, "parameter")
            self.assertEqual(file.tensor("l1.weight").dtype, "float32")
        with pt2.open(PROGRAMS / "torch-2.5.1" / "mlp.pt2") as file:
            self.assertEqual((file.container, file.schema_version[0]), ("old_zip", 7))
            self.assertEqual(file.tensor("l1.weight").numpy().shape, (8, 4))
        with pt2.open(TODAY / "mlp.json") as file:
            self.assertEqual((file.container, file.models), ("json", []))
            self.assertEqual(file.keys(), [])

    def test_errors_about_several_models_name_them_and_the_argument(self):
        multi = ROOT / "tests" / "data" / "packages" / "multi.pt2"
        calls = [pt2.load, pt2.hash, pt2.show, pt2.stats, pt2.operators, pt2.view, lambda path: pt2.diff(path, path), lambda path: pt2.open(path).program,
                 lambda path: pt2.hash(path, weights=True), lambda path: pt2.export(path), lambda path: pt2.export_weights(path, self.folder / "w.npz"),
                 lambda path: pt2.torch.load(path) if hasattr(pt2, "torch") else pt2.load(path)]
        for call in calls:
            with self.assertRaisesRegex(pt2.DataError, """the archive has 2 models: 'a', 'b'; choose one with model="a"$"""):
                call(multi)
        self.assertEqual(pt2.hash(pt2.load(multi, model="a")), pt2.hash(pt2.load(multi, model="b")))

    def test_errors_name_the_file_or_what_is_wrong_with_it(self):
        missing = self.folder / "missing.pt2"
        with self.assertRaises(OSError) as caught:
            pt2.open(missing)
        self.assertEqual((caught.exception.errno, caught.exception.filename), (errno.ENOENT, str(missing)))
        (self.folder / "cut.pt2").write_bytes(MLP.read_bytes()[:-30])
        with self.assertRaises(pt2.DataError):
            pt2.open(self.folder / "cut.pt2")
        with pt2.open(MLP) as file, self.assertRaises(KeyError):
            file.tensor("l9.weight")
        with self.assertRaisesRegex(ValueError, "other"):
            pt2.open(MLP, model="other")

    def test_no_weight_is_read_before_it_is_asked_for(self):
        data = bytearray(MLP.read_bytes())
        weight = dict(records(MLP))["l1.weight"].tobytes()
        data[data.index(weight)] ^= 1
        broken = self.folder / "broken.pt2"
        broken.write_bytes(data)
        with pt2.open(broken) as file:
            tensor = file.tensor("l1.weight")
            self.assertEqual(file.tensor("l2.weight").numpy().shape, file.tensor("l2.weight").shape)
            with self.assertRaisesRegex(pt2.DataError, "checksum|CRC"):
                tensor.numpy()

    def test_bfloat16_needs_ml_dtypes_and_an_error_names_the_other_way(self):
        half = self.folder / "half.pt2"
        subprocess.run([os.environ["PT2_BINARY"], "retarget", MLP, "-o", half, "--dtype", "bfloat16"], check=True)
        with pt2.open(half) as file:
            tensors = [tensor for tensor in map(file.tensor, file.keys()) if tensor.dtype == "bfloat16"]
            self.assertTrue(tensors)
            for tensor in tensors:
                if importlib.util.find_spec("ml_dtypes"):
                    self.assertEqual(tensor.numpy().dtype.name, "bfloat16")
                else:
                    self.assertRaisesRegex(ImportError, "ml_dtypes.*DLPack", tensor.numpy)

    @unittest.skipUnless(importlib.util.find_spec("ml_dtypes"), "ml_dtypes is not installed")
    def test_bfloat16_and_float8_go_through_numpy_and_back(self):
        import ml_dtypes

        for dtype in ("bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu"):
            with self.subTest(dtype):
                array = numpy.arange(1, 13, dtype="float32").reshape(3, 4).astype(getattr(ml_dtypes, dtype))
                builder = pt2.Builder()
                builder.output(builder.call("aten.clone.default", builder.parameter("weight", array.T)))
                program, path = builder.finish(), self.folder / f"{dtype}.pt2"
                pt2.save(program, path, tensors=builder.tensors)
                with pt2.open(path) as file:
                    tensor = file.tensor("weight")
                    read = tensor.numpy()
                    self.assertEqual((tensor.dtype, read.dtype, read.shape), (dtype, array.dtype, (4, 3)))
                    self.assertEqual(read.tobytes(), array.T.tobytes())
                    self.assertEqual(read.astype("float32").tolist(), array.T.astype("float32").tolist())
                    again = self.folder / "again.pt2"
                    pt2.save(program, again, tensors={"weight": read})
                with pt2.open(again) as file:
                    self.assertEqual(file.tensor("weight").numpy().tobytes(), array.T.tobytes())

    def test_numbers_and_dtypes_of_numpy_are_taken_as_pythons_are(self):
        def program(integer, floating, dtype):
            builder = pt2.Builder()
            x = builder.input("x", dtype, [builder.symbol("s0", integer(1), integer(64)) + integer(2), integer(4)])
            builder.output(builder.call("aten.leaky_relu.default", builder.call("aten.add.Tensor", x, floating(0.5), alpha=integer(2)), floating(0.25)))
            builder.output(builder.call("aten.sum.dim_IntList", x, [integer(1)], keepdim=True))
            return builder.finish()

        expected = program(int, float, "float32")
        for integer in (numpy.int64, numpy.uint8, lambda number: numpy.ones((), "int32")[()] * number):
            for floating in (numpy.float32, numpy.float64, numpy.float16):
                for dtype in (numpy.float32, numpy.dtype("float32"), pt2.ScalarType.FLOAT):
                    self.assertEqual(program(integer, floating, dtype), expected)

    def test_without_numpy_an_error_says_how_to_get_it(self):
        with pt2.open(MLP) as file, unittest.mock.patch.dict(sys.modules, {"numpy": None}):
            self.assertRaisesRegex(ImportError, r"pip install libpt2\[numpy\]", file.tensor("l1.weight").numpy)

    def test_numpy_takes_a_tensor_by_dlpack(self):
        with pt2.open(MLP) as file:
            array = numpy.from_dlpack(file.tensor("l1.weight"))
            numpy.testing.assert_array_equal(array, file.tensor("l1.weight").numpy())
            self.assertFalse(numpy.shares_memory(array, file.tensor("l1.weight").numpy()))
            self.assertEqual(file.tensor("l1.weight").__dlpack_device__(), (1, 0))
            with self.assertRaises(BufferError):
                file.tensor("l1.weight").__dlpack__(dl_device=(2, 0))

    def test_an_archive_is_written_of_arrays_alone(self):
        path = self.folder / "new.pt2"
        with pt2.open(MLP) as file:
            arrays = {name: file.tensor(name).numpy() + 1 for name in file.keys()}
            arrays["l1.weight"] = numpy.asfortranarray(arrays["l1.weight"])[::-1]
            arrays["l2.weight"] = arrays["l2.weight"].astype(">f4")
            arrays["l1.bias"] = file.tensor("l1.bias")
            pt2.save(file.program, path, tensors=arrays)
            with pt2.open(path) as new:
                self.assertEqual(new.program, file.program)
                self.assertEqual(set(new.keys()), set(arrays))
                for name, array in arrays.items():
                    numpy.testing.assert_array_equal(new.tensor(name).numpy(), numpy.asarray(array))
                    self.assertEqual(new.tensor(name).kind, file.tensor(name).kind)

    def test_arrays_in_the_same_memory_keep_their_own_order_and_what_is_one_array_is_written_once(self):
        square = numpy.arange(64 * 64, dtype="float32").reshape(64, 64)
        arrays = {"plain": square, "same": square, "turned": square.T, "turned again": square.T, "flat": square.reshape(-1)}
        builder = pt2.Builder()
        for name, array in arrays.items():
            builder.output(builder.call("aten.relu.default", builder.parameter(name.replace(" ", "_"), array)))
        path = self.folder / "same.pt2"
        pt2.save(builder.finish(), path, tensors=builder.tensors)
        self.assertLess(path.stat().st_size, 3 * square.nbytes)
        with pt2.open(path) as file:
            for name, array in arrays.items():
                numpy.testing.assert_array_equal(file.tensor(name.replace(" ", "_")).numpy(), array)

    def test_an_archive_is_written_like_another_with_some_tensors_of_ones_own(self):
        for release in ("2.13.0", "2.8.0", "2.6.0"):
            source = PROGRAMS / f"torch-{release}" / "mlp.pt2"
            path = self.folder / f"{release}.pt2"
            program = pt2.load(source)
            with pt2.open(source) as file:
                bias = file.tensor("l1.bias").numpy() * 2
                pt2.save(program, path, like=source, tensors={"l1.bias": bias})
                with pt2.open(path) as new:
                    for name in file.keys():
                        expected = bias if name == "l1.bias" else file.tensor(name).numpy()
                        numpy.testing.assert_array_equal(new.tensor(name).numpy(), expected)
        self.assertEqual(sorted(file.name for file in self.folder.iterdir()), ["2.13.0.pt2", "2.6.0.pt2", "2.8.0.pt2"])

    def test_like_is_matched_by_name_dtype_and_shape(self):
        path = self.folder / "new.pt2"
        program = pt2.load(MLP)
        other = next(file for file in sorted(TODAY.glob("*.pt2")) if file != MLP and pt2.signature(pt2.load(file)).parameters)
        with self.assertRaisesRegex(pt2.DataError, "the archive does not match the program: .*; [0-9]+ tensors do not match"):
            pt2.save(program, path, like=other)
        half = pt2.retarget(program, dtype="float16")
        with self.assertRaisesRegex(pt2.DataError, r"tensor 'l1.bias' is float32\[8\], but the program's is float16\[8\]; [0-9]+ tensors"):
            pt2.save(half, path, like=MLP)
        self.assertFalse(path.exists())
        with pt2.open(MLP) as file:
            arrays = {name: file.tensor(name).numpy().astype("f2") for name in file.keys()}
        pt2.save(half, path, like=MLP, tensors=arrays)
        with pt2.open(path) as file:
            self.assertEqual({file.tensor(name).dtype for name in file.keys()}, {"float16"})
        self.assertEqual([found for found in pt2.verify(path) if found.level == "error"], [])
        with self.assertRaisesRegex(pt2.DataError, "the program has no tensor 'l9'"):
            pt2.save(program, path, like=MLP, tensors={"l9": arrays["l1.bias"]})

    def test_what_the_program_does_not_reference_is_not_written(self):
        path = self.folder / "part.pt2"
        program = pt2.load(MLP)
        part = pt2.extract(program, inputs=[pt2.signature(program).user_inputs[0]], outputs=["relu"])
        pt2.save(part, path, like=MLP)
        with pt2.open(path) as file:
            self.assertEqual(sorted(file.keys()), ["l1.bias", "l1.weight"])
        with zipfile.ZipFile(path) as archive:
            kept = [name for name in archive.namelist() if "/data/weights/weight_" in name]
            self.assertEqual(len(kept), 2)
        pt2.save(program, path, like=MLP)
        with zipfile.ZipFile(path) as a, zipfile.ZipFile(MLP) as b:
            self.assertEqual({name: a.read(name) for name in a.namelist()}, {name: b.read(name) for name in b.namelist()})
        second = pt2.extract(program, inputs=["relu"], outputs=[pt2.signature(program).user_outputs[0]])
        pt2.save(second, path, like=MLP)
        with zipfile.ZipFile(path) as archive:
            samples = [archive.getinfo(name).file_size for name in archive.namelist() if "/sample_inputs/" in name]
        self.assertEqual(samples, [0])

    def test_weights_that_no_program_references_are_kept(self):
        source, path = self.folder / "unnamed.pt2", self.folder / "new.pt2"
        with zipfile.ZipFile(MLP) as old, zipfile.ZipFile(source, "w") as new:
            for record in old.namelist():
                data = old.read(record)
                if record.endswith("/model_weights_config.json"):
                    config = json.loads(data)
                    tied = config["config"]["l1.bias"]
                    config["config"]["head.bias"] = tied
                    config["config"]["float_bias"] = {**tied, "path_name": "float"}
                    data = json.dumps(config)
                    new.writestr(f"{record.rsplit('/', 1)[0]}/float", bytes(range(32)))
                new.writestr(record, data)
        program = pt2.load(source)
        own = pt2.hash(source, weights=True)
        pt2.save(program, path, like=source)
        self.assertEqual(pt2.hash(path, weights=True), own)
        with pt2.open(source) as file:
            bias = file.tensor("l1.bias").numpy() + 1
        pt2.save(program, path, like=source, tensors={"l1.bias": bias})
        found = dict(records(path))
        numpy.testing.assert_array_equal(found["head.bias"], bias)
        self.assertEqual(found["float_bias"].tobytes(), bytes(range(32)))
        pt2.save(pt2.retarget(program, device="cuda"), path, like=source)
        with pt2.open(path) as file:
            self.assertEqual({file.tensor(name).device for name in file.keys()}, {"cuda"})

    def test_wrong_tensors_are_told_and_nothing_is_written(self):
        program = pt2.load(MLP)
        path = self.folder / "new.pt2"
        with pt2.open(MLP) as file:
            arrays = {name: file.tensor(name).numpy() for name in file.keys()}
        for change, error, text in (
                ({"l1.weight": None}, TypeError, "l1.weight"),
                ({"l1.weight": numpy.zeros((8, 4), "O")}, TypeError, r"tensors\['l1.weight'\]: expected an array with a torch dtype, got object"),
                ({"l1.weight": numpy.zeros((8, 4), "M8[s]")}, TypeError, r"tensors\['l1.weight'\]: expected an array with a torch dtype, got datetime64"),
                ({"l1.weight": numpy.zeros((8, 4), "g")}, TypeError, r"tensors\['l1.weight'\]: expected an array with a torch dtype, got float128"),
                ({"l1.weight": numpy.zeros((8, 5), "f4")}, pt2.DataError, "l1.weight"),
                ({"l1.weight": numpy.zeros((8, 4), "f8")}, pt2.DataError, "float64"),
                ({"l9": numpy.zeros(1)}, pt2.DataError, "l9"),
        ):
            with self.assertRaisesRegex(error, text):
                pt2.save(program, path, tensors={**arrays, **change})
        del arrays["l1.bias"]
        with self.assertRaisesRegex(pt2.DataError, "l1.bias"):
            pt2.save(program, path, tensors=arrays)
        with self.assertRaisesRegex(ValueError, "like"):
            pt2.save(program, path)
        with self.assertRaisesRegex(ValueError, "pt2"):
            pt2.save(program, self.folder / "new.json", tensors=arrays)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_an_error_of_a_file_that_cannot_be_written_has_the_path_that_was_given(self):
        program = pt2.load(MLP)
        with pt2.open(MLP) as file:
            arrays = {"l1.bias": file.tensor("l1.bias").numpy()}
        before = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)
        for path in ("/nowhere/new.pt2", "nowhere/new.pt2", pathlib.Path("nowhere", "new.pt2")):
            for options in ({}, {"tensors": arrays}):
                with self.assertRaises(FileNotFoundError) as caught:
                    pt2.save(program, path, like=MLP, **options)
                self.assertEqual(caught.exception.filename, str(path))
        with self.assertRaises(FileNotFoundError) as caught:
            pt2.save(program, "new.pt2", like="missing.pt2", tensors=arrays)
        self.assertEqual(caught.exception.filename, "missing.pt2")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_tensors_are_not_written_with_a_program_of_which_something_would_be_lost(self):
        text = pt2.load(MLP).to_json().replace(b'"minor": 20', b'"minor": 99').replace(b'{"target":', b'{"stream": 7, "target":', 1)
        program = pt2.load(text, keep_unknown=True)
        with pt2.open(MLP) as file:
            arrays = {name: file.tensor(name).numpy() for name in file.keys()}
        for options in ({}, {"like": MLP}):
            with self.assertRaisesRegex(ValueError, "drop_unknown"):
                pt2.save(program, self.folder / "new.pt2", tensors=arrays, **options)
        program.drop_unknown()
        pt2.save(program, self.folder / "new.pt2", tensors=arrays)

    def test_a_program_alone_is_written_as_its_ending_says(self):
        program = pt2.load(MLP)
        for name in ("new.json", "new.pt2b"):
            pt2.save(program, self.folder / name)
            self.assertEqual(pt2.load(self.folder / name), program)


class LongWorkTest(unittest.TestCase):
    """A 16 MB archive that names one tensor so often that every function but save() must process gigabytes."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.array = numpy.zeros((2048, 2048), "float32")
        builder = pt2.Builder()
        for number in range(400):
            builder.output(builder.call("aten.relu.default", builder.parameter(f"w{number}", cls.array)))
        cls.program, cls.tensors = builder.finish(), builder.tensors
        cls.path = cls.folder / "long.pt2"
        pt2.save(cls.program, cls.path, tensors=cls.tensors)

    def works(self, path):
        """The functions that process weight bytes, called with `progress`."""
        out = self.folder / "out.pt2"
        one = {"weight": self.array}
        yield "hash", lambda progress: pt2.hash(path, weights=True, progress=progress)
        yield "harden", lambda progress: pt2.harden(path, out, progress=progress)
        yield "view", lambda progress: pt2.view(path, progress=progress)
        program = pt2.load(path)
        names = pt2.signature(program).parameters
        yield "save", lambda progress: pt2.save(program, out, tensors=dict.fromkeys(names, self.array), progress=progress)
        yield "save like", lambda progress: pt2.save(program, out, like=path, progress=progress)
        some = {names[0]: one["weight"]}
        yield "save like, with tensors", lambda progress: pt2.save(program, out, like=path, tensors=some, progress=progress)

    def one_tensor(self):
        builder = pt2.Builder()
        builder.output(builder.call("aten.relu.default", builder.parameter("weight", self.array)))
        path = self.folder / "one.pt2"
        pt2.save(builder.finish(), path, tensors=builder.tensors)
        return path

    def test_progress_goes_from_the_first_part_to_all_there_is(self):
        for name, work in self.works(self.one_tensor()):
            with self.subTest(name):
                told = []
                work(lambda *numbers: told.append(numbers))
                self.assertGreater(len(told), 1)
                self.assertLess(told[0][0], self.array.nbytes / 2)
                self.assertGreaterEqual(told[-1][0], self.array.nbytes)
                self.assertEqual(told[-1][0], told[-1][1])
                self.assertEqual(sorted(done for done, _ in told), [done for done, _ in told])
                self.assertLessEqual(max(done for done, _ in told), told[-1][1])

    def test_what_progress_raises_ends_the_work_and_leaves_no_file(self):
        def stop(done, total):
            raise LookupError(f"enough at {done}")

        for name, work in self.works(self.one_tensor()):
            before = sorted(self.folder.iterdir())
            with self.subTest(name), self.assertRaisesRegex(LookupError, "enough"):
                work(stop)
            self.assertEqual(sorted(self.folder.iterdir()), before)

    def test_an_interrupt_is_heard_within_a_tenth_of_a_second(self):
        heard = []

        def interrupt(number, frame):
            heard.append(time.monotonic())
            raise KeyboardInterrupt

        old = signal.signal(signal.SIGALRM, interrupt)
        self.addCleanup(signal.signal, signal.SIGALRM, old)
        # pt2.view() is too fast: it reads a record's statistics only once.
        with self.assertRaises(KeyboardInterrupt):
            start = time.monotonic()
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            pt2.hash(self.path, weights=True)
        # Other processes also take time.
        self.assertLess(heard[-1] - start, 0.1 + 0.1 + 0.5)
        self.assertLess(time.monotonic() - heard[-1], 0.5)

    def test_an_interrupt_ends_the_command(self):
        command = [sys.executable, "-c", "import sys, pt2.__main__; print('up', flush=True); sys.exit(pt2.__main__.main())"]
        environment = dict(os.environ, PYTHONPATH=os.path.dirname(os.path.dirname(pt2.__file__)))
        # Where interrupts are ignored, as in the background of a shell, the command would inherit that.
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        with subprocess.Popen([*command, "hash", "--weights", self.path], stdout=subprocess.PIPE, env=environment) as process:
            self.assertEqual(process.stdout.readline(), b"up\n")
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(10), -signal.SIGINT)


if __name__ == "__main__":
    unittest.main()
