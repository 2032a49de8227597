"""Commands that take many files."""

import functools
import json
import os
import signal
import subprocess
import time
import unittest

from pt2_command import BINARY, CommandTest, HEAD, PROGRAMS, run, said


def opened(pipe):
    """Opens a named pipe for writing, once a reader has opened it."""
    end = time.monotonic() + 30
    while True:
        try:
            return open(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK), "wb")
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.01)


@unittest.skipUnless(len(os.sched_getaffinity(0)) > 1, "needs two processors")
class ManyFiles(CommandTest):
    def pipes(self):
        pipes = [self.folder / "a", self.folder / "b"]
        for pipe in pipes:
            os.mkfifo(pipe)
        return pipes

    def test_what_is_said_does_not_depend_on_how_many_processors_there_are(self):
        newer = json.loads((HEAD / "mlp.json").read_text())
        newer["schema_version"]["minor"] += 1
        newer["graph_module"]["graph"]["nodes"][0]["new_field"] = 7
        files = [HEAD / "mlp.pt2", self.file("newer.json", json.dumps(newer)), self.file("bad.json", "{"), self.folder / "missing",
                 HEAD / "gpt2.pt2", PROGRAMS / "torch-2.4.1" / "mlp.json", self.file("empty", ""), HEAD / "cond.json"]
        processors = sorted(os.sched_getaffinity(0))
        for command, *options in [["validate"], ["validate", "--json"], ["scan"], ["scan", "--format", "json"], ["check"],
                                  ["check", "--format", "sarif"], ["hash"], ["hash", "--json"]]:
            with self.subTest(command=command, options=options):
                one, all_ = (run(command, *options, *3 * files, preexec_fn=functools.partial(os.sched_setaffinity, 0, chosen))
                             for chosen in (processors[:1], processors))
                self.assertEqual(all_, one)
                self.assertEqual(one[0], 4)
        alone = [run("validate", file) for file in files]
        self.assertEqual(run("validate", *files), (4, "".join(out for _, out, _ in alone), "".join(err for *_, err in alone)))

    def test_files_are_read_at_once_and_told_of_in_their_order(self):
        pipes = self.pipes()
        process = subprocess.Popen([BINARY, "hash", *pipes], stdout=subprocess.PIPE)
        for pipe in reversed(pipes):
            with opened(pipe) as out:
                out.write((HEAD / "mlp.json").read_bytes())
        out, _ = process.communicate(timeout=60)
        digest = said("hash", HEAD / "mlp.json").strip()
        self.assertEqual((process.returncode, out.decode()), (0, "".join(f"{digest}  {pipe}\n" for pipe in pipes)))

    def test_a_signal_ends_all_of_them(self):
        pipes = self.pipes()
        process = subprocess.Popen([BINARY, "validate", *pipes])
        with opened(pipes[0]), opened(pipes[1]):
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=60), -signal.SIGINT)

    def test_of_files_that_are_told_of_no_more_is_begun(self):
        process = subprocess.Popen([BINARY, "validate", *1000 * [HEAD / "gpt2.json"]], stdout=subprocess.PIPE)
        process.stdout.readline()
        process.stdout.close()
        self.assertEqual(process.wait(timeout=60), -signal.SIGPIPE)


if __name__ == "__main__":
    unittest.main()
