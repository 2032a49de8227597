"""Runs the commands for a Mac in docs/platforms.md. `zig` compiles and links for macOS; what it makes does not run here.

Needs schemagen in SCHEMAGEN_BINARY, and a Python with ziglang in PT2_ZIG_PYTHON.
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
ZIG_PYTHON = os.environ["PT2_ZIG_PYTHON"]
MACH_O_64 = bytes.fromhex("cffaedfe")
EXECUTABLE = bytes.fromhex("02000000")
ARM64 = bytes.fromhex("0c000001")


def on_the_page():
    section = (REPOSITORY / "docs/platforms.md").read_text().split("\n## On a Mac\n")[1].split("\n## ")[0]
    return "".join(re.findall(r"```sh\n(.*?)```", section, re.DOTALL))


class MacPageTest(unittest.TestCase):
    @unittest.skipUnless(pathlib.Path(ZIG_PYTHON).exists(), "no ziglang")
    def test_each_command_compiles_and_links_for_macos(self):
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            (folder / "bin").mkdir()
            (folder / "schema").symlink_to(REPOSITORY / "schema")
            for example in ("copy_in/main.cpp", "c/list_program.c"):
                shutil.copy(REPOSITORY / "tests/embedding" / example, folder)
            zig = f'"{ZIG_PYTHON}" -m ziglang'
            # The last -O counts: optimizing would take minutes.
            commands = {
                "clang++": f'{zig} c++ -target aarch64-macos "$@" -O0',
                "clang": f'{zig} cc -target aarch64-macos "$@" -O0',
                "schemagen": f'"{os.environ["SCHEMAGEN_BINARY"]}" "$@"',
            }
            for name, command in commands.items():
                path = folder / "bin" / name
                path.write_text(f"#!/bin/sh\nexec {command}\n")
                path.chmod(0o755)
            path = f"{folder}/bin:{os.environ['PATH']}"
            done = subprocess.run(["sh", "-e", "-c", on_the_page()], cwd=folder, capture_output=True, text=True, env={**os.environ, "PATH": path})
            self.assertEqual(done.returncode, 0, done.stderr[-4000:])
            for program in ("operators", "list_program"):
                header = (folder / program).read_bytes()[:16]
                self.assertEqual((header[:4], header[4:8], header[12:16]), (MACH_O_64, ARM64, EXECUTABLE), program)


if __name__ == "__main__":
    unittest.main()
