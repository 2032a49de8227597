"""`pt2 scan` finds each way in which a file could run code, by the name of what it would call, and accuses no plain model.

PT2_BINARY names the pt2 command.
"""

import base64
import collections
import contextlib
import io
import json
import os
import pathlib
import pickle
import random
import re
import struct
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import random_seed  # noqa: E402

PT2 = os.environ.get("PT2_BINARY", "build/bin/pt2")
PROGRAMS = pathlib.Path(__file__).parent.parent.parent / "data" / "programs"


class Call:
    """Pickles as a function call."""

    def __init__(self, function, *arguments):
        self.parts = (function, arguments)

    def __reduce__(self):
        return self.parts


def text(value):
    return b"X" + struct.pack("<I", len(value)) + value.encode()


# With the expected finding, each calls posix.system.
HOSTILE = {
    "REDUCE, protocol 0": (pickle.dumps(Call(os.system, "id"), 0), "posix.system"),
    "REDUCE, protocol 2": (pickle.dumps(Call(os.system, "id"), 2), "posix.system"),
    "STACK_GLOBAL": (pickle.dumps(Call(os.system, "id"), 4), "posix.system"),
    "INST": (b"(S'id'\niposix\nsystem\n.", "posix.system"),
    "OBJ": (b"(cposix\nsystem\n" + text("id") + b"o.", "posix.system"),
    "NEWOBJ": (b"\x80\x02cbuiltins\nexec\n" + text("id") + b"\x85\x81.", "builtins.exec"),
    "NEWOBJ_EX": (b"\x80\x04csubprocess\nPopen\n" + text("id") + b"\x85}\x92.", "subprocess.Popen"),
    "BUILD": (b"\x80\x02ccollections\nOrderedDict\n)R}(" + text("__setstate__") + b"cos\nsystem\nub" + text("id") + b"b.", "os.system"),
    "BUILD of a class": (b"\x80\x02ctorch\nTensor\n}(" + text("__len__") + b"K\x01ub.", "torch.Tensor"),
    "EXT1": (b"\x80\x02\x82\x05.", "?"),
    "EXT4": (b"\x80\x02\x84\x05\x00\x00\x00)R.", "?"),
    "PERSID": (b"Pid\n.", "persistent id"),
    "BINPERSID": (b"\x80\x02(" + text("module") + b"K\x01tQ.", "persistent id"),
    "names from the memo": (b"\x80\x04\x8c\x05posix\x94\x8c\x06system\x94000h\x00h\x01\x93".replace(b"000", b"00") + text("id") + b"\x85R.", "posix.system"),
    "names by GET and PUT": (b"\x80\x04" + text("posix") + b"p7\n0" + text("system") + b"p9\n0g7\ng9\n\x93.", "posix.system"),
    "a name that is doubled": (b"\x80\x04" + text("os") + b"2\x93.", "os.os"),
    "a name with escapes": (b"\x80\x04V\\u0070osix\nS'\\x73ystem'\n\x93.", "posix.system"),
    "a name from below a mark": (b"\x80\x04" + text("posix") + text("system") + b"(K\x011\x93.", "posix.system"),
    "a name that is made by a call": (b"\x80\x04" + text("posix") + b"c_codecs\nencode\n" + text("x") + b"\x85R\x93.", "?"),
    "broken after the call": (pickle.dumps(Call(os.system, "id"), 2)[:-1] + b"\xff", "posix.system"),
    "cut off after the call": (pickle.dumps(Call(os.system, "id"), 2)[:-1], "posix.system"),
    "a second pickle": (pickle.dumps({"a": 1}, 2) + pickle.dumps(Call(os.system, "id"), 2), "posix.system"),
    "a name of Python 2": (b"c__builtin__\neval\n(S'1'\ntR.", "builtins.eval"),
    "a dotted name": (b"\x80\x04" + text("torch") + text("os.system") + b"\x93.", "torch.os.system"),
}


def zipped(members, compression=zipfile.ZIP_STORED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return stream.getvalue()


def saved_by_torch(pickled):
    return zipped({"archive/data.pkl": pickled, "archive/version": "3\n", "archive/byteorder": "little"})


def package(**records):
    """Writes a PT2 archive with a plain program and `records`; `__` in their names stands for `/`."""
    model = zipfile.ZipFile(PROGRAMS / "torch-2.13.0" / "mlp.pt2").read("mlp/models/model.json")
    members = {"m/archive_format": b"pt2", "m/archive_version": b"0", "m/models/model.json": model}
    return zipped(members | {"m/" + name.replace("__", "/"): content for name, content in records.items()})


class Recorder(pickle.Unpickler):
    """Python's own unpickler, which records imports instead of performing them."""

    def __init__(self, pickled):
        super().__init__(io.BytesIO(pickled), fix_imports=True)
        self.found = set()

    def find_class(self, module, name):
        self.found.add(f"{module}.{name}".replace("__builtin__", "builtins"))  # as fix_imports does
        return lambda *arguments, **named: {}

    def persistent_load(self, name):
        return None


PARTS = [
    b"N", b"K\x01", b"]", b"}", b")", b"(", b"(", b"0", b"1", b"2", b"a", b"s", b"t", b"l", b"d", b"e", b"u", b"\x85", b"\x86", b"\x87", b"R", b"R", b"\x81",
    b"\x92", b"b", b"o", b"\x94", b"\x94", b"h\x00", b"h\x01", b"h\x02", b"q\x00", b"q\x01", b"p2\n", b"g2\n", b"r\x01\0\0\0", b"j\x00\0\0\0", b"\x93", b"\x93",
    b"\x93", text("os"), text("system"), b"\x8c\x05posix", b"\x8c\x04exec", b"U\x02os", b"T\x06\0\0\0system", b"S'posix'\n", b"Vsystem\n", b"S'\\x6fs'\n", b"V\\u006fs\n",
    b"cos\nsystem\n", b"c__builtin__\neval\n", b"ios\npopen\n", b"ccollections\nOrderedDict\n", b"\x8f", b"\x90", b"\x91", b"\x95" + bytes(8), b"C\x02os", b"I1\n", b"F1.5\n",
]


class ScanCommandTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def scan(self, content, *arguments):
        """Returns the exit code and findings for a file with that content."""
        path = self.folder / "file"
        path.write_bytes(content)
        done = subprocess.run([PT2, "scan", path, "--format", "json", *arguments], capture_output=True, text=True)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done.returncode, json.loads(done.stdout)

    def assert_found(self, content, what, record=None):
        code, findings = self.scan(content)
        self.assertEqual(code, 1)
        found = [finding for finding in findings if finding["rule"] == "PICKLE_GLOBAL"]
        self.assertIn(what, [finding["what"] for finding in found])
        if record is not None:
            self.assertEqual({finding["record"] for finding in found}, {record})
        return findings

    def test_each_way_to_a_function_is_found_by_its_name(self):
        for route, (pickled, what) in HOSTILE.items():
            with self.subTest(route):
                self.assert_found(saved_by_torch(pickled), what, "archive/data.pkl")

    def test_all_that_python_would_import_is_found_in_random_pickles(self):
        choose = random.Random(random_seed.SEED)
        programs = [b"\x80\x04" + b"".join(choose.choices(PARTS, k=choose.randrange(3, 25))) + b"." for _ in range(3000)]
        paths = [self.folder / str(i) for i in range(len(programs))]
        for path, program in zip(paths, programs, strict=True):
            path.write_bytes(program)
        done = subprocess.run([PT2, "scan", *paths, "--format", "json"], capture_output=True, text=True)
        found = collections.defaultdict(set)
        for finding in json.loads(done.stdout):
            found[finding["file"]].add(finding["what"])
        imported = 0
        for path, program in zip(paths, programs, strict=True):
            recorder = Recorder(program)
            with contextlib.suppress(Exception):  # most are broken
                recorder.load()
            missing = recorder.found - found[str(path)] - {"collections.OrderedDict"}
            imported += len(recorder.found)
            self.assertTrue(not missing or "?" in found[str(path)], (program, missing, found[str(path)]))
        self.assertGreater(imported, 200)

    def test_pickles_are_found_wherever_torch_opens_them(self):
        pickled, what = HOSTILE["STACK_GLOBAL"]
        protocol0, _ = HOSTILE["REDUCE, protocol 0"]
        saved = saved_by_torch(pickled)
        config = json.dumps({"config": {"w": {"path_name": "weight_7", "is_param": True, "use_pickle": True, "tensor_meta": None}}}).encode()
        for content, record in (
            (pickled, ""),
            (protocol0, ""),
            (package(data__weights__weight_7=protocol0, **{"data__weights__model_weights_config.json": config}), "data/weights/weight_7"),
            (package(**{"data__weights__model.pt": saved}), "data/weights/model.pt!archive/data.pkl"),
            (package(**{"data__constants__model.pt": saved}), "data/constants/model.pt!archive/data.pkl"),
            (package(**{"data__sample_inputs__model.pt": saved}), "data/sample_inputs/model.pt!archive/data.pkl"),
            (package(data__constants__custom_obj_0=saved), "data/constants/custom_obj_0!archive/data.pkl"),
            (package(data__constants__opaque_obj_0=pickled), "data/constants/opaque_obj_0"),
            (zipped({"a/data.pkl": pickled}, zipfile.ZIP_DEFLATED), "a/data.pkl"),
            (zipped({"serialized_state_dict.pt": saved}), "serialized_state_dict.pt!archive/data.pkl"),
        ):
            with self.subTest(record):
                self.assert_found(content, what, record)

    def test_pickles_in_programs_of_torch_2_1_are_found(self):
        pickled, what = HOSTILE["REDUCE, protocol 2"]
        program = json.loads((PROGRAMS / "torch-2.1.2" / "mlp.json").read_text())
        for content in (pickled, saved_by_torch(pickled)):
            program["graph_module"]["graph"]["constants"] = {"c": base64.b64encode(content).decode()}
            findings = self.assert_found(json.dumps(program).encode(), what)
            self.assertRegex(findings[0]["record"], "^constants")

    def test_tar_archives_are_found(self):
        for dialect in (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
            stream = io.BytesIO()
            with tarfile.open(fileobj=stream, mode="w", format=dialect) as file:
                file.addfile(tarfile.TarInfo("pickle"), io.BytesIO())
            content = stream.getvalue()
            code, findings = self.scan(stream.getvalue())
            self.assertEqual((code, findings[0]["rule"]), (1, "NESTED_ARCHIVE"))

    def test_a_file_of_several_formats_is_looked_at_as_each(self):
        pickled, what = HOSTILE["REDUCE, protocol 2"]
        findings = self.assert_found(pickled + zipped({"a": b"b"}), what)
        self.assertIn("ZIP_TRICK", [finding["rule"] for finding in findings])

    def test_a_pickle_that_is_broken_is_found_as_such(self):
        pickled = pickle.dumps({"a": 1}, 2)
        for content in (pickled[:-1], b"\x80\x02h\x00.", b"\x80\x02(.", b"\x80\x09N."):
            code, findings = self.scan(saved_by_torch(content))
            self.assertEqual((code, [finding["rule"] for finding in findings]), (1, ["PICKLE_MALFORMED"]))

    def test_pickles_of_plain_values_are_notes(self):
        for protocol in range(6):
            value = {"a": [1, 2.5, None, True, "x", b"y" if protocol > 2 else "y", (1, 2)], "b": 2**80}
            code, findings = self.scan(saved_by_torch(pickle.dumps(value, protocol)))
            self.assertEqual((code, [(finding["rule"], finding["level"]) for finding in findings]), (0, [("PICKLE_LEGACY", "note")]))

    def test_plain_models_are_not_accused(self):
        files = sorted(PROGRAMS.glob("torch-*/*.pt2"))
        self.assertGreater(len(files), 50)
        done = subprocess.run([PT2, "scan", *files], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    def test_keys_that_are_not_finite_are_not_accused(self):
        # As torch 2.13 writes {float("inf"): x, float("nan"): y}.
        text = (PROGRAMS / "torch-2.13.0" / "pytree_kwargs.json").read_text()
        dicts = text.replace(json.dumps(json.dumps('["x", "y"]'))[1:-1], json.dumps(json.dumps("[Infinity, NaN]"))[1:-1])
        self.assertNotEqual(dicts, text)
        self.assertEqual(self.scan(dicts.encode()), (0, []))

    def test_all_of_a_compiled_model_is_code(self):
        elf = b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x03\x00\x3e\x00" + bytes(44)
        pe = b"MZ" + bytes(58) + struct.pack("<I", 64) + b"PE\0\0"
        for content, rule, message in (
            (elf, "NATIVE_CODE", "this is an ELF file for x86-64, "),
            (elf[:18] + b"\xbe" + elf[19:], "NATIVE_CODE", "this is an ELF file for CUDA (cubin), "),
            (pe, "NATIVE_CODE", "this is a Windows program or library, "),
            (b"\xcf\xfa\xed\xfe" + bytes(28), "NATIVE_CODE", "this is a Mach-O file, "),
            (b"\x50\xed\x55\xba" + bytes(28), "NATIVE_CODE", "this is a CUDA fat binary, "),
            (b"{}", "SOURCE_CODE", "torch compiles and runs this part of a compiled model, "),
        ):
            with self.subTest(message):
                code, findings = self.scan(package(data__aotinductor__model__a=content))
                self.assertEqual(code, 1)
                self.assertEqual([(finding["rule"], finding["level"], finding["what"]) for finding in findings], [(rule, "error", "a")])
                self.assertTrue(findings[0]["message"].startswith(message), findings)

    def test_texts_that_python_evaluates_are_found(self):
        program = json.loads(zipfile.ZipFile(PROGRAMS / "torch-2.13.0" / "dynamic.pt2").read("dynamic/models/model.json"))
        self.assertEqual(self.scan(json.dumps(program).encode()), (0, []))
        node = program["graph_module"]["graph"]["nodes"][0]
        for target in ("torch.os.system", "torchx.os.system", "torch.ops.load_library", "_operator.call", "math.__loader__.load_module",
                       "torch.ops.aten.__class__.x", "torch.export.custom_ops._call_custom_autograd_function_in_pre_dispatch"):
            node["target"] = target
            code, findings = self.scan(json.dumps(program).encode())
            self.assertEqual((code, [(finding["rule"], finding["what"]) for finding in findings]), (1, [("TARGET_CODE", "graph_module.graph.nodes[0].target")]))
            self.assertIn(f"'{target}'", findings[0]["message"])
        node["target"] = "torch.ops.aten.add.Tensor"
        changed = json.dumps(program).replace('"expr_str": "', '"expr_str": "__import__(\'os\').system(\'id\')+', 1)
        code, findings = self.scan(changed.encode())
        self.assertEqual((code, {finding["rule"] for finding in findings}), (1, {"EXPRESSION_CODE"}))

    def test_functions_that_exports_of_plain_models_call_are_not_accused(self):
        program = json.loads(zipfile.ZipFile(PROGRAMS / "torch-2.13.0" / "dynamic.pt2").read("dynamic/models/model.json"))
        for target in ("torch._functorch.predispatch._vmap_increment_nesting", "torch._functorch.predispatch.lazy_load_decompositions",
                       "torch.amp.autocast_mode._enter_autocast", "torch._C._set_grad_enabled", "torch.sym_max", "math.floor", "_operator.add"):
            program["graph_module"]["graph"]["nodes"][0]["target"] = target
            self.assertEqual(self.scan(json.dumps(program).encode()), (0, []), target)

    def test_archives_that_contradict_themselves_are_found(self):
        plain = zipped({"a/data.pkl": b"N.", "a/data/b": b"first", "a/data/c": b"other"})
        self.assertEqual([finding["level"] for finding in self.scan(plain)[1]], ["note"])
        second = plain.rindex(b"PK\3\4")
        entry = plain.rindex(b"PK\1\2")
        for changed, message in (
            (plain.replace(b"a/data/c", b"a/data/b"), "another member has the same name"),
            (plain[:second] + plain[second:].replace(b"a/data/c", b"a/data/d", 1), "its local header has the name 'a/data/d'"),
            (plain[:second + 22] + b"\x09" + plain[second + 23:], "its local header has different sizes"),
            (plain[:second + 8] + b"\x08" + plain[second + 9:], "its local header has a different compression method"),
            (plain[:entry + 42] + bytes(4) + plain[entry + 46:], "it overlaps another member"),
            (plain + b"rest", "found 4 bytes after the archive"),
        ):
            with self.subTest(message):
                code, findings = self.scan(changed)
                self.assertEqual(code, 1)
                self.assertIn(("ZIP_TRICK", message), [(finding["rule"], finding["message"]) for finding in findings])

    def test_what_inflates_to_more_than_the_file_may_is_an_error(self):
        bombs = {f"a/data/weights/{number}.pt": b"N" * (50 << 20) for number in range(3)}
        code, findings = self.scan(zipped({"a/archive_format": b"pt2"} | bombs, zipfile.ZIP_DEFLATED))
        self.assertEqual(code, 1)
        self.assertIn("data/weights/2.pt", [finding["record"] for finding in findings if finding["rule"] == "NOT_UNDERSTOOD"])

    def test_sarif_has_a_result_for_each_finding(self):
        path = self.folder / "a b.pt2"
        path.write_bytes(package(**{"data__sample_inputs__model.pt": saved_by_torch(HOSTILE["INST"][0])}))
        done = subprocess.run([PT2, "scan", path, "--format", "sarif"], capture_output=True, text=True)
        run = json.loads(done.stdout)["runs"][0]
        [result] = run["results"]
        self.assertEqual((done.returncode, result["ruleId"], result["level"], result["properties"]), (1, "PICKLE_GLOBAL", "error", {"what": "posix.system"}))
        self.assertEqual(run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"], "PICKLE_GLOBAL")
        [place] = result["locations"]
        self.assertEqual(place["physicalLocation"]["artifactLocation"]["uri"], (self.folder / "a%20b.pt2").as_uri().replace("%25", "%"))
        self.assertEqual(place["logicalLocations"], [{"fullyQualifiedName": "data/sample_inputs/model.pt!archive/data.pkl"}])

    def test_the_text_names_record_global_and_byte(self):
        path = self.folder / "model.pt2"
        path.write_bytes(package(**{"data__sample_inputs__model.pt": saved_by_torch(HOSTILE["INST"][0])}))
        done = subprocess.run([PT2, "scan", path], capture_output=True, text=True)
        self.assertEqual(done.stdout, f"{path}: error: data/sample_inputs/model.pt!archive/data.pkl: loading it imports 'posix.system', "
                                      "which torch.load with weights_only rejects; `pt2 harden` drops sample inputs (byte 7) [PICKLE_GLOBAL]\n")

    def test_what_cannot_be_read_has_one_place(self):
        program = (PROGRAMS / "torch-2.13.0" / "mlp.json").read_bytes()
        subprocess.run([PT2, "convert", PROGRAMS / "torch-2.13.0" / "mlp.json", self.folder / "a.pt2b"], check=True)
        binary = (self.folder / "a.pt2b").read_bytes()
        config = "data__weights__model_weights_config.json"
        saved = saved_by_torch(HOSTILE["STACK_GLOBAL"][0])
        for content in (program[:400], program.replace(b'"nodes"', b'"nodse"', 1), program.replace(b": 8,", b": 9,", 1), program.replace(b'"name"', b"name", 1), b"{", b"[1]",
                        program.replace(b", ", b",\n")[:3000], binary[:200], binary[:60] + b"?" + binary[61:],
                        package(**{config: b'{"config": 3}'}), package(**{config: b"{"}), package(**{"models__model.json": program[:400]}),
                        package()[:-30], saved[:-10], package(**{"data__sample_inputs__model.pt": saved[:-10]})):
            for command in ("scan", "check"):
                done = subprocess.run([PT2, command, "-"], input=content, capture_output=True)
                for line in done.stdout.decode().splitlines():
                    places = re.findall(r"\((?:line \d+, column|byte) \d+\)", line)
                    self.assertLessEqual(len(places), 1, line)
        done = subprocess.run([PT2, "scan", "-"], input=program[:400], capture_output=True)
        self.assertEqual(done.returncode, 3)
        self.assertIn(b" no closing quote (byte 400) [NOT_UNDERSTOOD]\n", done.stdout)

    def test_exit_codes_say_what_is_worst(self):
        plain = PROGRAMS / "torch-2.13.0" / "mlp.pt2"
        hostile = self.folder / "hostile"
        hostile.write_bytes(HOSTILE["INST"][0])
        unknown = self.folder / "unknown"
        unknown.write_bytes(b"nothing")
        for files, code in (([plain], 0), ([plain, hostile], 1), ([hostile, unknown], 3), ([hostile, self.folder / "none"], 4), ([], 2)):
            self.assertEqual(subprocess.run([PT2, "scan", *files], capture_output=True).returncode, code)

    def test_what_is_not_understood_is_no_success(self):
        unknown = self.folder / "unknown"
        unknown.write_bytes(b"nothing")
        done = subprocess.run([PT2, "scan", unknown], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (3, f"{unknown}: could not be interpreted; torch may run it\n"))


if __name__ == "__main__":
    unittest.main()
