#!/usr/bin/env python3
"""Tests of what CMake says where a library is missing, and of what it builds as a part of another project."""

import pathlib
import subprocess
import tempfile
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


class ConfigureTest(unittest.TestCase):
    def configure(self, source, *options, code=0):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(["cmake", "-S", source, "-B", folder, *options], capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stderr)
        return " ".join(done.stderr.split())  # CMake breaks the lines

    def test_what_is_missing_is_named_as_debian_does_with_what_does_without(self):
        for library, message in {
            "Catch2": "install catch2 (Debian's name of the package), or do without: -DPT2_BUILD_TESTS=OFF",
            "CLI11": "install libcli11-dev (Debian's name of the package), or do without: -DPT2_BUILD_GENERATOR=OFF",
            "simdjson": "install libsimdjson-dev (Debian's name of the package), or do without: -DPT2_JSON_BACKEND=rapidjson",
        }.items():
            with self.subTest(library=library):
                errors = self.configure(REPOSITORY, f"-DCMAKE_DISABLE_FIND_PACKAGE_{library}=ON", code=1)
                self.assertIn(f"{library} was not found: {message}", errors)

    def test_in_another_project_there_is_no_pt2_command_unless_it_is_asked_for(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "CMakeLists.txt").write_text(
                "cmake_minimum_required(VERSION 3.22)\nproject(other CXX)\n"
                f'add_subdirectory("{REPOSITORY}" libpt2)\n'
                "if(TARGET pt2)\n  message(WARNING built)\nendif()\n"
            )
            self.assertNotIn("built", self.configure(folder))
            self.assertIn("built", self.configure(folder, "-DPT2_BUILD_TOOLS=ON"))


if __name__ == "__main__":
    unittest.main()
