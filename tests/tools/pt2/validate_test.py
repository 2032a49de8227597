"""`pt2 validate`."""

import json
import unittest

from pt2_command import CommandTest, HEAD, SKIPPED, run, written
import head_schema  # found by the path that pt2_command sets


class Validate(CommandTest):
    def test_goes_on_after_a_bad_file_and_exits_with_the_worst(self):
        good = HEAD / "cond.pt2"
        empty = self.file("empty.json", "")
        missing = self.folder / "missing.json"
        ok = f"{good}: ok (schema 8.20, 5 nodes)\n"
        bad = f"{empty}: error: the file is empty\n"
        lost = f"{missing}: error: cannot open '{missing}': No such file or directory\n"
        self.check(["validate", good], 0, ok, "")
        self.check(["validate", good, empty, good], 3, ok + bad + ok, "")
        self.check(["validate", missing, empty, good], 4, lost + bad + ok, "")

    def test_says_where_the_fault_is(self):
        def change(document):
            document["graph_module"]["graph"]["nodes"][0]["outputs"][0] = {"as_int": "x"}
        path = self.changed("bad.json", change)
        column = path.read_text().index('{"as_int": "x"}') + len('{"as_int": ') + 1
        self.check(["validate", path], 3, f"{path}: error: graph_module.graph.nodes[0].outputs[0].as_int: expected an "
                   f"integer, found a string (line 1, column {column})\n", "")

    def test_looks_at_all_models_of_an_archive(self):
        good = written(HEAD / "cond.json")
        self.check(["validate", self.archive(a=good, b=good)], 0,
                   f'{self.folder}/several.pt2: ok (model "a", schema 8.20, 5 nodes)\n'
                   f'{self.folder}/several.pt2: ok (model "b", schema 8.20, 5 nodes)\n', "")
        self.check(["validate", self.archive(a=good, b="[]")], 3,
                   f'{self.folder}/several.pt2: ok (model "a", schema 8.20, 5 nodes)\n'
                   f'{self.folder}/several.pt2: error: model "b": expected an exported program, got a list '
                   "(line 1, column 1)\n", "")

    def test_reports_findings_of_the_rules(self):
        def change(document):
            document["graph_module"]["graph"]["nodes"][0]["inputs"][0]["arg"] = {"as_tensor": {"name": "gone\u202e"}}
            document["verifiers"] = ["MINE"]
        path = self.changed("unsound.json", change)
        where = "graph_module.graph.nodes[0].inputs[0].arg"
        message = "this graph does not define 'gone\\u202e'"
        self.check(["validate", path], 1,
                   f"{path}: error: {where}: expected an identifier, found 'gone\\u202e' [NAME_CODE]\n"
                   f"{path}: error: {where}: {message} [NAME_UNDEFINED]\n"
                   f"{path}: warning: verifiers[0]: torch has no dialect 'MINE' [VERIFIER_UNKNOWN]\n", "")
        code, out, err = run("validate", "--json", path)
        self.assertEqual((code, err), (1, ""))
        self.assertFalse(json.loads(out)[0]["ok"])
        self.assertIn({"rule": "NAME_UNDEFINED", "level": "error", "path": where, "message": message},
                      json.loads(out)[0]["findings"])

    def test_rules_are_listed_and_explained(self):
        code, out, err = run("rules")
        self.assertEqual((code, err), (0, ""))
        rules = [line.split()[0] for line in out.splitlines()]
        self.assertEqual([rule["rule"] for rule in json.loads(run("rules", "--json")[1])], rules)
        for rule in rules:
            code, out, err = run("explain", rule)
            self.assertEqual((code, err), (0, ""))
            self.assertRegex(out, rf"\A{rule} \((error|warning|note)\): .+\n\n")
        code, out, err = run("explain", "NAME_UNDEFINE")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("unknown rule 'NAME_UNDEFINE', did you mean 'NAME_UNDEFINED'?", err)

    def test_counts_one_node(self):
        self.check(["validate", HEAD / "no_inputs.json"], 0,
                   f"{HEAD}/no_inputs.json: ok (schema 8.20, 1 node)\n", "")

    def test_reports_what_it_skips_of_a_newer_minor(self):
        def change(document):
            document["schema_version"]["minor"] = head_schema.MINOR + 1
            document["later"] = None
        path = self.changed("newer.json", change)
        column = path.read_text().index('"later"') + 1
        warning = f"{path}: warning: later: {SKIPPED} (line 1, column {column})\n"
        self.check(["validate", path], 0, warning + f"{path}: ok (schema {head_schema.NEXT_MINOR}, 5 nodes)\n", "")
        code, _, err = run("show", path)
        self.assertEqual((code, err), (0, warning))

    def test_json(self):
        good = HEAD / "cond.pt2"
        bad = self.file("bad.json", '{"a": 1,\n}')
        cut = self.file("cut.pt2", good.read_bytes()[:3000])
        missing = self.folder / "missing"
        code, out, err = run("validate", "--json", good, bad, cut, missing)
        self.assertEqual((code, err, out.count("\n")), (4, "", 1))
        results = json.loads(out)
        self.assertEqual(results[0], {"file": str(good), "ok": True, "programs": [
            {"model": "model", "schema_version": "8.20", "upgraded_from": None, "nodes": 5, "skipped": []}], "errors": [],
            "findings": []})
        self.assertEqual([result["ok"] for result in results], [True, False, False, False])
        self.assertEqual([result["file"] for result in results], [str(good), str(bad), str(cut), str(missing)])
        self.assertEqual([(error["line"], error["column"]) for error in results[1]["errors"]], [(2, 1)])
        self.assertEqual([error["line"] for error in results[2]["errors"]], [None])
        self.assertEqual(results[3]["errors"], [{
            "model": None, "reason": f"cannot open '{missing}': No such file or directory", "path": "", "line": None,
            "column": None, "offset": None}])


if __name__ == "__main__":
    unittest.main()
