"""`pt2 diff`."""

import json
import unittest

from pt2_command import CommandTest, HEAD, PROGRAMS, programs, run


class Diff(CommandTest):
    def test_tells_what_differs_line_by_line(self):
        def change(document):
            node = document["graph_module"]["graph"]["nodes"][0]
            for item in node["inputs"]:
                if "as_graph" in item["arg"]:
                    item["arg"]["as_graph"]["graph"]["nodes"][0]["target"] = "torch.ops.aten.tan.default"
                    break
            document["opset_version"]["mine"] = 3

        other = self.changed("other.json", change)
        self.check(["diff", HEAD / "cond.json", other], 1, """opset
+ mine 3

nodes
  in true_graph_0:
  - sin: f32[3] = aten.sin.default(x)
  + sin: f32[3] = aten.tan.default(x)
      (operator)

2 differences
""", "")
        code, out, err = run("diff", HEAD / "cond.json", other, "--json")
        self.assertEqual((code, err), (1, ""))
        found = json.loads(out)
        for difference in found["differences"]:  # only tensors have these
            self.assertEqual((difference.pop("largest_absolute"), difference.pop("largest_relative")), (None, None))
        self.assertEqual(found, {"same": False, "differences": [
            {"kind": "added", "part": "opset", "where": None, "before": None, "after": "mine 3", "details": []},
            {"kind": "changed", "part": "nodes", "where": "true_graph_0", "before": "sin: f32[3] = aten.sin.default(x)",
             "after": "sin: f32[3] = aten.tan.default(x)", "details": ["operator"]}]})

    def test_programs_of_two_releases_can_be_the_same(self):
        other = PROGRAMS / "torch-2.14.0" / "cond.pt2"
        self.check(["diff", HEAD / "cond.json", other], 0, "no differences\n", "")
        self.check(["diff", HEAD / "cond.json", other, "--json"], 0, '{"same": true, "differences": []}\n', "")

    def test_every_pair_of_models_is_told_apart(self):
        for path in programs("torch-2.13.0"):
            if path.suffix == ".json":
                with self.subTest(path=path):
                    code, out, err = run("diff", path, HEAD / "cond.json")
                    self.assertEqual((code, err), (int(path.name != "cond.json"), ""))

    def test_errors_name_the_file_that_they_are_about(self):
        self.check(["diff", HEAD / "cond.json", self.file("bad.json", "{")], 3, "",
                   f"pt2: error: {self.folder}/bad.json: expected a key in double quotes (line 1, column 2)\n")
        code, out, err = run("diff", HEAD / "cond.json", self.folder / "missing.json")
        self.assertEqual((code, out), (4, ""))
        self.assertIn("missing.json", err)


if __name__ == "__main__":
    unittest.main()
