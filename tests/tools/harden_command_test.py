"""`pt2 harden` writes the same model without what could run code, or refuses by name.

PT2_BINARY names the pt2 command.
"""

import base64
import io
import json
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest
import zipfile

import scan_command_test
from scan_command_test import HOSTILE, PROGRAMS, saved_by_torch

PT2 = os.environ.get("PT2_BINARY", "build/tools/pt2")
PICKLED, WHAT = HOSTILE["STACK_GLOBAL"]
ELF = b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x03\x00\x3e\x00" + bytes(44)


def changed(source, **records):
    """The archive of a torch release with other records, whose names have `__` for `/`."""
    with zipfile.ZipFile(source) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    folder = "" if "version" in members else next(iter(members)).split("/")[0] + "/"
    return scan_command_test.zipped(members | {folder + name.replace("__", "/"): content for name, content in records.items()})


def records_of(content):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name.split("/", 1)[1]: archive.read(name) for name in archive.namelist()}


class HardenCommandTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def harden(self, content, *arguments):
        """Exit code, standard error, and the archive that was written or None."""
        (self.folder / "in.pt2").write_bytes(content)
        out = self.folder / "out.pt2"
        out.unlink(missing_ok=True)
        done = subprocess.run([PT2, "harden", self.folder / "in.pt2", "-o", out, *arguments], capture_output=True, text=True)
        return done.returncode, done.stderr, out.read_bytes() if out.exists() else None

    def assert_safe(self, content):
        path = self.folder / "written.pt2"
        path.write_bytes(content)
        for command in ("scan", "validate"):
            done = subprocess.run([PT2, command, path], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    def test_a_plain_archive_keeps_every_record(self):
        source = PROGRAMS / "torch-2.13.0" / "mlp.pt2"
        code, error, written = self.harden(source.read_bytes())
        self.assertEqual((code, error), (0, ""))
        self.assertEqual(records_of(written), records_of(source.read_bytes()))

    def test_pickled_weights_of_all_releases_become_raw(self):
        for release in ("2.1.2", "2.4.1", "2.6.0", "2.8.0"):
            with self.subTest(release):
                code, error, written = self.harden((PROGRAMS / f"torch-{release}" / "mlp.pt2").read_bytes())
                self.assertEqual((code, error), (0, ""))
                self.assertIn("data/weights/weight_0", records_of(written))
                self.assert_safe(written)

    def test_hostile_sample_inputs_are_left_out_with_a_word(self):
        for release, record in (("2.13.0", "data__sample_inputs__model.pt"), ("2.8.0", "data__sample_inputs__model.pt"),
                                ("2.6.0", "serialized_example_inputs.pt")):
            for route, (pickled, _) in HOSTILE.items():
                with self.subTest(release=release, route=route):
                    source = changed(PROGRAMS / f"torch-{release}" / "mlp.pt2", **{record: saved_by_torch(pickled)})
                    code, error, written = self.harden(source)
                    self.assertEqual(code, 0, error)
                    self.assertIn(f"{record.replace('__', '/')}: left out: ", error)
                    self.assertEqual(records_of(written)["data/sample_inputs/model.pt"], b"")
                    self.assert_safe(written)

    def test_sample_inputs_that_weights_only_refuses_are_left_out(self):
        source = changed(PROGRAMS / "torch-2.13.0" / "mlp.pt2", **{"data__sample_inputs__model.pt": saved_by_torch(b"\x80\x04K\x01\x94.")})
        code, error, written = self.harden(source)
        self.assertEqual((code, "MEMOIZE" in error), (0, True), error)
        self.assert_safe(written)

    def test_hostile_records_that_no_model_needs_are_left_out(self):
        source = changed(PROGRAMS / "torch-2.13.0" / "mlp.pt2", extra__notes=PICKLED, extra__plain=b"text")
        code, error, written = self.harden(source)
        self.assertEqual(code, 0)
        self.assertIn(f"extra/notes: left out: loading it imports '{WHAT}'", error)
        self.assertEqual(records_of(written).keys() & {"extra/notes", "extra/plain"}, {"extra/plain"})
        self.assert_safe(written)

    def test_what_the_model_needs_is_refused_by_name(self):
        for release, record, content in (
            ("2.13.0", "data__constants__custom_obj_0", saved_by_torch(PICKLED)),
            ("2.13.0", "data__constants__opaque_obj_0", PICKLED),
            ("2.13.0", "data__weights__weight_0", PICKLED),
            ("2.8.0", "data__weights__model.pt", saved_by_torch(PICKLED)),
            ("2.8.0", "data__constants__model.pt", saved_by_torch(HOSTILE["REDUCE, protocol 2"][0])),
            ("2.6.0", "serialized_state_dict.pt", saved_by_torch(HOSTILE["REDUCE, protocol 2"][0])),
        ):
            with self.subTest(release=release, record=record):
                code, error, written = self.harden(changed(PROGRAMS / f"torch-{release}" / "mlp.pt2", **{record: content}))
                self.assertEqual((code, written), (3, None))
                self.assertIn(f"'{WHAT}'", error)

    def test_constants_of_torch_2_1_in_the_program_are_refused_by_name_by_all_who_read_it(self):
        with zipfile.ZipFile(PROGRAMS / "torch-2.1.2" / "mlp.pt2") as archive:
            program = json.loads(archive.read("serialized_exported_program.json"))
        for route, (pickled, what) in HOSTILE.items():
            with self.subTest(route=route):
                saved = base64.b64encode(saved_by_torch(pickled)).decode()
                program["graph_module"]["graph"]["constants"] = {"_tensor_constant0": saved}
                source = changed(PROGRAMS / "torch-2.1.2" / "mlp.pt2", **{"serialized_exported_program.json": json.dumps(program).encode()})
                code, error, written = self.harden(source)
                self.assertEqual((code, written), (3, None))
                self.assertTrue(f"'{what}'" in error or what in ("?", "persistent id"), error)
                path, out = self.folder / "in.pt2", self.folder / "out.pt2"
                for command in (["upgrade", path, "-o", out], ["convert", path, out], ["show", path]):
                    done = subprocess.run([PT2, *command], capture_output=True, text=True)
                    self.assertEqual(done.returncode, 3)
                    self.assertIn("the constant '_tensor_constant0', which is pickled in the program: ", done.stderr)

    def test_a_program_that_reaches_into_python_is_refused_by_name(self):
        source = PROGRAMS / "torch-2.13.0" / "mlp.pt2"
        program = json.loads(records_of(source.read_bytes())["models/model.json"])
        program["graph_module"]["graph"]["nodes"][0]["target"] = "torch.os.system"
        code, error, written = self.harden(changed(source, **{"models__model.json": json.dumps(program).encode()}))
        self.assertEqual((code, "'torch.os.system'" in error, written), (3, True, None), error)

    def test_native_code_is_left_out_only_when_asked_for(self):
        records = {"data__aotinductor__model__a.so": ELF, "data__aotinductor__model__a.cpp": b"#include <x>\n",
                   "data__aotinductor__model__a.json": b"{}"}
        source = changed(PROGRAMS / "torch-2.13.0" / "mlp.pt2", **records)
        code, error, written = self.harden(source)
        self.assertEqual((code, written), (3, None))
        self.assertIn("'data/aotinductor/model/a.", error)
        self.assertIn("--drop-native", error)
        code, error, written = self.harden(source, "--drop-native")
        self.assertEqual((code, error.count("left out")), (0, 3), error)
        self.assertEqual([name for name in records_of(written) if "aotinductor" in name], [])
        self.assert_safe(written)

    def test_a_layout_with_tricks_is_written_anew(self):
        source = scan_command_test.zipped({"m/" + name: content for name, content in
                                           records_of((PROGRAMS / "torch-2.13.0" / "mlp.pt2").read_bytes()).items()})
        directory, = struct.unpack("<I", source[-6:-2])
        gap = source[:directory] + PICKLED + source[directory:-6] + struct.pack("<I", directory + len(PICKLED)) + source[-2:]
        (self.folder / "gap.pt2").write_bytes(gap)
        self.assertEqual(subprocess.run([PT2, "scan", self.folder / "gap.pt2"], capture_output=True).returncode, 1)
        code, error, written = self.harden(gap)
        self.assertEqual((code, error), (0, ""))
        self.assert_safe(written)

    def test_the_same_archive_gives_the_same_bytes(self):
        source = (PROGRAMS / "torch-2.8.0" / "mlp.pt2").read_bytes()
        self.assertEqual(self.harden(source)[2], self.harden(source)[2])

    def test_files_that_are_no_archive_have_nothing_to_take_out(self):
        program = records_of((PROGRAMS / "torch-2.13.0" / "mlp.pt2").read_bytes())["models/model.json"]
        self.assertEqual(self.harden(program)[0], 2)


if __name__ == "__main__":
    unittest.main()
