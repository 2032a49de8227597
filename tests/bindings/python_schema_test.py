"""The Python module of a schema that is not PyTorch's: tests/schemas/everything.yaml, which uses every type and key.

EVERYTHING_FOLDER has the module and its stub, SCHEMA_VALUES is the program of schema_values.cpp.
"""

import copy
import enum
import inspect
import os
import pathlib
import pickle
import struct
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(ROOT / "tests" / "tools" / "pt2"))
sys.path.insert(0, os.environ["EVERYTHING_FOLDER"])

import everything  # noqa: E402
from pt2_command import XXHASH, checksum  # noqa: E402
from random_seed import SEED  # noqa: E402

SCHEMA = ROOT / "tests" / "schemas" / "everything.yaml"
TYPES = [name for name, value in vars(everything).items() if inspect.isclass(value) and hasattr(value, "from_binary")]


class SchemaModuleTest(unittest.TestCase):
    @unittest.skipUnless("SCHEMA_VALUES" in os.environ, "SCHEMA_VALUES is not built")
    def test_random_values_of_every_type_come_back_from_json_binary_and_pickle(self):
        types = [name for name in TYPES if name not in ("Struct", "Union")]
        self.assertGreater(len(types), 8)
        for name in types:
            values = subprocess.run([os.environ["SCHEMA_VALUES"], SCHEMA, name, "20", str(SEED)], capture_output=True, check=True)
            for line in values.stdout.splitlines():
                with self.subTest(name, line=line):
                    value = getattr(everything, name).from_json(line)
                    self.assertEqual(value.to_json(), line)
                    for twin in (type(value).from_binary(value.to_binary()), pickle.loads(pickle.dumps(value)), copy.deepcopy(value)):
                        self.assertEqual(twin.to_json(), line)

    def test_fields_of_a_newer_schema_are_skipped_on_request(self):
        known, empty, unknown = b'{"levels": []}', b'{"levels": [], "later": ""}', b'{"levels": [], "later": 1}'
        Keyed = everything.Keyed
        written = Keyed.from_json(known)
        self.assertEqual(Keyed.from_json(unknown, unknown_fields="skip"), written)
        self.assertEqual(Keyed.from_json(empty, unknown_fields="skip_empty"), written)
        for data, option in ((empty, "error"), (unknown, "error"), (unknown, "skip_empty")):
            with self.assertRaises(everything.DataError):
                Keyed.from_json(data, unknown_fields=option)
        payload = b"\x05\xfe\x01\x02\x00"  # Thrift Compact: an int with id 127
        self.assertEqual(Keyed.from_binary(payload, unknown_fields="skip"), Keyed())
        with self.assertRaises(everything.DataError):
            Keyed.from_binary(payload)
        with self.assertRaisesRegex(ValueError, "expected 'error', 'skip_empty', 'skip' or 'keep', got 'all'"):
            Keyed.from_json(known, unknown_fields="all")

    def test_kept_fields_are_written_back_in_their_format(self):
        Keyed = everything.Keyed
        text = b'{"level": "HIGH", "levels": [], "later": {"a": [1, 2.50]}, "by_number": {}, "by_color": {}, "by_level": {}}'
        payload = Keyed().to_binary()[:-1] + b"\x05\xfe\x01\x02\x00"
        of_json, of_binary = Keyed.from_json(text, unknown_fields="keep"), Keyed.from_binary(payload, unknown_fields="keep")
        for value in (of_json, of_binary):
            self.assertEqual(value, Keyed())
        for twin in (copy.copy, copy.deepcopy):
            self.assertEqual((twin(of_json).to_json(), twin(of_binary).to_binary()), (text, payload))
        of_json.levels.append(everything.Level.HIGH)
        self.assertEqual(of_json.to_json(), text.replace(b"[]", b'["HIGH"]'))
        self.assertEqual(Keyed.from_json(Keyed().to_json(), unknown_fields="keep").to_binary(), Keyed().to_binary())
        for value, use in ((of_json, of_json.to_binary), (of_json, of_json.to_binary_file), (of_binary, of_binary.to_json),
                           (of_binary, of_binary.to_binary_file), (of_json, lambda: pickle.dumps(of_json)),
                           (of_binary, lambda: pickle.dumps(of_binary))):
            with self.assertRaisesRegex(ValueError, r"^Keyed: .* would lose its unknown fields; hint: "):
                use()
        of_json.drop_unknown()
        self.assertEqual(pickle.loads(pickle.dumps(of_json)).levels, [everything.Level.HIGH])

    def test_what_is_kept_of_a_value_is_not_lost_in_another_value(self):
        Tree = everything.Tree
        kept = Tree.from_json(b'{"name": "x", "left": {"name": "y", "later": 1}, "later": 2}', unknown_fields="keep")
        tree = Tree(name="root")
        for put in (lambda: tree.children.append(kept), lambda: setattr(tree, "left", kept), lambda: setattr(tree, "children", [kept]),
                    lambda: tree.named.update(a=kept), lambda: Tree(name="root", right=kept), kept.left.to_json):
            with self.assertRaisesRegex(ValueError, "^Tree: .* would lose its unknown fields"):
                put()
        self.assertEqual(tree, Tree(name="root"))
        self.assertEqual(kept.left.name, "y")
        self.assertEqual(copy.copy(kept.left).to_json(), Tree(name="y").to_json())
        kept.drop_unknown()
        tree.left = kept
        self.assertEqual(tree.left.left.name, "y")

    @unittest.skipUnless(XXHASH, "needs libxxhash")
    def test_a_file_of_a_newer_minor_version_is_written_back_byte_for_byte(self):
        head = bytearray(everything.Keyed().to_binary_file())
        head[14:18] = struct.pack("<I", everything.schema_version[1] + 1)
        payload = everything.Keyed().to_binary()
        start = head.index(payload) - 8  # of the payload's length
        added = payload[:-1] + b"\x08\xc8\x01\x01x\x00"  # a string with id 100
        body = bytes(head[:start]) + struct.pack("<Q", len(added)) + added
        file = body + checksum(body)
        with self.assertRaises(everything.DataError):
            everything.Keyed.from_binary_file(file)
        kept = everything.Keyed.from_binary_file(file, unknown_fields="keep")
        self.assertEqual((kept, kept.to_binary_file(), kept.to_binary()), (everything.Keyed(), file, added))
        self.assertEqual(everything.Keyed.from_binary_file(kept.to_binary_file(compressed=True), unknown_fields="skip"), everything.Keyed())

    def test_a_binary_file_names_its_type_and_version(self):
        value = everything.Keyed()
        for compressed in (False, True):
            file = value.to_binary_file(compressed=compressed)
            self.assertIn(b"everything.Keyed", file)
            self.assertEqual(everything.Keyed.from_binary_file(file), value)
            with self.assertRaisesRegex(everything.DataError, "everything.Keyed"):
                everything.Preset.from_binary_file(file)
            damaged = file[:-1] + bytes([file[-1] ^ 1])
            with self.assertRaises(everything.DataError):
                everything.Keyed.from_binary_file(damaged)
            major = file[:10] + bytes([file[10] + 1]) + file[11:]
            with self.assertRaises(everything.DataError):
                everything.Keyed.from_binary_file(major)

    def test_defaults_are_those_of_the_schema(self):
        preset = everything.Preset()
        self.assertEqual(list(preset.counts), [1, -(2**63)])
        self.assertEqual(everything.Keyed().level, everything.Level.HIGH)
        self.assertTrue(issubclass(everything.Level, enum.IntEnum))

    def test_a_number_out_of_range_is_an_error_with_its_place(self):
        numbers = everything.Numbers(tiny=0, short=0, medium=0, long=0, byte=0, word=0, half=0, whole=0, single=0)
        with self.assertRaises((ValueError, OverflowError, TypeError)):
            numbers.tiny = 128
        with self.assertRaises(everything.DataError) as caught:
            everything.Keyed.from_json('{"levels":\n ["NONE"]}')
        self.assertEqual((caught.exception.path, caught.exception.line), ("levels[0]", 2))

    def test_what_any_could_not_write_is_refused_and_what_it_gives_is_a_copy(self):
        scalars = everything.Scalars(flag=True, count=1, ratio=0.5, label="", blob=b"", color=0, anything={"a": [1, None]})
        scalars.anything["a"].append(2)
        nested = []
        for _ in range(10_000):
            nested = [nested]
        slightly = [[]]
        for _ in range(500):
            slightly = [slightly]
        for wrong in (float("nan"), [-float("inf")], "\ud800", {"\udfff": 1}, nested, slightly, {1: 2, "1": 3}, 10**400):
            with self.assertRaises(ValueError):
                scalars.anything = wrong
            with self.assertRaises(ValueError):
                everything.Containers().values.append(wrong)
            self.assertNotEqual(everything.Containers().values, [wrong])
        with self.assertRaises(TypeError):
            scalars.anything = object()
        self.assertEqual(scalars.anything, {"a": [1, None]})
        scalars.to_json()

    def test_hash_and_version_are_the_schemas(self):
        self.assertEqual(everything.schema_version, (3, 1))
        self.assertRegex(everything.hash, "^sha256:[0-9a-f]{64}$")
        self.assertEqual(everything.schema_hash, everything.hash)


if __name__ == "__main__":
    unittest.main()
