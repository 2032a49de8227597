#!/usr/bin/env python3
"""The recipe for Conan and the port for vcpkg build and install libpt2 from a source package of this tree.

Dependencies are those of the system: no registry is asked. conan is in PT2_TOOLS, or in the PATH. Instead of vcpkg, which is not packaged,
vcpkg_functions.cmake has the functions that the port calls. Only the levels up to `json` are built.
"""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import tempfile
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
RECIPES = REPOSITORY / "dev" / "packaging"
PROGRAM = REPOSITORY / "tests" / "embedding" / "test_package"
VERSION = re.search(r"^project\(pt2 VERSION (\S+)", (REPOSITORY / "CMakeLists.txt").read_text(), re.MULTILINE)[1]
CONAN = shutil.which("conan", path=os.pathsep.join([os.environ.get("PT2_TOOLS", "") + "/conan/bin", os.environ["PATH"]]))
PROFILE = """\
[settings]
os=Linux
arch=x86_64
compiler=gcc
compiler.version=12
compiler.libcxx=libstdc++11
compiler.cppstd=17
build_type=Release
[conf]
tools.cmake.cmaketoolchain:generator=Ninja
[platform_requires]
xxhash/0.8.1
zlib/1.2.13
zstd/1.5.4
libdeflate/1.14
"""


class RecipesTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.package = self.folder / f"libpt2-{VERSION}.tar.gz"
        tracked = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=REPOSITORY, check=True, capture_output=True, text=True).stdout
        with tarfile.open(self.package, "w:gz", compresslevel=1) as package:
            for name in tracked.splitlines():
                if not name.startswith("tests/") and (REPOSITORY / name).is_file():
                    package.add(REPOSITORY / name, f"libpt2-{VERSION}/{name}")

    def run_command(self, *command, **environment):
        done = subprocess.run([*map(str, command)], cwd=self.folder, capture_output=True, text=True, env={**os.environ, **environment})
        self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-3000:])
        return done.stdout + done.stderr

    def test_the_recipe_for_conan_makes_a_package_that_a_program_uses(self):
        if CONAN is None:
            self.skipTest("no conan")
        shutil.copytree(RECIPES / "conan", self.folder / "recipe")
        shutil.copytree(PROGRAM, self.folder / "recipe" / "test_package")
        digest = hashlib.sha256(self.package.read_bytes()).hexdigest()
        (self.folder / "recipe" / "conandata.yml").write_text(
            f'sources:\n  "{VERSION}":\n    url: "{self.package.as_uri()}"\n    sha256: "{digest}"\n')
        (self.folder / "profile").write_text(PROFILE)
        printed = self.run_command(CONAN, "create", "recipe", "--version", VERSION, "-pr:a", "profile", "-o", "libpt2/*:components=types,json",
                                   CONAN_HOME=str(self.folder / "home"), CMAKE_CXX_COMPILER_LAUNCHER="ccache" if shutil.which("ccache") else "")
        self.assertIn('{"type": "cuda", "index": 1}', printed)

    def test_the_port_for_vcpkg_installs_the_cmake_package(self):
        shutil.copytree(RECIPES / "vcpkg", port := self.folder / "port")
        for name, words in (("vcpkg.json", {"VERSION": VERSION}),
                            ("portfile.cmake", {"URL": self.package.as_uri(), "SHA512": hashlib.sha512(self.package.read_bytes()).hexdigest()})):
            text = (port / name).read_text()
            for word, value in words.items():
                text = text.replace(f"@{word}@", value)
            (port / name).write_text(text)
        self.run_command("cmake", f"-DPORT={port}", f"-DFOLDER={self.folder / 'vcpkg'}", "-DCONFIGURE=-DPT2_COMPONENTS=json",
                         "-P", REPOSITORY / "tests/embedding/vcpkg_functions.cmake", CMAKE_CXX_COMPILER_LAUNCHER="ccache" if shutil.which("ccache") else "")
        installed = self.folder / "vcpkg" / "installed"
        self.assertTrue((installed / "share" / "pt2" / "pt2Config.cmake").is_file())
        self.assertTrue((installed / "share" / "libpt2" / "LICENSE").is_file())
        self.run_command("cmake", "-G", "Ninja", "-S", PROGRAM, "-B", "program", f"-DCMAKE_PREFIX_PATH={installed}")
        self.run_command("cmake", "--build", "program")
        self.assertEqual(self.run_command(self.folder / "program" / "read_value"), '{"type": "cuda", "index": 1}\n')


if __name__ == "__main__":
    unittest.main()
