"""`pt2 info`."""

import json
import re
import unittest
import zipfile

from pt2_command import CHECKSUM_BYTES, CommandTest, HEAD, PACKAGES, PAYLOAD_AT, PROGRAMS, XXHASH, run, run_bytes, written
import head_schema


ENVELOPE_BYTES = PAYLOAD_AT + CHECKSUM_BYTES

COMPILED = ("this is a package of models that AOTInductor compiled, which have no graph, not an exported program: export the model with "
            "torch.export.export() and torch.export.save()")


class Info(CommandTest):
    def test_text(self):
        path = HEAD / "mlp.pt2"
        self.check(["info", path], 0, f"""{path}
  container  PT2 archive, version 0, model "model"
  schema     8.20
  torch      2.13.0+cpu
  opset      aten 10
  verifiers  TRAINING
  JSON       7,640 bytes

inputs
  x  f32[3, 4]
  and 4 parameters, 2 buffers

outputs
  add  f32[3, 2]

weights
  parameters               4 tensors  58 elements  232 bytes
  buffers                   1 tensor   2 elements    8 bytes
  buffers, not persistent   1 tensor   2 elements    8 bytes

operators: 5 nodes
  2  aten.linear.default
  1  aten.add.Tensor
  1  aten.mul.Tensor
  1  aten.relu.default
""", "")

    def test_text_with_symbols_guards_and_subgraphs(self):
        _, out, _ = run("info", HEAD / "sym_values.json")
        self.assertIn("\n  container  JSON\n", out)
        self.assertIn("\nsymbols\n  6 <= 2*s39 <= 1024\n  3 <= s39 <= 512\n\nguards\n  ((4*L['x']", out)
        self.assertIn("\noperators: 5 nodes, some of them in 2 subgraphs\n", run("info", HEAD / "cond.json")[1])
        self.assertIn("\n  container  torch.export zip, version 8.2\n",
                      run("info", PROGRAMS / "torch-2.6.0" / "cond.pt2")[1])

    def test_json(self):
        path = HEAD / "pytree_kwargs.pt2"
        code, out, err = run("info", "--json", path)
        self.assertEqual((code, err, out.count("\n")), (0, "", 1))
        none = {"tensors": 0, "elements": 0, "bytes": 0, "unsized": 0}
        info = json.loads(out)
        signature = info.pop("signature")  # tests/interop/torch_signature_test.py compares it with torch
        self.assertEqual(signature["user_inputs"], ["d_x", "d_y", "lst_0", "lst_1", 3])
        self.assertEqual(info.pop("package"), {"aotinductor": [], "compiled": [], "executorch": [], "sample_inputs": ["model"],
                                               "extra": [], "other": []})
        self.assertEqual(info, {
            "file": str(path), "container": "pt2_archive", "archive_version": "0", "models": ["model"],
            "model": "model", "json_bytes": 4829, "envelope": None, "schema_version": "8.20",
            "upgraded_from": None, "torch_version": "2.13.0+cpu",
            "opset_version": {"aten": 10}, "verifiers": ["TRAINING"],
            "inputs": [{"name": name, "type": "f32[2]", "constant": None}
                       for name in ["d_x", "d_y", "lst_0", "lst_1"]] +
                      [{"name": "k", "type": "", "constant": "3"}],
            "other_inputs": {},
            "outputs": [{"name": name, "type": "f32[2]", "constant": None} for name in ["add", "mul", "lst_1"]] +
                       [{"name": "None", "type": "", "constant": None}],
            "other_outputs": {}, "parameters": none, "buffers": none, "non_persistent_buffers": none,
            "constants": none, "nodes": 2, "subgraphs": 0,
            "operators": {"aten.add.Tensor": 1, "aten.mul.Tensor": 1}, "symbols": {}, "guards": [],
            "skipped_fields": []})

    def test_packages_without_a_program_are_told_what_they_hold(self):
        path = PACKAGES / "aoti.pt2"
        self.check(["info", path], 0, f"""{path}
  container  PT2 archive, version 0, no exported program

package
  AOTInductor  model
    model      cpu_isa AVX512 AVX512_VNNI, device cpu, machine x86_64, platform linux, inputs arg2_1, outputs output0
""", "")
        report = json.loads(run("info", "--json", path)[1])
        with zipfile.ZipFile(path) as archive:
            metadata = json.loads(archive.read(next(name for name in archive.namelist() if name.endswith("_metadata.json"))))
        compiled = {"name": "model", "metadata": {key[len("AOTI_"):].removesuffix("_KEY").lower(): value for key, value in metadata.items()},
                    "inputs": ["arg2_1"], "outputs": ["output0"]}
        self.assertEqual({key: value for key, value in report.items() if value is not None}, {
            "file": str(path), "container": "pt2_archive", "archive_version": "0", "models": [],
            "package": {"aotinductor": ["model"], "compiled": [compiled], "executorch": [], "sample_inputs": [], "extra": [], "other": []}})
        self.assertEqual(report.keys(), json.loads(run("info", "--json", PACKAGES / "both.pt2")[1]).keys())
        self.check(["info", "--model", "a", path], 3, "",
                   f"{path}: error: {COMPILED}; 'model' has cpu_isa AVX512 AVX512_VNNI, device cpu, machine x86_64, platform linux, "
                   "inputs arg2_1, outputs output0\n")

    def test_packages_of_aotinductor_of_torch_2_5_to_2_7_are_told_what_they_hold(self):
        for folder in ("", "a/"):
            path = self.folder / "flat.pt2"
            with zipfile.ZipFile(path, "w") as archive:
                for name in ("version", "archive_format", f"data/aotinductor/{folder}c.cpp", f"data/aotinductor/{folder}c.json"):
                    archive.writestr(name, "pt2" if name == "archive_format" else "1")
            for command in (["info", path], ["strip", path, "-o", self.folder / "copy.pt2"], ["info", self.folder / "copy.pt2"]):
                code, out, _ = run(*command)
                self.assertEqual(code, 0)
                if command[0] == "info":
                    self.assertIn(f"\npackage\n  AOTInductor  {folder.strip('/') or 'model'}\n", out)
            self.check(["info", "--model", "a", path], 3, "",
                       f"{path}: error: {COMPILED}\n")
            self.assertEqual(run("scan", path)[0], 1)
            self.assertEqual(run("check", path)[0], 1)

    def test_packages_are_told_what_they_hold_beside_a_program(self):
        out = run("info", PACKAGES / "both.pt2")[1]
        self.assertIn("\npackage\n  AOTInductor  a\n    a          cpu_isa AVX512", out)
        self.assertIn("\n  extra        extra/note.txt\n", out)
        package = json.loads(run("info", "--json", "--model", "b", PACKAGES / "multi.pt2")[1])["package"]
        self.assertEqual(package, {"aotinductor": [], "compiled": [], "executorch": [], "sample_inputs": ["a", "b"],
                                   "extra": ["extra/note.txt"], "other": []})

    def test_near_misses_are_told_what_they_are(self):
        path = self.folder / "weights.pth"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("weights/data.pkl", "")
        self.check(["info", path], 3, "", f"{path}: error: this is a torch.save file (.pt, .pth), not an exported program: "
                   "export the model with torch.export.export() and torch.export.save()\n")

    def test_json_without_container(self):
        info = json.loads(run("info", "--json", HEAD / "dynamic.json")[1])
        self.assertEqual([info["container"], info["archive_version"], info["models"], info["model"]],
                         ["json", None, [], None])
        self.assertEqual(info["symbols"], {"s77": {"min": 2, "max": 64}, "s17": {"min": 2, "max": None}})

    def test_binary_files_name_their_envelope(self):
        path = self.binary("cond.json")
        schema_id = re.search(r"sha256:([0-9a-f]{16})", run("--version")[1])[1]
        head = (f"{path}\n  container  .pt2b, schema {head_schema.VERSION} (id {schema_id}, known), root ExportedProgram, "
                "compressed (zstd)\n  schema     8.20\n")
        out = run("info", path)[1]
        self.assertEqual(out[:len(head)], head)
        payload = len(run_bytes("convert", path, "-", "--to", "pt2b", "--no-compress")[1]) - ENVELOPE_BYTES
        sizes = f"\n  payload    {payload:,} bytes\n  file       {path.stat().st_size:,} bytes\n\ninputs\n"
        self.assertIn(sizes, out)
        # The same as for the program's JSON.
        self.assertEqual(out[out.index("\ninputs\n"):], run("info", HEAD / "cond.json")[1].partition("bytes\n")[2])
        info = json.loads(run("info", "--json", path)[1])
        self.assertEqual(
            [info[key] for key in ["container", "archive_version", "models", "model", "json_bytes", "envelope"]],
            ["pt2b", None, [], None, None,
             {"schema_version": head_schema.VERSION, "schema_id": schema_id, "schema_is_known": True,
              "root": "ExportedProgram", "compression": "zstd", "payload_bytes": payload,
              "file_bytes": path.stat().st_size}])

    @unittest.skipUnless(XXHASH, "needs libxxhash")
    def test_binary_files_by_another_schema_are_named_so(self):
        path = self.other_schema(head_schema.MAJOR, head_schema.MINOR + 1)
        self.assertIn(f"\n  container  .pt2b, schema {head_schema.NEXT_MINOR} (id 0102030405060708, not known), root "
                      "ExportedProgram, not compressed\n", run("info", path)[1])

    def test_json_keys_keep_their_order(self):
        keys = list(json.loads(run("info", "--json", HEAD / "mlp.json")[1]))
        self.assertEqual(keys[:3] + keys[-3:], ["file", "container", "archive_version", "symbols", "guards",
                                                "skipped_fields"])

    def test_reads_standard_input(self):
        for suffix in ["json", "pt2"]:
            code, out, err = run("info", "-", stdin=(HEAD / f"cond.{suffix}").read_bytes())
            self.assertEqual((code, out.splitlines()[0], err), (0, "<stdin>", ""))

    def test_lists_the_models_where_there_are_several_and_none_is_chosen(self):
        texts = {"a": written(HEAD / "mlp.json"), "b": written(HEAD / "cond.json")}
        path = self.archive(**texts)
        sizes = [f"{len(text):,} bytes" for text in texts.values()]
        width = max(map(len, sizes))
        self.check(["info", path], 0,
                   f"{path}\n  container  PT2 archive, version 0, 2 models; --model NAME describes one\n\nmodels\n"
                   + "".join(f"  {name}  {size.rjust(width)}\n" for name, size in zip(texts, sizes)), "")
        info = json.loads(run("info", path, "--json")[1])
        self.assertEqual((info["models"], info["model"], info["signature"]), (["a", "b"], None, None))
        out = run("info", "--model", "b", path)[1]
        self.assertIn('\n  container  PT2 archive, version 0, models "a", "b"; this is "b"\n', out)
        self.assertIn("  1  higher_order.cond\n", out)
        self.check(["info", "--model", "c", path], 2, "",
                   "pt2 info: error: unknown model 'c': the archive has 'a', 'b'\n"
                   "hint: run 'pt2 info --help' for usage\n")


if __name__ == "__main__":
    unittest.main()
