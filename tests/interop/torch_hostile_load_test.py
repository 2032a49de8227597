#!/usr/bin/env python3
"""pt2.torch.load() runs nothing of a file: it refuses what pt2.scan() finds in a program, by the same rule and before it builds anything.

Takes all attacks of hostile_corpus.py and torch_code_test.py, and tests/data/hostile. Needs torch and a C compiler. PT2_PYTHON_PACKAGE is
the folder that has the package pt2.
"""

import os
import pathlib
import sys
import tempfile
import unittest
import unittest.mock
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "interop"), str(ROOT / "tests" / "mutants"), os.environ.get("PT2_PYTHON_PACKAGE", str(ROOT / "build" / "bindings" / "python"))]
sys.dont_write_bytecode = True

import effects  # noqa: E402
import hostile_corpus  # noqa: E402
import torch  # noqa: E402
import torch_code_test  # noqa: E402

import pt2  # noqa: E402
import pt2.torch  # noqa: E402

HOSTILE = ROOT / "tests" / "data" / "hostile"
RULES = {"NAME_CODE", "TARGET_CODE", "EXPRESSION_CODE", "GUARD_CODE", "TREESPEC_CODE"}
KEYWORDS = ({}, {"mmap": False}, {"device": "cpu"}, {"device": "meta"}, {"progress": lambda done, total: None})


def attacks(library):
    """Returns archives by name."""
    plain = hostile_corpus.plain_archive()
    files = {f"{file.kind} {file.name}": file.data for file in hostile_corpus.corpus(hostile_corpus.Model(plain, library)) if file.suffix == ".pt2"}

    class Collected(torch_code_test.CodeTest):
        """Keeps its files instead of running them."""

        def assert_found(self, rule, archive, label):
            files[f"{self._testMethodName} {label}"] = archive

    unittest.defaultTestLoader.loadTestsFromTestCase(Collected).run(unittest.TestResult())
    return files | {path.name: path.read_bytes() for path in HOSTILE.glob("*.pt2")}


class Marker(effects.Watch):
    """Leaves the file that hostile_corpus.fires() expects of an attack."""

    def stop(self, *event):
        if self.armed:
            self.armed = False
            os.close(os.open("MARKER", os.O_CREAT | os.O_WRONLY))
            raise effects.Stopped


MARKER = Marker()


def watched_load(path):
    """From here on, the process is watched."""
    MARKER.armed = True
    return pt2.torch.load(path)


class Built(Exception):
    """Raised where the scanned program becomes one of torch's."""


def code_rules(program):
    """Returns the rules that pt2.scan() finds in a program."""
    return RULES & {found.rule for found in pt2.scan(program.to_json())}


class LoadTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        warnings.simplefilter("ignore")
        torch.set_num_threads(1)
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.library = hostile_corpus.compiled_library(cls.folder)
        cls.files = attacks(cls.library)

    def error_of(self, path, **keywords):
        with unittest.mock.patch.object(pt2.torch, "_exported_program", side_effect=Built):
            try:
                pt2.torch.load(path, **keywords)
            except (Built, pt2.DataError) as error:
                return error
            except ValueError as error:  # the archive has several models
                return error if "model" in keywords else self.error_of(path, model="model", **keywords)

    def test_no_attack_has_an_effect(self):
        path = self.folder / "file.pt2"
        refused = built = 0
        for name, data in self.files.items():
            path.write_bytes(data)
            error = self.error_of(path)
            with self.subTest(name):
                if isinstance(error, pt2.DataError):
                    refused += 1
                    continue
                built += 1
                with pt2.open(path) as file:
                    models = file.models
                self.assertEqual(code_rules(pt2.load(path, model="model" if "model" in models else models[0])), set())
                self.assertFalse(hostile_corpus.fires(data, ".pt2", self.library, watched_load))
        self.assertGreater(refused, 300)
        self.assertGreater(built, 20)

    def test_the_watch_sees_attacks_in_torch(self):
        def load(path):
            MARKER.armed = True
            return torch.export.load(path)

        fired = [name for name, data in list(self.files.items())[:40:4] if hostile_corpus.fires(data, ".pt2", self.library, load)]
        self.assertGreater(len(fired), 2)

    def test_no_keyword_changes_what_is_refused(self):
        path = self.folder / "file.pt2"
        for name in list(self.files)[::9]:
            path.write_bytes(self.files[name])
            expected = repr(self.error_of(path))
            for keywords in KEYWORDS:
                with self.subTest(name, keywords=keywords):
                    self.assertEqual(expected, repr(self.error_of(path, **keywords)))

    def test_what_an_older_release_wrote_and_bare_programs_are_refused_by_the_same_rules(self):
        hostile = pt2.load(HOSTILE / "J01_placeholder_name.pt2")
        for suffix in (".json", ".pt2b"):
            path = self.folder / f"program{suffix}"
            pt2.save(hostile, path)
            self.assertEqual({"NAME_CODE"}, code_rules(pt2.load(path)))
            self.assertIsInstance(self.error_of(path), pt2.DataError)
        for path in sorted((ROOT / "tests/data/programs").glob("torch-2.*/mlp.pt2")):
            with self.subTest(path.parent.name):
                changed = self.folder / "changed.pt2"
                program = pt2.load(path)
                self.assertIsInstance(self.error_of(path), Built)
                program.guards_code = ["open('MARKER', 'w')"]
                pt2.save(program, changed, like=path)
                self.assertRegex(str(self.error_of(changed)), "GUARD_CODE")


if __name__ == "__main__":
    unittest.main()
