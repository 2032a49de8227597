"""Behavior that rename, retarget and extract share."""

import json
import unittest
import zipfile

from pt2_command import CommandTest, HEAD, PROGRAMS, run, said


class Edit(CommandTest):
    def weights(self, path):
        return json.loads(run("weights", path, "--json")[1])

    def test_json_says_what_was_done(self):
        def said(command, *arguments, source=HEAD / "mlp.pt2"):
            out = self.folder / "out.pt2"
            code, text, err = run(command, source, "-o", out, "--json", *arguments)
            self.assertEqual((code, err), (0, ""))
            done = json.loads(text)
            self.assertEqual((done.pop("file"), done.pop("out")), (str(source), str(out)))
            return done

        self.assertEqual(said("rename", "x=image", "l1.weight=first.weight"), {"renamed": [
            {"old": "x", "new": "image", "is_weight": False}, {"old": "l1.weight", "new": "first.weight", "is_weight": True}]})
        with zipfile.ZipFile(HEAD / "mlp.pt2") as archive:
            devices = sum(archive.read(name).count(b'"device": {"type": "cpu"') for name in archive.namelist() if name.endswith(".json"))
        self.assertEqual(said("retarget", "--device", "cuda:1"), {"device": "cuda:1", "from": None, "changed": devices})
        self.assertEqual(said("extract", "--inputs", "x", "--outputs", "relu"), {
            "inputs": [{"name": "x", "type": "f32[3, 4]", "constant": None}],
            "outputs": [{"name": "relu", "type": "f32[3, 8]", "constant": None}], "nodes": 2,
            "weights": ["l1.weight", "l1.bias"]})
        old = PROGRAMS / "torch-2.1.2" / "mlp.pt2"
        done = said("upgrade", source=old)
        text = run("upgrade", old, "--dry-run")[1]
        self.assertIn("{path}: {what} (upgrade from schema {step})\n".format(**done["changes"][0]), text)
        self.assertEqual(len(done["changes"]) + len(done["members"]) + done["becomes_pt2_archive"], len(text.splitlines()))
        self.assertEqual(json.loads(run("upgrade", old, "--dry-run", "--json")[1])["changes"], done["changes"])

    def test_json_and_the_program_are_not_both_written_to_standard_output(self):
        for command in (["rename", "x=y"], ["retarget", "--device", "cpu"], ["extract", "--outputs", "relu", "--inputs", "x"], ["upgrade"]):
            code, out, err = run(command[0], HEAD / "mlp.pt2", *command[1:], "-o", "-", "--json")
            self.assertEqual((code, out), (2, ""))
            self.assertIn("--json writes to standard output, so -o must name a file", err)

    def test_bad_calls_say_what_to_do(self):
        for arguments, message in [
            (["extract", "-o", "-"], "--outputs NAME,... is required"),
            (["extract", "-o", "-", "--outputs", "relu"],
             "cannot extract: 'relu' needs the program's input 'x', which is not an input of the part; "
             "hint: add it, or 'linear', which uses it"),
            (["rename", "x=y"], "-o OUT is required; use '-' for standard output"),
            (["rename", "-o", "-"], "OLD=NEW is required"),
            (["rename", "-o", "-", "x"], "expected OLD=NEW, got 'x'"),
            (["rename", "-o", "-", "y=z"], "cannot rename: unknown value, parameter or buffer 'y'"),
            (["retarget", "-o", "-"], "--device DEVICE or --dtype DTYPE is required"),
            (["retarget", "-o", "-", "--device", "cpu", "--dtype", "float16"],
             "--device and --dtype cannot be combined; run the command twice"),
            (["retarget", "-o", "-", "--dtype", "float16", "--from", "cpu"], "--from requires --device"),
            (["retarget", "-o", "-", "--device", "cpu", "--keep", "x"], "--keep requires --dtype"),
            (["retarget", "-o", "-", "--dtype", "int8"], "--dtype: expected bfloat16, float16 or float32, got 'int8'"),
            (["retarget", "-o", "-", "--dtype", "float16", "--keep", "y,x"],
             "unknown name to keep: 'y'; expected names of weights, inputs, nodes or modules"),
            (["retarget", "-o", "-", "--device", "GPU 1"],
             "expected a device, such as cpu, cuda or cuda:1, got 'GPU 1'"),
        ]:
            code, _, err = run(arguments[0], HEAD / "mlp.pt2", *arguments[1:])
            self.assertEqual((code, err.splitlines()[0]), (2, f"pt2 {arguments[0]}: error: {message}"))


if __name__ == "__main__":
    unittest.main()
