"""Programs of a newer minor version of the schema."""

import json
import unittest
import zipfile

from every_command import call, usual_calls
from pt2_command import CommandTest, HEAD, SKIPPED, nodes, run, written
import head_schema


class NewerMinor(CommandTest):
    """A program from a torch newer than this pt2, with new fields and a new union member set."""

    WAY_OUT = (f"; written with schema {head_schema.NEXT_MINOR}, read with schema {head_schema.VERSION}: use a newer release, "
               "or skip or keep unknown fields")

    def setUp(self):
        super().setUp()

        def add_fields(document):
            document["schema_version"]["minor"] = head_schema.MINOR + 1
            document["graph_module"]["graph"]["nodes"][0]["stream"] = 7
            document["later"] = {"a": [1]}

        def add(document):
            add_fields(document)
            node = document["graph_module"]["graph"]["nodes"][0]
            node["inputs"].append({"name": "later", "arg": {"as_quaternion": {"i": 1.5}}, "kind": 2})
        self.newer = self.changed("newer.json", add)
        self.with_fields = self.changed("with_fields.json", add_fields)
        self.paths = ["graph_module.graph.nodes[0].inputs[4].arg.as_quaternion", "graph_module.graph.nodes[0].stream", "later"]
        self.archive_path = self.folder / "newer.pt2"
        with zipfile.ZipFile(HEAD / "cond.pt2") as old, zipfile.ZipFile(self.archive_path, "w") as new:
            for info in old.infolist():
                is_program = info.filename.endswith("models/model.json")
                new.writestr(info, self.newer.read_bytes() if is_program else old.read(info))

    def warnings(self, path, err, paths=None):
        lines = err.splitlines()
        for line, name in zip(lines, paths or self.paths, strict=True):
            self.assertTrue(line.startswith(f"{path}: warning: {name}: {SKIPPED}"), line)

    def test_each_command_names_it_keeps_it_or_refuses_and_names_both_versions(self):
        weights = self.folder / "weights.safetensors"
        self.check(["weights", HEAD / "cond.pt2", "-o", weights], 0, "", "")
        results = set()
        for words in usual_calls():
            with self.subTest(command=words[0]):
                other = {"attach": weights, "diff": self.archive_path}.get(words[0], HEAD / "cond.pt2")
                code, out, err = run(*call(words, self.archive_path, other, self.folder))
                if code == 0 and not err and "later: skipped" not in out:
                    if "OUT.pt2" in words:
                        with zipfile.ZipFile(self.folder / "out.pt2") as archive:
                            [name] = [name for name in archive.namelist() if name.endswith("models/model.json")]
                            out = archive.read(name).decode()
                    for kept in ('"as_quaternion": {"i": 1.5}', '"stream": 7', '"later": {"a": [1]}'):
                        self.assertIn(kept, out)
                    results.add("keeps")
                elif code == 0:
                    self.assertIn(f"later: {SKIPPED}", out + err)
                    results.add("names")
                else:
                    self.assertIn(code, (1, 3))
                    self.assertRegex(out + err, rf"written with schema {head_schema.NEXT_MINOR}, read with schema {head_schema.VERSION}|"
                                                rf"cannot upgrade version {head_schema.NEXT_MINOR}: expected {head_schema.VERSION} or earlier")
                    results.add("refuses")
        self.assertEqual(results, {"keeps", "names", "refuses"})

    def test_what_only_looks_names_each_part_that_it_skips(self):
        for path in (self.newer, self.archive_path):
            for command in (["info"], ["info", "--json"], ["show"], ["show", "--json"], ["stats"], ["operators"],
                            ["view", "-o", self.folder / "page.html"], ["export", "--format", "dot", "-o", self.folder / "graph.dot"]):
                with self.subTest(path=path.name, command=command):
                    code, out, err = run(command[0], path, *command[1:])
                    self.assertEqual(code, 0, err)
                    self.warnings(path, err)
        code, _, err = run("weights", self.archive_path)
        self.assertEqual(code, 0)
        self.warnings(self.archive_path, err, self.paths[2:])  # reads no nodes
        code, out, err = run("hash", self.with_fields)
        self.assertEqual(code, 0)
        self.assertRegex(out, r"\Asha256:[0-9a-f]{64}\n\Z")
        self.warnings(self.with_fields, err, self.paths[1:])
        code, _, err = run("diff", self.with_fields, HEAD / "cond.json")
        self.assertIn(code, (0, 1))
        self.warnings(self.with_fields, err, self.paths[1:])

    def test_where_the_member_of_a_union_is_skipped_nothing_is_hashed_or_compared(self):
        for path, command, done in [(self.newer, ["hash"], "hashed"), (self.archive_path, ["hash", "--weights"], "hashed"),
                                    (self.newer, ["diff", HEAD / "cond.json"], "compared")]:
            with self.subTest(path=path.name, command=command):
                code, out, err = run(*command, path)
                self.assertEqual((code, out), (3, ""))
                *warnings, error = err.splitlines()
                self.warnings(path, "\n".join(warnings))
                self.assertIn(f"{path}: ", error)
                self.assertIn(f"{self.paths[0]}: the program cannot be {done} without this union member, which was skipped; written with schema {head_schema.NEXT_MINOR}, read with schema {head_schema.VERSION}: "
                              "use a newer release (line 1, column ", error)

    def test_validate_names_what_it_skipped(self):
        code, out, err = run("validate", "--json", self.newer)
        [program] = json.loads(out)[0]["programs"]
        self.assertEqual([skipped["path"] for skipped in program["skipped"]], self.paths)
        self.assertEqual(program["schema_version"], head_schema.NEXT_MINOR)

    def test_what_writes_keeps_it(self):
        text = self.newer.read_text()
        for command in (["convert"], ["retarget", "--device", "cpu"], ["retarget", "--dtype", "float32"], ["slim", "--drop", "samples"]):
            for path in (self.newer, self.archive_path):
                with self.subTest(command=command[0], path=path.name):
                    code, out, err = run(command[0], path, *command[1:], "-o", "-")
                    self.assertEqual((code, err), (0, ""))
                    self.assertEqual(out, text)
        code, out, err = run("rename", self.newer, "x=other", "-o", "-")
        self.assertEqual((code, err), (0, ""))
        renamed = json.loads(out)
        self.assertEqual((renamed["later"], renamed["graph_module"]["graph"]["nodes"][0]["stream"]), ({"a": [1]}, 7))
        self.assertIn('"as_quaternion": {"i": 1.5}', out)
        for command in (["convert"], ["retarget", "--device", "cpu"], ["retarget", "--dtype", "float32"], ["slim", "--drop", "samples"]):
            with self.subTest(command=command[0]):
                out = self.folder / "out.pt2"
                code, _, err = run(command[0], self.archive_path, "-o", out, *command[1:])
                self.assertEqual((code, err), (0, ""))
                with zipfile.ZipFile(out) as archive:
                    [name] = [name for name in archive.namelist() if name.endswith("models/model.json")]
                    self.assertEqual(archive.read(name).decode(), text)
        stripped = self.folder / "stripped.pt2"
        self.check(["strip", self.archive_path, "-o", stripped], 0, "", "")

    def test_what_is_kept_in_the_entry_of_a_value_goes_with_its_name(self):
        def tables(graph, place="top"):
            yield place, graph["tensor_values"]
            for node in graph["nodes"]:
                for argument in node["inputs"]:
                    if "as_graph" in argument["arg"]:
                        yield from tables(argument["arg"]["as_graph"]["graph"], argument["arg"]["as_graph"]["name"])

        def add(document):
            document["schema_version"]["minor"] = head_schema.MINOR + 1
            for place, table in tables(document["graph_module"]["graph"]):
                for name, entry in table.items():
                    entry["came_from"] = [place, name]
        source = self.changed("marked.json", add)
        archive = self.folder / "marked.pt2"
        self.check(["convert", source, archive, "--into", HEAD / "cond.pt2"], 0, "", "")
        for changes in ({"x": "y"}, {"x": "getitem", "getitem": "x"}, {"x": "p", "p": "getitem", "getitem": "x"}, {"x": "getitem", "getitem": "new"},
                        {"p": "x", "x": "a", "getitem": "b"}, {"sin": "s"}, {"sin": "add", "add": "sin"}, {"cos": "sub", "sub": "c"}):
            for path, out in (source, self.folder / "out.json"), (archive, self.folder / "out.pt2"):
                with self.subTest(changes=changes, path=path.name):
                    self.check(["rename", path, "-o", out, *(f"{old}={new}" for old, new in changes.items())], 0, "", "")
                    document = json.loads(run("convert", out, "-")[1])
                    count = 0
                    for place, table in tables(document["graph_module"]["graph"]):
                        is_own = place == "top" or not set(changes) & {"x", "p", "getitem"}
                        for name, entry in table.items():
                            old = entry["came_from"][1]
                            self.assertEqual((entry["came_from"][0], changes.get(old, old) if is_own else old), (place, name))
                            count += 1
                    self.assertGreater(count, 6)

    def test_another_dtype_keeps_it_unless_nodes_are_put_beside_it(self):
        document = json.loads(written(HEAD / "mlp.json"))
        document["schema_version"]["minor"] = head_schema.MINOR + 1
        nodes = document["graph_module"]["graph"]["nodes"]
        nodes[0]["stream"] = 7
        source = self.file("mlp.json", json.dumps(document))
        archive = self.folder / "mlp.pt2"
        self.check(["convert", source, archive, "--into", HEAD / "mlp.pt2"], 0, "", "")
        for path, out in (source, self.folder / "half.json"), (archive, self.folder / "half.pt2"):
            with self.subTest(path=path.name):
                self.check(["retarget", path, "-o", out, "--dtype", "bfloat16"], 0, "", "")
                text = run("convert", out, "-")[1]
                self.assertEqual(json.loads(text)["graph_module"]["graph"]["nodes"][0]["stream"], 7)
                self.assertNotIn('"dtype": 7', text)
                code, _, err = run("retarget", path, "-o", out, "--dtype", "bfloat16", "--keep", nodes[1]["outputs"][0]["as_tensor"]["name"])
                self.assertEqual(code, 3)
                self.assertIn("graph_module.graph.nodes[0].stream: cannot write the unknown field back: ", err)

    def test_what_drops_parts_keeps_what_is_new_in_the_rest(self):
        for source, suffix in (self.with_fields, ".json"), (self.archive_path, ".pt2"):
            out = self.folder / ("small" + suffix)
            self.assertEqual(run("slim", source, "-o", out, "--drop", "stack-traces,metadata", "--reproducible")[::2], (0, ""))
            small = json.loads(run("convert", out, "-")[1])
            node = small["graph_module"]["graph"]["nodes"][0]
            self.assertEqual((small["later"], node["stream"], node["metadata"]), ({"a": [1]}, 7, {}))

    def test_what_can_do_neither_says_why_and_both_versions(self):
        for command, why in [
                (["canonicalize"], "its canonical form is also unknown"),
                (["downgrade", "--to", "torch-2.9"], "older schemas also lack it"),
                (["extract", "--inputs", "x", "--outputs", "cos"], "pt2 cannot tell whether the part needs it"),
                (["slim", "--drop", "unused"], "pt2 cannot tell which values it uses"), (["slim", "--drop", "names"], "pt2 cannot tell which values it uses")]:
            for path, out in (self.newer, "-"), (self.archive_path, self.folder / "out.pt2"):
                with self.subTest(command=command[0], path=path.name):
                    code, out, err = run(command[0], path, *command[1:], "-o", out)
                    self.assertEqual((code, out), (3, ""))
                    self.assertIn(f": error: {self.paths[0]}: unknown field: {why}; written with schema {head_schema.NEXT_MINOR}, "
                                  f"read with schema {head_schema.VERSION}: use a newer release (line 1, column ", err)
        code, out, err = run("harden", self.archive_path, "-o", self.folder / "hardened.pt2")
        self.assertEqual((code, out), (3, ""))
        self.assertIn(self.WAY_OUT, err)
        self.assertIn(f"cannot upgrade version {head_schema.NEXT_MINOR}: expected {head_schema.VERSION} or earlier",
                      run("upgrade", self.newer, "-o", "-")[2])
        code, out, err = run("scan", self.newer)
        self.assertEqual(code, 3)
        self.assertIn(self.WAY_OUT, err + out)
        for policy in "strict", "load":
            code, out, err = run("check", self.newer, "--policy", policy)
            self.assertEqual(code, 3)
            self.assertIn(self.WAY_OUT, err + out)

    def test_the_policy_inspect_reads_on_and_names_what_is_skipped(self):
        code, out, err = run("check", self.newer, "--policy", "inspect")
        self.assertEqual((code, err), (0, ""))
        for path in self.paths:
            self.assertIn(f"{self.newer}: warning: {path}: {SKIPPED}", out)
        self.assertNotIn("UNREADABLE", out)

    def test_what_cannot_be_counted_without_a_skipped_part_says_so(self):
        document = json.loads(written(HEAD / "mlp.json"))
        document["schema_version"]["minor"] = head_schema.MINOR + 1
        document["graph_module"]["graph"]["nodes"][0]["inputs"][0]["arg"] = {"as_quaternion": {"i": 1.5}}
        path = self.file("linear.json", json.dumps(document))
        code, out, err = run("stats", path)
        self.assertEqual((code, out), (3, ""))
        self.assertIn(f"graph_module.graph.nodes[0].inputs[0].arg.as_quaternion: the program cannot be measured without this union member, which was skipped; written with schema {head_schema.NEXT_MINOR}, read with schema {head_schema.VERSION}", err)


if __name__ == "__main__":
    unittest.main()
