"""Files that commands write: links, pipes, devices."""

import os
import stat
import unittest

from schemagen_command import CommandTest, DONE, IO_FAILED, SMALL, UGLY


try:
    import yaml
except ImportError:
    yaml = None


class WriteTest(CommandTest):
    """Behavior that all commands that write files share."""

    COMMANDS = {
        "export": "export s.yaml --format dot -o FILE",
        "depfile": "generate s.yaml -o out --depfile FILE",
        "stamp": "generate s.yaml -o out --stamp FILE",
        "bump": "bump new.yaml --against s.yaml -o FILE",
    }

    def setUp(self):
        super().setUp()
        self.write("s.yaml", SMALL)
        self.write("new.yaml", SMALL.replace("a: {", "b: {id: 2, type: str}\n      a: {"))

    def run_writing(self, name, path, code=DONE):
        return self.run_command(*self.COMMANDS[name].replace("FILE", path).split(), code=code)

    def names(self):
        return sorted(p.name for p in self.folder.iterdir() if p.name != "out")

    def test_a_link_stays_and_what_it_leads_to_is_written(self):
        for name in self.COMMANDS:
            for old in ("old", None):
                with self.subTest(command=name, old=old):
                    folder = self.folder / f"{name}-{old}"
                    (folder / "far").mkdir(parents=True)
                    (folder / "link").symlink_to("hop")
                    (folder / "hop").symlink_to("far/target")
                    if old:
                        (folder / "far/target").write_text(old)
                    self.run_writing(name, f"{folder.name}/link")
                    self.assertTrue((folder / "link").is_symlink() and (folder / "hop").is_symlink())
                    self.assertFalse((folder / "far/target").is_symlink())
                    self.assertNotEqual((folder / "far/target").read_text(), "old")
                    self.assertEqual([p.name for p in (folder / "far").iterdir()], ["target"])

    def test_links_in_a_circle_are_an_error(self):
        (self.folder / "a").symlink_to("b")
        (self.folder / "b").symlink_to("a")
        self.run_writing("export", "a", code=IO_FAILED)
        self.assertEqual(self.names(), ["a", "b", "new.yaml", "s.yaml"])

    def test_a_pipe_is_written_to_and_stays(self):
        os.mkfifo(self.folder / "pipe")
        for name in self.COMMANDS:
            with self.subTest(command=name):
                # A pipe that is open in both directions does not block.
                with open(os.open(self.folder / "pipe", os.O_RDWR | os.O_NONBLOCK), "rb", buffering=0) as pipe:
                    self.run_writing(name, "pipe")
                    self.assertEqual(bool(pipe.read(1 << 16)), name != "stamp")
                self.assertTrue((self.folder / "pipe").is_fifo())

    def test_a_device_is_written_to_and_stays(self):
        sink = self.folder / "sink"
        try:
            os.mknod(sink, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
            sink.write_bytes(b"x")
        except OSError as e:
            self.skipTest(f"no device can be made: {e}")
        for name in self.COMMANDS:
            self.run_writing(name, "sink")
            self.assertTrue(sink.is_char_device())

    def test_stdout_can_be_named_by_its_path(self):
        out, _ = self.run_command("export", "s.yaml", "--format", "dot", "-o", "-")
        if os.path.exists("/proc/self/fd"):
            self.assertEqual(self.run_writing("export", "/proc/self/fd/1"), (out, ""))

    def test_files_with_names_beside_it_are_left_alone(self):
        for name in self.COMMANDS:
            self.write("file.tmp", "mine")
            self.run_writing(name, "file")
            self.assertEqual((self.folder / "file.tmp").read_text(), "mine")
            self.assertEqual(self.names(), ["file", "file.tmp", "new.yaml", "s.yaml"])
        self.write("s.yaml.tmp", "mine")
        self.write("s.yaml", UGLY)
        self.run_command("fmt", "s.yaml")
        self.assertEqual((self.folder / "s.yaml.tmp").read_text(), "mine")

    def test_a_name_may_be_as_long_as_names_can_be(self):
        self.run_writing("export", "x" * 255)

    def test_a_folder_that_is_not_there_is_an_error_and_stays_so(self):
        for name in self.COMMANDS:
            _, errors = self.run_writing(name, "no/such/file", code=IO_FAILED)
            self.assertIn("schemagen: error: cannot create a temporary file to write 'no/such/file': No such file or directory\n", errors)
            self.assertEqual(self.names(), ["new.yaml", "s.yaml"])
        self.run_command("generate", "s.yaml", "-o", "a/new/folder", "--stamp", "a/new/folder/stamp")
        self.run_command("generate", "s.yaml", "-o", "s.yaml/out", code=IO_FAILED)


if __name__ == "__main__":
    unittest.main()
