"""`pt2 convert`."""

import io
import json
import re
import shutil
import unittest
import zipfile

from pt2_command import CommandTest, HEAD, PACKAGES, PROGRAMS, TESTS, run, written


class Convert(CommandTest):
    def test_an_archive_becomes_a_copy_with_its_program_written_anew(self):
        archive = HEAD / "mlp.pt2"
        copy = self.folder / "copy.pt2"
        with zipfile.ZipFile(archive) as old, zipfile.ZipFile(copy, "w") as spaced:
            for name in old.namelist():
                text = old.read(name)
                spaced.writestr(name, json.dumps(json.loads(text), indent=1) if "/models/" in name else text)
        self.assertEqual(run("convert", copy, copy), (0, "", ""))
        with zipfile.ZipFile(archive) as old, zipfile.ZipFile(copy) as new:
            self.assertEqual(old.namelist(), new.namelist())
            others = [name for name in old.namelist() if "/models/" not in name]
            self.assertEqual([name for name in others if old.read(name) != new.read(name)], [])
            self.assertEqual(new.read("mlp/models/model.json").decode(), written(HEAD / "mlp.json"))

    def test_pickled_weights_become_raw_bytes(self):
        out = self.folder / "raw.pt2"
        self.assertEqual(run("convert", PROGRAMS / "torch-2.8.0" / "mlp.pt2", out), (0, "", ""))
        with zipfile.ZipFile(PROGRAMS / "torch-2.8.0" / "mlp.pt2") as old, zipfile.ZipFile(out) as new:
            self.assertEqual([name for name in new.namelist() if name.endswith(".pt")], ["mlp/data/sample_inputs/model.pt"])
            self.assertEqual(new.read("mlp/data/sample_inputs/model.pt"), old.read("mlp/data/sample_inputs/model.pt"))
            self.assertEqual(len(new.read("mlp/data/weights/weight_0")), 128)
        self.assertEqual(run("convert", PROGRAMS / "torch-2.2.2" / "mlp.pt2", out), (0, "", ""))
        with zipfile.ZipFile(out) as new:
            self.assertEqual(new.namelist()[-7:], ["archive/models/model.json", "archive/data/sample_inputs/model.pt",
                                                   "archive/archive_format", "archive/archive_version",
                                                   "archive/.data/version", "archive/byteorder",
                                                   "archive/.data/serialization_id"])

    def test_extra_files_of_old_archives_move_along(self):
        old, out = self.folder / "old.pt2", self.folder / "out.pt2"
        shutil.copy(PROGRAMS / "torch-2.6.0" / "mlp.pt2", old)
        with zipfile.ZipFile(old, "a") as archive:
            archive.writestr("extra_files/note.txt", "text")
            archive.writestr("other.bin", b"\0\1")
        self.assertEqual(run("convert", old, out), (0, "", ""))
        with zipfile.ZipFile(out) as archive:
            self.assertEqual(archive.read("archive/extra/note.txt"), b"text")
            self.assertEqual(archive.read("archive/other.bin"), b"\0\1")

    def test_a_pickle_of_other_things_stays_where_it_is(self):
        old, out = self.folder / "old.pt2", self.folder / "out.pt2"
        with zipfile.ZipFile(PROGRAMS / "torch-2.6.0" / "mlp.pt2") as source, zipfile.ZipFile(old, "w") as archive:
            for name in source.namelist():
                if name == "serialized_constants.pt":
                    inner = io.BytesIO()
                    with zipfile.ZipFile(inner, "w") as pickled:
                        pickled.writestr("archive/data.pkl", b"cposix\nsystem\n.")
                    archive.writestr(name, inner.getvalue())
                else:
                    archive.writestr(name, source.read(name))
        code, _, error = run("convert", old, out)
        self.assertEqual(code, 3)
        self.assertIn("record 'serialized_constants.pt': ", error)
        self.assertIn("posix.system", error)
        self.assertFalse(out.exists())

    def test_a_program_is_put_into_an_archive(self):
        out = self.folder / "out.pt2"
        renamed = self.folder / "renamed.json"
        self.assertEqual(run("rename", HEAD / "mlp.json", "-o", renamed, "relu=gate")[0], 0)
        self.assertEqual(run("convert", renamed, out, "--into", HEAD / "mlp.pt2"), (0, "", ""))
        self.assertEqual(run("convert", out, "-")[1], renamed.read_text())
        with zipfile.ZipFile(HEAD / "mlp.pt2") as old, zipfile.ZipFile(out) as new:
            changed = [name for name in old.namelist() if old.read(name) != new.read(name)]
            self.assertEqual(changed, ["mlp/models/model.json"])
        source = HEAD / "pytree_kwargs.pt2"  # has constant inputs
        self.assertEqual(run("canonicalize", source, "-o", renamed, "--form", "normal")[0], 0)
        self.assertEqual(run("convert", renamed, out, "--into", source), (0, "", ""))
        with zipfile.ZipFile(source) as old, zipfile.ZipFile(out) as new:
            samples = "pytree_kwargs/data/sample_inputs/model.pt"
            self.assertEqual(new.read(samples), old.read(samples))
        self.assertEqual(run("convert", HEAD / "cond.json", out, "--into", HEAD / "mlp.pt2"), (0, "", ""))
        self.assertIn("0 entries", run("weights", out)[1])
        code, _, error = run("convert", HEAD / "mlp.json", out, "--into", HEAD / "cond.pt2")
        self.assertEqual(code, 3)
        self.assertIn("the archive does not match the program: it has no tensor ", error)
        binary = self.binary("cond.json")
        self.assertEqual(run("convert", binary, out, "--into", PACKAGES / "multi.pt2", "--model", "b"), (0, "", ""))
        self.assertEqual(run("convert", out, "-", "--model", "b")[1], written(HEAD / "cond.json"))
        self.check(["convert", HEAD / "cond.json", out, "--into", PACKAGES / "multi.pt2"], 2, "",
                   "pt2 convert: error: the archive has 2 models: 'a', 'b'; choose one with --model a\n"
                   "hint: run 'pt2 convert --help' for usage\n")

    def test_json_is_indented_as_by_python(self):
        for name in ["cond.json", "gpt2.json"]:
            program = json.loads(written(HEAD / name))
            for spaces in [0, 2, 16]:
                with self.subTest(name=name, spaces=spaces):
                    self.check(["convert", HEAD / name, "-", "--indent", str(spaces)], 0,
                               json.dumps(program, indent=spaces), "")
        indented, binary = self.folder / "indented.json", self.folder / "binary.pt2b"
        self.check(["convert", HEAD / "cond.json", indented, "--indent", "2"], 0, "", "")
        self.check(["convert", indented, binary], 0, "", "")
        self.check(["convert", binary, "-"], 0, written(HEAD / "cond.json"), "")
        self.check(["convert", "--root", "SymInt", "-", "-", "--indent", "4"], 0, '{\n    "as_int": 3\n}', "",
                   stdin='{"as_int": 3}')

    def test_into_is_about_archives(self):
        code, _, error = run("convert", HEAD / "cond.json", "x.json", "--into", HEAD / "mlp.pt2")
        self.assertEqual((code, error.splitlines()[0]),
                         (2, "pt2 convert: error: --into: expected OUT to be an archive, got JSON"))

    def test_other_forms_of_old_zips_are_what_the_upgraded_program_needs(self):
        copy = self.folder / "copy.pt2"
        old_zip = PROGRAMS / "torch-2.2.2" / "mlp.pt2"
        upgraded = self.folder / "upgraded.pt2"
        self.check(["canonicalize", old_zip, "--form", "names", "-o", copy], 0, "", "")
        self.check(["upgrade", old_zip, "-o", upgraded], 0, "", "")
        with zipfile.ZipFile(upgraded) as expected, zipfile.ZipFile(copy) as new:
            self.assertEqual(new.namelist(), expected.namelist())
            for name in new.namelist():
                if name != "serialized_exported_program.json":
                    self.assertEqual(new.read(name), expected.read(name), name)

    def test_a_program_can_be_called_by_its_type(self):
        old = PROGRAMS / "torch-2.4.1" / "mlp.json"
        self.assertEqual(run("convert", "--root", "ExportedProgram", old, "-"), run("convert", old, "-"))

    def test_writes_a_file(self):
        out = self.folder / "out.json"
        self.check(["convert", HEAD / "gpt2.pt2", out], 0, "", "")
        self.assertEqual(out.read_bytes(), written(HEAD / "gpt2.json").encode())

    def test_reads_standard_input(self):
        archive = (HEAD / "cond.pt2").read_bytes()
        self.check(["convert", "-", "-"], 0, written(HEAD / "cond.json"), "", stdin=archive)

    def test_may_write_to_the_file_it_read(self):
        path = self.file("both.json", written(HEAD / "cond.json") + "\n")
        self.check(["convert", path, path], 0, "", "")
        self.assertEqual(path.read_bytes(), written(HEAD / "cond.json").encode())

    def test_leaves_the_old_file_as_it_was_if_it_fails(self):
        out = self.file("out.json", "old")
        bad = self.file("bad.json", "{")
        self.assertEqual(run("convert", bad, out)[0], 3)
        self.assertEqual(out.read_text(), "old")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["bad.json", "out.json"])

    def test_says_so_if_the_file_cannot_be_written(self):
        code, out, err = run("convert", HEAD / "cond.json", self.folder / "no" / "out.json")
        self.assertEqual((code, out), (4, ""))
        self.assertRegex(err, r"\Apt2: error: cannot [^\n]*No such file or directory\n\Z")

    def test_converts_values_of_any_type(self):
        for root, text in [
            ("PayloadConfig", '{"config": {"w": {"path_name": "weight_0", "is_param": true, "use_pickle": false, '
                              '"tensor_meta": null}}}'),
            ("SymInt", '{"as_int": 3}'),
            ("Argument", '{"as_floats": [1.0, "NaN", 1e+22]}'),
            ("SchemaVersion", '{"major": 8, "minor": 20}'),
        ]:
            with self.subTest(root=root):
                spaced = text.replace(" ", " \n ")
                self.check(["convert", "--root", root, "-", "-"], 0, text, "", stdin=spaced)

    def test_says_where_a_value_is_wrong(self):
        self.check(["convert", "--root", "SymInt", "-", "-"], 3, "",
                   "<stdin>: error: as_int: expected an integer, found a string (line 1, column 12)\n",
                   stdin='{"as_int": "3"}')
        self.check(["convert", "--root", "SymInt", HEAD / "cond.pt2", "-"], 3, "",
                   f"{HEAD}/cond.pt2: error: --root: expected JSON or a .pt2b file, got a zip archive\n")

    def test_knows_all_structs_and_unions_of_the_schema(self):
        header = (TESTS.parent / "generated" / "pt2" / "json.h").read_text()
        types = re.findall(r"void read_json\(schemagen::JsonReader& in, (\w+)& out\);", header)
        self.assertGreater(len(types), 40)
        for name in types:
            code, _, err = run("convert", "--root", name, "-", "-", stdin="7")
            self.assertEqual((code, name if "there is no" in err else ""), (3, ""))

    def test_plain_tree_has_dicts_and_tuples_in_place_of_classes(self):
        program = json.loads(written(HEAD / "pytree_kwargs.json"))
        call = program["graph_module"]["module_call_graph"][0]["signature"]
        plain, tree = call["in_spec"], json.loads(call["in_spec"])
        tree[1]["children_spec"][0]["children_spec"][0] |= {"type": "my.Batch", "context": '[["x", "y"], []]'}
        call["in_spec"] = json.dumps(tree)
        path, out = self.file("classes.json", json.dumps(program)), self.folder / "out.json"
        printed = "  model  args[0]  my.Batch  dict of 'x', 'y'\n"
        self.check(["convert", path, out, "--plain-tree"], 0, printed, "")
        converted = json.loads(out.read_text())
        self.assertEqual(converted["graph_module"]["module_call_graph"][0]["signature"]["in_spec"], plain)
        self.check(["convert", path, "-", "--plain-tree"], 0, out.read_text(), printed)
        self.check(["convert", out, self.folder / "same.json", "--plain-tree"], 0, "  nothing to replace\n", "")
        archive = self.folder / "out.pt2"
        self.check(["convert", path, archive, "--plain-tree", "--into", HEAD / "pytree_kwargs.pt2"], 0, printed,
                   f"{path}: note: sample inputs were dropped, because they contain what was replaced\n")
        with zipfile.ZipFile(HEAD / "pytree_kwargs.pt2") as old, zipfile.ZipFile(archive) as new:
            self.assertNotEqual(old.read("pytree_kwargs/data/sample_inputs/model.pt"), b"")
            self.assertEqual(new.read("pytree_kwargs/data/sample_inputs/model.pt"), b"")
            self.assertEqual(new.read("pytree_kwargs/models/model.json"), out.read_bytes())
            self.assertEqual(new.namelist(), old.namelist())


if __name__ == "__main__":
    unittest.main()
