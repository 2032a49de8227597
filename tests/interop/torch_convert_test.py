"""torch loads what `pt2 convert` writes: archives with raw weights, of those that have them pickled, as torch up to 2.8 wrote them.

Each must have the same state dict and constants as the original, with the same strides, offsets and sharing, bit for bit, and give
the same outputs on its example inputs. Programs that torch cannot load before they are upgraded are compared with what
`pt2 upgrade` makes of them, where the weights stay as they are.

Needs torch. PT2_BINARY names the pt2 command.
"""

import io
import json
import logging
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import warnings
import zipfile

import torch

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import weights_model  # noqa: E402
from torch_load_test import outcome, register_custom_operator  # noqa: E402

PROGRAMS = pathlib.Path(__file__).parent.parent / "data" / "programs"
UPGRADED = ["2.1.2", "2.2.2", "2.4.1", "2.5.1"]
LOADED = ["2.6.0", "2.8.0", "2.12.1", "2.13.0", "2.14.0", "2.15.0"]
PT2 = os.environ.get("PT2_BINARY", "build/bin/pt2")

# Unchanged, torch 2.13 cannot load these either: string outputs, and a node without is_hop_single_tensor_return.
TORCH_CANNOT = {"lifted_constants", "2.6.0/cond"}


def pt2(*arguments):
    subprocess.run([PT2, *map(str, arguments)], check=True, capture_output=True)


def contents(program):
    """All that there is to know of the program's tensors; a number for each storage tells which share one."""
    numbers = {}
    known = {}
    for name, tensor in weights_model.tensors_of(program).items():
        storage = numbers.setdefault(tensor.untyped_storage().data_ptr() or name, len(numbers))
        known[name] = (type(tensor).__name__, tensor.dtype, tuple(tensor.shape), tensor.stride(), tensor.storage_offset(),
                       tensor.requires_grad, str(tensor.device), storage, weights_model.bytes_of(tensor))
    return known


def as_torch_2_8(source, target, program):
    """The archive with its tensors in two files of torch.save, as torch 2.8 had them."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        top = old.namelist()[0].partition("/")[0]
        for name in old.namelist():
            if "/data/weights/" not in name and "/data/constants/" not in name:
                new.writestr(name, old.read(name))
        for part, tensors in (("weights", program.state_dict), ("constants", program.constants)):
            buffer = io.BytesIO()
            torch.save(dict(tensors), buffer)
            new.writestr(f"{top}/data/{part}/model.pt", buffer.getvalue())


class TorchConvert(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        logging.disable(logging.WARNING)
        warnings.simplefilter("ignore")
        register_custom_operator()

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def check_layout(self, path):
        """Nothing is pickled but sample inputs, and all data lie at multiples of 64."""
        with zipfile.ZipFile(path) as archive:
            self.assertIsNone(archive.testzip())
            self.assertEqual([name for name in archive.namelist() if name.endswith(".pt") and "/sample_inputs/" not in name], [])
            for member in archive.infolist():
                with open(path, "rb") as file:
                    file.seek(member.header_offset + 26)
                    name_size, extra_size = (int.from_bytes(file.read(2), "little") for _ in range(2))
                self.assertEqual((member.header_offset + 30 + name_size + extra_size) % 64, 0, member.filename)

    def check(self, source, expected):
        target, again = self.folder / "target.pt2", self.folder / "again.pt2"
        pt2("convert", source, target)
        pt2("convert", source, again)
        self.assertEqual(target.read_bytes(), again.read_bytes())
        self.check_layout(target)
        theirs, ours = torch.export.load(expected), torch.export.load(target)
        self.assertEqual(contents(ours), contents(theirs))
        theirs, ours = outcome(theirs), outcome(ours)
        if isinstance(theirs, str):
            self.assertEqual(theirs, ours)
        else:
            self.assertNotIsInstance(ours, str)
            torch.testing.assert_close(ours[1], theirs[1], rtol=0, atol=0, equal_nan=True)

    def check_upgraded(self, source):
        upgraded = self.folder / "upgraded.pt2"
        pt2("upgrade", source, "-o", upgraded)
        self.check(source, upgraded)

    def test_weights_of_every_layout_and_dtype_move_from_pickles_to_raw_bytes(self):
        raw, pickled = self.folder / "raw.pt2", self.folder / "pickled.pt2"
        program = weights_model.save(raw)
        as_torch_2_8(raw, pickled, program)
        self.check(pickled, pickled)
        self.check(raw, raw)
        listed = [json.loads(subprocess.run([PT2, "weights", "--json", path], check=True, capture_output=True).stdout)
                  for path in (raw, pickled)]
        self.assertTrue(all(entry["pickled"] and entry["record"] == "data/weights/model.pt"
                            for entry in listed[1] if entry["persistent"]))
        for entries in listed:
            for entry in entries:
                del entry["record"], entry["pickled"]
        # Configs group tensors by storage, unlike a state dict.
        self.assertEqual(*(sorted(entries, key=lambda entry: entry["name"]) for entries in listed))

    def test_weights_of_every_layout_move_to_the_archives_of_older_releases(self):
        raw = self.folder / "raw.pt2"
        newer = {torch.uint32, torch.uint64, torch.float8_e8m0fnu}
        float8 = {torch.float8_e4m3fn, torch.float8_e5m2, torch.float8_e4m3fnuz, torch.float8_e5m2fnuz}
        for version, unknown in (("8.8", newer | {torch.float8_e4m3fnuz, torch.float8_e5m2fnuz}), ("8.2", newer | float8)):
            program = weights_model.save(raw, [dtype for dtype in weights_model.DTYPES if dtype not in unknown])
            old = self.folder / f"old_{version}.pt2"
            pt2("downgrade", raw, "-o", old, "--to", version)
            self.assertEqual(contents(torch.export.load(old)), contents(torch.export.load(raw)))
            with zipfile.ZipFile(old) as archive:
                pickles = [name for name in archive.namelist() if name.endswith(".pt")]
                tensors = {name: tensor for record in pickles if "inputs" not in record
                           for name, tensor in torch.load(io.BytesIO(archive.read(record)), weights_only=True).items()}
            for name, tensor in weights_model.tensors_of(program).items():
                read = tensors[name]
                self.assertEqual((read.dtype, read.shape, read.stride(), read.storage_offset(), read.requires_grad, type(read)),
                                 (tensor.dtype, tensor.shape, tensor.stride(), tensor.storage_offset(), tensor.requires_grad, type(tensor)), name)
            self.assertEqual(tensors["tied.weight"].data_ptr(), tensors["first.weight"].data_ptr())

    def test_weights_of_every_layout_that_were_stripped_and_attached_are_the_same(self):
        raw, program, weights, again = (self.folder / name for name in ("raw.pt2", "program.pt2", "w.safetensors", "again.pt2"))
        weights_model.save(raw, [dtype for dtype in weights_model.DTYPES if dtype != torch.complex128])
        pt2("strip", raw, "-o", program, "--weights", weights)
        pt2("attach", program, weights, "-o", again)
        self.assertEqual(contents(torch.export.load(again)), contents(torch.export.load(raw)))

    def test_the_program_of_another_file_is_put_into_an_archive(self):
        raw, edited, target = self.folder / "raw.pt2", self.folder / "edited.json", self.folder / "target.pt2"
        weights_model.save(raw)
        pt2("convert", raw, edited)
        text = edited.read_text()
        self.assertIn("torch.ops.aten.add.Tensor", text)
        edited.write_text(text.replace("torch.ops.aten.add.Tensor", "torch.ops.aten.sub.Tensor"))
        pt2("convert", edited, target, "--into", raw)
        loaded = torch.export.load(target)
        self.assertEqual(contents(loaded), contents(torch.export.load(raw)))
        self.assertIn("torch.ops.aten.sub.Tensor", loaded.graph_module.code)
        self.assertNotIn("torch.ops.aten.add.Tensor", loaded.graph_module.code)


def add_tests():
    for release in UPGRADED + LOADED:
        for source in sorted((PROGRAMS / f"torch-{release}").glob("*.pt2")):
            if {source.stem, f"{release}/{source.stem}"} & TORCH_CANNOT:
                continue
            name = f"test_{source.stem}_of_torch_{release.replace('.', '_')}"
            if release in UPGRADED:
                setattr(TorchConvert, name, lambda self, s=source: self.check_upgraded(s))
            else:
                setattr(TorchConvert, name, lambda self, s=source: self.check(s, s))


add_tests()

if __name__ == "__main__":
    unittest.main()
