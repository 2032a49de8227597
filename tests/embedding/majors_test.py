#!/usr/bin/env python3
"""The upgrade steps of a shop's schema, from 1.0 to 3.2, as docs/schema-changes.md shows them in C++ and in Python.

Needs SCHEMAGEN_BINARY, the libraries to link in LIBRARIES, and a compiler in CXX and CXXFLAGS. For Python, needs the folder of the module `shop`
in SHOP_FOLDER and a Python in PT2_PYTHON.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHOP = ROOT / "tests/embedding/shop"
SECTION = (ROOT / "docs/schema-changes.md").read_text().split("## Major versions of your own schema\n")[1].split("\n## ")[0]
SCHEMAGEN, PYTHON = os.environ["SCHEMAGEN_BINARY"], os.environ.get("PT2_PYTHON", "")
MAIN = """
#include <iostream>
#include <iterator>
int main() {
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  try {
    std::cout << schemagen::to_json(shop::read_order(text));
  } catch (const schemagen::Error& error) {
    std::cerr << error.what();
    return 1;
  }
}
"""

V1 = {"version": {"major": 1, "minor": 0}, "items": [{"name": "tea", "price": 2.5}, {"name": "cup", "price": 7.99}]}
V2 = {"version": {"major": 2, "minor": 0}, "items": [{"name": "tea", "cents": 250}, {"name": "cup", "cents": 799}]}
V3 = {"version": {"major": 3, "minor": 2}, "items": V2["items"], "total": 1049, "note": ""}


def code(language):
    return re.findall(rf"```{language}\n(.*?)```", SECTION, re.DOTALL)


class MajorsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.holder.cleanup)
        cls.folder = pathlib.Path(cls.holder.name)
        shutil.copytree(SHOP, cls.folder, dirs_exist_ok=True)

    def run_in(self, *command, text="", status=0, **options):
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, input=text, timeout=600, **options)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout if status == 0 else done.stderr

    def generate(self):
        """Runs the commands of the document, for 2.0, and then for 3.2."""
        commands = code("sh")[0].strip().split("\n")
        first = self.folder / "first"
        first.mkdir(exist_ok=True)
        shutil.copyfile(SHOP / "released/1.0.yaml", first / "1.0.yaml")
        self.run_in(SCHEMAGEN, "bump", "released/2.0.yaml", "--against", "first", "--major", "--upgrade-steps", "upgrade_steps.cpp")
        for command in commands:
            self.run_in(SCHEMAGEN, *command.split()[1:])

    def compile(self, program, *texts):
        sources = []
        for number, text in enumerate(texts):
            sources.append(self.folder / f"{program}_{number}.cpp")
            sources[-1].write_text(text)
        generated = [self.folder / f"generated/{name}/{part}.cpp" for name in ("shop", "shop_2") for part in ("types", "json", "schema_info")]
        self.run_in(os.environ.get("CXX", "c++"), *os.environ.get("CXXFLAGS", "").split(), "-std=c++17", "-O0", "-Wall", "-Wextra", "-Werror",
                    "-Igenerated", f"-I{ROOT / 'runtime'}", *map(str, sources), *map(str, generated), *os.environ["LIBRARIES"].split(), "-o", program)

    def check(self, *command):
        """`command` reads an order on stdin, and writes it in the current version or fails."""
        for order in (V1, V2, V3):
            self.assertEqual(json.loads(self.run_in(*command, text=json.dumps(order))), V3)
        self.assertIn("4", self.run_in(*command, text=json.dumps(V3 | {"version": {"major": 4, "minor": 0}}), status=1))
        self.assertTrue(self.run_in(*command, text=json.dumps(V2 | {"version": {"major": 0, "minor": 1}}), status=1))

    def test_cpp(self):
        self.generate()
        skeletons = (self.folder / "upgrade_steps.cpp").read_text()
        steps, reader = code("cpp")
        self.compile("unwritten", skeletons, reader + MAIN)
        self.assertEqual(self.run_in("./unwritten", text=json.dumps(V2), status=1), "the step from 2.0 to 3.2 for Order is not written")
        self.assertIn("the step from 1.0 to 2.0 for Item is not written", self.run_in("./unwritten", text=json.dumps(V1), status=1))
        self.compile("orders", steps, reader + MAIN)
        self.check("./orders")
        refused = [({"major": 4, "minor": 0}, "cannot upgrade schema version 4.0 to 3.2: use newer code"),
                   ({"major": 0, "minor": 1}, "cannot upgrade schema version 0.1 to 3.2: no release has this major version"),
                   ("1.0", "expected a version in 'version'")]
        for version, message in refused:
            self.assertIn(message, self.run_in("./orders", text=json.dumps(V1 | {"version": version}), status=1))
        bad = V1 | {"items": [{"name": "tea", "price": "cheap"}]}
        self.assertIn("items[0]: expected a price", self.run_in("./orders", text=json.dumps(bad), status=1))
        self.compile("gap", re.sub(r".*typed_step.*\n", "", steps).replace("Order order_to_3", "[[maybe_unused]] Order order_to_3"), reader + MAIN)
        for order in (V1, V2):
            self.assertIn("there is no upgrade step from major version 2", self.run_in("./gap", text=json.dumps(order), status=1))

    @unittest.skipUnless(PYTHON, "no Python with nanobind")
    def test_python(self):
        (self.folder / "orders.py").write_text(code("python")[0] + "\n\nimport sys\nprint(read_order(sys.stdin.read()).to_json().decode())\n")
        self.check("env", f"PYTHONPATH={os.environ['SHOP_FOLDER']}", PYTHON, "orders.py")


if __name__ == "__main__":
    unittest.main()
