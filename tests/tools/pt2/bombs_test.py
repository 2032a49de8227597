"""No command takes more than 2 GiB or 20 s, or crashes, on any file of at most 20 MB, such as the files of bombs.py.

PT2_BINARY and SCHEMAGEN_BINARY name the commands. The test has small files, and runs a tenth of the commands on each, others on the next. By hand, all
commands on files of 10 to 20 MB, which takes hours:

    tests/tools/pt2/bombs_test.py --size 1 [--bombs 'alias*'] [--commands 'view *']
"""

import argparse
import concurrent.futures
import fnmatch
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

import bombs
from every_command import CALLS, call

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2]))
from random_seed import SEED

MEMORY = 2 << 30
SECONDS = 20

SCHEMA_CALLS = ["check FILE", "fmt FILE --check", "hash FILE", "diff FILE FILE", "diff FILE OTHER", "generate FILE -o OUT --namespace n"]
SCHEMA_CALLS += [f"export FILE --format {name} -o OUT.x" for name in ("thrift", "torch-yaml", "torch-cpp", "python", "json-schema", "typescript", "c", "dot", "model", "html")]


class Run:
    """Time and memory of a command on a file."""

    def __init__(self, tool, command, file, plain, scratch, seconds):
        self.name = command.replace("FILE", file.name)
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=scratch))
        words = call(command.split(), file, plain, self.folder)
        (self.folder / "r1").touch()  # NAME may also be a file

        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (2 * int(seconds) + 1, 2 * int(seconds) + 2))
            if "ASAN_OPTIONS" not in os.environ:  # AddressSanitizer reserves terabytes of addresses
                resource.setrlimit(resource.RLIMIT_AS, (3 * MEMORY, 3 * MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        with open(self.folder / "err", "wb") as error:
            process = subprocess.Popen([tool, *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=error, cwd=self.folder, preexec_fn=limit)
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = self.code = os.waitstatus_to_exitcode(status)
        with open(self.folder / "err", "rb") as error:
            self.error = error.read(200)
        self.written = sum(each.stat().st_size for each in self.folder.rglob("*") if each.is_file())
        shutil.rmtree(self.folder)
        self.seconds = usage.ru_utime + usage.ru_stime
        self.peak = usage.ru_maxrss * 1024

    def faults(self, seconds):
        """What is wrong with it: words, none if nothing is."""
        if self.code < 0:
            yield signal.Signals(-self.code).name
        elif self.code > 3:
            yield f"exit {self.code}: {self.error}"
        if self.seconds > seconds:
            yield f"{self.seconds:.1f} s"
        if self.peak > MEMORY:
            yield f"{self.peak >> 20} MiB"
        if self.written > MEMORY:
            yield f"{self.written >> 20} MiB written"

    def __str__(self):
        return f"{self.name}: exit {self.code}, {self.seconds:.2f} s, {self.peak >> 20} MiB, {self.written >> 20} MiB written"


def run_all(size, seconds, names, commands_named="*", every=1):
    """A Run for every n-th pair of a file and a command, with different commands for each file."""
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = pathlib.Path(name)
        for plain, content in {"json": ("repeats.json", 0.001), "pt2": ("empty_weights.pt2", 0.001), "yaml": ("yaml_of_many_fields.yaml", 0.0001)}.items():
            (folder / f"plain.{plain}").write_bytes(bombs.content_of(*content))
        for number, bomb in enumerate(names):
            file = folder / bomb
            file.write_bytes(bombs.content_of(bomb, size))
            commands = SCHEMA_CALLS if bomb.endswith(".yaml") else map(" ".join, CALLS)
            tool = os.environ["SCHEMAGEN_BINARY" if bomb.endswith(".yaml") else "PT2_BINARY"]
            plain = folder / ("plain" + file.suffix)
            yield from pool.map(lambda command: Run(tool, command, file, plain, folder, seconds), fnmatch.filter(commands, commands_named)[number % every::every])
            file.unlink()


class BombsTest(unittest.TestCase):
    def test_no_command_takes_much_of_any_small_file(self):
        # Files are a fiftieth of the promised size and may take half of the time, which quadratic work would exceed at full size.
        for run in run_all(0.02, SECONDS / 2, [*bombs.BOMBS], every=10):
            with self.subTest(run.name):
                self.assertEqual(list(run.faults(SECONDS / 2)), [], str(run))

    def test_no_command_takes_much_of_bytes_in_one_place(self):
        places = bombs.places()
        self.assertGreater(len(places), 600)
        names = random.Random(SEED).sample(sorted(places), 40)
        bombs.BOMBS |= {name: places[name] for name in names}
        for run in run_all(0.02, SECONDS / 2, names, every=10):
            with self.subTest(run.name):
                self.assertEqual(list(run.faults(SECONDS / 2)), [], str(run))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=float)
    parser.add_argument("--bombs", default="*")
    parser.add_argument("--commands", default="*")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    options = parser.parse_args()
    failed = runs = 0
    bombs.BOMBS |= bombs.places()
    for run in run_all(options.size, options.seconds, fnmatch.filter(bombs.BOMBS, options.bombs), options.commands):
        faults = list(run.faults(options.seconds))
        runs += 1
        failed += bool(faults)
        print(("FAULT " if faults else "") + str(run), ", ".join(faults), flush=True)
    print(f"{runs} runs, {failed} faults")
    sys.exit(failed != 0)


if __name__ == "__main__":
    if "--size" in sys.argv:
        main()
    unittest.main()
