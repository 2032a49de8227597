"""Archives of several models, and packages without an exported program."""

import json
import unittest
import zipfile

from every_command import call, options, usual_calls
from pt2_command import HEAD, PACKAGES, CommandTest, run

MULTI = PACKAGES / "multi.pt2"
AOTI = PACKAGES / "aoti.pt2"


def records(path):
    with zipfile.ZipFile(path) as archive:
        return {name.split("/", 1)[1]: archive.read(name) for name in archive.namelist()}


class SeveralModels(CommandTest):
    def test_commands_print_for_each_model_write_all_or_name_them_and_the_way(self):
        results = set()
        for words in usual_calls():
            command = words[0]
            if command in ("info", "hash") or "--model" not in options(command):  # the former have a form for several models
                continue
            with self.subTest(command=command):
                arguments = call(words, MULTI, MULTI, self.folder)
                code, out, err = run(*arguments)
                if code == 2:
                    self.assertIn("the archive has 2 models: 'a', 'b'; choose one with --model a\n", err)
                    results.add("asks")
                    continue
                self.assertEqual(code, 0)
                if "OUT.pt2" in words:
                    self.assertLessEqual({"models/a.json", "models/b.json"}, records(self.folder / "out.pt2").keys())
                    results.add("writes")
                    continue
                one = {name: run(*arguments, "--model", name)[1] for name in "ab"}
                self.assertEqual((out, err), (f'model "a"\n{one["a"]}\nmodel "b"\n{one["b"]}', ""))
                code, out, err = run(*arguments, "--json")
                one = {name: json.loads(run(*arguments, "--model", name, "--json")[1]) for name in "ab"}
                self.assertEqual((code, err, json.loads(out)), (0, "", one))
                results.add("prints")
        self.assertEqual(results, {"asks", "writes", "prints"})

    def test_each_model_has_a_hash(self):
        for options in ([], ["--weights"]):
            hashes = {name: run("hash", MULTI, "--model", name, *options)[1].strip() for name in "ab"}
            self.assertEqual(run("hash", MULTI, *options), (0, "".join(f"{hashes[name]}  {name}\n" for name in "ab"), ""))
            self.assertEqual(json.loads(run("hash", MULTI, "--json", *options)[1]),
                             [{"file": str(MULTI), "hash": hashes[name], "model": name} for name in "ab"])

    def test_the_worst_exit_code_counts(self):
        path = self.archive(a=(HEAD / "mlp.json").read_text(), b=(HEAD / "cond.json").read_text())
        self.assertEqual([run("operators", path, "--backend", self.file("names", "aten.linear\naten.relu\naten.add\n"), *model)[0]
                          for model in ([], ["--model", "b"])], [1, 1])

    def test_all_models_are_stripped_moved_and_downgraded(self):
        out = self.folder / "out.pt2"
        self.check(["strip", MULTI, "-o", out], 0, "", "")
        weights = {name: content for name, content in records(out).items() if name.startswith("data/weights/weight_")}
        self.assertEqual((len(weights), set(weights.values())), (4, {b""}))
        self.check(["retarget", MULTI, "-o", out, "--device", "cuda"], 0, "", "")
        for name in "ab":
            listed = json.loads(run("weights", out, "--json", "--model", name)[1])
            self.assertEqual({weight["device"] for weight in listed}, {"cuda"})
            self.assertNotIn('"cpu"', records(out)[f"models/{name}.json"].decode())
        self.assertEqual(run("downgrade", MULTI, "-o", out, "--to", "8.14")[0], 0)
        for name in "ab":
            self.assertIn('"schema_version": {"major": 8, "minor": 14}', records(out)[f"models/{name}.json"].decode())

    def test_an_output_of_one_model_has_only_this_model(self):
        shared = records(MULTI)
        for command in (["convert", MULTI, "OUT"], ["canonicalize", MULTI, "-o", "OUT"], ["downgrade", MULTI, "-o", "OUT", "--to", "8.14"]):
            for name, other in ("ab", "ba"):
                with self.subTest(command=command[0], model=name):
                    out = self.folder / "out.pt2"
                    self.assertEqual(run(*(out if each == "OUT" else each for each in command), "--model", name)[0], 0)
                    found = records(out)
                    self.assertEqual([each for each in found if f"/{other}." in each or f"/{other}_" in each], [])
                    self.assertEqual(run("validate", out)[0], 0)
                    self.assertEqual(run("hash", "--weights", out)[1] == run("hash", "--weights", MULTI, "--model", name)[1], command[0] != "downgrade")
                    self.assertEqual(sum(each.startswith("data/weights/weight_") for each in found), 2)
                    for each in ("extra/note.txt", f"data/sample_inputs/{name}.pt"):
                        self.assertEqual(found[each], shared[each])

    def test_records_that_models_share_are_kept(self):
        path = self.folder / "shared.pt2"
        with zipfile.ZipFile(MULTI) as old, zipfile.ZipFile(path, "w") as new:
            for name in old.namelist():
                content = old.read(name)
                if name.endswith("b_weights_config.json"):
                    content = content.replace(b"weight_2", b"weight_0").replace(b"weight_3", b"weight_1")
                if not name.endswith(("weight_2", "weight_3")):
                    new.writestr(name, content)
        out = self.folder / "out.pt2"
        self.check(["convert", path, out, "--model", "b"], 0, "", "")
        self.assertEqual(run("hash", "--weights", out)[1], run("hash", "--weights", path, "--model", "b")[1])

    def test_compiled_models_of_other_names_are_left_out(self):
        path = self.folder / "both.pt2"
        with zipfile.ZipFile(PACKAGES / "both.pt2") as old, zipfile.ZipFile(path, "w") as new:
            for name in old.namelist():
                new.writestr(name, old.read(name))
            new.writestr("both/data/aotinductor/other/x.so", b"")
        out = self.folder / "out.pt2"
        self.check(["convert", path, out, "--model", "a"], 0, "", "")
        self.assertEqual({name.split("/")[2] for name in records(out) if "aotinductor" in name}, {"a"})

    def test_more_calls_that_need_one_model_name_them_and_the_way(self):
        out = self.folder / "out.pt2"
        for command in (["weights", MULTI, "-o", self.folder / "w.npz"], ["downgrade", MULTI, "-o", out, "--to", "torch-2.6"]):
            with self.subTest(command=command[0]):
                code, _, err = run(*command)
                self.assertEqual(code, 2)
                self.assertIn("the archive has 2 models: 'a', 'b'; choose one with --model a\n", err)
        self.assertIn("choose one with pt2 convert IN OUT.pt2 --model a, and join that\n", run("join", MULTI, MULTI, "-o", out)[2])


class CompiledPackages(CommandTest):
    WHAT = "a package of the compiled model 'model' (AOTInductor)"

    def test_validate_says_that_there_is_nothing_to_validate(self):
        self.check(["validate", AOTI], 0, f"{AOTI}: note: {self.WHAT} has no exported program to validate\n", "")
        [found] = json.loads(run("validate", "--json", AOTI)[1])
        self.assertEqual((found["ok"], found["programs"], found["errors"], found["compiled"]), (True, [], [], self.WHAT))

    def test_weights_and_slim_say_what_they_do_not_find(self):
        bare = self.folder / "bare.pt2"
        with zipfile.ZipFile(bare, "w") as archive:
            for name, content in (("archive_format", b"pt2"), ("archive_version", b"0"), ("data/aotinductor/model/x.so", b"\x7fELF")):
                archive.writestr(f"top/{name}", content)
        for options, out in (([], "0 entries, 0 bytes\n"), (["--json"], "[]\n")):
            self.check(["weights", bare, *options], 0, out, f"{bare}: note: {self.WHAT} lists no weights: the compiled code contains them\n")
        code, _, err = run("slim", bare, "-o", self.folder / "out.pt2", "--drop", "unused")
        self.assertEqual((code, err), (0, f"{bare}: note: {self.WHAT} has no exported program to slim; it is copied\n"))


if __name__ == "__main__":
    unittest.main()
