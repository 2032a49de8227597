"""Wherever a path is accepted, so are bytes, file objects and URLs, of which only the needed bytes are read. Findings and programs
pickle, for pools of processes.
"""

import concurrent.futures
import contextlib
import ctypes
import io
import multiprocessing
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock
import zipfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
if "PT2_PYTHON_PACKAGE" in os.environ:
    sys.path.insert(0, os.environ["PT2_PYTHON_PACKAGE"])

import pt2  # noqa: E402
import pt2.sources  # noqa: E402

try:
    import numpy
except ImportError:
    numpy = None
try:
    import fsspec
except ImportError:
    fsspec = None

import source_cases  # noqa: E402
import web_servers  # noqa: E402

PROGRAMS = ROOT / "tests" / "data" / "programs"
MLP = PROGRAMS / "torch-2.13.0" / "mlp.pt2"


# Prints the class of the error, and the most memory that was used.
WATCHED = """
import resource, sys, pt2
try:
    pt2.check(sys.argv[1])
except Exception as error:
    print(type(error).__name__)
    print(error, file=sys.stderr)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


class Counting(io.BytesIO):
    """A file that counts the bytes read."""

    read_bytes = 0

    def read(self, size=-1):
        data = super().read(size)
        self.read_bytes += len(data)
        return data


@contextlib.contextmanager
def requests_of_rounds():
    """Yields the most requests at once in each round, i.e. before the next ones are planned."""
    fetch, part = pt2.sources.LocalCopy._fetch, pt2.sources._WebFile.part
    rounds, running = [], []

    def fetch_round(copy, ranges):
        rounds.append(0)
        fetch(copy, ranges)

    def slow_part(file, start, end):
        running.append(start)
        rounds[-1] = max(rounds[-1], len(running))
        time.sleep(0.02)
        running.pop()
        return part(file, start, end)

    with unittest.mock.patch.object(pt2.sources.LocalCopy, "_fetch", fetch_round), unittest.mock.patch.object(pt2.sources._WebFile, "part", slow_part):
        yield rounds


class SourcesTest(unittest.TestCase):
    def sources(self, path):
        data = path.read_bytes()
        yield "bytes", data
        yield "bytearray", bytearray(data)
        yield "file", io.BytesIO(data)
        opened = open(path, "rb")
        self.addCleanup(opened.close)
        yield "opened", opened
        if fsspec is not None:
            yield "URL", f"file://{path}"
            fsspec.filesystem("memory").pipe("/model" + path.suffix, data)
            yield "memory", f"memory://model{path.suffix}"
            folder = tempfile.TemporaryDirectory()
            self.addCleanup(folder.cleanup)
            with zipfile.ZipFile(f"{folder.name}/models.zip", "w") as archive:
                archive.write(path, path.name)
            yield "chained", f"zip://{path.name}::file://{folder.name}/models.zip"

    def test_functions_take_any_source(self):
        for path in (MLP, MLP.with_suffix(".json"), PROGRAMS / "torch-2.6.0" / "mlp.pt2", PROGRAMS / "torch-2.8.0" / "mlp.pt2"):
            for name, source in self.sources(path):
                with self.subTest(f"{path.parent.name}/{path.name}: {name}"):
                    for function in (pt2.load, pt2.hash, pt2.verify, pt2.stats, pt2.operators, pt2.operator_report, pt2.show):
                        self.assertEqual(function(source), function(path), function)
                    self.assertEqual(pt2.diff(source, path), [])
                    if path.suffix == ".pt2":
                        self.assertEqual(pt2.scan(source), pt2.scan(path))
                        self.assertEqual(pt2.check(source), pt2.check(path))
                        self.assertEqual(pt2.hash(source, weights=True), pt2.hash(path, weights=True))
                    with pt2.open(source) as file, pt2.open(path) as expected:
                        self.assertEqual(file.program, expected.program)
                        self.assertEqual((file.container, file.schema_version), (expected.container, expected.schema_version))
                        if path.suffix != ".pt2":
                            continue
                        self.assertEqual(file.keys(), expected.keys())
                        for key in file.keys() if numpy is not None else ():
                            numpy.testing.assert_array_equal(file.tensor(key).numpy(), expected.tensor(key).numpy())

    @unittest.skipIf(numpy is None, "needs numpy")
    def test_changes_to_a_lent_tensor_reach_nobody_else(self):
        sizes = {"tiny": 100, "page": 5_000, "large": 1_300_000, "odd": 7, "mapped": 100_000, "last": 1_000}
        builder = pt2.Builder()
        expected = {name: numpy.arange(size, dtype="float32") + size for name, size in sizes.items()}
        for name, array in expected.items():
            builder.output(builder.call("aten.relu.default", builder.parameter(name, array)))
        program = builder.finish()
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        folder = pathlib.Path(temporary.name)
        aligned = folder / "aligned.pt2"
        pt2.save(program, aligned, tensors=builder.tensors)
        for name, compression in (("unaligned.pt2", zipfile.ZIP_STORED), ("deflated.pt2", zipfile.ZIP_DEFLATED)):
            with zipfile.ZipFile(aligned) as old, zipfile.ZipFile(folder / name, "w", compression, compresslevel=1) as new:
                for member in old.namelist():
                    new.writestr(member, old.read(member))
        for path in sorted(folder.glob("*.pt2")):
            before = path.read_bytes()
            seen = pt2.hash(path, weights=True), pt2.scan(path)
            kinds = [("path", path), *self.sources(path)]
            with web_servers.serving(before) as (address, _):
                for kind, source in [*kinds, ("web", address + "ranges")] if path == aligned else kinds[:4:3]:
                    for changed in sizes:
                        with self.subTest(f"{path.name}: {kind}: {changed}"):
                            self.change(source, changed, expected, folder / "saved")
                            self.assertEqual((pt2.hash(source, weights=True), pt2.scan(source)), seen)
            self.assertEqual(path.read_bytes(), before)

    def change(self, source, changed, expected, saved):
        with pt2.open(source) as file, concurrent.futures.ThreadPoolExecutor(4) as pool:
            mine = numpy.from_dlpack(file.tensor(changed))
            self.assertTrue(numpy.array_equal(mine, expected[changed]))
            ctypes.memset(mine.ctypes.data, 0x40, mine.nbytes)
            copy = mine.copy()

            def read(name):
                tensor = file.tensor(name)
                other = numpy.from_dlpack(tensor)
                arrays = [tensor.numpy(), other, numpy.array(tensor), numpy.from_dlpack(tensor, copy=True)]
                self.assertTrue(all(numpy.array_equal(array, expected[name]) for array in arrays), name)
                ctypes.memset(other.ctypes.data, 0x41, other.nbytes)

            for _ in range(2):
                list(pool.map(read, expected))
            self.assertTrue(numpy.array_equal(mine, copy))
            if changed not in ("page", "large"):
                return
            path = saved.with_suffix(".pt2")
            pt2.save(file.program, path, tensors={name: mine if name == changed else file.tensor(name) for name in expected})
            self.assertTrue(numpy.array_equal(mine, copy))
        with pt2.open(path) as file:
            for name, array in expected.items():
                self.assertTrue(numpy.array_equal(file.tensor(name).numpy(), copy if name == changed else array), name)
        path.unlink()

    @unittest.skipIf(numpy is None, "needs numpy")
    def test_only_the_needed_bytes_are_read(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "big.pt2")
            builder = pt2.Builder()
            arrays = {f"w{number}": numpy.full((512, 1024), number, "float32") for number in range(16)}
            for name, array in arrays.items():
                builder.output(builder.call("aten.relu.default", builder.parameter(name, array)))
            pt2.save(builder.finish(), path, tensors=builder.tensors)
            source = Counting(path.read_bytes())
        size = len(source.getbuffer())
        with pt2.open(source) as file:
            self.assertEqual(len(file.program.graph_module.graph.nodes), 16)
            self.assertEqual(len(file.keys()), 16)
            self.assertLess(source.read_bytes, 150_000)
            before = source.read_bytes
            numpy.testing.assert_array_equal(file.tensor("w7").numpy(), arrays["w7"])
            self.assertLess(source.read_bytes - before, arrays["w7"].nbytes + 1000)
            file.tensor("w7").numpy()
            self.assertLess(source.read_bytes - before, arrays["w7"].nbytes + 1000)
        read = source.read_bytes
        self.assertEqual(pt2.scan(source), [])
        self.assertLess(source.read_bytes - read, 150_000)
        read = source.read_bytes
        pt2.load(source)
        pt2.show(source)
        self.assertLess(source.read_bytes - read, 300_000)
        self.assertGreater(size, 32_000_000)

    @unittest.skipIf(numpy is None, "needs numpy")
    def test_an_archive_of_many_weights_is_read_in_few_rounds_of_requests(self):
        builder = pt2.Builder()
        for number in range(150):
            array = numpy.full(250_000 + 3_000 * number, number, "float32")
            builder.output(builder.call("aten.relu.default", builder.parameter(f"w{number}", array)))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "many.pt2")
            pt2.save(builder.finish(), path, tensors=builder.tensors)
            findings, data = pt2.scan(path), path.read_bytes()
        with web_servers.serving(data) as (address, server):
            with requests_of_rounds() as rounds, pt2.open(address + "ranges") as file:
                self.assertEqual((len(file.program.graph_module.graph.nodes), len(file.keys())), (150, 150))
                self.assertLessEqual(1 + len(rounds), 3)  # the first request is for the size
                self.assertLessEqual(server.requests, 4)
                self.assertLess(server.sent, 1_000_000)
                before = server.requests
                self.assertEqual(file.tensor("w7").numpy()[-1], 7)
                self.assertEqual(server.requests, before + 1)
            server.sent = 0
            with requests_of_rounds() as rounds:
                self.assertEqual(pt2.scan(address + "ranges"), findings)
            self.assertLessEqual(1 + len(rounds), 6)
            self.assertGreater(max(rounds), 1)
            self.assertLess(server.sent, 1_000_000)
            server.requests = 0
            self.assertEqual(pt2.scan(address + "whole"), findings)
            self.assertEqual(server.requests, 1)
        # Other writers do not align records.
        packed = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(packed, "w") as out:
            for member in archive.namelist():
                out.writestr(zipfile.ZipInfo(member), archive.read(member))
        with web_servers.serving(packed.getvalue()) as (address, server):
            self.assertEqual([finding.rule for finding in pt2.scan(address + "ranges")], [finding.rule for finding in findings])
            self.assertLess(server.sent, 1_000_000)

    def test_findings_and_programs_pickle(self):
        found = pt2.check(MLP)
        self.assertEqual(pickle.loads(pickle.dumps(found)), found)
        paths = [MLP, MLP.with_name("cond.pt2")]
        with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
            self.assertEqual(list(pool.map(pt2.scan, paths)), [pt2.scan(path) for path in paths])
            self.assertEqual(list(pool.map(pt2.load, paths)), [pt2.load(path) for path in paths])

    def test_every_file_gives_the_same_through_every_source(self):
        """Leaving out all that need not be fetched changes no finding, even in hostile files."""
        with web_servers.serving(None) as (address, _), unittest.mock.patch.object(pt2.sources, "_LEAST", 0):
            for path, expected in source_cases.expected().items():
                data = pathlib.Path(path).read_bytes()
                sources = {"path": path, "bytes": data, "file": io.BytesIO(data), "ranges": f"{address}ranges{path}", "whole": f"{address}whole{path}"}
                if fsspec is not None:
                    fsspec.filesystem("memory").pipe(f"/model{path[-5:]}", data)
                    sources["fsspec"] = f"memory://model{path[-5:]}"
                tensors = None
                for name, source in sources.items():
                    with self.subTest(path=path, source=name):
                        self.assertEqual(self.attempt(pt2.hash, source), expected["hash"])
                        found = self.attempt(pt2.scan, source) or []
                        self.assertEqual([[finding.rule, finding.message] for finding in found], expected["findings"])
                        tensors = tensors or self.tensors(path)
                        self.assertEqual(self.tensors(source), tensors)

    @staticmethod
    def attempt(function, source):
        try:
            return function(source)
        except pt2.DataError:
            return None

    def tensors(self, source):
        """The checksum of each tensor, or the error."""
        try:
            with pt2.open(source) as file:
                return {key: self.checksum(file, key) for key in file.keys()}
        except pt2.DataError as error:
            return error.reason

    @staticmethod
    def checksum(file, key):
        try:
            tensor = file.tensor(key)
            return tensor.nbytes if numpy is None else zlib.crc32(tensor.numpy().tobytes())
        except pt2.DataError as error:
            return error.reason

    def test_a_web_server_gives_ranges_or_the_whole_file(self):
        with web_servers.serving(MLP.read_bytes()) as (address, _):
            for way in web_servers.HONEST:
                with self.subTest(way):
                    self.assertEqual(pt2.load(address + way), pt2.load(MLP))
                    self.assertEqual(pt2.check(address + way), pt2.check(MLP))

    def test_a_wrong_web_server_is_refused_with_little_memory_and_few_requests(self):
        large = MLP.read_bytes() + bytes(200_000)  # several requests
        with web_servers.serving(large) as (address, handler):
            for way in web_servers.WRONG:
                with self.subTest(way):
                    handler.requests = 0
                    answer = subprocess.run(
                        [sys.executable, "-c", WATCHED, address + way], capture_output=True, text=True, timeout=60, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
                    )
                    error, memory = answer.stdout.rsplit(maxsplit=1)
                    self.assertIn(error, ("OSError", "DataError", "EOFError", "URLError", "HTTPError"), answer.stderr)
                    self.assertLess(int(memory), 1 << 20, "KiB")
                    self.assertLess(handler.requests, 20)

    def test_an_object_that_gives_other_bytes_than_asked_is_refused(self):
        class More(io.BytesIO):
            def read(self, size=-1):
                return super().read() + bytes(10)

        class Wrong(io.BytesIO):
            claim = 0

            def seek(self, offset, whence=0):
                return self.claim if whence == os.SEEK_END else super().seek(offset, whence)

        with self.assertRaisesRegex(OSError, "the source gave [0-9]+ bytes, but was asked for"):
            pt2.open(More(MLP.read_bytes()))
        for claim in (10**20, -1, 10**15, MLP.stat().st_size + 1):
            source = Wrong(MLP.read_bytes())
            source.claim = claim
            with self.subTest(claim), self.assertRaises((OSError, EOFError, pt2.DataError)):
                pt2.open(source)

    def test_a_data_error_names_the_source(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "broken.pt2")
            path.write_bytes(MLP.read_bytes()[:-9])
            with open(path, "rb") as file:
                named = [(path, str(path)), (str(path), str(path)), (file, str(path))]
                if fsspec is not None:
                    named.append((f"file://{path}", f"file://{path}"))
                for source, name in [*named, (path.read_bytes(), None)]:
                    for function in (pt2.load, pt2.open, pt2.verify, pt2.stats, pt2.hash, pt2.info, pt2.show):
                        with self.subTest(function=function.__name__, source=type(source)), self.assertRaises(pt2.DataError) as caught:
                            function(source)
                        self.assertEqual(caught.exception.file, name)
                        self.assertTrue(str(caught.exception).startswith(f"{name}: {caught.exception.reason}" if name else caught.exception.reason))
            with self.assertRaises(pt2.DataError) as caught:
                pt2.diff(MLP, path)
            self.assertIsNone(caught.exception.file)

    def test_what_is_no_source_is_said(self):
        for wrong in (3, None, object()):
            with self.assertRaises(TypeError):
                pt2.open(wrong)

    def test_notebooks_show_tables_and_progress_a_bar(self):
        self.assertIn("<td>", pt2.check(MLP.with_name("cond.pt2"))._repr_html_() + "<td>")
        self.assertEqual(pt2.verify(MLP), [])
        with pt2.open(MLP) as file:
            page = file.tensor("l1.weight")._repr_html_()
        self.assertIn("8 × 4", page)
        if numpy is not None:
            self.assertIn("<svg", page)
        errors, sys.stderr = sys.stderr, io.StringIO()
        try:
            pt2.hash(MLP, weights=True, progress=True)
            self.assertIn("100%", sys.stderr.getvalue())
        finally:
            sys.stderr = errors


if __name__ == "__main__":
    unittest.main()
