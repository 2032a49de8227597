"""`schemagen fmt`."""

import os
import pathlib
import random
import re
import unittest

from schemagen_command import BAD_INPUT, CommandTest, HEAD, IO_FAILED, NICE, NO, SMALL, UGLY, VECTORS


try:
    import yaml
except ImportError:
    yaml = None

class FmtTest(CommandTest):
    def test_writes_the_layout_in_place_and_nothing_else(self):
        path = self.write("s.yaml", UGLY)
        self.assertEqual(self.run_command("fmt", path), ("", ""))
        self.assertEqual(pathlib.Path(path).read_text(), NICE)
        self.assertEqual([p.name for p in self.folder.iterdir()], ["s.yaml"])

    def test_keeps_links_and_permissions(self):
        path = pathlib.Path(self.write("s.yaml", UGLY))
        path.chmod(0o640)
        link = self.folder / "link.yaml"
        link.symlink_to("s.yaml")
        self.run_command("fmt", link)
        self.assertTrue(link.is_symlink())
        self.assertEqual(path.read_text(), NICE)
        self.assertEqual(path.stat().st_mode & 0o777, 0o640)

    def test_leaves_a_file_alone_that_is_in_the_layout(self):
        path = pathlib.Path(self.write("s.yaml", NICE))
        os.utime(path, (1, 1))
        self.run_command("fmt", path)
        self.assertEqual(path.stat().st_mtime, 1)

    def test_check_names_the_files_in_another_layout_and_writes_nothing(self):
        ugly, nice = self.write("ugly.yaml", UGLY), self.write("nice.yaml", NICE)
        self.assertEqual(self.run_command("fmt", "--check", nice), ("", ""))
        self.assertEqual(self.run_command("fmt", nice, ugly, "--check", code=NO), (f"{ugly}\n", ""))
        self.assertEqual(pathlib.Path(ugly).read_text(), UGLY)

    def test_every_checked_in_schema_is_in_the_layout(self):
        schemas = [HEAD, HEAD.with_name("draft.yaml"), *HEAD.parent.glob("released/*.yaml")]
        self.assertGreaterEqual(len(schemas), 14)
        self.assertEqual(self.run_command("fmt", "--check", *schemas), ("", ""))

    def test_stdin_goes_to_stdout(self):
        self.assertEqual(self.run_command("fmt", "-", stdin=UGLY), (NICE, ""))
        self.assertEqual(self.run_command("fmt", "-", "--check", stdin=UGLY, code=NO), ("<stdin>\n", ""))

    def test_what_cannot_be_formatted_is_left_as_it_is(self):
        text = SMALL.replace("version: {major: 1, minor: 0}", "version: {  # a\n  major: 1, minor: 0\n  }  # b")
        path = self.write("s.yaml", text)
        _, errors = self.run_command("fmt", path, code=BAD_INPUT)
        self.assertIn("s.yaml:4:6: error: the layout has no place for this comment", errors)
        self.assertEqual(pathlib.Path(path).read_text(), text)
        _, errors = self.run_command("fmt", self.write("bad.yaml", "name: 1\n"), code=BAD_INPUT)
        self.assertIn("bad.yaml", errors)

    def test_the_worst_of_several_files_gives_the_code_and_the_others_are_written(self):
        bad, ugly = self.write("bad.yaml", "name: s\n"), self.write("ugly.yaml", UGLY)
        self.run_command("fmt", bad, ugly, code=BAD_INPUT)
        self.assertEqual(pathlib.Path(ugly).read_text(), NICE)
        self.run_command("fmt", "gone.yaml", code=IO_FAILED)

    def test_random_comments_are_neither_lost_nor_moved_by_a_second_run(self):
        chance = random.Random(5)
        lines = (VECTORS / "small.yaml").read_text(encoding="utf-8").splitlines()
        for _ in range(40):
            text, count = "", 0
            for line in lines:
                while chance.random() < 0.2:
                    count += 1
                    text += chance.choice(["", "\n"]) + " " * chance.randrange(9) + f"# above {count}\n"
                if chance.random() < 0.2:
                    count += 1
                    line += chance.choice([" ", "   ", "\t"]) + f"# behind {count}: \"{{["
                text += line + "\n"
            out, _ = self.run_command("fmt", "-", stdin=text)
            comments = [sorted(re.findall(r"# .*", t)) for t in (text, out)]
            self.assertEqual(len(comments[0]), count)
            self.assertEqual(comments[0], comments[1])
            self.assertEqual(self.run_command("fmt", "-", stdin=out)[0], out)


if __name__ == "__main__":
    unittest.main()
