""".pt2b files."""

import json
import re
import struct
import unittest

from pt2_command import (
    CHECKSUM_BYTES, CommandTest, HEAD, LENGTH_AT, PAYLOAD_AT, READABLE, ROOT_AT, SKIPPED, XXHASH, checksum,
    programs, run, run_bytes, said, written)
import head_schema


class BinaryFiles(CommandTest):
    def test_every_readable_program_comes_back(self):
        for release in READABLE:
            for path in programs(release):
                if path.suffix != ".json":
                    continue
                with self.subTest(path=path):
                    binary = self.folder / "x.pt2b"
                    self.check(["convert", path, binary], 0, "", "")
                    self.check(["convert", binary, "-"], 0, said("convert", path, "-"), "")
                    self.check(["show", binary], 0, said("show", path), "")

    def test_each_form_of_a_file_holds_the_same(self):
        text = written(HEAD / "gpt2.json")
        sizes = {}
        for options in [[], ["--no-compress"], ["--canonical"], ["--canonical", "--no-compress"]]:
            path = self.binary("gpt2.json", *options)
            sizes[" ".join(options)] = path.stat().st_size
            # The JSON does not sort keys.
            out = run("convert", path, "-")[1]
            self.assertEqual(json.loads(out), json.loads(text))
            self.assertEqual(out == text, "--canonical" not in options)
        self.assertLess(sizes[""] * 5, sizes["--no-compress"])
        self.assertLess(sizes["--no-compress"] * 3, len(text) * 2)
        self.assertEqual(sizes["--canonical"], sizes["--no-compress"])
        self.assertEqual(sizes["--canonical"], sizes["--canonical --no-compress"])

    def test_the_canonical_form_does_not_depend_on_the_order_of_keys(self):
        def turn(document):
            graph = document["graph_module"]["graph"]
            graph["tensor_values"] = dict(reversed(graph["tensor_values"].items()))
        turned = self.changed("turned.json", turn)
        forms = {}
        for option in ["--canonical", "--no-compress"]:
            forms[option] = [run_bytes("convert", path, "-", "--to", "pt2b", option)[1]
                             for path in [HEAD / "cond.json", turned]]
        self.assertEqual(*forms["--canonical"])
        self.assertNotEqual(*forms["--no-compress"])

    def test_what_a_newer_schema_added_comes_back_if_it_is_kept(self):
        def add(document):
            document["schema_version"]["minor"] = head_schema.MINOR + 1
            graph = document["graph_module"]["graph"]
            graph["nodes"][0] = {"new": [1, {"a": None}], **graph["nodes"][0], "last": 1.5}
            graph["nodes"][0]["inputs"][0]["arg"] = {"as_quaternion": {"i": "\u00e9"}}
            document["newer"] = ""
        newer = self.changed("newer.json", add)
        text = newer.read_text()
        self.check(["convert", newer, "-"], 0, text, "")
        self.check(["convert", newer, "-", "--keep-unknown"], 0, text, "")
        for options in [], ["--keep-unknown"]:
            code, out, err = run("convert", newer, "-", "--to", "pt2b", *options)
            self.assertEqual((code, out), (3, ""))
            self.assertIn(": unknown field: .pt2b needs its field id, which is also unknown; .json and .pt2 preserve it; written with "
                          f"schema {head_schema.NEXT_MINOR}, read with schema {head_schema.VERSION}: use a newer release", err)
        archive = self.folder / "newer.pt2"
        self.check(["convert", newer, archive, "--into", HEAD / "cond.pt2", "--keep-unknown"], 0, "", "")
        self.check(["convert", archive, "-", "--keep-unknown"], 0, text, "")

        # A string with the id 2000, and another schema id.
        data = self.binary("cond.json", "--no-compress").read_bytes()
        payload = data[PAYLOAD_AT:-CHECKSUM_BYTES - 1] + b"\x08\xa0\x1f\x03new\0"
        data = (data[:14] + struct.pack("<I", head_schema.MINOR + 1) + b"other id" + data[ROOT_AT:LENGTH_AT] +
                struct.pack("<Q", len(payload)) + payload)
        binary = self.file("newer.pt2b", data + checksum(data))
        for options in [], ["--keep-unknown"]:
            code, _, err = run("convert", binary, "-", *options)
            self.assertEqual(code, 3)
            self.assertIn("#2000: unknown field: JSON needs its name, which is also unknown; .pt2b preserves it; written with schema ", err)
        code, _, err = run("slim", binary, "--drop", "stack-traces", "-o", self.folder / "out.pt2b")
        self.assertEqual(code, 3)
        self.assertIn("#2000: unknown field: savings are measured in bytes of JSON, and the field's size in JSON is also unknown; written with schema ", err)
        out = self.folder / "retargeted.pt2b"
        self.check(["retarget", binary, "--dtype", "float32", "-o", out], 0, "", "")
        self.check(["convert", out, self.folder / "plain.pt2b", "--no-compress"], 0, "", "")
        self.assertEqual((self.folder / "plain.pt2b").read_bytes()[14:-CHECKSUM_BYTES], binary.read_bytes()[14:-CHECKSUM_BYTES])
        code, _, err = run("upgrade", binary, "-o", "-")
        self.assertEqual(code, 3)
        self.assertIn("#2000: unknown field: an upgrade needs its JSON name, which is also unknown; written with schema "
                      f"{head_schema.NEXT_MINOR}, read with schema {head_schema.VERSION}", err)
        out = self.folder / "again.pt2b"
        for options in [], ["--keep-unknown"]:
            self.check(["convert", binary, out, "--no-compress", *options], 0, "", "")
            self.assertEqual(out.read_bytes(), binary.read_bytes())

    def test_is_read_from_and_written_to_pipes(self):
        path = self.binary("cond.json")
        text = written(HEAD / "cond.json")
        self.check(["convert", "-", "-"], 0, text, "", stdin=path.read_bytes())
        code, out, err = run_bytes("convert", "-", "-", "--to", "pt2b", stdin=text)
        self.assertEqual((code, out, err), (0, path.read_bytes(), ""))
        self.check(["validate", "-"], 0, "<stdin>: ok (schema 8.20, 5 nodes)\n", "", stdin=out)

    def test_is_made_from_an_archive(self):
        binary = self.folder / "cond.pt2b"
        self.check(["convert", HEAD / "cond.pt2", binary], 0, "", "")
        self.assertEqual(binary.read_bytes(), self.binary("cond.json").read_bytes())

    def test_may_be_written_to_the_file_that_was_read(self):
        path = self.binary("cond.json", "--no-compress")
        self.check(["convert", path, path], 0, "", "")
        self.check(["convert", path, "-"], 0, written(HEAD / "cond.json"), "")

    def test_the_format_may_be_said_instead_of_named(self):
        path = self.folder / "cond.bin"
        self.check(["convert", HEAD / "cond.json", path, "--to", "pt2b"], 0, "", "")
        self.assertEqual(path.read_bytes(), self.binary("cond.json").read_bytes())

    def test_holds_a_value_of_any_type(self):
        path = self.folder / "value.pt2b"
        self.check(["convert", "--root", "SymInt", "--no-compress", "-", path], 0, "", "", stdin='{"as_int": 3}')
        # Major version 8, then the minor version and the schema id; a checksum ends the file.
        file = path.read_bytes()
        self.assertEqual(file[:14].hex(" "), "89 50 54 32 0d 0a 1a 0a 01 00 08 00 00 00")
        schema_id = re.search(r"sha256:([0-9a-f]{16})", run("--version")[1])[1]
        self.assertEqual(file[14:26], struct.pack("<I", head_schema.MINOR) + bytes.fromhex(schema_id))
        self.assertEqual(file[26:-CHECKSUM_BYTES].hex(" "), "06 53 79 6d 49 6e 74 04 00 00 00 00 00 00 00 06 28 06 00")
        self.check(["convert", "--root", "SymInt", path, "-"], 0, '{"as_int": 3}', "")
        self.check(["convert", "--root", "Device", path, "-"], 3, "",
                   f"{path}: error: expected a value of type 'Device', got 'SymInt' (byte 26)\n")
        self.check(["convert", path, "-"], 3, "",
                   f"{path}: error: expected a program, got a value of type 'SymInt'; add --root 'SymInt'\n")
        self.check(["info", path], 3, "",
                   f"{path}: error: expected a value of type 'ExportedProgram', got 'SymInt' (byte 26)\n")

    def test_has_no_model_to_choose(self):
        path = self.binary("cond.json")
        self.check(["show", "--model", "a", path], 3, "",
                   f"{path}: error: unknown model 'a': this is the binary form of a single program\n")

    def test_damage_is_found_and_placed(self):
        good = self.binary("cond.json").read_bytes()
        end = len(good) - CHECKSUM_BYTES
        for name, content, message in [
            ("bit", good[:100] + bytes([good[100] ^ 1]) + good[101:],
             f"checksum mismatch: the file is damaged (byte {end})"),
            ("text", good.replace(b"\r\n", b"\n"),
             "the file was transferred in text mode, which changed its line endings; hint: transfer it in binary mode (byte 4)"),
            ("magic", good[:6], "the file ends within the magic (byte 6)"),
            ("header", good[:30], "the file ends within the header (byte 27)"),
            ("payload", good[:80], f"expected a payload of {end - PAYLOAD_AT} bytes and a checksum of 8, found 30 bytes (byte 42)"),
        ]:
            path = self.file(name + ".pt2b", content)
            for command in [["info", path], ["show", path], ["convert", path, "-"]]:
                with self.subTest(command=command):
                    self.check(command, 3, "", f"{path}: error: {message}\n")
            self.check(["validate", path], 3, f"{path}: error: {message}\n", "")

    @unittest.skipUnless(XXHASH, "needs libxxhash")
    def test_another_major_version_is_an_error_with_a_hint(self):
        expected = f"expected {head_schema.MAJOR}.x (up to {head_schema.VERSION} in full)"
        for major, hint in [(7, "convert the file to JSON with the library that wrote it, and upgrade the JSON (byte 10)"),
                            (9, "use a newer release of this library (byte 10)")]:
            path = self.other_schema(major, 3)
            self.check(["info", path], 3, "",
                       f"{path}: error: cannot read binary schema version {major}.3: {expected}; {hint}\n")

    @unittest.skipUnless(XXHASH, "needs libxxhash")
    def test_a_newer_minor_is_read_if_what_it_adds_is_empty(self):
        empty_list, some_string = b"\x09\xc8\x01\x06", b"\x08\xc8\x01\x01x"
        path = self.other_schema(head_schema.MAJOR, head_schema.MINOR + 1, empty_list)
        warning = rf"\A{re.escape(str(path))}: warning: #100: {re.escape(SKIPPED)} \(byte \d+\)\n\Z"
        code, out, err = run("convert", path, "-")
        self.assertEqual((code, out), (0, written(HEAD / "cond.json")))
        self.assertRegex(err, warning)
        code, out, err = run("validate", "--json", path)
        [skipped] = json.loads(out)[0]["programs"][0]["skipped"]
        self.assertEqual((code, skipped["path"], skipped["line"], skipped["column"]), (0, "#100", None, None))
        self.assertGreater(skipped["offset"], 1000)

        path = self.other_schema(head_schema.MAJOR, head_schema.MINOR + 1, some_string)
        code, out, err = run("check", path)
        self.assertEqual(code, 3)
        self.assertRegex(out, rf": error: #100: unknown field id 100; written with schema id 0102030405060708 "
                              rf"\({re.escape(head_schema.NEXT_MINOR)}\), read with {re.escape(head_schema.VERSION)}, where a field id may have a different meaning: "
                              r"use a newer release, or skip or keep unknown fields \(byte \d+\) \[UNREADABLE\]\n")
        code, out, err = run("info", path)
        self.assertEqual(code, 0)
        self.assertIn(head_schema.NEXT_MINOR, out)
        self.assertRegex(err, warning)

    def test_a_newer_release_is_named_for_what_is_unknown_whatever_the_words_are(self):
        # An empty list of unknown items can be skipped; with items it cannot.
        damaged = self.other_schema(head_schema.MAJOR, head_schema.MINOR + 1, b"\x09\xc8\x01\x1f\x00")
        code, out, _ = run("check", "--policy", "inspect", damaged)
        self.assertEqual(code, 3)
        self.assertIn("unknown wire type 15; written with schema id 0102030405060708", out)
        self.assertNotIn("use a newer release", out)

        def add(document):
            document["schema_version"]["minor"] = head_schema.MINOR + 1
            document["a; written with schema b"] = 1
        code, out, _ = run("check", self.changed("newer.json", add))
        self.assertEqual(code, 3)
        self.assertIn(f"unknown field 'a; written with schema b'; written with schema {head_schema.NEXT_MINOR}, read with schema {head_schema.VERSION}: "
                      "use a newer release", out)


if __name__ == "__main__":
    unittest.main()
