"""What schemagen writes depends on its input alone: not on the locale, the time zone, the folder, or the rest of the environment."""

import os
import pathlib
import shutil
import subprocess
import unittest

from schemagen_command import BINARY, CommandTest, HEAD, REPOSITORY, VECTORS

RELEASED = REPOSITORY / "schema" / "released"
FORMATS = ("thrift", "torch-yaml", "torch-cpp", "python", "json-schema", "typescript", "c", "dot", "model", "html")
# Commas in numbers, and an `I` whose small letter is not `i`.
LOCALES = ("de_DE", "tr_TR")
HAS_LOCALES = bool(shutil.which("localedef")) and all(pathlib.Path("/usr/share/i18n/locales", name).exists() for name in LOCALES)


class ReproducibleTest(CommandTest):
    expected = {}

    def copy(self, name, files, reverse=False):
        """Creates a folder with copies of these files, in forward or reverse order."""
        folder = self.folder / name
        (folder / "released").mkdir(parents=True)
        for file in sorted(files, reverse=reverse):
            shutil.copy(file, folder / "released")
        shutil.copy(HEAD, folder / "pt2.yaml")
        shutil.copy(VECTORS / "small.yaml", folder / "small.yaml")
        return folder

    def outputs(self, folder, environment):
        """Returns the bytes that each command prints, by its arguments, and those of each file it writes."""
        found = {}
        commands = [["check", "pt2.yaml", "--format", "json"], ["hash", "pt2.yaml"], ["hash", "pt2.yaml", "--text"], ["rules"],
                    ["diff", "released", "pt2.yaml", "--format", "json"], ["diff", "released/8.2.yaml", "released/7.3.yaml"],
                    ["fmt", "-"], ["export", "--format", "language", "-o", "-"],
                    ["generate", "small.yaml", "-o", "small", "--python", "small"],
                    ["amalgamate", "small.yaml", "-o", "copy"]]
        commands += [["export", "pt2.yaml", "--format", name, "-o", "-"] for name in FORMATS]
        for command in commands:
            done = subprocess.run([os.path.abspath(BINARY), *command], cwd=folder, env=environment, capture_output=True,
                                  input=(folder / "small.yaml").read_bytes())
            self.assertIn(done.returncode, (0, 1), done.stderr)
            found[" ".join(command)] = (done.returncode, done.stdout, done.stderr)
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                found[str(path.relative_to(folder))] = path.read_bytes()
        return found

    def check(self, environment):
        for name, output in self.outputs(self.other, environment).items():
            self.assertEqual(output, self.expected[name], name)

    def setUp(self):
        super().setUp()
        released = list(RELEASED.glob("*.yaml"))
        if not self.expected:
            self.expected.update(self.outputs(self.copy("first", released), {"LC_ALL": "C", "TZ": "UTC"}))
        self.other = self.copy("another folder/ä", released, reverse=True)

    def test_another_folder_home_and_time_zone_change_nothing(self):
        for path in self.other.rglob("*.yaml"):
            os.utime(path, (1, 1))
        self.check({"LC_ALL": "C.UTF-8", "TZ": "Asia/Kathmandu", "HOME": "/nowhere", "USER": "somebody", "COLUMNS": "20",
                    "TERM": "xterm-256color", "SOURCE_DATE_EPOCH": "1", "MALLOC_PERTURB_": "85"})

    def test_no_environment_and_an_unknown_locale_change_nothing(self):
        self.check({})
        self.check({"LC_ALL": "xx_XX.UTF-8", "LANG": "tr_TR.ISO-8859-9", "LANGUAGE": "de", "TZ": "nonsense"})

    @unittest.skipUnless(HAS_LOCALES, "no sources of locales")
    def test_no_locale_changes_anything(self):
        for name in LOCALES:
            subprocess.run(["localedef", "-i", name, "-f", "UTF-8", self.folder / f"{name}.UTF-8"], check=True, capture_output=True)
            self.check({"LOCPATH": str(self.folder), "LC_ALL": f"{name}.UTF-8"})


if __name__ == "__main__":
    unittest.main()
