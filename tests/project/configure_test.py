#!/usr/bin/env python3
"""Tests of what CMake says where a library is missing, and of what it builds as a part of another project."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest
import venv

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


class ConfigureTest(unittest.TestCase):
    def configure(self, source, *options, code=0):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(["cmake", "-S", source, "-B", folder, *options], capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stderr)
        return " ".join(done.stderr.split())  # CMake wraps lines

    def test_what_is_missing_is_named_as_debian_does_with_what_does_without(self):
        for library, message in {
            "Catch2": "install catch2 (Debian's name of the package), or do without: -DPT2_BUILD_TESTS=OFF",
            "CLI11": "install libcli11-dev (Debian's name of the package), or do without: -DPT2_BUILD_GENERATOR=OFF",
        }.items():
            with self.subTest(library=library):
                errors = self.configure(REPOSITORY, f"-DCMAKE_DISABLE_FIND_PACKAGE_{library}=ON", code=1)
                self.assertIn(f"{library} was not found: {message}", errors)

    def test_each_component_alone_brings_the_libraries_that_it_links(self):
        for component in ("types", "json", "binary", "operators", "versions", "archive", "analysis", "edit", "scan", "show", "pt2", "c"):
            with self.subTest(component=component):
                # CMake rejects names of other libraries.
                self.configure(REPOSITORY, f"-DPT2_COMPONENTS={component}", "-DPT2_BUILD_GENERATOR=OFF", "-DPT2_BUILD_TOOLS=OFF",
                               "-DPT2_BUILD_TESTS=OFF", "-DCMAKE_LINK_LIBRARIES_ONLY_TARGETS=ON")

    def test_of_the_python_package_each_missing_part_is_named(self):
        package = [REPOSITORY, "-DPT2_BUILD_PYTHON=ON", "-DPT2_BUILD_TESTS=OFF", "-DPT2_INSTALL=OFF"]
        with tempfile.TemporaryDirectory() as folder:
            venv.create(folder)  # an environment without nanobind
            errors = self.configure(*package, f"-DPT2_PYTHON={folder}/bin/python", code=1)
            self.assertIn("has no nanobind: run `", errors)
            self.assertIn("/bin/python -m pip install nanobind nanobind-backend`", errors)
            hidden = [f"-DPT2_PYTHON={folder}/bin/python", f"-DPython_INCLUDE_DIR={folder}/absent"]
            self.assertIn("were not found: install python3-dev (Debian's name of the package)", self.configure(*package, *hidden, code=1))

    def test_without_dagre_everything_is_built_with_a_warning(self):
        no_commands = ["-DPT2_COMPONENTS=types", "-DPT2_BUILD_GENERATOR=OFF", "-DPT2_INSTALL=OFF"]
        with tempfile.TemporaryDirectory() as root:  # a system with all headers, but without /usr/share
            pathlib.Path(root, "usr").mkdir()
            pathlib.Path(root, "usr/include").symlink_to("/usr/include")
            missing = [f"-DCMAKE_FIND_ROOT_PATH={root}", "-DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY"]
            self.assertIn("dagre.min.js was not found: this build makes no pages", self.configure(REPOSITORY, *missing))
            self.assertNotIn("dagre", self.configure(REPOSITORY, *missing, *no_commands))
        self.assertNotIn("dagre", self.configure(REPOSITORY, "-DPT2_DAGRE=OFF"))

    def test_a_build_for_another_platform_can_be_configured(self):
        for platform, compiler in {"aarch64": "aarch64-linux-gnu-g++", "windows": "x86_64-w64-mingw32-g++-posix"}.items():
            if shutil.which(compiler):
                self.configure(REPOSITORY, f"--preset={platform}", "-DPT2_COMPONENTS=types", "-DPT2_BUILD_GENERATOR=OFF", "-DPT2_BUILD_TOOLS=OFF",
                               "-DPT2_INSTALL=OFF")

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
