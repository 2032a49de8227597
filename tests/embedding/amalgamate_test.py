#!/usr/bin/env python3
"""Tests of `schemagen amalgamate`: what it writes is copied to an empty folder, compiled and run there.

Needs schemagen in SCHEMAGEN_BINARY. Compilers: g++ and clang++-14, those that there are. Run from anywhere.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = REPOSITORY / "tests" / "data" / "programs"
HEAD = REPOSITORY / "schema" / "pt2.yaml"
IN_C = REPOSITORY / "tests" / "embedding" / "c"
EXAMPLE = REPOSITORY / "tests" / "embedding" / "copy_in" / "main.cpp"
SCHEMAGEN = os.environ.get("SCHEMAGEN_BINARY", "schemagen")
GCC = shutil.which("g++")
CLANG = shutil.which("clang++-14") or shutil.which("clang++")
C99 = "-std=c99 -pedantic -Wall -Wextra -Werror".split()
WARNINGS = "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wold-style-cast -Werror".split()

DONE, NO, USAGE = 0, 1, 2

SMALL = """\
name: {name}
version: {{major: {major}, minor: 0}}
roots: [A]
types:
  A:
    kind: struct
    fields:
      a: {{id: 1, type: {type}}}
      tags: {{id: 2, type: "Dict[str, List[B]]", default: {{}}}}
  B:
    kind: union
    fields:
      real: {{id: 1, type: float}}
      text: {{id: 2, type: str}}
"""


def archived_program(path):
    """Reads the JSON of an archive's only program with Python's zip reader."""
    with zipfile.ZipFile(path) as archive:
        names = [n for n in archive.namelist() if re.search(r"(^|/)(models/.*|serialized_exported_program)\.json$", n)]
        return json.loads(archive.read(names[0]))


def operators(program):
    return [node["target"] for node in program["graph_module"]["graph"]["nodes"]]


def commands_of(document):
    """Those of its first block."""
    return re.search(r"```sh\n(.*?)```", (REPOSITORY / document).read_text(), re.S).group(1)


class AmalgamateTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def run_command(self, *command, status=DONE):
        done = subprocess.run([*map(str, command)], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, status, f"{command}\n{done.stdout}{done.stderr}")
        return done

    def amalgamate(self, schema, *options, status=DONE):
        return self.run_command(SCHEMAGEN, "amalgamate", schema, *options, status=status)

    def small_schema(self, file, **values):
        (self.folder / file).write_text(SMALL.format(**{"name": "s", "major": 1, "type": "int", **values}))
        return file

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def compile(self, compiler, *arguments):
        if compiler is None:
            self.skipTest("a compiler is missing")
        self.run_command(compiler, *WARNINGS, *arguments)

    def headers_of(self, source, *arguments):
        """Returns every file that the compiler opens for `source`."""
        rule = self.run_command(GCC or CLANG, "-std=c++17", *arguments, "-M", source).stdout
        return rule.replace("\\\n", " ").split()[1:]


class ProgramsTest(AmalgamateTest):
    """Amalgamates PyTorch's schema and the code that opens programs, as in the README."""

    def build_as_in_the_readme(self):
        for name in ("schema", "my_project"):
            (self.folder / name).mkdir()
        shutil.copy(HEAD, self.folder / "schema")
        shutil.copy(EXAMPLE, self.folder / "my_project")
        shutil.copy(PROGRAMS / "torch-2.13.0" / "mlp.pt2", self.folder / "my_project" / "model.pt2")
        script = commands_of("docs/copying.md").replace("schemagen ", f"{SCHEMAGEN} ").replace("g++ ", f"{GCC} {' '.join(WARNINGS)} ")
        printed = self.run_command("sh", "-e", "-c", script).stdout.splitlines()
        self.folder /= "my_project"
        return printed

    @unittest.skipUnless(GCC, "g++ is missing")
    def test_one_line_of_a_compiler_opens_programs_from_a_folder_with_nothing_else(self):
        self.assertEqual(self.build_as_in_the_readme(), operators(archived_program(self.folder / "model.pt2")))

        with self.subTest("of every container"):
            for model in ("torch-2.6.0/mlp.pt2", "torch-2.12.1/cond.pt2", "torch-2.13.0/gpt2.pt2"):
                printed = self.run_command("./operators", PROGRAMS / model).stdout.splitlines()
                self.assertEqual(printed, operators(archived_program(PROGRAMS / model)))
            printed = self.run_command("./operators", PROGRAMS / "torch-2.13.0" / "mlp.json").stdout.splitlines()
            self.assertEqual(printed, operators(json.loads((PROGRAMS / "torch-2.13.0" / "mlp.json").read_text())))

        with self.subTest("the copy includes only the system's headers"):
            opened = self.headers_of("pt2/pt2.cpp")
            self.assertEqual([name for name in opened if re.search(r"zlib|libdeflate|xxhash|zstd", name)], [])
            self.assertEqual([name for name in opened if str(REPOSITORY) in name], [])

        with self.subTest("stripped, the program takes some 1.7 MB"):
            self.run_command("strip", "operators")
            self.assertLess((self.folder / "operators").stat().st_size, 1_770_000)

        with self.subTest("damage is found without zlib"):
            bytes_ = bytearray((self.folder / "model.pt2").read_bytes())
            at = bytes_.index(b"torch.ops.aten")
            bytes_[at : at + 5] = b"tarch"
            (self.folder / "damaged.pt2").write_bytes(bytes_)
            self.assertIn("CRC-32", self.run_command("./operators", "damaged.pt2", status=3).stderr)

        with self.subTest("without zlib, compressed members are refused with the way out"):
            message = self.run_command("./operators", self.deflated("model.pt2"), status=3).stderr
            self.assertIn("-DPT2_WITH_ZLIB", message)

    def deflated(self, model):
        """The same archive with its members compressed."""
        with zipfile.ZipFile(self.folder / model) as old:
            with zipfile.ZipFile(self.folder / "deflated.pt2", "w", zipfile.ZIP_DEFLATED) as new:
                for name in old.namelist():
                    new.writestr(name, old.read(name))
        return "deflated.pt2"

    @unittest.skipUnless(CLANG, "clang++ is missing")
    def test_other_projects_link_a_copy_that_was_compiled_without_type_information_and_with_other_libraries(self):
        macros = ("-DPT2_WITH_ZLIB", "-DPT2_WITH_LIBDEFLATE", "-DPT2_WITH_XXHASH", "-DPT2_WITH_ZSTD")
        libraries = ("-lz", "-ldeflate", "-lzstd")
        shutil.copy(IN_C / "list_program.c", self.folder)
        script = commands_of("docs/c.md")
        for written, run in {
            "schemagen ": f"{SCHEMAGEN} ", "schema/pt2.yaml": f"{HEAD}", "g++ ": f"{CLANG} ", "-std=c99": " ".join(C99),
            "-std=c++17 -O2": " ".join(["-std=c++20", "-fno-rtti", *WARNINGS, *macros]), " pt2.o": " pt2.o " + " ".join(libraries),
        }.items():  # fmt: skip
            script = script.replace(written, run)
        self.run_command("sh", "-e", "-c", script)
        shutil.copy(PROGRAMS / "torch-2.13.0" / "mlp.pt2", self.folder / "model.pt2")
        expected = operators(archived_program(self.folder / "model.pt2"))

        with self.subTest("the libraries are used where macros say so"):
            shutil.copy(EXAMPLE, self.folder)
            self.compile(CLANG, "-std=c++20", *macros, "main.cpp", "pt2.o", *libraries, "-o", "operators")
            self.assertEqual(self.run_command("./operators", self.deflated("model.pt2")).stdout.splitlines(), expected)

        with self.subTest("a project without exceptions reads programs by a copy that has them"):
            text = (EXAMPLE.parents[1] / "no_exceptions" / "no_exceptions.cpp").read_text()
            text += '\nconst int kRefused = pt2::schemagen::try_from_json<pt2::Device>("[]") ? std::puts("was read") : 0;\n'
            self.write("none.cpp", text.replace("<pt2/program.h>", '"pt2/pt2.h"'))
            # Without unwind tables, an exception that escaped into these functions would end the program.
            none = ("-fno-exceptions", "-fno-rtti", "-fno-asynchronous-unwind-tables")
            self.compile(GCC or CLANG, "-std=c++17", *none, "-c", "none.cpp")
            self.compile(CLANG, "none.o", "pt2.o", *libraries, "-o", "none")
            self.assertEqual(self.run_command("./none", "model.pt2").stdout.splitlines(), expected)
            self.write("damaged.json", json.dumps({"graph_module": {"graph": {"inputs": 1}}}))
            self.assertRegex(self.run_command("./none", "damaged.json", status=3).stderr, r"^damaged\.json: .*schema_version")

        with self.subTest("programs in C need nothing else"):
            self.run_command("gcc", *C99, "-Ipt2/c", "-c", IN_C / "check_files.c")
            self.run_command(CLANG, "check_files.o", "pt2.o", *libraries, "-o", "check_files")
            listed = self.run_command("./list_program", "model.pt2").stdout
            self.assertEqual([line.split(",")[0] for line in listed.splitlines() if "arguments" in line], expected)
            self.assertIn("\nl1.weight: float32 8 4\n", listed)
            self.assertEqual(self.run_command("./check_files", "model.pt2").stdout, "model.pt2: ok\n")

        with self.subTest("nor do languages that call C"):
            by_ctypes = self.run_command(sys.executable, IN_C / "list_program.py", "./libpt2c.so", "model.pt2").stdout
            self.assertEqual(by_ctypes, listed)
            exported = self.run_command("nm", "-D", "-C", "--defined-only", "libpt2c.so").stdout
            self.assertIn(" T pt2_program_load\n", exported)
            self.assertNotRegex(exported, r"\b[A-Za-z] (pt2|schemagen)::")

    def test_what_cannot_be_asked_for_together_is_refused(self):
        small = self.small_schema("s.yaml")
        for message, arguments in {
            "--level archive requires PyTorch's schema, pt2, not 's'\nhint: use --level types or codecs": (small, "--level", "archive"),
            "--codecs requires --level codecs, not archive\nhint: leave out --codecs": (HEAD, "--level", "archive", "--codecs", "json"),
            "--with-c requires --level all, not archive\nhint: use --level all, or leave out --with-c": (HEAD, "--level", "archive", "--with-c"),
            "--with-c requires --level all, not codecs\nhint: use --level all, or leave out --with-c": (HEAD, "--with-c"),
            "--with-c requires --level codecs, not types\nhint: use --level codecs, or leave out --with-c": (small, "--level", "types", "--with-c"),
            "--with-c requires both codecs\nhint: leave out --codecs or --with-c": (small, "--codecs", "json", "--with-c"),
        }.items():
            refused = self.amalgamate(*arguments, "-o", "out", status=USAGE).stderr
            self.assertEqual(refused, f"schemagen amalgamate: error: {message}\n")
        self.assertFalse((self.folder / "out").exists())


class LevelsTest(AmalgamateTest):
    FOLDERS = {
        "types": {"pt2", "schemagen/base"},
        "codecs": {"schemagen/json", "schemagen/thrift", "schemagen/binary_file"},
        "versions": {"schemagen/tree", "pt2/canonical", "pt2/graph", "pt2/operators", "pt2/operator_table", "pt2/released", "pt2/text", "pt2/upgrade",
                     "pt2/versions"},
        "archive": {"pt2/archive", "pt2/binary", "pt2/tables"},
        "all": {"pt2/diff", "pt2/edit", "pt2/findings", "pt2/infer", "pt2/nodes", "pt2/report", "pt2/rules", "pt2/scan", "pt2/show", "pt2/stats", "pt2/strings",
                "pt2/verify", "schemagen", "schemagen/c"},
    }

    def test_each_holds_its_own_code_and_that_of_those_below_and_compiles(self):
        allowed = set()
        for level, folders in self.FOLDERS.items():
            allowed |= folders
            with self.subTest(level=level):
                with_c = ("--with-c",) if level == "all" else ()
                self.amalgamate(HEAD, "--level", level, *with_c, "-o", level)
                text = "".join((self.folder / level / name).read_text() for name in ("pt2.h", "pt2.cpp"))
                names = re.findall(r"^// ---- (\S+)$", text, re.MULTILINE)
                joined = {re.sub(r"^((?:pt2|schemagen)(?:/\w+)?)/.*", r"\1", name) for name in names}
                self.assertEqual(joined - allowed, set())
                self.assertEqual(folders - joined, set())
                if level == "all":
                    folders = (REPOSITORY / "runtime" / "pt2", REPOSITORY / "toolbox" / "pt2", REPOSITORY / "bindings" / "c")
                    sources = [path.relative_to(folder if folder.name == "c" else folder.parent).as_posix()
                               for folder in folders for path in folder.rglob("*.cpp")]  # fmt: skip
                    # Pages and hashes of weights need other libraries. The others are only for the command and Python.
                    left_out = {name for name in sources if name.startswith(("pt2/page/", "pt2/hash/"))}
                    left_out |= {"pt2/report/finding_json.cpp", "pt2/report/node_details.cpp", "pt2/report/weights_diff.cpp", "pt2/edit/pattern_builder.cpp"}
                    self.assertEqual(set(sources) - set(names), left_out)
                if level in ("types", "versions"):  # other tests compile the others
                    self.compile(GCC or CLANG, "-std=c++17", "-fno-rtti", "-fsyntax-only", f"{level}/pt2.cpp")


class CodecsTest(AmalgamateTest):
    def test_the_binary_codec_needs_the_standard_library_only(self):
        self.amalgamate(HEAD, "--codecs", "binary", "-o", ".")
        self.write(
            "main.cpp",
            """
#include <cstdio>
#include <unordered_set>

#include "pt2.h"

int main() {
  pt2::SymInt three;
  three.emplace<pt2::SymInt::as_int>() = 3;
  if (pt2::schemagen::to_text(three) != "SymInt.as_int(3)") return 2;
  if (std::unordered_set<pt2::SymInt>{three, three, {}}.size() != 2) return 3;
  const std::string payload = pt2::schemagen::to_binary(three);
  for (const char c : payload) std::printf("%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
  return pt2::schemagen::from_binary<pt2::SymInt>(payload) == three ? 0 : 1;
}
""",
        )
        self.compile(CLANG or GCC, "-std=c++20", "-fno-rtti", "main.cpp", "pt2.cpp", "-o", "main")
        # id 20 in a separate header, because it is above 15; 3 in zigzag; the end
        self.assertEqual(self.run_command("./main").stdout, "06280600")
        opened = self.headers_of("pt2.cpp")
        self.assertEqual([name for name in opened if re.search(r"xxhash|zstd", name)], [])

    def test_a_copy_writes_and_reads_binary_files_of_its_schema_by_xxhash(self):
        self.amalgamate(self.small_schema("s.yaml"), "--codecs", "binary", "-o", ".")
        self.write(
            "main.cpp",
            """
#include <cstdio>

#include "s.h"

int main() {
  const s::A value{7, {{"x", {}}}};
  const auto file = s::schemagen::try_to_binary_file(value);
  if (!file) return std::puts(file.failure().what()), 3;
  if (s::schemagen::try_from_binary_file<s::A>(file->substr(1))) return 1;
  s::schemagen::BinaryFileWriteOptions packed;
  packed.compression = s::schemagen::Compression::zstd;
  std::puts(s::schemagen::try_to_binary_file(value, packed) ? "zstd" : "no zstd");
  return *s::schemagen::try_from_binary_file<s::A>(*file) == value ? 0 : 1;
}
""",
        )
        for compiler, standard, options, said, status in (
            (GCC, "-std=c++17", ["-DPT2_WITH_XXHASH"], "no zstd\n", DONE),
            (CLANG, "-std=c++20", ["-DPT2_WITH_XXHASH", "-DPT2_WITH_ZSTD", "-lzstd"], "zstd\n", DONE),
            (CLANG, "-std=c++17", [], "compile it with -DPT2_WITH_XXHASH", 3),
        ):
            with self.subTest(options=options):
                self.compile(compiler, standard, "-fno-exceptions", "-fno-rtti", "-c", "main.cpp")
                self.compile(compiler, standard, "main.o", "s.cpp", *options, "-o", "main")
                self.assertIn(said, self.run_command("./main", status=status).stdout)

    def test_a_copy_without_binary_data_has_no_reader_for_it_and_ignores_rapidjson(self):
        self.amalgamate(self.small_schema("s.yaml"), "--codecs", "json", "-o", ".")
        copy = (self.folder / "s.cpp").read_text()
        self.assertNotIn("CompactReader", copy)
        self.amalgamate("s.yaml", "--codecs", "json", "--with-rapidjson", "-o", ".")
        self.assertEqual((self.folder / "s.cpp").read_text(), copy)


class TogetherTest(AmalgamateTest):
    """Several amalgamations in one program, and in one of its files."""

    MAIN = """
#include <cstdio>

#include "one/{one_file}.h"
#include "two/{two_file}.h"

namespace first = {one};
namespace second = {two};

int main() {{
  const auto a = first::schemagen::from_json<first::A>(R"({{"a": 1, "tags": {{"x": [{{"real": 0.5}}]}}}})");
  const auto b = second::schemagen::from_json<second::A>(R"({{"a": "1"}})");
  const auto c = second::schemagen::from_binary<second::A>(second::schemagen::to_binary(b));
  std::printf("%s %s", first::schemagen::to_json(a).c_str(), second::schemagen::to_json(c).c_str());
  try {{
    second::schemagen::from_json<second::A>("[]");
  }} catch (const first::schemagen::DataError&) {{
    return 1;
  }} catch (const second::schemagen::DataError&) {{
    return 0;
  }}
}}
"""

    def build_and_run(self, compiler, standard, **names):
        self.write("main.cpp", self.MAIN.format(**names))
        sources = ("main.cpp", f"one/{names['one_file']}.cpp", f"two/{names['two_file']}.cpp")
        self.compile(compiler, standard, *sources, "-o", "main")
        printed = self.run_command("./main").stdout
        self.assertEqual(printed, '{"a": 1, "tags": {"x": [{"real": 0.5}]}} {"a": "1", "tags": {}}')

    def test_two_schemas_live_in_one_program(self):
        self.amalgamate(self.small_schema("one.yaml", name="first_schema"), "-o", "one")
        schema = self.small_schema("two.yaml", name="other_schema", type="str")
        self.amalgamate(schema, "--namespace", "company::other", "-o", "two")
        self.build_and_run(
            GCC, "-std=c++17", one_file="first_schema", two_file="other_schema", one="first_schema", two="company::other"
        )

    def test_two_major_versions_of_a_schema_live_in_one_program(self):
        self.amalgamate(self.small_schema("one.yaml", major=1), "-o", "one")
        self.amalgamate(self.small_schema("two.yaml", major=2, type="str"), "-o", "two")
        self.build_and_run(CLANG, "-std=c++20", one_file="s", two_file="s", one="s::v1", two="s::v2")


class OutputTest(AmalgamateTest):
    def test_the_files_are_the_same_each_time_and_are_checked(self):
        schema = self.small_schema("s.yaml")
        for folder in ("one", "two"):
            self.amalgamate(schema, "-o", folder)
        names = sorted(path.name for path in (self.folder / "one").iterdir())
        self.assertEqual(names, ["s.cpp", "s.h"])
        for name in names:
            text = (self.folder / "one" / name).read_text()
            self.assertEqual(text, (self.folder / "two" / name).read_text())
            self.assertRegex(text, r"^// @generated by schemagen from s 1\.0 schema=sha256:\w{64} content=sha256:\w{64}\.")

        check = ("s.yaml", "-o", "one", "--check")
        self.assertEqual(self.amalgamate(*check).stderr, "")
        with open(self.folder / "one" / "s.h", "a") as header:
            header.write("// mine\n")
        self.small_schema("s.yaml", type="str")
        self.assertEqual(
            self.amalgamate(*check, status=NO).stderr,
            "one/s.h: was edited by hand\none/s.cpp: is stale\nhint: run `schemagen amalgamate s.yaml -o one`\n",
        )

    def test_its_outputs_are_listed(self):
        options = ("--with-c", "-o", "out")
        listed = self.amalgamate(self.small_schema("s.yaml"), *options, "--list-outputs").stdout.splitlines()
        self.assertEqual(listed, [f"out/{name}" for name in ("s.h", "s.cpp", "c/schemagen_value.h", "c/s_ids.h")])
        self.amalgamate("s.yaml", *options)
        self.assertEqual([name for name in listed if not (self.folder / name).exists()], [])
        self.assertIn("#define S_A_tags 2\n", (self.folder / "out/c/s_ids.h").read_text())
        (self.folder / "out/c/s_ids.h").unlink()
        missing = self.amalgamate("s.yaml", *options, "--check", status=NO).stderr
        self.assertEqual(missing, "out/c/s_ids.h: is missing\nhint: run `schemagen amalgamate --with-c s.yaml -o out`\n")

    def test_they_carry_the_licences(self):
        self.amalgamate(self.small_schema("s.yaml"), "-o", ".")
        for line in (REPOSITORY / "LICENSE").read_text().splitlines():
            self.assertIn(f"// {line}".rstrip() + "\n", (self.folder / "s.h").read_text())


if __name__ == "__main__":
    unittest.main()
