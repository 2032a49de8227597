#!/usr/bin/env python3
"""c_program, a C99 program that includes only pt2.h, reports on the programs in tests/data as the command pt2 does.

PT2_BINARY and C_PROGRAM are the two.
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import source_cases

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = sorted(path.relative_to(REPOSITORY).as_posix() for path in (REPOSITORY / "tests/data/programs").rglob("*")
                  if path.suffix in (".json", ".pt2", ".pt2b"))
ARCHIVES = [path for path in PROGRAMS if path.endswith(".pt2")]


def run_command(*arguments):
    done = subprocess.run([os.environ["PT2_BINARY"], *arguments], cwd=REPOSITORY, capture_output=True, text=True)
    return done.returncode, done.stdout


def run_commands(all_arguments):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda arguments: run_command(*arguments), all_arguments))


def run_in_c(lines):
    """Exit codes and outputs, by line of a command and its arguments. Under sanitizers, a leak is an error."""
    text = "".join("\t".join(map(str, line)) + "\n" for line in lines)
    done = subprocess.run([os.environ["C_PROGRAM"]], cwd=REPOSITORY, input=text, capture_output=True, text=True,
                          env={**os.environ, "ASAN_OPTIONS": "detect_leaks=1"})
    assert done.returncode == 0, done.stderr
    results, output = [], ""
    for line in done.stdout.splitlines(keepends=True):
        if line.startswith("exit "):
            results.append((int(line.split()[1]), output))
            output = ""
        else:
            output += line
    assert len(results) == len(lines), done.stderr
    return results


class CProgram(unittest.TestCase):
    def compare(self, lines, arguments, parse=json.loads):
        for line, ours, (code, output) in zip(lines, run_in_c(lines), run_commands(arguments)):
            with self.subTest(line=line):
                self.assertEqual(ours[0], code)
                self.assertEqual(ours[1] and parse(ours[1]), output and parse(output))

    def test_info(self):
        self.assertGreater(len(PROGRAMS), 200)
        self.compare([("info", path) for path in PROGRAMS], [("info", path, "--json") for path in PROGRAMS])

    def test_weights(self):
        self.compare([("weights", path) for path in ARCHIVES], [("weights", path, "--json") for path in ARCHIVES])

    def test_hash(self):
        ours = [output.strip() or None for _, output in run_in_c([("hash", path) for path in PROGRAMS])]
        _, output = run_command("hash", "--json", *PROGRAMS)
        self.assertEqual(ours, [entry["hash"] for entry in json.loads(output)])
        self.assertGreater(len(set(ours)), 50)

    def test_validate(self):
        ours = [json.loads(output)[0] for _, output in run_in_c([("validate", path) for path in PROGRAMS])]
        _, output = run_command("validate", "--json", *PROGRAMS)
        theirs = json.loads(output)
        for file in theirs:
            for program in file["programs"]:
                program["skipped"] = [field["path"] for field in program["skipped"]]
        for one, other in zip(ours, theirs, strict=True):
            self.assertEqual(one, other)

    def test_files_give_the_same_when_only_the_needed_parts_are_read(self):
        files, expected = [*map(str, source_cases.FILES)], source_cases.expected()
        for command in ("hash", "scan", "weights", "tensors"):
            whole, parts = (run_in_c([(command, path, source) for path in files]) for source in ("", "parts"))
            for path, one, other in zip(files, whole, parts, strict=True):
                with self.subTest(command=command, path=path):
                    self.assertEqual(one, other)
                    if command == "hash":
                        self.assertEqual(one[1].strip() or None, expected[path]["hash"])
                    elif command == "scan":
                        self.assertEqual(json.loads(one[1] or "[]"), expected[path]["findings"])

    def test_check_finds_what_the_command_finds(self):
        files = [path for path in source_cases.FILES if path.parent.name in ("hostile", "packages", "torch-2.6.0")]
        for policy in ("strict", "load", "inspect"):
            found = run_in_c([("check", path, policy) for path in files])
            for path, (_, ours) in zip(files, found, strict=True):
                with self.subTest(policy=policy, path=path):
                    _, theirs = run_command("check", "--policy", policy, "--format", "json", str(path))
                    self.assertEqual(json.loads(ours), [[each["rule"], each["message"]] for each in json.loads(theirs)[0]["findings"]])

    def test_files_are_changed_as_the_command_changes_them(self):
        custom_op = "tests/data/programs/torch-2.13.0/custom_op.pt2"
        with tempfile.TemporaryDirectory() as folder:
            ours, theirs = f"{folder}/ours.pt2", f"{folder}/theirs.pt2"
            changes = [("upgrade", path, (), "") for path in ARCHIVES[::4]]
            changes += [("downgrade", path, ("--to", "torch-2.9"), "torch-2.9") for path in (*ARCHIVES[1::4], "tests/data/packages/multi.pt2")]
            changes += [("retarget", path, ("--device", "cuda:1"), "cuda:1") for path in ARCHIVES[2::8]]
            changes += [("join", custom_op, (custom_op,), custom_op)]
            results = collections.Counter()
            for command, path, options, argument in changes:
                with self.subTest(command=command, path=path):
                    for file in (ours, theirs):
                        pathlib.Path(file).unlink(missing_ok=True)
                    [(code, _)] = run_in_c([(command, path, ours, argument)])
                    self.assertEqual(code, run_command(command, path, *options, "-o", theirs)[0])
                    self.assertEqual(pathlib.Path(ours).exists(), code == 0)
                    if code == 0:
                        self.assertEqual(pathlib.Path(ours).read_bytes(), pathlib.Path(theirs).read_bytes())
                    results[command, code] += 1
            self.assertTrue({("upgrade", 0), ("downgrade", 0), ("retarget", 0), ("join", 0)} <= {*results}, results)

    def test_broken_files_are_refused_with_the_same_place(self):
        with tempfile.TemporaryDirectory() as folder:
            text = (REPOSITORY / "tests/data/programs/torch-2.13.0/mlp.json").read_text()
            paths = []
            for number, broken in enumerate([text[:-20], text.replace('"nodes": [', '"nodes": [5, ', 1), "no program", ""]):
                paths.append(str(pathlib.Path(folder, f"{number}.json")))
                pathlib.Path(paths[-1]).write_text(broken)
            self.compare([("validate", path) for path in paths], [("validate", path, "--json") for path in paths])

    def test_diff(self):
        pairs = list(zip(PROGRAMS, PROGRAMS[1:] + PROGRAMS[:1])) + [(PROGRAMS[0], PROGRAMS[0])]
        ours = run_in_c([("diff", *pair) for pair in pairs])
        for pair, one, (code, output) in zip(pairs, ours, run_commands([("diff", *pair, "--json") for pair in pairs])):
            with self.subTest(pair=pair):
                self.assertEqual(one[1] and json.loads(one[1]), output and json.loads(output))
                self.assertEqual(one[0], 0 if code == 1 else code)

    def test_convert(self):
        with tempfile.TemporaryDirectory() as folder:
            for ending, paths in ((".json", PROGRAMS[::2]), (".pt2b", PROGRAMS[1::2]), (".pt2", ARCHIVES)):
                ours = [pathlib.Path(folder, f"c{number}{ending}") for number, _ in enumerate(paths)]
                theirs = [pathlib.Path(folder, f"pt2{number}{ending}") for number, _ in enumerate(paths)]
                codes = run_in_c([("convert", *each) for each in zip(paths, ours)])
                expected = run_commands([("convert", path, str(out)) for path, out in zip(paths, theirs)])
                for path, one, other, code, (expected_code, _) in zip(paths, ours, theirs, codes, expected):
                    with self.subTest(path=path, ending=ending):
                        self.assertEqual(code[0], expected_code)
                        self.assertEqual(one.exists(), other.exists())
                        if one.exists():
                            self.assertEqual(one.read_bytes(), other.read_bytes())


if __name__ == "__main__":
    unittest.main()
