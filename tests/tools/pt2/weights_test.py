#!/usr/bin/env python3
"""`pt2 weights`: what it prints, and what it says of arguments that make no sense.

PT2_BINARY names the pt2 command. Run from anywhere.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest
import zipfile

DATA = pathlib.Path(__file__).resolve().parents[2] / "data"
INT8 = DATA / "packages" / "int8_weights.pt2"
MLP = DATA / "programs" / "torch-2.13.0" / "mlp.pt2"
PT2 = os.environ.get("PT2_BINARY", "build/bin/pt2")


def pt2(*arguments):
    done = subprocess.run([PT2, *map(str, arguments)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def weights(*arguments):
    return pt2("weights", *arguments)


class WeightsCommandTest(unittest.TestCase):
    def test_tensors_are_listed_in_columns(self):
        self.assertEqual(weights(MLP, "l1.weight", "np"), (0, """\
  l1.weight  parameter              f32[8, 4]  128 bytes  data/weights/weight_0
  np         non-persistent buffer  f32[2]     8 bytes    data/constants/tensor_0
2 entries, 136 bytes
""", ""))

    def test_json_has_the_keys_of_the_contract(self):
        listed = json.loads(weights(MLP, "--json")[1])
        self.assertEqual(len(listed), 6)
        self.assertEqual(listed[0], {
            "name": "l1.weight", "kind": "parameter", "persistent": True, "dtype": "float32", "device": "cpu", "shape": [8, 4],
            "stride": [4, 1], "offset": 0, "bytes": 128, "record": "data/weights/weight_0", "pickled": False})

    def test_models_are_chosen_by_name(self):
        multi = DATA / "packages" / "multi.pt2"
        self.assertIn("data/weights/weight_2", weights(multi, "--model", "b")[1])

    def test_names_that_are_not_there_are_errors_with_the_near_one(self):
        self.assertEqual(weights(MLP, "l1.wieght"),
                         (2, "", "pt2 weights: error: unknown tensor 'l1.wieght', did you mean 'l1.weight'?\n"
                          "hint: run 'pt2 weights --help' for usage\n"))

    def test_a_program_by_itself_has_no_weights(self):
        code, _, error = weights(MLP.with_suffix(".json"))
        self.assertEqual((code, error.endswith("expected an archive with weights, got a bare program\n")), (3, True))

    def test_output_is_told_by_its_ending(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "w.npz"
            self.assertEqual(weights(MLP, "l1.bias", "-o", out), (0, "", ""))
            self.assertEqual(zipfile.ZipFile(out).namelist(), ["l1.bias.npy"])
            code, _, error = weights(MLP, "-o", pathlib.Path(folder) / "w.pth")
            self.assertEqual(code, 2)
            self.assertIn("expected a name that ends in .safetensors or .npz", error)
            self.assertEqual(weights(MLP, "--json", "-o", out)[0], 2)

    def test_a_failure_leaves_the_old_file(self):
        with tempfile.TemporaryDirectory() as folder:
            damaged = pathlib.Path(folder) / "damaged.pt2"
            bytes_ = bytearray(MLP.read_bytes())
            with zipfile.ZipFile(MLP) as archive:
                offset = archive.getinfo("mlp/data/weights/weight_0").header_offset + 64
            bytes_[offset] ^= 1
            damaged.write_bytes(bytes_)
            out = pathlib.Path(folder) / "w.safetensors"
            out.write_text("old")
            code, _, error = weights(damaged, "-o", out)
            self.assertEqual((code, out.read_text()), (3, "old"), error)
            self.assertIn("CRC-32 mismatch", error)


class TensorSubclassTest(unittest.TestCase):
    """Weights of torchao: two are Int8Tensors, which are pickled, two are plain."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.out = self.folder / "out.pt2"

    def test_they_are_listed_by_class_with_the_tensors_in_them(self):
        code, out, error = weights(INT8)
        self.assertEqual((code, error), (0, ""))
        self.assertEqual(out, """\
  0.weight             parameter  torchao.quantization.Int8Tensor               data/weights/weight_0  pickled
  0.weight.qdata       parameter  i8[64, 32]                       2,048 bytes  data/weights/weight_0  pickled
  0.weight.scale       parameter  f32[64, 1]                       256 bytes    data/weights/weight_0  pickled
  0.weight.zero_point  parameter  i8[64, 1]                        64 bytes     data/weights/weight_0  pickled
  2.weight             parameter  torchao.quantization.Int8Tensor               data/weights/weight_1  pickled
  2.weight.qdata       parameter  i8[8, 64]                        512 bytes    data/weights/weight_1  pickled
  2.weight.scale       parameter  f32[8, 1]                        32 bytes     data/weights/weight_1  pickled
  2.weight.zero_point  parameter  i8[8, 1]                         8 bytes      data/weights/weight_1  pickled
  0.bias               parameter  f32[64]                          256 bytes    data/weights/weight_2
  2.bias               parameter  f32[8]                           32 bytes     data/weights/weight_3
4 entries, 3,208 bytes
""")
        listed = json.loads(weights(INT8, "--json")[1])
        self.assertEqual([entry["name"] for entry in listed], ["0.weight", "2.weight", "0.bias", "2.bias"])
        self.assertEqual(listed[1]["class"], "torchao.quantization.Int8Tensor")
        self.assertEqual(listed[1]["parts"][0], {"name": "qdata", "dtype": "int8", "device": "cpu", "shape": [8, 64],
                                                 "stride": [64, 1], "offset": 0, "bytes": 512})

    def test_they_are_written_as_the_tensors_in_them(self):
        out = self.folder / "w.npz"
        self.assertEqual(weights(INT8, "2.weight.qdata", "0.bias", "-o", out), (0, "", ""))
        self.assertEqual(zipfile.ZipFile(out).namelist(), ["2.weight.qdata.npy", "0.bias.npy"])
        with zipfile.ZipFile(INT8) as archive, archive.open("q_int8_subclass/data/weights/weight_1") as record:
            expected = zipfile.ZipFile(record).read("archive/data/0")
        self.assertEqual(zipfile.ZipFile(out).read("2.weight.qdata.npy")[-512:], expected)

    def test_plain_tensors_beside_them_are_stripped_attached_and_hashed(self):
        stripped, file = self.folder / "stripped.pt2", self.folder / "w.safetensors"
        code, out, error = pt2("strip", INT8, "-o", stripped, "--weights", file)
        self.assertEqual((code, out), (0, ""))
        self.assertIn("note: pickled tensor subclasses keep their bytes: '0.weight', '2.weight'", error)
        self.assertEqual(pt2("attach", stripped, file, "-o", self.out), (0, "", ""))
        code, _, error = pt2("hash", "--weights", INT8)
        self.assertEqual((code, error), (0, ""))
        self.assertEqual(pt2("hash", "--weights", self.out), pt2("hash", "--weights", INT8))
        self.assertEqual(pt2("diff", "--weights", self.out, INT8)[0], 0)

    def test_what_weights_writes_can_be_attached(self):
        for file in self.folder / "all.safetensors", self.folder / "all.npz":
            self.assertEqual(weights(INT8, "-o", file), (0, "", ""))
            self.assertEqual(pt2("attach", INT8, file, "-o", self.out), (0, "", ""))
            self.assertEqual(pt2("hash", "--weights", self.out), pt2("hash", "--weights", INT8))
        data = bytearray((self.folder / "all.safetensors").read_bytes())
        with zipfile.ZipFile(INT8) as archive, archive.open("q_int8_subclass/data/weights/weight_1") as record:
            data[data.index(zipfile.ZipFile(record).read("archive/data/0"))] ^= 1
        (self.folder / "all.safetensors").write_bytes(data)
        code, _, error = pt2("attach", INT8, self.folder / "all.safetensors", "-o", self.out)
        self.assertEqual(code, 3)
        self.assertIn("tensor '2.weight.qdata' differs from the archive's, which is part of a torchao.quantization.Int8Tensor", error)

    def test_parts_that_need_no_such_tensor_are_extracted_and_others_refused_by_name(self):
        to_relu = ["extract", INT8, "-o", self.out, "--inputs", "input", "--outputs", "relu"]
        code, _, error = pt2(*to_relu)
        self.assertEqual(code, 2, error)
        self.assertIn("the part needs '0.weight', a torchao.quantization.Int8Tensor, which can only be pickled", error)
        code, _, error = pt2("extract", INT8, "-o", self.out, "--inputs", "mul_2", "--outputs", "relu")
        self.assertEqual((code, error), (0, ""))
        self.assertIn("0.bias", weights(self.out)[1])

    def test_classes_that_torchao_registers_are_notes_and_others_errors(self):
        code, out, _ = pt2("validate", "--json", INT8)
        found = [finding for finding in json.loads(out)[0]["findings"] if finding["rule"] == "WEIGHT_CLASS"]
        self.assertEqual((code, [finding["level"] for finding in found]), (0, ["note", "note"]), out)
        self.assertTrue(found[0]["message"].endswith("'0.weight' is a torchao.quantization.Int8Tensor, which needs torchao 0.15 or later"), out)
        self.assertEqual(pt2("scan", INT8)[0], 0)
        other = self.folder / "other.pt2"
        with zipfile.ZipFile(INT8) as old, zipfile.ZipFile(other, "w") as new:
            for record in old.namelist():
                new.writestr(record, old.read(record).replace(b"Int8Tensor", b"Int9Tensor"))
        self.assertNotEqual(pt2("scan", other)[0], 0)

    def test_harden_and_another_dtype_take_them_apart_and_lose_no_tensor(self):
        def shown(path):
            return {entry["name"]: (entry["dtype"], entry["shape"], entry["bytes"]) for entry in json.loads(weights(path, "--json")[1])}

        parts = {entry["name"] + "." + part["name"]: (part["dtype"], part["shape"], part["bytes"])
                 for entry in json.loads(weights(INT8, "--json")[1]) for part in entry.get("parts", [])}
        self.assertEqual(pt2("harden", INT8, "-o", self.out), (0, "", ""))
        self.assertEqual({name: tensor for name, tensor in shown(self.out).items() if name in parts}, parts)
        self.assertEqual(pt2("check", "--policy", "load", self.out)[0], 0)
        self.assertEqual(pt2("retarget", "--dtype", "bfloat16", INT8, "-o", self.out)[0], 0)
        self.assertEqual(pt2("check", "--policy", "load", self.out)[0], 0)
        self.assertEqual({name: dtype for name, (dtype, _, _) in shown(self.out).items() if name in parts},
                         {name: "bfloat16" if dtype == "float32" else dtype for name, (dtype, _, _) in parts.items()})
        self.assertEqual(pt2("retarget", "--dtype", "bfloat16", "--keep", "0.weight", INT8, "-o", self.out)[0], 0)
        self.assertEqual(shown(self.out)["0.weight.scale"], parts["0.weight.scale"])


class DetachedWeightsTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.program, self.file = self.folder / "program.pt2", self.folder / "w.safetensors"

    def strip(self, source):
        self.assertEqual(pt2("strip", source, "-o", self.program, "--weights", self.file), (0, "", ""))

    def test_what_was_stripped_and_attached_is_the_file_that_it_was(self):
        for name in ("mlp", "shared_weights"):
            source, again = MLP.with_name(name + ".pt2"), self.folder / "again.pt2"
            self.strip(source)
            self.assertEqual(pt2("attach", self.program, self.file, "-o", again), (0, "", ""))
            with zipfile.ZipFile(source) as old, zipfile.ZipFile(again) as new:
                self.assertEqual(old.namelist(), new.namelist())
                self.assertEqual([member for member in old.namelist() if old.read(member) != new.read(member)], [])
            self.assertEqual(pt2("hash", "--weights", source), pt2("hash", "--weights", again))

    def test_no_output_replaces_another_or_the_input(self):
        source, one = self.folder / "m.pt2", self.folder / "one.npz"
        source.write_bytes(MLP.read_bytes())
        (self.folder / "link.npz").symlink_to(one)
        (self.folder / "input.npz").symlink_to(source)
        (self.folder / "hard.npz").hardlink_to(source)
        (self.folder / "there").symlink_to(self.folder)
        for out, weights in ((one, one), (one, "link.npz"), ("ONE.npz", one), ("there/one.npz", one), (self.program, "input.npz"),
                             (self.program, "hard.npz"), (source, one), ("hard.npz", one)):
            with self.subTest(out=str(out), weights=str(weights)):
                code, _, error = pt2("strip", source, "-o", self.folder / out, "--weights", self.folder / weights)
                self.assertEqual(code, 2, error)
                self.assertFalse(one.exists() or self.program.exists())
                self.assertEqual(source.read_bytes(), MLP.read_bytes())

    def test_a_stripped_archive_has_its_program_and_no_bytes_of_tensors(self):
        self.strip(MLP)
        self.assertEqual(pt2("hash", self.program), pt2("hash", MLP))
        self.assertEqual(pt2("weights", self.program, "--json"), pt2("weights", MLP, "--json"))
        self.assertIn("bytes not in the archive", weights(self.program)[1])
        with zipfile.ZipFile(self.program) as archive:
            self.assertEqual(archive.getinfo("mlp/data/weights/weight_0").file_size, 0)
        code, _, error = weights(self.program, "-o", self.folder / "x.npz")
        self.assertEqual((code, "tensor 'l1.weight': its bytes are not in the archive" in error), (3, True), error)

    def test_what_does_not_match_is_an_error_by_name(self):
        self.strip(MLP)
        out = self.folder / "out.pt2"
        for model, message in ((MLP.with_name("shared_weights.pt2"), "the weights file has no 'e.weight'"),
                               (MLP.with_name("conv_bn_train.pt2"), "the weights file has no")):
            code, _, error = pt2("attach", model, self.file, "-o", out)
            self.assertEqual((code, message in error), (3, True), error)
        other = self.folder / "other.safetensors"
        other.write_bytes(self.file.read_bytes().replace(b"[8, 4]", b"[4, 8]"))
        self.assertIn("tensor 'l1.weight' is float32[4, 8] in the weights file, expected float32[8, 4]",
                      pt2("attach", self.program, other, "-o", out)[2])
        pt2("weights", MLP, "l1.weight", "-o", self.file)
        self.assertIn("the weights file has no 'l1.bias', 'l2.weight'", pt2("attach", self.program, self.file, "-o", out)[2])
        code, _, error = pt2("attach", self.program, MLP, "-o", out)
        self.assertEqual((code, "not a safetensors file" in error), (3, True), error)
        self.assertFalse(out.exists())

    def test_pickled_weights_have_to_become_raw_first(self):
        code, _, error = pt2("strip", DATA / "programs" / "torch-2.8.0" / "mlp.pt2", "-o", self.program)
        self.assertEqual(code, 3)
        self.assertIn("tensor 'l1.weight' is pickled; convert the archive to raw weights with pt2 convert first", error)

    def test_a_hash_with_weights_depends_on_elements_and_not_on_the_layout_of_the_file(self):
        old, raw = DATA / "programs" / "torch-2.8.0" / "mlp.pt2", self.folder / "raw.pt2"
        self.assertEqual(pt2("convert", old, raw), (0, "", ""))
        self.assertEqual(pt2("hash", "--weights", old), pt2("hash", "--weights", raw))
        self.assertNotEqual(pt2("hash", "--weights", raw)[1], pt2("hash", raw)[1])
        other = self.folder / "other.pt2"
        self.change_a_byte(raw, other)
        self.assertEqual(pt2("hash", raw), pt2("hash", other))
        self.assertNotEqual(pt2("hash", "--weights", raw)[1], pt2("hash", "--weights", other)[1])

    def change_a_byte(self, source, target):
        with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
            for name in old.namelist():
                data = bytearray(old.read(name))
                if name.endswith("weight_0"):
                    data[5] ^= 1
                new.writestr(name, bytes(data))

    def test_differences_of_weights_are_told_when_asked_for(self):
        other = self.folder / "other.pt2"
        self.change_a_byte(MLP, other)
        self.assertEqual(pt2("diff", MLP, other), (0, "no differences\n", ""))
        self.assertEqual(pt2("diff", "--weights", MLP, MLP), (0, "no differences\n", ""))
        self.assertEqual(pt2("diff", "--weights", MLP, other), (1, """\
weights
  parameter l1.weight: f32[8, 4]
    (1 of 32 elements differ, by up to 7.63e-06, relative 2.84e-05)

1 difference
""", ""))
        code, text, _ = pt2("diff", "--weights", "--json", MLP, MLP.with_name("shared_weights.pt2"))
        self.assertEqual(code, 1)
        found = [difference for difference in json.loads(text)["differences"] if difference["part"] == "weights"]
        self.assertIn({"kind": "removed", "part": "weights", "where": None, "before": "buffer scale: f32[2]", "after": None,
                       "details": [], "largest_absolute": None, "largest_relative": None}, found)



def move_to_meta(source: pathlib.Path, to: pathlib.Path, names: list):
    """Puts the weights called `names` on the device meta, as torch saves them: all in one empty record."""
    with zipfile.ZipFile(source) as archive, zipfile.ZipFile(to, "w") as copy:
        record = next(name for name in archive.namelist() if name.endswith("model_weights_config.json"))
        folder = record.rpartition("/")[0]
        config = json.loads(archive.read(record))
        moved = [config["config"][name] for name in names]
        gone = {f"{folder}/{payload['path_name']}" for payload in moved} | {record}
        for payload in moved:
            payload["path_name"] = "weight_99"
            payload["tensor_meta"]["device"] = {"type": "meta", "index": None}
        for member in archive.namelist():
            if member not in gone:
                copy.writestr(member, archive.read(member))
        copy.writestr(record, json.dumps(config))
        copy.writestr(f"{folder}/weight_99", b"")


class WeightsOnMetaTest(unittest.TestCase):
    NAMES = ["l1.weight", "l1.bias", "l2.bias"]

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.program, self.file, self.out = (self.folder / name for name in ("p.pt2", "w.safetensors", "out.pt2"))
        move_to_meta(MLP, self.program, self.NAMES)

    def test_hash_and_diff_take_their_types_for_all_that_they_are(self):
        other = self.folder / "other.pt2"
        move_to_meta(MLP, other, self.NAMES[:2])
        hashes = {pt2("hash", "--weights", path)[:2] for path in (self.program, other, MLP)}
        self.assertEqual(({code for code, _ in hashes}, len(hashes)), ({0}, 3))
        self.assertEqual(pt2("diff", "--weights", self.program, self.program), (0, "no differences\n", ""))
        code, out, _ = pt2("diff", "--weights", self.program, other)
        self.assertEqual((code, "parameter l2.bias: f32[2]@meta" in out, "l1" in out), (1, True, False), out)

    def test_files_of_tensors_have_those_with_bytes_and_a_warning_for_each_other_one(self):
        warnings = "".join(f"pt2: warning: '{name}' was skipped: it is on the meta device and has no bytes\n" for name in self.NAMES)
        self.assertEqual(weights(self.program, "-o", self.file), (0, "", warnings))
        self.assertEqual(pt2("strip", self.program, "-o", self.out, "--weights", self.file), (0, "", warnings))
        again = self.folder / "again.pt2"
        self.assertEqual(pt2("attach", self.out, self.file, "-o", again), (0, "", ""))
        self.assertEqual(pt2("hash", "--weights", again), pt2("hash", "--weights", self.program))

    def test_they_are_told_from_those_that_were_stripped(self):
        self.assertNotIn("bytes not in the archive", weights(self.program)[1])
        self.assertEqual(pt2("strip", MLP, "-o", self.out, "--weights", self.file)[0], 0)
        code, _, error = pt2("attach", self.program, self.file, "-o", self.out)
        self.assertEqual((code, "tensor 'l1.weight': it is on the meta device and has no bytes; hint: move it" in error), (3, True), error)

    def test_each_gets_its_own_record_when_it_is_moved_to_another_device(self):
        on_cpu = self.folder / "cpu.pt2"
        self.assertEqual(pt2("retarget", "--device", "cpu", self.program, "-o", on_cpu), (0, "", ""))
        records = [each["record"] for each in json.loads(weights(on_cpu, "--json")[1])]
        self.assertEqual(len(set(records)), len(records), records)
        self.assertEqual(pt2("strip", MLP, "-o", self.out, "--weights", self.file)[0], 0)
        self.assertEqual(pt2("attach", on_cpu, self.file, "-o", self.out), (0, "", ""))
        self.assertEqual(pt2("hash", "--weights", self.out), pt2("hash", "--weights", MLP))

    def test_what_moves_to_meta_keeps_its_records(self):
        self.assertEqual(pt2("retarget", "--device", "meta", self.program, "-o", self.out), (0, "", ""))
        before, after = (json.loads(weights(path, "--json")[1]) for path in (self.program, self.out))
        self.assertEqual([each["record"] for each in before], [each["record"] for each in after])

    def test_older_torch_gets_them_pickled_as_it_pickles_them_itself(self):
        for release in ("2.6", "2.8"):
            self.assertEqual(pt2("downgrade", "--to", f"torch-{release}", self.program, "-o", self.out)[0], 0)
            listed, original = (json.loads(weights(path, "--json")[1]) for path in (self.out, self.program))
            self.assertEqual([(each["name"], each["device"], each["shape"]) for each in listed],
                             [(each["name"], each["device"], each["shape"]) for each in original])
            self.assertEqual(pt2("scan", self.out)[0], 0)
            self.assertEqual(pt2("harden", self.out, "-o", self.file.with_suffix(".pt2"))[0], 0)

    def test_pickled_tensors_on_meta_are_read(self):
        pickled, raw = self.folder / "pickled.pt2", self.folder / "raw.pt2"
        self.assertEqual(pt2("downgrade", "--to", "torch-2.8", self.program, "-o", pickled)[0], 0)
        self.assertEqual(pt2("convert", pickled, raw)[0], 0)
        names = [each["name"] for each in json.loads(weights(raw, "--json")[1]) if each["device"] == "meta"]
        self.assertEqual(names, self.NAMES)
        self.assertEqual(pt2("diff", "--weights", raw, self.program)[1].count("weights"), 0)


if __name__ == "__main__":
    unittest.main()
