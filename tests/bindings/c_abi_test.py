#!/usr/bin/env python3
"""libpt2c exports what its headers declare and no more, and what they declare stays as bindings/c/abi_<number>.xml and .txt have it.

PT2_C_LIBRARY is the library, CC a compiler. A library of empty functions is made of the headers, whose types are all that crosses
the border; abidiff compares it with what was recorded. Constants, whose numbers are compiled into callers, are compared as text.
UPDATE_GOLDEN=1 records a new number, and what was added: a function, a constant, or a field at the end of a struct of options,
whose callers say how long theirs is.
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
HEADERS = REPOSITORY / "bindings" / "c"
LIBRARY = os.environ["PT2_C_LIBRARY"]
DECLARATION = re.compile(r"SCHEMAGEN_API ([^;{}]*?\b(\w+)\([^;{}]*\));")


def header_text():
    return [(HEADERS / name).read_text() for name in ("schemagen_value.h", "pt2.h")]


def declared(texts):
    return {name for text in texts for _, name in DECLARATION.findall(text)}


def constants(texts):
    """Returns "NAME = NUMBER" for all enumerators, in order."""
    blocks = re.findall(r"^enum \{(.*?)^\};", "".join(texts), re.DOTALL | re.MULTILINE)
    return [each.strip() for block in blocks for each in re.sub(r"/\*.*?\*/", "", block, flags=re.DOTALL).split(",")]


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True)


class Stubs:
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def stubs(self, texts):
        """Builds a shared library with the functions of the headers."""
        values, pt2 = texts
        for name, text in (("schemagen_value.h", values), ("pt2.h", pt2)):
            (self.folder / name).write_text(text)
        bodies = "".join(f"{declaration} {{ __builtin_trap(); }}\n" for text in texts for declaration, _ in DECLARATION.findall(text))
        source, library = self.folder / "stubs.c", self.folder / "stubs.so"
        source.write_text(f'#include "pt2.h"\n{bodies}')
        done = run(os.environ["CC"], "-std=c99", "-g", f"-fdebug-prefix-map={self.folder}=.", "-fPIC", "-shared", source, "-o", library)
        self.assertEqual(done.returncode, 0, done.stderr)
        return library

    def difference(self, texts):
        """Returns abidiff's report of changes that callers would notice; empty if there are none."""
        number = re.search(r"#define PT2_ABI_VERSION (\d+)", texts[1])[1]
        recorded = HEADERS / f"abi_{number}.xml"
        if not recorded.exists():
            return ""
        done = run("abidiff", "--no-added-syms", recorded, self.stubs(texts))
        self.assertEqual(done.returncode & 3, 0, done.stderr)
        gone = set(recorded.with_suffix(".txt").read_text().splitlines()) - set(constants(texts))
        return (done.stdout if done.returncode else "") + "".join(f"no longer: {constant}\n" for constant in sorted(gone))


class Abi(unittest.TestCase):
    def test_the_library_exports_what_the_headers_declare(self):
        if not LIBRARY.endswith(".so"):
            self.skipTest("libpt2c is static")
        done = run("nm", "-D", "--defined-only", LIBRARY)
        number = re.search(r"#define PT2_ABI_VERSION (\d+)", header_text()[1])[1]
        exported = {line.split()[-1] for line in done.stdout.splitlines() if " A " not in line}
        self.assertEqual(exported, {f"{name}@@PT2C_{number}" for name in declared(header_text())})
        self.assertGreater(len(exported), 100)

    def test_the_library_calls_its_own_functions_whatever_a_program_defines(self):
        if not LIBRARY.endswith(".so"):
            self.skipTest("libpt2c is static")
        self.assertNotRegex(run("readelf", "--relocs", "--wide", LIBRARY).stdout, "|".join(declared(header_text())))

    def test_the_number_is_in_the_name_of_the_library(self):
        if not LIBRARY.endswith(".so"):
            self.skipTest("libpt2c is static")
        number = re.search(r"#define PT2_ABI_VERSION (\d+)", header_text()[1])[1]
        self.assertIn(f"soname: [libpt2c.so.{number}]", run("readelf", "-d", LIBRARY).stdout)

    def test_headers_have_each_function_once_and_few_lines(self):
        texts = header_text()
        names = [name for text in texts for _, name in DECLARATION.findall(text)]
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual(len(names), sum(len(re.findall(r"^SCHEMAGEN_API", text, re.MULTILINE)) for text in texts))
        self.assertLess(len(texts[1].splitlines()), 1000)

    def test_all_constants_have_numbers(self):
        for constant in constants(header_text()):
            self.assertRegex(constant, r"^(PT2|SCHEMAGEN)_[A-Z0-9_]+ = \d+$")


@unittest.skipUnless(shutil.which("abidiff"), "abidiff is not installed (Debian: abigail-tools)")
class RecordedAbi(Stubs, unittest.TestCase):
    def test_what_the_headers_declare_is_as_it_was_recorded(self):
        texts = header_text()
        number = re.search(r"#define PT2_ABI_VERSION (\d+)", texts[1])[1]
        recorded = HEADERS / f"abi_{number}.xml"
        if os.environ.get("UPDATE_GOLDEN"):
            run("abidw", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--out-file", recorded, self.stubs(texts))
            recorded.with_suffix(".txt").write_text("\n".join(constants(texts)) + "\n")
        self.assertTrue(recorded.exists(), "UPDATE_GOLDEN=1 records it")
        self.assertEqual(self.difference(texts), "", "raise PT2_ABI_VERSION, if this has to be")

    def test_changes_that_callers_would_notice_are_seen_until_the_number_is_raised(self):
        values, pt2 = header_text()
        for old, new in [("size_t pt2_file_model_count(", "int32_t pt2_file_model_count("),
                         ("pt2_version(void)", "pt2_version(int32_t kind)"),
                         ("uint32_t struct_size;\n  int32_t skip_checksums;", "uint32_t struct_size;\n  int64_t skip_checksums;")]:
            changed = pt2.replace(old, new)
            self.assertNotEqual(changed, pt2, old)
            self.assertNotEqual(self.difference([values, changed]), "", old)
            raised = re.sub(r"(#define PT2_ABI_VERSION) \d+", r"\1 1000", changed)
            self.assertEqual(self.difference([values, raised]), "", old)
        for header, old, new in [(1, "PT2_FILE_ARCHIVE = 3", "PT2_FILE_ARCHIVE = 4"), (0, "  SCHEMAGEN_ERROR_IO = 3,", "")]:
            texts = [values, pt2]
            texts[header] = texts[header].replace(old, new)
            self.assertIn(f"no longer: {old.strip(' ,')}\n", self.difference(texts))
        gone = re.sub(r"SCHEMAGEN_API schemagen_str pt2_version\(void\);", "", pt2)
        self.assertNotEqual(self.difference([values, gone]), "")

    def test_a_function_or_constant_that_is_added_is_none(self):
        values, pt2 = header_text()
        more = pt2.replace("/* 2. Errors */", "SCHEMAGEN_API int32_t pt2_added(void);\nenum {\n  PT2_ADDED = 7\n};\n/* 2. Errors */")
        self.assertNotEqual(more, pt2)
        self.assertEqual(self.difference([values, more]), "")


if __name__ == "__main__":
    unittest.main()
