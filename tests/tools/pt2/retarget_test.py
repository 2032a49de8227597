"""`pt2 retarget`."""

import json
import unittest
import zipfile

from pt2_command import CommandTest, HEAD, run, written


class Retarget(CommandTest):
    def weights(self, path):
        return json.loads(run("weights", path, "--json")[1])

    def test_retarget_warns_of_devices_that_torch_does_not_know(self):
        code, _, err = run("retarget", HEAD / "mlp.json", "-o", self.folder / "x.json", "--device", "cudo:1")
        self.assertEqual((code, err), (0, "pt2 retarget: warning: torch itself has no device 'cudo', did you mean 'cuda'?\n"))

    def test_retarget_converts_floats_but_for_what_is_kept(self):
        half, back = self.folder / "half.pt2", self.folder / "back.pt2"
        report = {"dtype": "bfloat16", "casts": 0}
        code, out, err = run("retarget", HEAD / "mlp.pt2", "-o", half, "--dtype", "bfloat16", "--json")
        self.assertEqual((code, err, json.loads(out) | report), (0, "", json.loads(out)))
        self.assertEqual({w["dtype"] for w in self.weights(half)} & {"float32", "bfloat16"}, {"bfloat16"})
        self.assertLess(half.stat().st_size, (HEAD / "mlp.pt2").stat().st_size)
        self.check(["retarget", half, "-o", back, "--dtype", "float32"], 0, "", "")
        self.assertEqual(run("show", back), run("show", HEAD / "mlp.pt2"))
        kept = self.weights(HEAD / "mlp.pt2")[0]["name"]
        self.check(["retarget", HEAD / "mlp.pt2", "-o", half, "--dtype", "bfloat16", "--keep", kept], 0, "", "")
        self.assertEqual([w["name"] for w in self.weights(half) if w["dtype"] == "float32"], [kept])

    def test_retarget_moves_values_and_weights_and_back(self):
        moved, back = self.folder / "moved.pt2", self.folder / "back.pt2"
        self.check(["retarget", HEAD / "mlp.pt2", "-o", moved, "--device", "cuda:1"], 0, "", "")
        self.assertEqual({w["device"] for w in self.weights(moved)}, {"cuda:1"})
        self.assertIn("f32[3, 4]@cuda:1", run("show", moved)[1])
        self.check(["retarget", moved, "-o", back, "--device", "cpu", "--from", "cuda"], 0, "", "")
        with zipfile.ZipFile(HEAD / "mlp.pt2") as old, zipfile.ZipFile(back) as new:
            for name in old.namelist():
                if "/models/" in name:
                    self.assertEqual(new.read(name).decode(), written(HEAD / "mlp.json"))
                elif name.endswith(".json"):
                    self.assertEqual(json.loads(old.read(name)), json.loads(new.read(name)), name)
                else:
                    self.assertEqual(old.read(name), new.read(name), name)


if __name__ == "__main__":
    unittest.main()
