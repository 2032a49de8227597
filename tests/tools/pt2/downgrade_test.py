"""`pt2 downgrade`."""

import json
import unittest
import zipfile

from pt2_command import CommandTest, HEAD, run, written
import head_schema


class Downgrade(CommandTest):
    def test_json_becomes_json_of_the_older_version(self):
        out = self.folder / "older.json"
        path = HEAD / "mlp.json"
        self.check(["downgrade", path, "-o", out, "--to", "8.14"], 0, "",
                   f"{path}: note: 5 values of Node.name dropped: schema 8.14 lacks the field\n")
        program = json.loads(out.read_text())
        self.assertEqual(program["schema_version"], {"major": 8, "minor": 14})
        self.assertNotIn("name", program["graph_module"]["graph"]["nodes"][0])
        self.check(["diff", path, out], 1, "schema\n- schema 8.20\n+ schema 8.14\n    (only the first program records the names of nodes)\n\n2 differences\n", "")

    def test_an_archive_keeps_its_weights_and_binary_has_the_same_program(self):
        out = self.folder / "older.pt2"
        self.assertEqual(run("downgrade", HEAD / "mlp.pt2", "-o", out, "--to", "8.14")[0], 0)
        with zipfile.ZipFile(HEAD / "mlp.pt2") as old, zipfile.ZipFile(out) as new:
            self.assertEqual([name for name in old.namelist() if old.read(name) != new.read(name)],
                             ["mlp/models/model.json"])
        of_json = run("downgrade", HEAD / "mlp.json", "-o", "-", "--to", "8.14")[1]
        binary = self.folder / "older.pt2b"
        self.assertEqual(run("downgrade", HEAD / "mlp.json", "-o", binary, "--to", "8.14")[0], 0)
        self.assertEqual(run("hash", binary)[1].split()[0], run("hash", "-", stdin=of_json.encode())[1].split()[0])

    def test_an_archive_takes_the_layout_of_the_older_torch_with_its_weights(self):
        def weights(path):
            return [{key: value for key, value in weight.items() if key not in ("record", "pickled")}
                    for weight in json.loads(run("weights", path, "--json")[1])]

        for version, records in (
            ("8.8", ["mlp/data/weights/model.pt", "mlp/data/constants/model.pt", "mlp/models/model.json",
                     "mlp/data/sample_inputs/model.pt", "mlp/archive_format", "mlp/archive_version", "mlp/.data/version", "mlp/byteorder",
                     "mlp/.data/serialization_id"]),
            ("8.2", ["serialized_exported_program.json", "serialized_state_dict.pt", "serialized_constants.pt",
                     "serialized_example_inputs.pt", "version"]),
        ):
            out = self.folder / f"older_{version}.pt2"
            self.assertEqual(run("downgrade", HEAD / "mlp.pt2", "-o", out, "--to", version)[0], 0)
            with zipfile.ZipFile(out) as archive:
                self.assertEqual(sorted(archive.namelist()), sorted(records))
                self.assertIsNone(archive.testzip())
            self.assertEqual(weights(out), weights(HEAD / "mlp.pt2"))
            self.assertEqual(run("validate", out)[0], 0)
            self.assertEqual(run("scan", out)[0], 0)
            again = self.folder / "again.pt2"
            self.assertEqual(run("downgrade", HEAD / "mlp.pt2", "-o", again, "--to", version)[0], 0)
            self.assertEqual(again.read_bytes(), out.read_bytes())

    def test_what_the_older_version_cannot_say_is_named_and_nothing_is_written(self):
        out = self.folder / "older.json"
        program = json.loads(written(HEAD / "mlp.json"))
        program["graph_module"]["graph"]["nodes"][0]["inputs"][0]["arg"] = {"as_int_lists": [[1]]}
        path = self.file("new.json", json.dumps(program))
        where = "graph_module.graph.nodes[0].inputs[0].arg.as_int_lists"
        self.check(["downgrade", path, "-o", out, "--to", "8.8"], 3, "",
                   f"{path}: error: {where}: Argument has no member 'as_int_lists' in 8.8\n")
        self.assertFalse(out.exists())

    def test_guards_are_left_out_with_a_warning(self):
        path = HEAD / "sym_values.json"
        out = self.folder / "older.json"
        code, _, err = run("downgrade", path, "-o", out, "--to", "torch-2.8")
        self.assertEqual(code, 0, err)
        self.assertIn(f"{path}: warning: 1 value of ExportedProgram.guards_code dropped: schema 8.8 lacks the field, so torch will not check the inputs of calls\n", err)
        self.assertEqual(json.loads(out.read_bytes())["schema_version"], {"major": 8, "minor": 8})

    def test_a_release_of_torch_stands_for_its_schema(self):
        _, by_schema, _ = run("downgrade", HEAD / "mlp.json", "-o", "-", "--to", "8.14")
        self.assertEqual(run("downgrade", HEAD / "mlp.json", "-o", "-", "--to", "torch-2.9")[1], by_schema)

    def test_operators_that_the_older_torch_lacks_are_warned_of(self):
        program = json.loads(written(HEAD / "mlp.json"))
        program["graph_module"]["graph"]["nodes"][0]["target"] = "_operator.lshift"
        path = self.file("new.json", json.dumps(program))
        _, _, err = run("downgrade", path, "-o", "-", "--to", "8.14")
        self.assertEqual(err.splitlines()[1], f"{path}: warning: torch 2.9 lacks the operator "
                         "_operator.lshift: it was added in torch 2.11")
        self.assertNotIn("warning", run("downgrade", path, "-o", "-", "--to", "8.17")[2])

    def test_calls_become_those_of_the_older_torch_or_are_errors(self):
        def call(value):
            names = ["query", "key", "value", "attn_bias", "cum_seq_q", "cum_seq_k", "max_q", "max_k", "compute_log_sumexp"]
            inputs = [{"name": name, "arg": {"as_none": True}, "kind": 1} for name in names]
            return inputs + [{"name": "seqused_k", "arg": value, "kind": 2}]

        program = json.loads(written(HEAD / "mlp.json"))
        program["torch_version"] = "2.14.0"
        node = program["graph_module"]["graph"]["nodes"][0]
        node.update(target="torch.ops.aten._cudnn_attention_forward.default", inputs=call({"as_none": True}))
        out = self.folder / "older.json"
        path = self.file("new.json", json.dumps(program))
        where = f"{path}: {{}}: graph_module.graph.nodes[0]: aten._cudnn_attention_forward.default"
        self.check(["downgrade", path, "-o", out, "--to", "torch-2.13"], 0, "", where.format("note") +
                   ": dropped argument 'seqused_k', which torch 2.13 lacks\n")
        self.assertEqual(json.loads(out.read_text())["graph_module"]["graph"]["nodes"][0]["inputs"], call({})[:-1])
        self.check(["downgrade", out, "-o", "-", "--to", "torch-2.13"], 0, out.read_text(), "")
        node["inputs"] = call({"as_tensor": {"name": "x"}})
        path = self.file("new.json", json.dumps(program))
        out.unlink()
        self.check(["downgrade", path, "-o", out, "--to", "torch-2.13"], 3, "", where.format("error") +
                   " has no argument 'seqused_k' in torch 2.13, but the call passes a value\n")
        self.assertFalse(out.exists())

    def test_bad_calls_say_what_to_do(self):
        for arguments, message in [
            (["--to", "8.8"], "-o OUT is required; use '-' for standard output"),
            (["-o", "-"], "--to 8.N|torch-2.N is required"),
            (["-o", "-", "--to", "9"], "cannot downgrade to '9': expected a version of schema 8, such as 8.2, or a release, such as torch-2.6"),
            (["-o", "-", "--to", "torch-2.5"], f"cannot downgrade to 'torch-2.5': expected torch-2.6 to torch-2.15"),
            (["-o", "-", "--to", "8.1"], f"cannot downgrade to version 8.1: expected 8.2 to {head_schema.VERSION}"),
        ]:
            code, _, err = run("downgrade", HEAD / "mlp.pt2", *arguments)
            self.assertEqual((code, err.splitlines()[0]), (2, "pt2 downgrade: error: " + message))


if __name__ == "__main__":
    unittest.main()
