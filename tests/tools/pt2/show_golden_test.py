"""`pt2 show`. With PT2_UPDATE_GOLDEN=1 it writes the files in tests/golden/show again."""

import os
import pty
import select
import signal
import subprocess
import unittest

from pt2_command import BINARY, CommandTest, HEAD, PROGRAMS, TESTS, run, written


GOLDEN = TESTS / "golden" / "show"


def on_terminal(variables, *arguments):
    """Returns the command's output on a terminal."""
    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    environment.update({"TERM": "xterm", **variables})
    ours, theirs = pty.openpty()
    process = subprocess.Popen([BINARY, *map(str, arguments)], stdout=theirs, env=environment)
    os.close(theirs)
    out = b""
    while select.select([ours], [], [], 30)[0]:
        try:
            piece = os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        out += piece
    os.close(ours)
    process.wait(30)
    return out.decode()


class Show(CommandTest):
    def test_golden_files(self):
        paths = sorted(GOLDEN.glob("*.txt"))
        self.assertNotEqual(paths, [])
        for path in paths:
            release, _, model = path.stem.rpartition(".")
            with self.subTest(path=path):
                code, out, err = run("show", PROGRAMS / release / (model + ".json"))
                self.assertEqual((code, err), (0, ""))
                if os.environ.get("PT2_UPDATE_GOLDEN") == "1":
                    path.write_text(out, encoding="utf-8")
                self.assertEqual(out, path.read_text(encoding="utf-8"))

    def test_has_no_colours_in_a_pipe(self):
        self.assertNotIn("\x1b", run("show", HEAD / "cond.json")[1])

    def test_has_colours_on_a_terminal_unless_they_are_not_wanted(self):
        for variables, coloured in [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True),
                                    ({"TERM": "dumb"}, False)]:
            with self.subTest(variables=variables):
                out = on_terminal(variables, "show", HEAD / "cond.json")
                self.assertEqual("sin: \x1b[2mf32[3]\x1b[0m = " in out, coloured)
                self.assertEqual("\x1b" in out, coloured)

    def test_ends_quietly_when_its_reader_has_seen_enough(self):
        # Python ignores the signal, and children inherit that.
        for restore_signals in [True, False]:
            path = self.large_program()
            with subprocess.Popen([BINARY, "show", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  restore_signals=restore_signals) as process:
                process.stdout.read(10)
                process.stdout.close()
                self.assertEqual(process.stderr.read(), b"")
            self.assertEqual(process.returncode, -signal.SIGPIPE)

    def large_program(self):
        """A program whose text does not fit into a pipe's buffer."""
        def repeat(document):
            document["graph_module"]["graph"]["nodes"] *= 3000
        return self.changed("large.json", repeat)

    def test_what_only_shows_a_program_is_not_written_over_it(self):
        path, link, twin = (self.folder / name for name in ("in.json", "link.html", "twin.html"))
        path.write_bytes(written(HEAD / "mlp.json").encode())
        link.symlink_to(path)
        os.link(path, twin)
        for command in (["view", path], ["view", path, "--format", "model-explorer"], ["export", path, "--format", "dot"],
                        ["diff", path, HEAD / "cond.json"], ["diff", HEAD / "cond.json", path]):
            for out in (path, self.folder / "." / "in.json", f"{self.folder}/./in.json", link, twin):
                with self.subTest(command=command, out=out):
                    code, printed, error = run(*command, "-o", out)
                    self.assertEqual((code, printed), (2, ""))
                    self.assertIn(" is also the input, which would be overwritten; write to another file\n", error)
                    self.assertEqual(path.read_bytes(), written(HEAD / "mlp.json").encode())

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_says_so_if_the_output_cannot_be_written(self):
        with open("/dev/full", "wb") as full:
            process = subprocess.run([BINARY, "show", HEAD / "cond.json"], stdout=full, stderr=subprocess.PIPE)
        self.assertEqual((process.returncode, process.stderr.decode()),
                         (4, "pt2: error: cannot write to standard output: No space left on device\n"))


if __name__ == "__main__":
    unittest.main()
