"""The public headers, listed in dev/packaging/public_headers.cmake, need no others, and each compiles on its own.

CXX is the compiler.
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
LIST = REPOSITORY / "dev" / "packaging" / "public_headers.cmake"
INCLUDE = re.compile(r'#include ["<]((?:pt2|schemagen)/[^">]+)[">]')
COPIES = ("pt2/pt2.h",)
# For other languages; not part of the C++ API.
BINDINGS = ("schemagen/access.h", "schemagen/c/type.h", "schemagen/python/module.h")


def listed():
    """Pairs of a level and the headers that are listed below its name, in the order of the list."""
    found = []
    for folder, variable in [("runtime", "PT2_PUBLIC_HEADERS"), ("toolbox", "PT2_PUBLIC_TOOLBOX_HEADERS"), ("generated", "PT2_PUBLIC_GENERATED_HEADERS")]:
        for section in re.search(rf"set\({variable}\n([^)]*)\)", LIST.read_text())[1].split("# ")[1:]:
            level, *names = section.split()
            found.append((level, [f"{folder}/{name}" for name in names]))
    return found


def public_headers():
    """The names that they are included by, with their files."""
    return {file.split("/", 1)[1]: REPOSITORY / file for _, files in listed() for file in files}


class PublicHeaders(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.headers = public_headers()
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)
        for name, file in cls.headers.items():
            (cls.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, cls.folder / name)

    def test_each_is_listed_once(self):
        self.assertEqual(sum(len(files) for _, files in listed()), len(self.headers))

    def test_each_is_listed_in_order_below_the_level_that_design_has_for_its_folder(self):
        rooms = re.findall(r"^\| ([a-z]+) \| (`[^|]*`) \|", (REPOSITORY / "DESIGN.md").read_text(encoding="utf-8"), re.MULTILINE)
        level_of = {room: level for level, cell in rooms for room in re.findall(r"`([^`]+)`", cell)}
        for level, files in listed():
            self.assertEqual(files, sorted(files))
            for file in files:
                self.assertEqual(level_of[file.rsplit("/", 1)[0]], level, file)

    def compile_alone(self, name):
        return self.compile(f"#include <{name}>\n")

    def compile(self, text, *flags):
        command = [os.environ["CXX"], "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", *flags, "-x", "c++", "-I", self.folder, "-"]
        return subprocess.run(command, input=text, capture_output=True, text=True)

    def whole_headers(self):
        """Without undefine.h and restore.h, which generated headers include as a pair."""
        return [name for name in self.headers if not name.endswith(("/undefine.h", "/restore.h"))]

    def test_each_compiles_on_its_own_where_there_are_no_others(self):
        headers = self.whole_headers()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for name, result in zip(headers, pool.map(self.compile_alone, headers)):
                self.assertEqual(result.returncode, 0, f"{name}\n{result.stderr}")

    def test_none_names_a_library_that_only_building_needs(self):
        for name, file in self.headers.items():
            self.assertNotRegex(file.read_text(), r"(?i)rapidjson|#include <(xxhash|zstd|zlib|libdeflate)", name)

    def test_all_of_them_and_generated_code_compile_as_both_standards_without_exceptions_and_type_information(self):
        sources = [REPOSITORY / "generated/pt2" / name for name in ("types.cpp", "schema_info.cpp", "json.cpp", "binary.cpp")]
        text = "".join(f"#include <{name}>\n" for name in self.whole_headers()) + "".join(source.read_text() for source in sources)
        for standard in ("-std=c++17", "-std=c++20"):
            result = self.compile(text, standard, "-fno-exceptions", "-fno-rtti", "-I", self.folder / "pt2")
            self.assertEqual(result.returncode, 0, result.stderr)

    def test_documents_examples_and_generated_code_include_no_others(self):
        sources = [*REPOSITORY.glob("*.md"), *REPOSITORY.glob("*/*.md"), *REPOSITORY.glob("tests/embedding/**/*.*"),
                   *REPOSITORY.glob("templates/*"), REPOSITORY / "dev/packaging/reference.md"]
        self.assertGreater(len(sources), 20)
        for source in sources:
            text = source.read_text(encoding="utf-8")
            names = set(INCLUDE.findall(text)) | set(re.findall(r"`<((?:pt2|schemagen)/[\w/]+\.h)>`", text))
            self.assertEqual(names - set(self.headers) - set(COPIES) - set(BINDINGS), set(), source)


if __name__ == "__main__":
    unittest.main()
