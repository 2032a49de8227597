"""`schemagen hash`."""

import unittest

from schemagen_command import BAD_INPUT, CommandTest, HEAD, IO_FAILED, NO, REPOSITORY, SMALL, USAGE, VECTORS


try:
    import yaml
except ImportError:
    yaml = None

class HashTest(CommandTest):
    def schema_path(self, name):
        """Returns the file of a schema named as in digests.txt: `small.yaml`, `pt2-8.20`."""
        if name == "small.yaml":
            return VECTORS / name
        released = REPOSITORY / "schema" / "released" / (name[len("pt2-") :] + ".yaml")
        return released if released.exists() else HEAD

    def test_prints_every_digest_of_the_vectors(self):
        lines = [line.split() for line in (VECTORS / "digests.txt").read_text().splitlines()]
        lines = [line for line in lines if line and line[0] != "#"]
        self.assertEqual(len(lines), 15)
        for schema, what, root, digest in lines:
            arguments = [] if root == "-" else ["--root", root]
            arguments += [] if what == "schema" else ["--projection", what]
            with self.subTest(schema=schema, what=what, root=root):
                out, errors = self.run_command("hash", self.schema_path(schema), *arguments)
                self.assertEqual((out, errors), (digest + "\n", ""))

    def test_prints_the_text_that_is_hashed(self):
        small = VECTORS / "small.yaml"
        out, _ = self.run_command("hash", small, "--text")
        self.assertEqual(out, (VECTORS / "small.nsf.txt").read_text(encoding="utf-8"))
        for projection in ("bin", "json"):
            out, _ = self.run_command("hash", small, "--text", "--root", "Rec", "--projection", projection)
            self.assertEqual(out, (VECTORS / f"small.Rec.nsf-{projection}.txt").read_text(encoding="utf-8"))

    def test_a_projection_is_of_the_only_root_if_none_is_named(self):
        small = self.write("s.yaml", SMALL)
        named, _ = self.run_command("hash", small, "--root", "A", "--projection", "bin")
        alone, _ = self.run_command("hash", small, "--projection", "bin")
        self.assertEqual(named, alone)

    def test_a_projection_without_a_root_is_refused_where_there_are_several(self):
        out, errors = self.run_command("hash", HEAD, "--projection", "json", code=USAGE)
        self.assertEqual(out, "")
        self.assertIn("hint: add --root; its roots are ExportedProgram, PayloadConfig,", errors)
        _, errors = self.run_command("hash", VECTORS / "small.yaml", "--projection", "bin", code=USAGE)
        self.assertIn("hint: add --root; the schema lists no roots", errors)

    def test_an_unknown_root_or_projection_is_a_usage_error(self):
        small = self.write("s.yaml", SMALL)
        _, errors = self.run_command("hash", small, "--root", "B", code=USAGE)
        self.assertIn("has no type 'B'\nhint: did you mean 'A'?\n", errors)
        _, errors = self.run_command("hash", small, "--root", "Tensor", code=USAGE)
        self.assertIn("has no type 'Tensor'\nhint: its roots are A\n", errors)
        _, errors = self.run_command("hash", small, "--projection", "binary", code=USAGE)
        self.assertIn("'binary' is not a projection: write bin or json", errors)

    def test_an_expected_hash_is_right_in_every_spelling_and_length(self):
        small = self.write("s.yaml", SMALL)
        digest = self.run_command("hash", small)[0].strip()
        hexadecimal = digest[len("sha256:") :]
        for expected in (digest, hexadecimal, hexadecimal[:16], digest[: 7 + 20], hexadecimal.upper()):
            with self.subTest(expected=expected):
                self.assertEqual(self.run_command("hash", small, "--expect", expected), ("", ""))

    def test_another_hash_than_the_expected_one_shows_both_and_how_to_go_on(self):
        small = self.write("s.yaml", SMALL)
        digest = self.run_command("hash", small, "--root", "A")[0].strip()
        out, errors = self.run_command("hash", small, "--root", "A", "--expect", "0123456789abcdef", code=NO)
        self.assertEqual(out, "")
        self.assertIn("  expected: 0123456789abcdef\n", errors)
        self.assertIn(f"  found:    {digest}\n", errors)
        self.assertIn(f"`schemagen hash {small} --root A --text`", errors)

    def test_what_is_no_hash_cannot_be_expected(self):
        small = self.write("s.yaml", SMALL)
        for expected in ("0123456789abcde", "xyz", "sha1:0123456789abcdef"):
            _, errors = self.run_command("hash", small, "--expect", expected, code=USAGE)
            self.assertIn("at least its first 16 hexadecimal digits", errors)
        self.run_command("hash", small, "--text", "--expect", "0123456789abcdef", code=USAGE)

    def test_reads_stdin(self):
        digest, _ = self.run_command("hash", self.write("s.yaml", SMALL))
        self.assertEqual(self.run_command("hash", "-", stdin=SMALL)[0], digest)

    def test_a_schema_with_errors_and_one_that_is_not_there_have_their_own_codes(self):
        out, errors = self.run_command("hash", self.write("s.yaml", "name: s\n"), code=BAD_INPUT)
        self.assertEqual(out, "")
        self.assertIn("error: the schema has no 'types'", errors)
        _, errors = self.run_command("hash", "gone.yaml", code=IO_FAILED)
        self.assertIn("cannot read gone.yaml", errors)


if __name__ == "__main__":
    unittest.main()
