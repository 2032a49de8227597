"""`pt2` on every program of every release."""

import json
import re
import unittest

from pt2_command import CommandTest, HEAD, PROGRAMS, READABLE, nodes, programs, run, said
import head_schema


OLD = {"torch-2.1.2": "1", "torch-2.2.2": "2", "torch-2.4.1": "5.3", "torch-2.5.1": "7.3"}


def loadable(release):
    """Excludes programs with string outputs, which torch writes but cannot read."""
    return [path for path in programs(release) if not path.name.startswith("lifted_constants.")]


class AllReadablePrograms(CommandTest):
    def test_info_and_show_work_on_each(self):
        for release in READABLE:
            for path in programs(release):
                for command in ["info", "show"]:
                    with self.subTest(path=path, command=command):
                        self.assertTrue(said(command, path).endswith("\n"))

    def test_validate_finds_nothing_in_any(self):
        for release in READABLE:
            with self.subTest(release=release):
                paths = loadable(release)
                code, out, err = run("validate", *paths)
                self.assertEqual((code, err), (0, ""))
                for path, line in zip(paths, out.splitlines(), strict=True):
                    self.assertRegex(line, rf"\A{re.escape(str(path))}: ok \(schema 8\.\d+, \d+ nodes?\)\Z")

    def test_a_float_that_is_written_as_minus_zero_without_a_point_keeps_its_sign(self):
        changed = 0
        for release in (*OLD, *READABLE):
            for path in sorted((PROGRAMS / release).glob("*.json")):
                text = path.read_text()
                number = re.search(r'(?<="as_float": )-?[0-9.]+(e[-+][0-9]+)?(?=[,}])', text)
                if number is None:
                    continue
                with self.subTest(path=path):
                    hashes = {run("hash", "-", stdin=(text[:number.start()] + zero + text[number.end():]).encode())[1] for zero in ("-0", "-0.0")}
                    self.assertEqual(len(hashes), 1)
                    changed += 1
        self.assertGreater(changed, 40)

    def test_convert_writes_what_torch_would(self):
        for release in READABLE:
            for path in programs(release):
                with self.subTest(path=path):
                    head = path.with_suffix(".head.json")
                    expected = head if head.exists() else path.with_suffix(".json")
                    out = said("convert", path, "-")
                    self.assertEqual(head_schema.as_torch_wrote(out, expected.read_text()), expected.read_text())

    def test_info_counts_as_the_json_does(self):
        for release in READABLE:
            for path in programs(release):
                with self.subTest(path=path):
                    info = json.loads(run("info", "--json", path)[1])
                    # Other tests cover NaN in older files.
                    document = json.loads(path.with_suffix(".json").read_text())
                    targets = [node["target"] for node in nodes(document["graph_module"]["graph"])]
                    self.assertEqual(info["nodes"], len(targets))
                    self.assertEqual(sum(info["operators"].values()), len(targets))
                    self.assertEqual(info["torch_version"], document["torch_version"])
                    self.assertEqual(info["json_bytes"], path.with_suffix(".json").stat().st_size)


class OldPrograms(CommandTest):
    """Programs from releases with a different major version, which are upgraded on reading."""

    def test_validate_says_what_each_was_upgraded_from(self):
        for release, version in OLD.items():
            with self.subTest(release=release):
                paths = loadable(release)
                code, out, err = run("validate", *paths)
                self.assertEqual((code, err), (0, ""))
                # An operator of torch 2.2 has other results today.
                lines = [line for line in out.splitlines() if not re.search(r": warning: .* \[RESULT_COUNT\]$", line)]
                for path, line in zip(paths, lines, strict=True):
                    self.assertRegex(line, rf"\A{re.escape(str(path))}: ok \(schema {re.escape(head_schema.VERSION)} "
                                           rf"after an upgrade from {version}, \d+ nodes?\)\Z")

    def test_info_counts_as_the_json_does(self):
        for release, version in OLD.items():
            for path in programs(release):
                with self.subTest(path=path):
                    info = json.loads(run("info", "--json", path)[1])
                    document = json.loads(path.with_suffix(".json").read_text())
                    self.assertEqual((info["schema_version"], info["upgraded_from"]), (head_schema.VERSION, version))
                    self.assertEqual(info["nodes"], len(list(nodes(document["graph_module"]["graph"]))))
                    self.assertEqual(info["torch_version"], document.get("torch_version", "<=2.4"))
        self.assertIn(f"\n  schema     {head_schema.VERSION}, upgraded from 1\n", run("info", PROGRAMS / "torch-2.1.2" / "mlp.pt2")[1])

    def test_show_prints_a_signature_as_torch_does(self):
        self.assertEqual(
            run("show", "--signature", HEAD / "cond.pt2"),
            (0, "\n# inputs\np: USER_INPUT\nx: USER_INPUT\n\n# outputs\ngetitem: USER_OUTPUT\n", ""))

    def test_show_and_convert_read_each(self):
        for release in OLD:
            for path in programs(release):
                with self.subTest(path=path):
                    code, out, err = run("show", path)
                    self.assertEqual((code, err, out.partition(",")[0]), (0, "", f"schema {head_schema.VERSION}"))
                    code, out, err = run("convert", path, "-")
                    self.assertEqual((code, err), (0, ""))
                    self.assertEqual(json.loads(out)["schema_version"], {"major": head_schema.MAJOR, "minor": head_schema.MINOR})

    def test_versions_that_no_release_wrote_are_refused(self):
        def change(document):
            document["schema_version"] = {"major": 4, "minor": 2}
        path = self.changed("old.json", change)
        for command in ["info", "show", "validate"]:
            with self.subTest(command=command):
                code, out, err = run(command, path)
                self.assertEqual(code, 3)
                self.assertRegex(out + err, r"\A.*: error: schema_version: cannot read schema version 4\.2: expected 1, 2, 5\.x, "
                                 rf"7\.x or 8\.x \(up to {re.escape(head_schema.VERSION)} in full\); no release of torch wrote it: export "
                                 r"the model again with torch 2\.6 or later \(line 1, column \d+\)\n\Z")


if __name__ == "__main__":
    unittest.main()
