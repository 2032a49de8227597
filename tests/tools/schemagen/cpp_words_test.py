#!/usr/bin/env python3
"""Names that C++, its headers or our generated code have other plans for, in schemas that are generated and compiled.

Needs SCHEMAGEN_BINARY and a compiler in CXX. Run from anywhere: `python3 tests/tools/schemagen/cpp_words_test.py`.
"""

import gzip
import os
import pathlib
import random
import re
import subprocess
import tempfile
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
BINARY = os.environ.get("SCHEMAGEN_BINARY", "schemagen")
CXX = os.environ.get("CXX", "c++")
WORDS = REPOSITORY / "generator" / "model" / "cpp_words"
FLAGS = ["-w", "-std=c++17", "-D_GNU_SOURCE"]
WARNINGS = ["-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wtrigraphs", "-Wcomment", "-Wsign-conversion", "-Werror"]
if subprocess.run([CXX, "-Werror", "-Wreserved-identifier", "-fsyntax-only", "-xc++", os.devnull], capture_output=True).returncode == 0:
    WARNINGS.append("-Wreserved-identifier")

HEADERS = """
algorithm any array atomic bitset cassert cctype cerrno cfenv cfloat charconv chrono cinttypes climits clocale cmath
complex condition_variable csetjmp csignal cstdarg cstddef cstdint cstdio cstdlib cstring ctime cuchar cwchar cwctype
deque filesystem fstream functional future iostream iterator map memory_resource mutex optional random regex
shared_mutex sstream string_view thread unordered_map valarray variant vector
""".split()

POSIX_FOLDERS = {
    "sys": "file ioctl ipc mman msg param poll resource select sem shm socket stat statvfs time times types uio un utsname wait",
    "net": "if", "netinet": "in ip tcp udp", "arpa": "inet nameser",
}

NAMES_OF_GENERATED_CODE = """
std schemagen unset Kind kind is get get_if emplace reset equals Union Member of visit name_of from_name read_json write_json
json_codec read_compact write_compact compact_codec compact_type CompactField CompactFields CompactFieldsWriter CompactMember
CompactReader CompactWriter CompactType types fields member value in out name other a b kFields kMembers kTypes kSchemaName
kSchemaMajor kSchemaMinor kSchemaHash kSchemaHashBytes kSchemaNormalForm kSchema kRoots kReflection reflection_tables all_types
fields_of value_hash T Traits List_ Self Tag Held storage_ tag_ index begin end v1 s Box Map Bytes Json Unit JsonReader
__FILE__ _Bool A__b A_b_ _Xy __init__ init_ x__ __ __1 class union int and co_await Status None True Success
""".split()

# Namespaces of our code and of the standard library, and names that generated code calls.
NAMES_OF_SCHEMAS = """
hash string less optional vector map array byte list pair tuple function read_json write_json json_codec json_names read_compact
write_compact compact_type compact_codec name_of fields_of visit swap value data size begin end types kinds T v1 a b in out
SCHEMAGEN_LINK_GUARD Union Map Box Kind errno assert time stdio signal string_view std schemagen
""".split()


def words(*files):
    return [word for file in files for word in (WORDS / file).read_text().split()]


def one_of_each(names, fields="{}"):
    """A schema that uses each name in every possible role."""
    lines = ["name: s", "version: {major: 1, minor: 0}", "constants:"]
    lines += [f'  "{name}": {number}' for number, name in enumerate(names)]
    lines += ["types:", "  Numbers:", "    kind: enum", "    fields:"]
    lines += [f'      "{name}": {number}' for number, name in enumerate(names)]
    for kind in ("struct", "union"):
        lines += [f"  Some{kind}:", f"    kind: {kind}", "    fields:"]
        lines += [f'      "{name}": {{id: {number}, type: int}}' for number, name in enumerate(names, 1)]
    types = [name for name in names if re.match("[A-Z]", name) and name != "Any"]
    lines += [f'  "{name}": {{kind: struct, fields: {fields}}}' for name in types]
    for kind in ("struct", "union"):
        lines += [f"  Typed{kind}:", f"    kind: {kind}", "    fields:"]
        lines += [f'      "{name}": {{id: {number}, type: "{name}"}}' for number, name in enumerate(types, 1)]
    return "\n".join(lines) + "\n"


def host_macros():
    """The macros of X11, Qt and windows.h, from tests/tools/schemagen/host_macros.py, and some of Objective-C."""
    names = gzip.decompress((REPOSITORY / "tests" / "data" / "host_macros.txt.gz").read_bytes()).decode().split()
    return [*names, "nil", "Nil", "YES", "NO", "IBAction", "IBOutlet", "check", "verify", "require"]


def names_of_the_runtime():
    text = "".join(path.read_text() for path in sorted((REPOSITORY / "runtime" / "schemagen").rglob("*.h")))
    text = re.sub(r'//.*|"(\\.|[^"\\])*"', "", text)
    return sorted(name for name in set(re.findall(r"\b[A-Za-z]\w*", text)) if "__" not in name and not name.endswith("_"))


SEED = int(os.environ.get("PT2_TEST_SEED") or random.randrange(2**31))
ROUNDS = int(os.environ.get("PT2_TEST_ROUNDS") or 1)  # 1 for a sample of the names; more for larger samples


class CppWordsTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def run_command(self, *arguments):
        done = subprocess.run([str(argument) for argument in arguments], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, f"{arguments}\n{done.stdout}{done.stderr[:8000]}")
        return done

    def generate(self, schema):
        path = self.folder / "s.yaml"
        path.write_text(schema, encoding="utf-8")
        self.run_command(BINARY, "generate", path, "-o", self.folder / "code")
        return path

    def compile(self, source, *flags):
        runtime = ["-I", REPOSITORY / "runtime", "-I", self.folder / "code"]
        self.run_command(CXX, *WARNINGS, *flags, "-fsyntax-only", *runtime, source)

    def include_everything(self):
        return "".join(f"#include <{header}>\n" for header in HEADERS)

    def c_library_headers(self):
        """Returns the headers that can be included alone, except those for C, which C++ replaces, and for compilers."""
        of_c = {"tgmath", "complex", "stdatomic", "stdnoreturn", "stdalign", "varargs", "unwind"}
        names = [f"{name}.h" for name in words("header_names.txt") if name not in of_c]
        names += [f"{folder}/{name}.h" for folder, folder_names in POSIX_FOLDERS.items() for name in folder_names.split()]
        found = []
        for name in names:
            done = subprocess.run([CXX, *FLAGS, "-E", "-xc++", "-"], input=f"#include <{name}>\n", capture_output=True, text=True)
            found += [name] if done.returncode == 0 else []
        return found

    def test_the_lists_have_the_macros_of_this_compiler(self):
        source = self.folder / "all.cpp"
        macros = set()
        for includes in [self.include_everything(), *(f"#include <{header}>\n" for header in self.c_library_headers())]:
            source.write_text(includes)
            said = self.run_command(CXX, *FLAGS, "-dM", "-E", source).stdout
            macros |= set(re.findall(r"^#define ([A-Za-z]\w*)", said, re.MULTILINE))
        macros = {name for name in macros if "__" not in name and not name.startswith("SYS_")}
        self.assertGreater(len(macros), 5000)
        known = set(words("object_macros.txt", "function_macros.txt"))
        self.assertEqual(macros - known, set())

    def test_no_macro_and_no_name_of_generated_code_keeps_a_schema_from_compiling(self):
        with self.subTest("macros"):
            names = sorted(set(words("object_macros.txt", "function_macros.txt")))
            names = {*random.Random(SEED).sample(names, 150 * ROUNDS), *words("platform_macros.txt")}
            self.generate(one_of_each(sorted(names)))
            source = self.folder / "all.cpp"
            source.write_text(self.include_everything() + '#include "types.h"\n#include "schema_info.h"\n')
            self.compile(source)
        with self.subTest("names of generated code"):
            self.generate(one_of_each(NAMES_OF_GENERATED_CODE))
            code = (self.folder / "code" / "types.h").read_text()
            self.assertEqual(re.findall(r"\b\w+__\w*|\b__\w+|\b_[A-Z]\w*", re.sub("//.*", "", code)), [])
            for file in ("types", "schema_info", "json", "binary"):
                self.compile(self.folder / "code" / f"{file}.cpp")
            source.write_text('#include "visit.h"\n#include "fwd.h"\n')
            self.compile(source)

    def test_generated_code_compiles_whatever_macros_the_host_defines(self):
        print(f"PT2_TEST_SEED={SEED}")
        host = host_macros()
        names = sorted({*random.Random(SEED).sample(host, 100 * ROUNDS), "slots", "emit", "signals", "Above", "interface", "YES", "nil"})
        self.generate(one_of_each(names))
        files = ["types", "schema_info", "json", "binary", "visit", "fwd", "reflection"]
        used = {name for path in (REPOSITORY / "runtime").rglob("*.h") for name in re.findall(r"^#include <([a-z_0-9]+)>", path.read_text(), re.M)}
        standard = "".join(f"#include <{name}>\n" for name in sorted(used - {"compare", "intrin"}))
        self.run_command(BINARY, "amalgamate", "s.yaml", "--codecs", "binary", "-o", "copy")
        own = set(names) | set(re.findall(r"\b[a-z]\w*", " ".join(names)))
        source = self.folder / "all.cpp"
        for headers in ([f"code/{file}.h" for file in files], ["copy/s.h"]):
            with self.subTest(headers[0]):
                source.write_text(
                    standard + "".join(f"#ifndef {name}\n#define {name} @\n#endif\n" for name in sorted(set(host) | own)) +
                    "".join(f'#include "{header}"\n' for header in headers) +
                    "".join(f"#ifndef {name}\n#error restored\n#endif\n" for name in names))
                self.compile(source, "-w", "-I", self.folder)

    def test_a_schema_may_be_called_anything(self):
        sample = random.Random(SEED).sample(names_of_the_runtime(), 30 * ROUNDS)
        source = self.folder / "all.cpp"
        lines = []
        for name in sorted({*sample, *NAMES_OF_SCHEMAS} - {"null", "true", "false"}):
            path = self.folder / "s.yaml"
            path.write_text(f"""\
name: {name}
version: {{major: 1, minor: 0}}
constants: {{N: 3}}
types:
  E: {{kind: enum, fields: {{Low: 1}}}}
  A: {{kind: struct, fields: {{x: {{id: 1, type: "Optional[List[str]]", default: null}}, e: {{id: 2, type: E}}}}}}
  U: {{kind: union, fields: {{a: {{id: 1, type: A}}, m: {{id: 2, type: "Dict[str, int]"}}}}}}
""")
            self.run_command(BINARY, "generate", path, "-o", f"all/{name}")
            lines += [f'#include "all/{name}/{file}.h"\n' for file in ("visit", "json", "binary", "schema_info")]
        source.write_text("".join(lines))
        self.compile(source, "-w", "-I", self.folder)

    def test_copies_do_not_shadow_headers_of_the_system(self):
        for name in ("time", "errno", "assert", "stdio", "string", "signal"):
            with self.subTest(name):
                (self.folder / "s.yaml").write_text(f"name: {name}\nversion: {{major: 1, minor: 0}}\ntypes: {{A: {{kind: struct, fields: {{}}}}}}\n")
                self.run_command(BINARY, "amalgamate", "s.yaml", "--codecs", "binary", "-o", name)
                self.assertEqual(sorted(path.name for path in (self.folder / name).iterdir()), [f"{name}_.cpp", f"{name}_.h"])
                self.compile(self.folder / name / f"{name}_.cpp", "-w", "-I", self.folder / name)

    def test_namespaces_that_would_clash_are_renamed(self):
        for name in ("std", "schemagen", "time", "class", "errno", "main", "name_of", "SCHEMAGEN_NAME"):
            with self.subTest(name):
                path = self.generate(f"name: {name}\nversion: {{major: 1, minor: 0}}\ntypes: {{A: {{kind: struct, fields: {{}}}}}}\n")
                self.compile(self.folder / "code" / "schema_info.cpp")
                said = self.run_command(BINARY, "check", path).stderr
                self.assertIn(f"s.yaml:1:7: note: '{name}' is '{name}_' in C++: ", said)
                refused = subprocess.run([BINARY, "generate", path, "-o", "x", "--namespace", name], cwd=self.folder,
                                         capture_output=True, text=True)
                self.assertEqual(refused.returncode, 2)
                self.assertIn("generate: error: --namespace: ", refused.stderr)

    def test_names_of_system_calls_that_no_list_has_are_renamed(self):
        names = ["SYS_call", "SYS_call_", "SYS_call_2", "SYS_"]
        self.generate(one_of_each(names))
        source = self.folder / "all.cpp"
        source.write_text('#define SYS_call 1\n#include "types.h"\n')
        self.compile(source)

    def test_names_of_the_c_library_are_not_namespaces(self):
        names = words("global_names.txt")
        self.assertIn("time", names)
        source = self.folder / "all.cpp"
        candidates = ["time", "signal", "index", "link", "read", "exp", "log", "y1", "FILE"]
        head = self.include_everything()
        source.write_text(head + "".join(f"namespace {name} {{}}\n" for name in candidates))
        said = subprocess.run([CXX, *FLAGS, "-fsyntax-only", str(source)], capture_output=True, text=True).stderr
        lines = {int(line) - head.count("\n") for line in re.findall(r"all\.cpp:(\d+):\d+: error: ", said)}
        clashing = {candidates[line - 1] for line in lines}
        self.assertIn("time", clashing)
        self.assertLessEqual(clashing, set(names))

    def test_check_says_every_new_name_and_cpp_name_gives_another(self):
        path = self.folder / "s.yaml"
        path.write_text("""\
name: s
version: {major: 1, minor: 0}
constants: {EOF: 1}
types:
  Status:
    kind: enum
    fields: {NULL: 0, FINE: 1}
  Success:
    kind: struct
    cpp_name: Success
    fields:
      Status: {id: 10, type: Status}
      class: {id: 20, type: int, cpp_name: kind}
""")
        said = [line for line in self.run_command(BINARY, "check", path).stderr.splitlines() if ": note: " in line]
        self.assertEqual([line.split(" note: ")[1] for line in said], [
            "'EOF' is 'EOF_' in C++: 'EOF' is a standard library macro",
            "'Status' is 'Status_' in C++: 'Status' is a macro on some systems",
            "'Status.NULL' is 'NULL_' in C++: 'NULL' is a standard library macro",
            "'Success.Status' is 'Status_2' in C++: 'Status' is a macro on some systems",
        ])
        self.run_command(BINARY, "generate", path, "-o", "code")
        self.compile(self.folder / "code" / "types.cpp")
        self.assertIn("struct Success {\n  Status_ Status_2{};  // 10\n  std::int64_t kind = 0;  // 20\n",
                      (self.folder / "code" / "types.h").read_text())

    def test_texts_do_not_leave_their_comments_and_literals(self):
        doc = '"what?' + '?/\\n*/ /* \\\\\\n \\\\ \\t\\n </script> ?' + '?/"'
        self.generate(f"""\
name: s
version: {{major: 1, minor: 0}}
types:
  A:
    kind: struct
    doc: {doc}
    fields:
      a: {{id: 10, type: str, doc: {doc}, deprecated: {doc}, default: "what?{'?'}/"}}
      b: {{id: 20, type: str, default: "\\r\\v\\0\\L\\u202e\\\\"}}
""")
        for standard in ("c++17", "c++14"):  # c++14 has trigraphs
            with self.subTest(standard):
                source = self.folder / "code" / "schema_info.cpp"
                flags = [] if standard == "c++17" else ["-trigraphs", "-Wno-trigraphs"]
                self.compile(source, *flags)


if __name__ == "__main__":
    unittest.main()
