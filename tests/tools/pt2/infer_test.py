"""`pt2 infer` checks recorded types against inferred ones."""

import copy
import json
import unittest

from pt2_command import HEAD, PACKAGES, CommandTest, run

CUSTOM = HEAD / "custom_op.json"


class InferCommandTest(CommandTest):
    def infer(self, document, *options):
        path = self.file("program.json", json.dumps(document))
        code, out, err = run("infer", path, "--json", *options)
        self.assertEqual((err, path.read_text()), ("", json.dumps(document)))
        return code, json.loads(out)

    def test_programs_as_torch_wrote_them_have_no_differences(self):
        for path in sorted(HEAD.glob("*.json")):
            if path.name == "about.json":
                continue
            code, out, err = run("infer", path)
            self.assertEqual((code, err), (0, ""), path)
            self.assertIn("all types are as inferred", out)

    def test_each_part_of_a_type_is_compared(self):
        program = json.loads((HEAD / "mlp.json").read_text())
        changes = {
            "dtype": ("dtype", 8, "f32", "f64"),
            "sizes": ("sizes", [{"as_int": 2}, {"as_int": 9}], None, "[2, 9]"),
            "strides": ("strides", [{"as_int": 1}, {"as_int": 2}], None, "[1, 2]"),
            "device": ("device", {"type": "cuda", "index": 1}, "cpu", "cuda:1"),
            "layout": ("layout", 1, "strided", "sparse_coo"),
        }
        for part, (key, value, inferred, recorded) in changes.items():
            with self.subTest(part=part):
                changed = copy.deepcopy(program)
                graph = changed["graph_module"]["graph"]
                graph["tensor_values"][graph["outputs"][0]["as_tensor"]["name"]][key] = value
                code, found = self.infer(changed)
                self.assertEqual(code, 1)
                [one] = [each for each in found["differences"] if each["part"] == part]
                self.assertEqual(one["recorded"], recorded)
                self.assertIn(inferred, (None, one["inferred"]))
                self.assertEqual(one["result"], graph["outputs"][0]["as_tensor"]["name"])

    def test_sizes_and_nodes_in_subgraphs_are_compared(self):
        text = (HEAD / "cond.json").read_text()
        program = json.loads(text)
        [call] = [node for node in program["graph_module"]["graph"]["nodes"] if "cond" in node["target"]]
        graph = next(each["arg"]["as_graph"] for each in call["inputs"] if "as_graph" in each["arg"])
        name = graph["graph"]["nodes"][0]["outputs"][0]["as_tensor"]["name"]
        graph["graph"]["tensor_values"][name]["dtype"] = 8
        code, found = self.infer(program)
        places = [each["node"] for each in found["differences"] if each["result"] == name]
        self.assertEqual((code, places), (1, [f"{call['name']}/{graph['name']}/{name}"]))
        program = json.loads((HEAD / "dynamic.json").read_text())
        sizes = program["graph_module"]["graph"]["sym_int_values"]
        for size in sizes.values():
            size.clear()
            size["as_int"] = 12345
        code, found = self.infer(program)
        self.assertEqual((code, {each["part"] for each in found["differences"]} & {"value"}), (1, {"value"}))

    def test_operators_without_a_rule_are_named(self):
        code, found = self.infer(json.loads(CUSTOM.read_text()))
        self.assertEqual((code, {each["why"] for each in found["not_checked"]}), (0, {"the operator is unknown"}))
        self.assertEqual(run("infer", CUSTOM)[1], """\
1 node checked: all types are as inferred

1 node not checked
  not inferred         why                      nodes
  fxlib.scale.default  the operator is unknown  'scale'
""")
        declared = self.file("operators.txt", "fxlib::scale(Tensor x, float by) -> Tensor\n")
        why = self.infer(json.loads(CUSTOM.read_text()), "--operators", declared)[1]["not_checked"][0]["why"]
        self.assertEqual(why, "there is no inference rule for the operator")

    def test_exit_codes(self):
        self.assertEqual(run("infer")[0], 2)
        self.assertEqual(run("infer", PACKAGES / "multi.pt2", "--model", "c")[0], 2)
        self.assertEqual(run("infer", self.file("bad.json", "{}"))[0], 3)
        self.assertEqual(run("infer", "absent.pt2")[0], 4)

    def test_all_models_of_an_archive_are_checked(self):
        multi = PACKAGES / "multi.pt2"
        code, out, err = run("infer", multi, "--json")
        self.assertEqual((code, err, list(json.loads(out))), (0, "", ["a", "b"]))
        self.assertEqual([line for line in run("infer", multi)[1].splitlines() if "model" in line], ['model "a"', 'model "b"'])


if __name__ == "__main__":
    unittest.main()
