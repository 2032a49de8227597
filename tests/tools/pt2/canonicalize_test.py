"""`pt2 canonicalize`."""

import unittest
import zipfile

from pt2_command import CommandTest, HEAD, run, written


class Canonicalize(CommandTest):
    def test_writes_a_file_that_appears_whole_or_not_at_all(self):
        out = self.folder / "out.json"
        self.check(["canonicalize", HEAD / "mlp.pt2", "-o", out], 0, "", "")
        expected = out.read_text()
        self.check(["canonicalize", HEAD / "mlp.json", "--form", "normal", "-o", "-"], 0, expected, "")
        bad = self.changed("bad.json", lambda document: document["graph_module"]["graph"].update(outputs=[]))
        code, stdout, err = run("canonicalize", bad, "--form", "torch", "-o", out)
        self.assertEqual((code, stdout), (3, ""))
        self.assertIn("torch cannot canonicalize the program: graph.outputs length 0 != signature.output_specs length 1", err)
        self.assertEqual(out.read_text(), expected)

    def test_keeps_provenance_if_asked(self):
        dropped = run("canonicalize", HEAD / "mlp.json", "-o", "-")[1]
        kept = run("canonicalize", HEAD / "mlp.json", "--keep-provenance", "-o", "-")[1]
        self.assertNotIn("nn_module_stack", dropped)
        self.assertIn("nn_module_stack", kept)
        self.assertIn("2.13.0", kept)

    def test_of_an_archive_writes_a_copy_with_the_program_in_that_form(self):
        out = self.folder / "out.pt2"
        self.check(["canonicalize", HEAD / "mlp.pt2", "--form", "names", "-o", out], 0, "", "")
        program = run("canonicalize", HEAD / "mlp.json", "--form", "names", "-o", "-")[1]
        with zipfile.ZipFile(HEAD / "mlp.pt2") as old, zipfile.ZipFile(out) as new:
            self.assertEqual(new.namelist(), old.namelist())
            for name in new.namelist():
                self.assertEqual(new.read(name), program.encode() if "/models/" in name else old.read(name))

    def test_chooses_one_of_several_models(self):
        text = written(HEAD / "cond.json")
        path = self.archive(a=text, b=written(HEAD / "mlp.json"))
        self.assertEqual(run("hash", path, "--model", "a"), run("hash", HEAD / "cond.json"))
        self.assertEqual(run("canonicalize", path, "-o", "-")[0], 2)


if __name__ == "__main__":
    unittest.main()
