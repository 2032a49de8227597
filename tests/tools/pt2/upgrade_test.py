"""`pt2 upgrade`."""

import json
import unittest
import zipfile

from pt2_command import CommandTest, PROGRAMS, run
import head_schema


class Upgrade(CommandTest):
    OLD_ZIP = PROGRAMS / "torch-2.2.2" / "mlp.pt2"
    OLD_JSON = PROGRAMS / "torch-2.2.2" / "mlp.json"

    def members(self, path):
        with zipfile.ZipFile(path) as archive:
            self.assertIsNone(archive.testzip())
            return {name: archive.read(name) for name in archive.namelist()}

    def test_json_becomes_json_of_the_head_version(self):
        out = self.folder / "new.json"
        self.check(["upgrade", self.OLD_JSON, "-o", out], 0, "", "")
        self.assertEqual(json.loads(out.read_text())["schema_version"],
                         {"major": head_schema.MAJOR, "minor": head_schema.MINOR})
        self.check(["upgrade", self.OLD_JSON, "-o", "-"], 0, out.read_text(), "")
        # The program already has the head version.
        self.check(["upgrade", out, "-o", "-"], 0, out.read_text(), "")
        self.check(["upgrade", out, "--dry-run"], 0, "nothing to change\n", "")

    def test_an_old_zip_keeps_its_other_members(self):
        out = self.folder / "new.pt2"
        self.check(["upgrade", self.OLD_ZIP, "-o", out], 0, "", "")
        old, new = self.members(self.OLD_ZIP), self.members(out)
        self.assertEqual(new["version"], head_schema.VERSION.encode())
        self.assertEqual(new["serialized_exported_program.json"].decode(), run("upgrade", self.OLD_JSON, "-o", "-")[1])
        self.assertEqual(new["serialized_example_inputs.pt"], b"")
        changed = {"version", "serialized_exported_program.json", "serialized_example_inputs.pt"}
        self.assertEqual({name: data for name, data in new.items() if name not in changed},
                         {name: data for name, data in old.items() if name not in changed})

    def test_the_data_of_members_begin_at_multiples_of_64_bytes(self):
        out = self.folder / "new.pt2"
        run("upgrade", self.OLD_ZIP, "-o", out)
        data = out.read_bytes()
        with zipfile.ZipFile(out) as archive:
            for member in archive.infolist():
                header = data[member.header_offset:member.header_offset + 30]
                name_size, extra_size = int.from_bytes(header[26:28], "little"), int.from_bytes(header[28:30], "little")
                self.assertEqual((member.header_offset + 30 + name_size + extra_size) % 64, 0)

    def test_of_an_archive_the_json_alone_can_be_had(self):
        out = self.folder / "new.json"
        self.check(["upgrade", self.OLD_ZIP, "-o", out], 0, "", "")
        self.assertEqual(out.read_text(), run("upgrade", self.OLD_JSON, "-o", "-")[1])

    def test_all_models_of_an_archive_are_upgraded_or_the_chosen_one(self):
        old = (PROGRAMS / "torch-2.6.0" / "cond.json").read_text()
        source = self.folder / "two.pt2"
        with zipfile.ZipFile(source, "w") as archive:
            archive.writestr("top/archive_format", "pt2")
            archive.writestr("top/archive_version", "0")
            archive.writestr("top/models/a.json", old)
            archive.writestr("top/models/b.json", old)
        new = run("upgrade", PROGRAMS / "torch-2.6.0" / "cond.json", "-o", "-")[1].encode()
        out = self.folder / "new.pt2"
        self.check(["upgrade", source, "-o", out], 0, "", "")
        self.assertEqual(self.members(out), {**self.members(source), "top/models/a.json": new, "top/models/b.json": new})
        self.check(["upgrade", source, "--model", "b", "-o", out], 0, "", "")
        self.assertEqual(self.members(out), {**self.members(source), "top/models/b.json": new})
        self.assertIn('\nmodel "b": graph_module.graph.nodes[0].outputs: ', run("upgrade", source, "--dry-run")[1])
        code, _, err = run("upgrade", source, "-o", self.folder / "new.json")
        self.assertEqual((code, err), (2, "pt2 upgrade: error: the archive has 2 models: 'a', 'b'; choose one "
                                          "with --model a\nhint: run 'pt2 upgrade --help' for usage\n"))

    def test_a_dry_run_prints_each_change_with_its_path(self):
        code, out, err = run("upgrade", PROGRAMS / "torch-2.1.2" / "mlp.pt2", "--dry-run")
        self.assertEqual((code, err), (0, ""))
        lines = out.splitlines()
        for line in ["graph_module.graph.tensor_values.arg0_1: replaced by its 'meta' (upgrade from schema 1)",
                     "graph_module.signature: replaced maps of names with lists of input and output specs (upgrade from schema 1)",
                     "graph_module.graph.nodes[0].outputs[0]: removed unset members (upgrade from schema 2)",
                     "dialect: moved to 'verifiers' as its only item (upgrade from schema 5.3)",
                     f"schema_version: changed from 1 to {head_schema.VERSION} (upgrade from schema 1)",
                     f"zip member 'version': changed to '{head_schema.VERSION}'",
                     "zip member 'serialized_constants.pt': added, empty",
                     "zip member 'serialized_example_inputs.pt': added, empty"]:
            self.assertEqual(lines.count(line), 1, line)

    def test_a_failed_upgrade_leaves_the_old_file(self):
        bad = self.file("bad.json", self.OLD_JSON.read_text().replace('"storage_offset": 0', '"storage_offset": "x"'))
        out = self.file("out.json", "old")
        code, _, err = run("upgrade", bad, "-o", out)
        self.assertEqual(code, 3)
        self.assertEqual(err, f"{bad}: error: graph_module.graph.tensor_values.arg0_1.storage_offset: expected an "
                              "object, found a string\n")
        self.assertEqual(out.read_text(), "old")

    def test_usage(self):
        code, _, err = run("upgrade", self.OLD_JSON)
        self.assertEqual((code, err.splitlines()[0]), (2, "pt2 upgrade: error: -o OUT or --dry-run is required"))
        code, _, err = run("upgrade", self.OLD_JSON, "-o", self.folder / "new.pt2")
        self.assertEqual(code, 2)
        self.assertIn("an archive needs weights, but IN is not an archive", err)
        code, _, err = run("upgrade", PROGRAMS / "torch-2.2.2" / "mlp.pt2", "-o", self.folder / "new.pt2b")
        self.assertEqual(code, 2)
        self.assertIn("OUT must end in .json or .pt2, or be '-' for standard output", err)

    def test_a_binary_file_is_upgraded_as_its_json_is(self):
        of_json = PROGRAMS / "torch-2.6.0" / "cond.json"
        binary = self.folder / "cond.pt2b"
        self.assertEqual(run("convert", of_json, binary)[0], 0)
        self.assertEqual(run("upgrade", binary, "--dry-run"), run("upgrade", of_json, "--dry-run"))
        self.assertEqual(run("upgrade", binary, "-o", "-"), run("upgrade", of_json, "-o", "-"))
        self.assertIn("split a list of tensors into separate outputs", run("upgrade", binary, "--dry-run")[1])


if __name__ == "__main__":
    unittest.main()
