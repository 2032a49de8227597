#!/usr/bin/env python3
"""The package of npm, from its tarball, in Node and in Chromium: it says what the command pt2 says, and reads no more than it needs.

PT2_BINARY is the command, PT2_NPM_PACKAGE the tarball that dev/npm.sh makes. Chromium needs Debian's Python with selenium.
"""

import contextlib
import hashlib
import http.server
import json
import os
import pathlib
import pickle
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import unittest
import zipfile
import zlib
from xml.etree import ElementTree

import source_cases
import web_servers

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "tests/tools"))
try:
    from page_browser import open_browser
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError:
    open_browser = None
TOOLS = REPOSITORY / "build/model_tools/node_modules"
TESTS = REPOSITORY / "tests" / "bindings" / "npm"
PROGRAMS = sorted(path.relative_to(REPOSITORY).as_posix() for path in (REPOSITORY / "tests/data/programs").rglob("*")
                  if path.suffix in (".json", ".pt2", ".pt2b") and path.name != "about.json")
ARRAYS = {"float32": "Float32Array", "int64": "BigInt64Array"}  # of the tensors in tests/data
PACKAGE = pathlib.Path(os.environ["PT2_NPM_PACKAGE"]).resolve()
LARGE = 100_000_000
ONES = 0xFFFFFFFF


def pt2(*arguments):
    return subprocess.run([os.environ["PT2_BINARY"], *map(str, arguments)], cwd=REPOSITORY, capture_output=True, text=True).stdout


def rounded(text):
    """Converts a value as JSON.parse() would: rounds integers, and has no infinity."""
    return json.loads(text, parse_int=float, parse_float=float)


class Ranges(http.server.SimpleHTTPRequestHandler):
    """Serves files, in ranges if enabled, and counts the bytes sent."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, directory=str(self.folder), **options)

    def log_message(self, *_):
        pass

    def do_GET(self):
        path = pathlib.Path(self.translate_path(self.path))
        if not path.is_file():
            return self.send_error(404)
        asked = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", "")) if self.has_ranges else None
        size = path.stat().st_size
        first, last = (int(asked[1]), min(int(asked[2]), size - 1)) if asked else (0, size - 1)
        self.send_response(206 if asked else 200)
        if asked:
            self.send_header("Content-Range", f"bytes {first}-{last}/{size}")
        self.send_header("Content-Type", {".js": "text/javascript", ".html": "text/html", ".wasm": "application/wasm"}.get(path.suffix, "application/octet-stream"))
        self.send_header("Content-Length", str(last - first + 1))
        self.end_headers()
        with path.open("rb") as file:
            file.seek(first)
            self.wfile.write(file.read(last - first + 1))
        type(self).sent[path.name] = self.sent.get(path.name, 0) + last - first + 1


@contextlib.contextmanager
def served(folder, has_ranges=True):
    """Yields the address, and the number of bytes sent for each file."""
    handler = type("Handler", (Ranges,), {"folder": folder, "has_ranges": has_ranges, "sent": {}})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/", handler.sent
    finally:
        server.shutdown()
        server.server_close()


def make_large(path, weights=0):
    """mlp.pt2 with 100 MB after its first weight, or with so many weights of 1.2 MB."""
    small = REPOSITORY / "tests/data/programs/torch-2.13.0/mlp.pt2"
    with zipfile.ZipFile(small) as before, zipfile.ZipFile(path, "w") as after:
        for member in before.infolist():
            data = before.read(member)
            if member.filename.endswith("data/weights/weight_0"):
                data += bytes(0 if weights else LARGE - len(data))
            elif member.filename.endswith("weights_config.json") and weights:
                config = json.loads(data)
                meta = dict(config["config"]["l1.weight"]["tensor_meta"], sizes=[{"as_int": 300_000}], strides=[{"as_int": 1}])
                for i in range(weights):
                    config["config"][f"more_{i}"] = dict(config["config"]["l1.weight"], path_name=f"more_{i}", tensor_meta=meta)
                    after.writestr(zipfile.ZipInfo(f"{member.filename.rpartition('/')[0]}/more_{i}"), bytes(1_200_000))
                data = json.dumps(config).encode()
            after.writestr(zipfile.ZipInfo(member.filename), data)


def make_huge(path, elements, last):
    """mlp.pt2 with a first weight of so many floats, ending in the given ones: a sparse file, laid out as by torch."""
    small = REPOSITORY / "tests/data/programs/torch-2.13.0/mlp.pt2"
    directory = []
    with zipfile.ZipFile(small) as before, path.open("wb") as after:
        for member in before.infolist():
            data, name, crc = before.read(member), member.filename.encode(), member.CRC
            size = len(data)
            if member.filename.endswith("weights_config.json"):
                config = json.loads(data)
                config["config"]["l1.weight"]["tensor_meta"].update(sizes=[{"as_int": elements}], strides=[{"as_int": 1}])
                data = json.dumps(config).encode()
                size, crc = len(data), zlib.crc32(data)
            elif member.filename.endswith("data/weights/weight_0"):
                size, data = 4 * elements, b""
            start = after.tell()
            after.write(struct.pack("<4s5H3L2H", b"PK\3\4", 45, 8, 0, 0, 0, 0, ONES, ONES, len(name), 20) + name + struct.pack("<2H2Q", 1, 16, size, size) + data)
            after.seek(size - len(data), os.SEEK_CUR)
            if not data:
                after.seek(-4 * len(last), os.SEEK_CUR)
                after.write(struct.pack(f"<{len(last)}f", *last))
            after.write(b"PK\7\10" + struct.pack("<L2Q", crc, size, size))
            directory.append(struct.pack("<4s6H3L5H2L", b"PK\1\2", 45, 45, 8, 0, 0, 0, crc, ONES, ONES, len(name), 28, 0, 0, 0, 0, ONES) + name
                             + struct.pack("<2H3Q", 1, 24, size, size, start))
        start, entries = after.tell(), b"".join(directory)
        after.write(entries + struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, len(directory), len(directory), len(entries), start))
        after.write(struct.pack("<4sLQL", b"PK\6\7", 0, start + len(entries), 1))
        after.write(struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 0xffff, 0xffff, ONES, ONES, 0))


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)
        (cls.folder / "package.json").write_text('{"private": true, "type": "module"}')
        subprocess.run(["npm", "install", "--offline", "--silent", "--no-audit", "--no-fund", PACKAGE],
                       cwd=cls.folder, check=True, env={**os.environ, "npm_config_cache": str(cls.folder / "cache")})
        for script in TESTS.iterdir():
            shutil.copy(script, cls.folder)
        make_large(cls.folder / "large.pt2")

    def node(self, script, *arguments, text=None, options=()):
        """Runs a module, which may import libpt2, and returns what it prints."""
        path = self.folder / "script.mjs"
        path.write_text(script)
        done = subprocess.run(["node", *options, path, *map(str, arguments)], cwd=REPOSITORY, capture_output=True, text=True, input=text)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def node_json(self, script, *arguments, **options):
        return json.loads(self.node(script, *arguments, **options))


class NodeTest(Package):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        paths = "".join(f"{path}\n" for path in PROGRAMS)
        done = subprocess.run(["node", cls.folder / "describe_all.mjs"], cwd=REPOSITORY, capture_output=True, text=True, input=paths, check=True)
        cls.described = dict(zip(PROGRAMS, map(json.loads, done.stdout.splitlines()), strict=True))

    def readable(self):
        return {path: said for path, said in self.described.items() if "error" not in said.get("program", {"error": 1})}

    def test_programs_are_those_that_the_command_writes(self):
        self.assertGreater(len(self.readable()), 250)
        for path, said in self.readable().items():
            out = self.folder / "out.json"
            pt2("convert", path, out)
            if not out.exists():  # the command refuses to drop unknown fields
                continue
            self.assertEqual(rounded(json.dumps(said["program"])), rounded(out.read_text()), path)
            out.unlink()

    def test_hashes_findings_and_costs_are_those_of_the_command(self):
        hashes = {entry["file"]: entry["hash"] for entry in json.loads(pt2("hash", "--json", *PROGRAMS))}
        for path, said in self.readable().items():
            with self.subTest(path=path):
                self.assertEqual(said["hash"], hashes[path])
                self.assertEqual(said["hashOfObject"], hashes[path])
        for path in list(self.readable())[::7]:
            said = self.described[path]
            with self.subTest(path=path):
                (validated,) = json.loads(pt2("validate", "--json", path))
                keys = ("rule", "level", "path", "message")
                self.assertEqual([[each[key] for key in keys] for each in said["verify"]], [[each[key] for key in keys] for each in validated["findings"]])
                scanned = json.loads(pt2("scan", "--format", "json", path))
                keys = ("rule", "level", "record", "what", "message")
                self.assertEqual([[each[key] for key in keys] for each in said["scan"]], [[each[key] or "" for key in keys] for each in scanned])
                if "shared_weights" not in path:  # the archive tells the command which parameters are one
                    self.assertEqual(said["stats"], json.loads(pt2("stats", "--json", "--by", "module", path)))
                self.assertEqual(said["show"], pt2("show", path))

    def test_tensors_have_the_bytes_that_the_command_writes(self):
        for path in [path for path in self.readable() if path.endswith(".pt2")]:
            if "torch-2.13.0" not in path and "dtypes" not in path and "mlp" not in path:
                continue
            out = self.folder / "out.safetensors"
            pt2("weights", path, "-o", out)
            data = out.read_bytes()
            size = struct.unpack("<Q", data[:8])[0]
            header = json.loads(data[8:8 + size])
            header.pop("__metadata__", None)
            tensors = {name: info for name, info in self.described[path]["tensors"].items() if info["dtype"] is not None}
            self.assertEqual(set(header), set(tensors), path)
            for name, info in tensors.items():
                begin, end = (8 + size + offset for offset in header[name]["data_offsets"])
                self.assertEqual(info["shape"], header[name]["shape"])
                self.assertEqual(info["sha256"], hashlib.sha256(data[begin:end]).hexdigest(), f"{path} {name}")
                self.assertEqual(info["array"], ARRAYS[info["dtype"]])
            out.unlink()

    def test_web_servers_that_do_not_do_what_they_are_asked_are_refused(self):
        script = """
            import { open } from "libpt2";
            const said = {};
            for (const way of process.argv.slice(3)) {
              const error = await open(process.argv[2] + way).then((file) => void file.close(), (error) => error);
              said[way] = [error?.name, Math.round(process.resourceUsage().maxRSS / 1024)];
            }
            console.log(JSON.stringify(said));"""
        data = (REPOSITORY / "tests/data/programs/torch-2.13.0/mlp.pt2").read_bytes()
        with web_servers.serving(data) as (address, _):
            self.assertEqual({None}, {error for error, _ in self.node_json(script, address, *web_servers.HONEST).values()})
        with web_servers.serving(data + bytes(200_000)) as (address, handler):
            for way, (error, memory) in self.node_json(script, address, *web_servers.WRONG).items():
                self.assertIn(error, ("Error", "RangeError", "TypeError", "DataError"), way)
                self.assertLess(memory, 1 << 10, "MiB")
            self.assertLess(handler.requests, 5 * len(web_servers.WRONG))

    def test_an_expanded_tensor_and_many_configs_take_little_time_and_memory(self):
        path = self.folder / "bomb.pt2"
        with zipfile.ZipFile(REPOSITORY / "tests/data/programs/torch-2.13.0/mlp.pt2") as before, zipfile.ZipFile(path, "w") as after:
            for member in before.infolist():
                data = before.read(member)
                if member.filename.endswith("weights_config.json"):
                    config = json.loads(data)
                    config["config"]["l1.weight"]["tensor_meta"].update(sizes=[{"as_int": 1 << 28}], strides=[{"as_int": 0}])
                    data = json.dumps(config).encode()
                elif member.filename.endswith("data/weights/weight_0"):
                    data = bytes(5 << 18)
                after.writestr(zipfile.ZipInfo(member.filename), data)
            top = member.filename.split("/")[0]
            for number in range(30_000):
                after.writestr(zipfile.ZipInfo(f"{top}/data/weights/m{number}_weights_config.json"), b'{"config": {}}')
                after.writestr(zipfile.ZipInfo(f"{top}/models/m{number}.json"), b"{}")
        said = self.node_json("""
            import { open } from "libpt2";
            const started = process.cpuUsage().user;
            const file = await open(process.argv[2], { model: "model" });
            const message = await file.tensor("l1.weight", { range: [0, 2] }).catch((error) => error.message);
            console.log(JSON.stringify({ message, seconds: (process.cpuUsage().user - started) / 1e6, memory: process.resourceUsage().maxRSS }));""", path)
        self.assertRegex(said["message"], "1073741824")
        self.assertLess(said["seconds"], 10)
        self.assertLess(said["memory"], 1 << 20, "KiB")

    def test_an_error_about_several_models_names_them_and_the_option(self):
        said = self.node_json("""
            import { open, DataError } from "libpt2";
            const file = await open(process.argv[2]);
            try { file.program; } catch (error) {
              console.log(JSON.stringify([error instanceof DataError, error.message]));
            }""", REPOSITORY / "tests/data/packages/multi.pt2")
        self.assertEqual(said, [True, """the archive has 2 models: 'a', 'b'; choose one with { model: "a" }"""])

    def test_a_program_in_error_has_a_path_and_a_place(self):
        text = (REPOSITORY / "tests/data/programs/torch-2.13.0/mlp.json").read_text().replace('"nodes": [', '"nodes": [7, ', 1)
        error = self.node_json("""
            import { open, DataError } from "libpt2";
            const file = await open(new TextEncoder().encode(process.argv[2]));
            try { file.program; } catch (error) {
              const { name, message, reason, path, line, column } = error;
              console.log(JSON.stringify({ name, message, reason, path, line, column, is: error instanceof DataError }));
            }""", text)
        self.assertTrue(error["is"])
        self.assertEqual((error["name"], error["path"], error["line"]), ("DataError", "graph_module.graph.nodes[0]", 1))
        self.assertEqual(text[error["column"] - 1], "7")
        self.assertIn(error["reason"], error["message"])

    def test_a_large_archive_is_opened_checked_and_scanned_without_its_weights(self):
        large = self.folder / "large.pt2"
        said = self.node_json("""
            import { open as openFile } from "node:fs/promises";
            import { open } from "libpt2";
            const disk = await openFile(process.argv[2]);
            let bytes = 0;
            const source = { size: (await disk.stat()).size, async read(start, end) {
              bytes += end - start;
              return (await disk.read(new Uint8Array(end - start), 0, end - start, start)).buffer;
            } };
            const file = await open(source);
            const nodes = file.program.graph_module.graph.nodes.length;
            const keys = file.keys();
            const opened = bytes;
            const findings = [...file.verify(), ...await file.scan()];
            const scanned = bytes;
            const elements = Array.from(await file.tensor("l1.bias"));
            const read = bytes;
            await file.tensor("l1.weight");
            console.log(JSON.stringify({ nodes, keys, findings, opened, scanned, elements, read, all: bytes, resident: process.memoryUsage().rss }));
        """, large)
        self.assertEqual(len(said["keys"]), 6)
        self.assertGreater(said["nodes"], 3)
        self.assertEqual([each["message"] for each in said["findings"]], [each["message"] for each in json.loads(pt2("scan", "--format", "json", large))])
        self.assertLess(said["opened"], 200_000)
        self.assertLess(said["scanned"], 400_000)
        self.assertEqual(said["read"], said["scanned"])  # came with the directory
        self.assertEqual(said["all"], said["read"] + 4 * 32)

    def test_an_archive_of_many_weights_is_opened_in_three_rounds_of_requests(self):
        many = self.folder / "many.pt2"
        make_large(many, weights=150)
        said = self.node_json("""
            import { open as openFile } from "node:fs/promises";
            import { open } from "libpt2";
            const disk = await openFile(process.argv[2]);
            const done = { rounds: 0, requests: 0, bytes: 0 };
            let waiting = 0;
            const source = { size: (await disk.stat()).size, async read(start, end) {
              if (waiting++ === 0) ++done.rounds;
              ++done.requests;
              done.bytes += end - start;
              await new Promise((then) => setTimeout(then, 20));
              const { buffer } = await disk.read(new Uint8Array(end - start), 0, end - start, start);
              --waiting;
              return buffer;
            } };
            const file = await open(source);
            const opened = { ...done };
            await file.scan();
            const scanned = { ...done };
            await file.tensor("more_7");
            console.log(JSON.stringify([opened, scanned, done]));
        """, many)
        opened, scanned, read = said
        self.assertLessEqual(opened["rounds"], 3)
        self.assertLessEqual(opened["requests"], 4)
        self.assertLess(opened["bytes"], 1_000_000)
        self.assertLessEqual(scanned["rounds"], 6)
        self.assertLess(scanned["bytes"], 1_000_000)
        self.assertEqual(read["requests"], scanned["requests"] + 1)

    def test_a_server_without_ranges_takes_the_memory_of_the_file_once(self):
        script = """
            import { open, init } from "libpt2";
            await init();
            const before = process.memoryUsage().rss;
            const file = await open(process.argv[2]);
            await file.scan();
            console.log(process.resourceUsage().maxRSS * 1024 - before);"""
        most = {}
        for has_ranges in (True, False):
            with served(self.folder, has_ranges=has_ranges) as (address, _):
                most[has_ranges] = self.node_json(script, address + "large.pt2")
        of_node = most[True]  # its modules, and buffers that it has not collected yet
        self.assertLess(most[False] - of_node, 1.2 * (self.folder / "large.pt2").stat().st_size)

    def test_a_source_is_any_object_and_its_failures_name_the_bytes(self):
        said = self.node_json("""
            import { readFileSync } from "node:fs";
            import { open } from "libpt2";
            const bytes = readFileSync(process.argv[2]);
            class Source {
              closed = 0;
              get size() { return bytes.length; }
              async read(start, end) { return bytes.subarray(start, end); }
              close() { ++this.closed; }
            }
            const source = new Source();
            const file = await open(source);
            const keys = file.keys().length;
            file.close();
            const failure = (read, options) => open({ size: bytes.length, read }, options).catch(({ name, message }) => [name, message]);
            const none = await failure(async () => new Uint8Array());
            const more = await failure(async () => new Uint8Array(10 ** 6));
            const wrong = await failure(() => { throw new Error("broken"); });
            const alive = setInterval(() => {}, 1000); // AbortSignal.timeout() does not keep Node running
            const never = await failure(() => new Promise(() => {}), { signal: AbortSignal.timeout(50) });
            clearInterval(alive);
            console.log(JSON.stringify([keys, source.closed, none, more, wrong, never]));""", REPOSITORY / "tests/data/programs/torch-2.13.0/mlp.pt2")
        size = (REPOSITORY / "tests/data/programs/torch-2.13.0/mlp.pt2").stat().st_size
        start = f"cannot read bytes 0 to {size} of {size}: "
        self.assertEqual(said[:5], [6, 1, ["Error", start + "the source gave none from byte 0 on"],
                                    ["Error", start + f"the source gave 1000000 bytes, but was asked for {size}"], ["Error", start + "broken"]])
        self.assertEqual(said[5][0], "TimeoutError")

    def test_an_archive_over_4_gib_is_checked_and_its_tensors_are_read_in_parts(self):
        huge, elements, last = self.folder / "huge.pt2", 1_300_000_000, [1.0, -2.0, 0.5]
        make_huge(huge, elements, last)
        self.assertEqual(zipfile.ZipFile(huge).getinfo("mlp/data/weights/weight_0").file_size, 4 * elements)
        said = self.node_json("""
            import { open } from "libpt2";
            const file = await open(process.argv[2]);
            const { shape, bytes } = file.layout("l1.weight");
            const findings = [...file.verify(), ...await file.scan()].map(({ message }) => message);
            const parts = [];
            const progress = (done, total) => parts.push([done, total]);
            const last = Array.from(await file.tensor("l1.weight", { range: [shape[0] - 3, shape[0]] }));
            await file.tensor("l1.weight", { range: [0, 1e7], progress });
            const abort = AbortSignal.abort();
            const aborted = await file.tensor("l1.weight", { signal: abort }).catch((error) => error.name);
            const bias = Array.from(await file.tensor("l1.bias"));
            console.log(JSON.stringify({ shape, bytes, findings, last, parts, aborted, bias, resident: process.memoryUsage().rss }));""", huge)
        self.assertEqual((said["shape"], said["bytes"], said["last"], said["aborted"]), ([elements], 4 * elements, last, "AbortError"))
        findings = ["'l1.weight' has the sizes [1300000000] in the archive, but different sizes in the graph", "a pickle that weights_only accepts"]
        self.assertEqual(said["findings"], findings)
        self.assertEqual(said["parts"], [[16777216, 40000000], [33554432, 40000000], [40000000, 40000000]])
        self.assertEqual(len(said["bias"]), 8)
        self.assertLess(said["resident"], 500_000_000)

    def test_files_that_run_code_are_reported_as_the_command_does(self):
        saved, pickled = self.folder / "saved.pt", self.folder / "pickled.pkl"
        pickled.write_bytes(pickle.dumps(subprocess.run))
        with zipfile.ZipFile(saved, "w") as archive:
            archive.write(pickled, "saved/data.pkl")
        for path in [saved, pickled, *sorted((REPOSITORY / "tests/data/hostile").glob("L*.pt2"))]:
            said = self.node_json("""
                import { open, scan } from "libpt2";
                const of = (findings) => findings.map(({ rule, message }) => [rule, message]);
                const file = await open(process.argv[2]).catch(() => undefined);
                const found = of(await scan(process.argv[2]));
                console.log(JSON.stringify([found, file && of(await file.scan())]));""", path)
            expected = [[each["rule"], each["message"]] for each in json.loads(pt2("scan", "--format", "json", path))]
            self.assertEqual(said, [expected, None if path in (saved, pickled) else expected])
            self.assertTrue(expected)

    def test_every_file_gives_the_same_through_every_source(self):
        paths = "".join(f"{path}\n" for path in source_cases.FILES)
        with web_servers.serving(None) as (address, _):
            done = subprocess.run(["node", self.folder / "every_source.mjs", address], cwd=REPOSITORY, capture_output=True, text=True, input=paths)
        self.assertEqual(done.returncode, 0, done.stderr)
        for (path, expected), line in zip(source_cases.expected().items(), done.stdout.splitlines(), strict=True):
            if zipfile.is_zipfile(path) and any(member.compress_type for member in zipfile.ZipFile(path).infolist()):
                continue  # the package is built without zlib, and says so; torch never compresses
            for source, said in (of_path := json.loads(line)).items():
                with self.subTest(path=path, source=source):
                    self.assertEqual({key: said[key] for key in expected}, expected)
                    self.assertEqual(said, of_path["path"])

    def test_a_url_is_read_in_ranges_where_the_server_has_them(self):
        script = """
            import { open } from "libpt2";
            const file = await open(process.argv[2]);
            console.log(JSON.stringify([file.keys(), file.program.graph_module.graph.nodes.length]));"""
        with served(self.folder) as (address, sent):
            in_ranges = self.node_json(script, address + "large.pt2")
            self.assertLess(sent["large.pt2"], 200_000)
        with served(self.folder, has_ranges=False) as (address, sent):
            self.assertEqual(self.node_json(script, address + "large.pt2"), in_ranges)
            self.assertEqual(sent["large.pt2"], (self.folder / "large.pt2").stat().st_size)

    def test_memory_is_freed_by_close_and_by_the_garbage_collector(self):
        said = self.node_json("""
            import { readFile } from "node:fs/promises";
            import { open, init } from "libpt2";
            const module = await WebAssembly.compile(await readFile(new URL("node_modules/libpt2/libpt2.wasm", import.meta.url)));
            const instantiate = WebAssembly.instantiate;
            let memory;
            WebAssembly.instantiate = async (...given) => {
              const made = await instantiate(...given);
              memory = made.exports.memory;
              return made;
            };
            await init(module);
            const sizes = [];
            const use = async (close) => {
              for (let i = 0; i < 60; ++i) {
                const file = await open(process.argv[2]);
                file.program; file.keys(); file.verify();
                if (close) file.close(); else if (i % 5 === 0) { await new Promise((done) => setTimeout(done, 20)); gc(); }
              }
              await new Promise((done) => setTimeout(done, 20));
              sizes.push(memory.buffer.byteLength);
            };
            await use(true); await use(true); await use(false); await use(false);
            console.log(JSON.stringify(sizes));""", REPOSITORY / "tests/data/programs/torch-2.2.2/gpt2.pt2", options=["--expose-gc"])
        self.assertEqual(said[0], said[1])
        self.assertEqual(said[2], said[3])
        self.assertLess(said[3], 100_000_000)

    def test_two_programs_are_compared_by_their_files_or_as_objects(self):
        programs = [REPOSITORY / "tests/data/programs" / release / "mlp.pt2" for release in ("torch-2.12.1", "torch-2.13.0")]
        said = self.node_json("""
            import { open, diff, stats, verify, signature } from "libpt2";
            const [a, b] = [await open(process.argv[2]), await open(process.argv[3])];
            const changed = structuredClone(b.program);
            changed.graph_module.graph.nodes[0].target = "torch.ops.aten.relu.default";
            console.log(JSON.stringify([diff(a, b), diff(a.program, b.program), diff(b, changed), signature(b)]));""", *programs)
        self.assertEqual(said[0], json.loads(pt2("diff", "--json", *programs)))
        self.assertEqual(said[0], said[1])
        self.assertIn("aten.relu", json.dumps(said[2]))
        self.assertEqual(said[3], json.loads(pt2("info", "--json", programs[1]))["signature"])

    def test_a_drawing_is_an_svg_file_of_the_modules_that_are_chosen(self):
        said = self.node_json("""
            import { drawing, open } from "libpt2";
            const file = await open(process.argv[2]);
            const hostile = structuredClone(file.program);
            for (const node of hostile.graph_module.graph.nodes) node.target = '</text><script>"&';
            const options = [{}, { unfold: 0 }, { unfold: 9, theme: "dark" }, { module: "b.0" }, { unfold: ["b.0.qkv"] }];
            const drawn = [...options.map((each) => drawing(file, each)), drawing(file.program), drawing(hostile, { unfold: 9 })];
            const faults = [{ module: "no" }, { unfold: ["no"] }, { theme: "no" }].map((each) => {
              try {
                drawing(file, each);
              } catch ({ name, message }) {
                return `${name}: ${message}`;
              }
            });
            console.log(JSON.stringify([...drawn, faults]));""", REPOSITORY / "tests/data/programs/torch-2.13.0/gpt2.pt2")
        few, folded, all_dark, module, unfolded, of_object, hostile, faults = said
        self.assertEqual(few, of_object)
        self.assertEqual(faults, ['RangeError: no module "no"', 'RangeError: no module "no"', "TypeError: theme: expected light or dark, got no"])
        boxes = [[each.get("data-name") for each in ElementTree.fromstring(text).iter() if each.get("data-name")] for text in said[:-1]]
        self.assertLess({"e", "b.0", "b.1", "head"}, set(boxes[1]))
        self.assertNotIn("b.0.qkv", boxes[1])
        self.assertLess({"e", "b.0", "b.0.qkv", "linear"}, set(boxes[2]))
        self.assertLess({"b.0.qkv", "b.0.dn"}, set(boxes[3]))
        self.assertNotIn("b.1", boxes[3])
        self.assertIn("linear", boxes[4])
        self.assertIn("#ffffff", folded)
        self.assertIn("#14181f", all_dark)
        self.assertTrue("&lt;/text&gt;&lt;script&gt;&quot;&amp;" in hostile and "<script" not in hostile)
        for text in said[:-1]:
            self.assertNotRegex(text, r"var\(|<style|class=|style=|color-mix")
        if shutil.which("rsvg-convert"):
            png = subprocess.run(["rsvg-convert"], input=all_dark.encode(), capture_output=True, check=True).stdout
            self.assertGreater(len(png), 20_000)

    def test_costs_are_those_for_sizes_that_are_given(self):
        path = REPOSITORY / "tests/data/programs/torch-2.13.0/dynamic.pt2"
        said = self.node_json("""
            import { open, stats } from "libpt2";
            const file = await open(process.argv[2]);
            console.log(JSON.stringify([stats(file), stats(file, { s17: 8, s77: 9n }, { by: "node" })]));""", path)
        self.assertEqual(said[0], json.loads(pt2("stats", "--json", path)))
        self.assertEqual(said[1], json.loads(pt2("stats", "--json", "--by", "node", "--bind", "s17=8", "--bind", "s77=9", path)))
        self.assertEqual(said[1]["multiply_adds"], 170)

    def test_the_page_about_javascript_works_as_written(self):
        page = (REPOSITORY / "docs/javascript.md").read_text()
        folder = self.folder / "page"
        folder.mkdir()
        (folder / "package.json").write_text('{"private": true}')
        shutil.copy(PACKAGE, folder)
        shutil.copy(REPOSITORY / "tests/data/programs/torch-2.13.0/mlp.pt2", folder / "model.pt2")
        for name, script in re.findall(r"`(\w+\.mjs)`:\n\n```js\n(.*?)```", page, re.DOTALL):
            (folder / name).write_text(script)
        (commands,) = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
        done = subprocess.run(["sh", "-e", "-c", commands], cwd=folder, capture_output=True, text=True, env={**os.environ, "npm_config_offline": "true"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("torch.ops.aten.linear.default", done.stdout)
        self.assertIn("l1.weight float32 [ 8, 4 ]", done.stdout)
        self.assertIn(json.loads(pt2("hash", "--json", folder / "model.pt2"))[0]["hash"], done.stdout)
        self.assertIn("aten.relu.default", done.stdout)

    def test_sixteen_bit_floats_are_their_bits(self):
        path, out = self.folder / "half.pt2", self.folder / "half.safetensors"
        pt2("retarget", REPOSITORY / "tests/data/programs/torch-2.13.0/mlp.pt2", "-o", path, "--dtype", "bfloat16")
        said = self.node_json("""
            import { open } from "libpt2";
            const file = await open(process.argv[2]);
            const elements = await file.tensor("l1.weight");
            console.log(JSON.stringify([file.layout("l1.weight").dtype, elements.constructor.name, Array.from(elements)]));""", path)
        pt2("weights", path, "l1.weight", "-o", out)
        self.assertEqual(said[:2], ["bfloat16", "Uint16Array"])
        self.assertEqual(struct.pack(f"<{len(said[2])}H", *said[2]), out.read_bytes()[-2 * len(said[2]):])

    def test_wrong_use_is_an_error_that_says_what_is_right(self):
        said = self.node_json("""
            import { open, hash } from "libpt2";
            const errors = [];
            const attempt = async (make) => {
              try { await make(); } catch (error) { errors.push(`${error.name}: ${error.message}`); }
            };
            await attempt(() => hash({}));
            await attempt(() => open(7));
            await attempt(() => open("missing.pt2"));
            await attempt(() => open(new Uint8Array(100)));
            await attempt(() => open({ size: 2 ** 40, read: async (start, end) => new Uint8Array(end - start) }));
            const file = await open(process.argv[2]);
            await attempt(() => file.tensor("none"));
            await attempt(() => hash({}));
            file.close();
            file.close();
            await attempt(() => file.program);
            console.log(JSON.stringify(errors));""", REPOSITORY / "tests/data/programs/torch-2.13.0/mlp.pt2")
        self.assertEqual(said[0], "TypeError: call init() first, and wait for it")
        self.assertIn("TypeError: expected a Blob, bytes, a path, a URL", said[1])
        self.assertIn("ENOENT", said[2])
        self.assertIn("DataError", said[3])
        self.assertIn("RangeError: expected an archive, or a file of at most 536870912 bytes, got 1099511627776 bytes", said[4])
        self.assertEqual(said[5], 'RangeError: no tensor "none"')
        self.assertIn("DataError: ", said[6])
        self.assertEqual(said[7], "TypeError: the file is closed")

    def test_numbers_survive_the_way_to_an_object_and_back(self):
        program = json.loads((REPOSITORY / "tests/data/programs/torch-2.13.0/gpt2.json").read_text())
        node = next(node for node in program["graph_module"]["graph"]["nodes"] if node["name"] == "add")
        integers = [0, 2**53 - 1, 2**53, 2**53 + 1, -(2**53) - 1, 2**63 - 1, 2**63 - 2, -(2**63)]
        floats = [-0.0, 0.0, 1e16, 2.0**63, 123456789012345678, 0.12345678901234567, 1e-300, 5e-324, "NaN", "Infinity", "-Infinity"]
        kinds = [("as_ints", integers), ("as_floats", floats), *[("as_int", number) for number in integers], *[("as_float", number) for number in floats]]
        node["inputs"] += [{"name": f"extra_{i}", "arg": {kind: value}, "kind": 2} for i, (kind, value) in enumerate(kinds)]
        node["metadata"]["stack_trace"] = '"[9007199254740993,\\", [9007199254740993]' + "\\" * 200_000
        path = self.folder / "numbers.json"
        path.write_text(json.dumps(program))
        said = self.node_json("""
            import { open, hash } from "libpt2";
            const file = await open(process.argv[2]);
            const inputs = (of) => of.program.graph_module.graph.nodes.find(({ name }) => name === "add").inputs;
            const [integers, floats] = inputs(file).slice(2).map(({ arg }) => arg.as_ints ?? arg.as_floats);
            const changed = structuredClone(file.program);
            changed.graph_module.graph.nodes.find(({ name }) => name === "add").inputs[3].arg.as_floats = floats.map((value) => (typeof value === "string" ? Number(value) : value));
            const rounded = await open(process.argv[2], { numbers: true });
            console.log(JSON.stringify({
              types: integers.map((value) => typeof value), texts: integers.map(String), isNegative: Object.is(floats[0], -0), floats: floats.slice(1),
              hashes: [hash(file), hash(file.program), hash(changed)], rounded: inputs(rounded)[2].arg.as_ints,
              trace: file.program.graph_module.graph.nodes.find(({ name }) => name === "add").metadata.stack_trace,
            }));""", path)
        self.assertEqual(said["types"], ["number" if abs(number) < 2**53 else "bigint" for number in integers])
        self.assertEqual(said["texts"], [str(number) for number in integers])
        self.assertTrue(said["isNegative"])
        self.assertEqual([*map(float, said["floats"][:-3]), *said["floats"][-3:]], [*map(float, floats[1:-3]), *floats[-3:]])
        self.assertEqual(set(said["hashes"]), {json.loads(pt2("hash", "--json", path))[0]["hash"]})
        self.assertEqual([*map(float, said["rounded"])], [*map(float, integers)])
        self.assertEqual(said["trace"], node["metadata"]["stack_trace"])

    def test_a_range_beyond_the_tensor_is_an_error(self):
        said = self.node_json("""
            import { open } from "libpt2";
            const file = await open(process.argv[2]);
            const tried = async (range) => file.tensor("l1.weight", { range }).then(({ length }) => length, ({ name, message }) => `${name}: ${message}`);
            console.log(JSON.stringify(await Promise.all([[0, 33], [5, 3], [-1, 2], [32, 32], [30, 32]].map(tried))));""", REPOSITORY / "tests/data/programs/torch-2.13.0/mlp.pt2")
        wrong = [f"RangeError: range: expected elements from 0 to 32, got [{got}]" for got in ("0, 33", "5, 3", "-1, 2")]
        self.assertEqual(said, [*wrong, 0, 2])

    def test_typescript_knows_programs(self):
        compiler = TOOLS / ".bin/tsc"
        if not compiler.exists():
            self.skipTest("no json-schema-to-typescript")  # installed with it
        (self.folder / "use.ts").write_text("""
            import { diff, drawing, open, hash, ScalarType, signature, stats, type ExportedProgram } from "libpt2";
            const file = await open(new Uint8Array(), { newerFields: "skip" });
            const program: ExportedProgram = file.program;
            for (const node of program.graph_module.graph.nodes) node.target.toUpperCase();
            const dtype: ScalarType = ScalarType.FLOAT;
            // @ts-expect-error: a program has no such field
            program.graph;
            // @ts-expect-error: not an option
            await open("x", { fields: 1 });
            const largest: number | null = diff(file, program).differences[0].largest_absolute;
            const inputs: string[] = signature(file).parameters;
            const bound: number | bigint | null = program.range_constraints.s0.max_val;
            await open("x", { numbers: true });
            const rows: string[] = stats(file, { s0: 8 }).by.map(({ name }) => name);
            const svg: string = drawing(file, { module: "l1", unfold: 2, theme: "dark" });
            // @ts-expect-error: not a theme
            drawing(program, { theme: "red" });
            export const text: string = svg + hash(file) + dtype + largest + inputs + bound + rows;
            """)
        done = subprocess.run([compiler, "--strict", "--noEmit", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom", "use.ts"],
                              cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)


@unittest.skipUnless((TOOLS / "esbuild").is_dir(), "no esbuild")
class ModulesTest(Package):
    """Modules of the page and the viewer, in Node."""

    def bundled(self, module, *options):
        out = self.folder / "bundle.mjs"
        subprocess.run([TOOLS / ".bin/esbuild", REPOSITORY / module, "--bundle", "--format=esm", "--log-level=error", f"--outfile={out}", *options], check=True)
        return out.as_posix()

    def test_the_viewers_worker_answers_reports_progress_and_cancels(self):
        self.bundled("bindings/wasm/viewer/worker.js", "--define:import.meta.url=location.href")
        said = self.node_json("""
            import { readFile } from "node:fs/promises";
            globalThis.onmessage = null;
            await import("./bundle.mjs");
            const call = (call, given, cancels) => new Promise((resolve) => {
              const { port1: port, port2: other } = new MessageChannel();
              const sent = [];
              port.onmessage = ({ data }) => {
                sent.push(data);
                if ("progress" in data) return;
                port.close();
                resolve(sent);
              };
              globalThis.onmessage({ data: { call, given }, ports: [other] });
              if (cancels) port.postMessage("cancel");
            });
            const [wasm, file] = process.argv.slice(2);
            await call("init", await readFile(wasm));
            const opened = await call("open", { number: 7, source: new Blob([await readFile(file)]), title: "a title" });
            const tensor = await call("tensor", { number: 7, name: "l1.weight" });
            const values = await call("values", { number: 7, name: "l1.weight", from: 2, count: 3 });
            const cancelled = await call("tensor", { number: 7, name: "l2.weight" }, true);
            const missing = await call("tensor", { number: 7, name: "no" });
            await call("close", { number: 7 });
            const closed = await call("check", { number: 7 });
            console.log(JSON.stringify([JSON.parse(opened.at(-1).result.page).title, opened.slice(0, -1).map(({ progress }) => progress), tensor, values,
                                        cancelled.at(-1).error.name, missing.at(-1).error, closed.at(-1).error.message]));""",
            self.folder / "node_modules/libpt2/libpt2.wasm", REPOSITORY / "tests/data/programs/torch-2.13.0/mlp.pt2")
        title, read, tensor, values, cancelled, missing, closed = said
        self.assertEqual((title, cancelled, closed), ("a title", "AbortError", "the file is closed"))
        sizes = [int(re.fullmatch(r"reading a title: (\d+) kB", each)[1]) for each in read]
        self.assertEqual(sizes, sorted(sizes))
        self.assertEqual((missing["name"], missing["message"]), ("RangeError", 'no tensor "no"'))
        result = tensor[-1]["result"]
        self.assertEqual(result["count"], result["finite"])
        self.assertEqual(sum(result["histogram"]), result["count"])
        self.assertEqual([each["progress"] for each in tensor[:-1]][-2:], ["counting: 50%", "counting: 100%"])
        self.assertEqual(len(values[-1]["result"]), 3)

    def test_shapes_have_the_look_of_the_style_sheet_as_plain_attributes(self):
        self.bundled("toolbox/pt2/page/svg_text.js")
        said = self.node("""
            import { svgText } from "./bundle.mjs";
            const css = ":root { --back: #ffffff; --text: #000000; --a: #102030; } @media (prefers-color-scheme: dark) { :root { --back: #000000; --text: #ffffff; --a: #ff000080; } }"
              + ".graph .box > rect { fill: var(--a); } /* x */ rect { fill: #111111; stroke: currentcolor; } .box { color: var(--a); }"
              + ".graph text { font: bold 12px sans-serif; } rect:hover { fill: #222222; }";
            const shape = (tag, classes, children = [], more = {}) => ({ tag, classes: new Set(classes), attributes: {}, children, ...more });
            const mixed = { fill: "color-mix(in srgb, #00ff00 50%, var(--back))" };
            const box = shape("g", ["box"], [shape("rect", []), shape("rect", [], [], mixed), shape("text", [], ["<&"])]);
            for (const isDark of [false, true]) console.log(svgText([box], { x: 0, y: 0, width: 1, height: 1 }, css, isDark));""")
        light, dark = said.splitlines()
        self.assertIn('<g><rect fill="#102030" stroke="#102030"></rect><rect fill="#80ff80" stroke="#102030"></rect>'
                      '<text font-size="12" font-weight="bold">&lt;&amp;</text></g>', light)
        self.assertIn('<rect fill="#ff0000" fill-opacity="0.502" stroke="#ff0000" stroke-opacity="0.502"></rect>', dark)

@unittest.skipIf(open_browser is None or not (TOOLS / "vite").is_dir(), "no selenium, or no bundlers")
class BundlersTest(Package):
    """A page that reads a file, built as docs/javascript.md says."""

    READ = """
        const file = await open(await (await fetch("model.pt2")).blob());
        document.title = file.keys().join();"""
    PLAIN = 'import { open } from "libpt2";' + READ
    WAYS = {
        "esbuild": ('import { init, open } from "libpt2"; import wasm from "libpt2/libpt2.wasm"; await init(wasm);' + READ,
                    ("page.js", "--bundle", "--format=esm", "--loader:.wasm=file", "--outfile=dist/page.js")),
        "webpack": (PLAIN, ("./page.js", "--mode", "production", "-o", "dist", "--output-filename", "page.js")),
        "vite": (PLAIN, ("build",)),
    }  # fmt: skip

    def test_a_page_of_each_bundler_reads_a_file(self):
        model = REPOSITORY / "tests/data/programs/torch-2.13.0/mlp.pt2"
        browser = open_browser()
        self.addCleanup(browser.quit)
        for bundler, (script, arguments) in self.WAYS.items():
            with self.subTest(bundler):
                page = '<!doctype html><script type="module" src="page.js"></script>'
                (self.folder / "page.js").write_text(script)
                (self.folder / "index.html").write_text(page)
                built = self.folder / "dist"
                shutil.rmtree(built, ignore_errors=True)
                done = subprocess.run([TOOLS / ".bin" / bundler, *arguments], cwd=self.folder, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                if bundler != "vite":
                    (built / "index.html").write_text(page)
                shutil.copy(model, built / "model.pt2")
                with served(built) as (address, _):
                    browser.get(address + "index.html")
                    WebDriverWait(browser, 30).until(lambda browser: browser.title)
                self.assertEqual(browser.title.split(",")[0], "l1.weight")


class BrowserTest(Package):
    PAGE = """<!doctype html><script type="importmap">{"imports": {"libpt2": "./node_modules/libpt2/index.js"}}</script>
        <script type="module">
          import * as api from "libpt2";
          import { describe } from "./describe.js";
          window.ofBlob = async (path) => describe(api, await (await fetch(path)).blob());
          window.ofUrl = (path) => describe(api, path);
          window.ofWorker = (path) => new Promise((done, failed) => {
            const worker = new Worker("./worker.js", { type: "module" });
            worker.onmessage = ({ data }) => done(data);
            worker.onerror = failed;
            worker.postMessage(path);
          });
          window.isReady = true;
        </script>"""
    WORKER = """import * as api from "./node_modules/libpt2/index.js";
        import { describe } from "./describe.js";
        onmessage = async ({ data }) => postMessage(await describe(api, new URL(data, location.href)));"""

    def test_a_page_and_a_worker_say_what_node_says(self):
        if open_browser is None:
            self.skipTest("no selenium")
        (self.folder / "page.html").write_text(self.PAGE)
        (self.folder / "worker.js").write_text(self.WORKER)
        programs = [REPOSITORY / "tests/data/programs" / name for name in ("torch-2.13.0/cond.pt2", "torch-2.4.1/mlp.pt2", "torch-2.6.0/mlp.json")]
        for i, path in enumerate(programs):
            shutil.copy(path, self.folder / f"{i}.bin")
        names = [f"{i}.bin" for i in range(len(programs))] + ["large.pt2"]
        paths = "".join(f"{self.folder / name}\n" for name in names)
        done = subprocess.run(["node", self.folder / "describe_all.mjs"], cwd=self.folder, capture_output=True, text=True, input=paths, check=True)
        expected = [json.loads(line) for line in done.stdout.splitlines()]
        with served(self.folder) as (address, _):
            browser = open_browser()
            self.addCleanup(browser.quit)
            browser.set_script_timeout(120)
            browser.get(address + "page.html")
            for name, said in zip(names, expected, strict=True):
                for way in ("ofBlob", "ofUrl", "ofWorker"):
                    with self.subTest(name=name, way=way):
                        result = browser.execute_async_script(
                            "const [way, path, done] = arguments; (async () => { while (!window.isReady) await new Promise(requestAnimationFrame);"
                            " return JSON.stringify(await window[way](path)); })().then(done, (error) => done(String(error)));", way, name)
                        self.assertEqual(json.loads(result), said)


if __name__ == "__main__":
    unittest.main()
