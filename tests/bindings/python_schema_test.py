"""The Python module of a schema that is not PyTorch's: tests/schemas/everything.yaml, which uses every type and key.

EVERYTHING_FOLDER has the module and its stub, SCHEMA_VALUES is the program of schema_values.cpp.
"""

import copy
import enum
import inspect
import os
import pathlib
import pickle
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, os.environ["EVERYTHING_FOLDER"])

import everything  # noqa: E402
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
        payload = b"\x05\xfe\x01\x02\x00"  # in Thrift Compact, an int with the id 127
        self.assertEqual(Keyed.from_binary(payload, unknown_fields="skip"), Keyed())
        with self.assertRaises(everything.DataError):
            Keyed.from_binary(payload)
        with self.assertRaisesRegex(ValueError, "expected error, skip_empty or skip, got 'keep'"):
            Keyed.from_json(known, unknown_fields="keep")

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
        for wrong in (float("nan"), [-float("inf")], "\ud800", {"\udfff": 1}, nested, slightly):
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
