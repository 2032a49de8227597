"""`pt2 operators`: what a program calls, and what a release of torch, Core ATen or a list of names lacks of it.

PT2_BINARY names the pt2 command. That torch has the same verdicts is tested in interop/torch_operators_test.py.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

PROGRAMS = pathlib.Path(__file__).resolve().parents[2] / "data" / "programs"
HEAD = PROGRAMS / "torch-2.13.0"
PT2 = os.environ.get("PT2_BINARY", "build/bin/pt2")


def operators(*arguments, text=None):
    done = subprocess.run([PT2, "operators", *map(str, arguments)], capture_output=True, text=True, input=text)
    return done.returncode, done.stdout, done.stderr


def report(*arguments):
    code, text, error = operators(*arguments, "--json")
    assert error == "", error
    return code, json.loads(text)


def missing(found):
    return {use["name"]: use["missing"] for use in found["operators"] if use["missing"]}


class OperatorsCommandTest(unittest.TestCase):
    def setUp(self):
        self.names = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())) / "names.txt"

    def test_names_that_cannot_match_are_reported(self):
        self.names.write_text("aten.linear\nmm.default\naten.rleu\nmine.scale\n")
        code, text, error = operators(HEAD / "mlp.pt2", "--backend", self.names)
        self.assertEqual((code, error), (1, f"{self.names}:2: warning: unknown operator 'mm.default', did you mean 'aten.mm.default'?\n"
                                            f"{self.names}:3: warning: unknown operator 'aten.rleu', did you mean 'aten.relu'?\n"))
        self.assertIn("lacks 3 of 4 operators", text)
        for content, message in (("", ": expected names of operators, got none"), ("# aten.add\n", ": expected names of operators, got none"),
                                 ("aten.*", ":1: expected the name of an operator, such as aten.add.Tensor, got 'aten.*'")):
            self.names.write_text(content)
            self.assertEqual(operators(HEAD / "mlp.pt2", "--backend", self.names)[::2], (3, f"pt2: error: {self.names}{message}\n"))

    def test_operators_are_listed_with_their_nodes_and_dtypes(self):
        code, text, error = operators(HEAD / "mlp.pt2")
        self.assertEqual((code, error), (0, ""))
        self.assertIn("  aten.linear.default  2      f32 -> f32\n", text)
        self.assertNotIn("lacks", text)
        code, found = report(HEAD / "mlp.pt2")
        self.assertEqual((code, found["asked"], found["missing"]), (0, None, 0))
        self.assertIn({"name": "aten.linear.default", "nodes": 2, "missing": None,
                       "dtypes": [{"arguments": ["float32"], "results": ["float32"], "nodes": 2}]}, found["operators"])

    def test_torch_up_to_2_12_lacks_the_functions_of_vmap(self):
        document = json.loads((HEAD / "mlp.json").read_text())
        name = "torch._functorch.predispatch.lazy_load_decompositions"
        document["graph_module"]["graph"]["nodes"][0].update(target=name, inputs=[], outputs=[])
        path = self.names.with_name("vmap.json")
        path.write_text(json.dumps(document))
        for release, lacks in [("2.9", True), ("2.12", True), ("2.13", False)]:
            found = missing(report(path, "--torch", release)[1])
            self.assertEqual(name in found, lacks, release)

    def test_counts_are_those_of_info(self):
        for path in sorted(HEAD.glob("*.pt2")):
            with self.subTest(path.stem):
                summary = json.loads(subprocess.run([PT2, "info", path, "--json"], capture_output=True, check=True).stdout)
                uses = report(path)[1]["operators"]
                self.assertEqual({use["name"]: use["nodes"] for use in uses}, summary["operators"])
                for use in uses:
                    self.assertEqual(sum(each["nodes"] for each in use["dtypes"]), use["nodes"])

    def test_the_release_that_wrote_a_program_has_all_that_is_torchs(self):
        tried = 0
        for path in sorted(PROGRAMS.glob("torch-*/*.pt2")):
            release = path.parent.name.removeprefix("torch-").rpartition(".")[0]
            with self.subTest(release=release, program=path.stem):
                code, found = report(path, "--torch", release)
                self.assertEqual(found["asked"], f"torch {release}")
                self.assertEqual(set(missing(found)), {"fxlib.scale.default"} if path.stem == "custom_op" else set())
                self.assertEqual(code, 1 if path.stem == "custom_op" else 0)
                tried += 1
        self.assertGreater(tried, 100)

    def test_what_is_missing_is_said_with_its_nodes_and_the_exit_code_is_1(self):
        code, text, error = operators(HEAD / "mlp.pt2", "--backend", "core-aten")
        self.assertEqual((code, error), (1, ""))
        self.assertIn("Core ATen lacks 1 of 4 operators\n", text)
        self.assertIn("  aten.linear.default  is not in Core ATen  'linear', 'linear_1'\n", text)
        code, found = report(HEAD / "mlp.pt2", "--backend", "core-aten")
        self.assertEqual((code, found["asked"], found["missing"]), (1, "Core ATen", 1))
        linear = missing(found)["aten.linear.default"]
        self.assertEqual({key: linear[key] for key in ("why", "nodes")}, {"why": "is not in Core ATen", "nodes": ["linear", "linear_1"]})

    def test_what_is_missing_is_said_with_what_it_decomposes_to(self):
        _, text, _ = operators(HEAD / "mlp.pt2", "--backend", "core-aten")
        self.assertRegex(text, r"\nrun_decompositions\(\) of torch 2\.\d+ leaves no operator that Core ATen lacks\n")
        self.assertRegex(text, r"  aten\.linear\.default  -  +.*aten\.addmm\.default, .*aten\.permute\.default, ")
        linear = missing(report(HEAD / "mlp.pt2", "--backend", "core-aten")[1])["aten.linear.default"]
        self.assertEqual(linear["still_missing"], [])
        self.names.write_text("".join(name + "\n" for name in linear["decomposes_to"]) + "aten.add\naten.mul\n")
        relu = missing(report(HEAD / "mlp.pt2", "--backend", self.names)[1])["aten.relu.default"]
        self.assertEqual((relu["decomposes_to"], relu["still_missing"]), (None, None))
        self.assertIn(" replaces these\n", operators(HEAD / "mlp.pt2", "--backend", self.names)[1])
        self.names.write_text("aten.add\naten.mul\naten.relu\naten.permute\n")
        linear = missing(report(HEAD / "mlp.pt2", "--backend", self.names)[1])["aten.linear.default"]
        self.assertEqual(linear["still_missing"], [name for name in linear["decomposes_to"] if name not in ("aten.add.Tensor", "aten.permute.default")])
        linear = missing(report(HEAD / "mlp.pt2", "--torch", "2.1")[1])
        self.assertEqual(linear, {})

    def test_what_is_there_is_decomposed_too(self):
        self.names.write_text("aten.linear\naten.add\naten.mul\n")
        text = operators(HEAD / "mlp.pt2", "--backend", self.names)[1]
        self.assertNotIn("leaves nothing", text)

    def test_nodes_are_named_as_show_takes_them(self):
        self.names.write_text("mine.own\n")
        for path in (HEAD / "cond.pt2", HEAD / "effects.pt2"):
            nodes = [name for use in missing(report(path, "--backend", self.names)[1]).values() for name in use["nodes"]]
            self.assertGreater(len(nodes), 2)
            for name in nodes:
                done = subprocess.run([PT2, "show", path, "--node", name], capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_list_is_asked_by_its_file(self):
        self.names.write_text("# ours\naten::linear\naten.relu.default\naten.add\n")
        code, text, _ = operators(HEAD / "mlp.pt2", "--backend", self.names)
        self.assertEqual(code, 1)
        self.assertIn(f"{self.names} lacks 1 of 4 operators\n", text)
        self.assertIn("  aten.mul.Tensor  is not listed", text)
        self.names.write_text("torch.ops.aten.mul.Tensor\n" + self.names.read_text())
        code, text, _ = operators(HEAD / "mlp.pt2", "--backend", self.names)
        self.assertEqual(code, 0)
        self.assertTrue(text.endswith(f"{self.names} lacks 0 of 4 operators\n"), text)
        self.assertEqual(operators(HEAD / "mlp.pt2", "--backend", "-", text=self.names.read_text())[0], 0)

    def test_usage_data_and_files_have_their_own_exit_codes(self):
        program = HEAD / "mlp.pt2"
        self.names.write_text("aten.add\nadd\n")
        for arguments, code, message in (
                ((program, "--torch", "2.0"), 2, "unknown torch release '2.0': expected 2.1 to 2.15"),
                ((program, "--torch", "2.6", "--backend", "core-aten"), 2, "--torch excludes --backend"),
                ((program, "--model", "other"), 2, "other"),
                (("-", "--backend", "-"), 2, "standard input (-) can be read only once"),
                ((program, "--backend", self.names), 3, f"pt2: error: {self.names}:2: expected the name of an operator, such as aten.add.Tensor, got 'add'"),
                ((self.names,), 3, f"{self.names}: error: "),
                ((program, "--backend", "nowhere.txt"), 4, "nowhere.txt")):
            with self.subTest(arguments):
                found, text, error = operators(*arguments)
                self.assertEqual((found, text), (code, ""), error)
                self.assertIn(message, error)


if __name__ == "__main__":
    unittest.main()
