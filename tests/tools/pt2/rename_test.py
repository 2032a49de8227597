"""`pt2 rename`."""

import json
import unittest
import zipfile

from pt2_command import CommandTest, HEAD, PROGRAMS, run


class Rename(CommandTest):
    def weights(self, path):
        return json.loads(run("weights", path, "--json")[1])

    def test_rename_changes_the_program_and_the_archives_table(self):
        out = self.folder / "renamed.pt2"
        self.check(["rename", HEAD / "mlp.pt2", "-o", out, "x=image", "l1.weight=first.weight"], 0, "", "")
        self.assertEqual(run("validate", out)[0], 0)
        self.assertIn("image", run("show", out)[1])
        self.assertEqual([w["name"].replace("first", "l1") for w in self.weights(out)],
                         [w["name"] for w in self.weights(HEAD / "mlp.pt2")])
        with zipfile.ZipFile(HEAD / "mlp.pt2") as old, zipfile.ZipFile(out) as new:
            self.assertEqual([name for name in old.namelist() if old.read(name) != new.read(name)],
                             ["mlp/data/weights/model_weights_config.json", "mlp/models/model.json"])

    def test_rename_takes_names_of_shared_weights_that_only_the_archive_has(self):
        shared = self.folder / "shared.pt2"
        with zipfile.ZipFile(HEAD / "mlp.pt2") as archive, zipfile.ZipFile(shared, "w") as copy:
            for record in archive.infolist():
                data = archive.read(record)
                if record.filename.endswith("model_weights_config.json"):
                    table = json.loads(data)
                    table["config"]["again.weight"] = table["config"]["l1.weight"]
                    data = json.dumps(table)
                copy.writestr(record, data)
        out = self.folder / "renamed.pt2"
        self.check(["rename", shared, "-o", out, "again.weight=other name.weight", "l1.weight=first.weight"], 0, "", "")
        names = [weight["name"] for weight in self.weights(out)]
        self.assertIn("other name.weight", names)
        self.assertIn("first.weight", names)
        self.assertNotIn("again.weight", names)
        code, _, err = run("rename", shared, "-o", out, "again.weight=l2.weight")
        self.assertEqual((code, err.splitlines()[0]), (2, "pt2 rename: error: cannot rename: the name 'l2.weight' is taken"))

    def test_rename_of_json_and_binary(self):
        out = self.folder / "renamed.pt2b"
        self.check(["rename", HEAD / "mlp.json", "-o", out, "x=image"], 0, "", "")
        json_text = run("rename", HEAD / "mlp.json", "-o", "-", "x=image")[1]
        self.assertEqual(run("convert", out, "-")[1], json_text)

    def test_rename_of_weights_that_are_named_in_a_pickle_is_refused(self):
        code, _, err = run("rename", PROGRAMS / "torch-2.6.0" / "mlp.pt2", "-o", self.folder / "new.pt2", "l1.weight=w")
        self.assertEqual((code, err.splitlines()[0]), (
            2, "pt2 rename: error: the weights are pickled; convert the archive with 'pt2 convert' first, or write only the program, as .json or .pt2b"))


if __name__ == "__main__":
    unittest.main()
