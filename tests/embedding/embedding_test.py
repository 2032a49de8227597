#!/usr/bin/env python3
"""Tests of libpt2 in other people's projects: of what a build installs, and of nothing else.

Needs the folder of a finished build in PT2_BUILD_FOLDER. Run from anywhere. What CMake builds goes through ccache where that is
installed, as several tests build the same; the whole takes about a minute of CPU.
"""

import os
import pathlib
import pty
import re
import select
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest
import unittest.mock

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
EMBEDDING = REPOSITORY / "tests" / "embedding"
PROGRAMS = REPOSITORY / "tests" / "data" / "programs" / "torch-2.13.0"
EXAMPLES = ("print_operators", "importer", "layers", "weights", "fuse", "own_schema", "no_exceptions", "levels")
BUILD = pathlib.Path(os.environ["PT2_BUILD_FOLDER"])
CACHE = (BUILD / "CMakeCache.txt").read_text()
IS_SHARED = re.search(r"^BUILD_SHARED_LIBS:\w+=(ON|1|TRUE)$", CACHE, re.MULTILINE) is not None
IS_RELEASE = re.search(r"^CMAKE_BUILD_TYPE:\w+=Release$", CACHE, re.MULTILINE) is not None

PYTHON = (re.search(r"^PT2_PYTHON:\w+=(\S+)$", CACHE, re.MULTILINE) or {1: sys.executable})[1]
HAS_NANOBIND = subprocess.run([PYTHON, "-c", "import nanobind, nanobind_backend"], stderr=subprocess.DEVNULL).returncode == 0
HAS_PYTHON = re.search(r"^PT2_BUILD_PYTHON:\w+=ON$", CACHE, re.MULTILINE) is not None  # then all is position independent

COMPILERS = [(name, standard) for name, standard in (("g++", 17), ("clang++-14", 20)) if shutil.which(name)]
WARNINGS = "-Werror -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wold-style-cast".split()

CONDITIONAL = """\
torch.ops.higher_order.cond
  torch.ops.aten.sin.default
  torch.ops.aten.add.Tensor
  torch.ops.aten.cos.default
  torch.ops.aten.sub.Tensor
"""
IMPORTED = """\
Weight         -> p_l1_weight:f32[8, 4] data=l1.weight
Weight         -> p_l1_bias:f32[8] data=l1.bias
Weight         -> p_l2_weight:f32[2, 8] data=l2.weight
Weight         -> p_l2_bias:f32[2] data=l2.bias
Weight         -> b_scale:f32[2] data=scale
Weight         -> b_np:f32[2] data=np
Input          -> x:f32[3, 4]
InnerProduct   x p_l1_weight p_l1_bias -> linear:f32[3, 8]
ReLU           linear -> relu:f32[3, 8]
InnerProduct   relu p_l2_weight p_l2_bias -> linear_1:f32[3, 2]
Mul            linear_1 b_scale -> mul:f32[3, 2]
Add            mul b_np -> add:f32[3, 2]
Output         add ->
"""
ZEROED = """\
l1.weight: parameter, float32 [8, 4], 128 bytes
l1.bias: parameter, float32 [8], 32 bytes, all zero
l2.weight: parameter, float32 [2, 8], 64 bytes
l2.bias: parameter, float32 [2], 8 bytes
scale: buffer, float32 [2], 8 bytes
np: buffer, float32 [2], 8 bytes, all zero
"""
LAYERS = """\
c.weight f32[4, 3, 3, 3] stride=[1, 1] padding=[1, 1]
"""
FUSED = """\
fuse:
nodes
- linear: f32[3, 8] = aten.linear.default(x, p_l1_weight, p_l1_bias)
+ fused: f32[3, 8] = my.linear_relu.default(x, p_l1_weight, p_l1_bias)
    (operator)
    (argument "input")
    (argument "weight")
    (argument "bias")
    (whether the node has a name)
- relu: f32[3, 8] = aten.relu.default(linear)
- linear_1: f32[3, 2] = aten.linear.default(relu, p_l2_weight, p_l2_bias)
+ linear_1: f32[3, 2] = aten.linear.default(fused, p_l2_weight, p_l2_bias)
    (argument "input")

3 differences
"""
UPGRADED = """\
{"version": 2, "notes": [{"text": "Water the plants", "tags": ["home", "green"], "priority": 1}, {"text": "Sleep", "tags": [], \
"priority": 1}]}
110 bytes in binary
"""


def setUpModule():
    """Installs the build; the examples are copied, so that nothing can reach into the source tree."""
    global folder, prefix, environment
    holder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(holder.cleanup)
    folder = pathlib.Path(holder.name)
    prefix = folder / "prefix"
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("CMAKE_", "CXX"))}
    if shutil.which("ccache"):
        environment |= {"CMAKE_CXX_COMPILER_LAUNCHER": "ccache", "CCACHE_BASEDIR": str(folder)}
    environment["CMAKE_BUILD_PARALLEL_LEVEL"] = "2"
    environment["PKG_CONFIG_PATH"] = str(prefix / "lib/pkgconfig")
    if IS_SHARED:
        environment["LD_LIBRARY_PATH"] = str(prefix / "lib")
    run("cmake", "--install", BUILD, "--prefix", prefix)
    for example in EXAMPLES:
        shutil.copytree(EMBEDDING / example, folder / example)


def run(*command, cwd=None, code=0):
    """Returns the command's output on both streams; its exit code must be `code`."""
    done = subprocess.run([*map(str, command)], cwd=cwd or folder, env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != code:
        raise AssertionError(f"{shlex.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def configure(source, build, *options, code=0):
    return run("cmake", "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}", *options, code=code)


def project(name, *lines):
    """Creates a folder with a CMakeLists.txt of these lines."""
    path = folder / name
    path.mkdir()
    head = ["cmake_minimum_required(VERSION 3.22)", f"project({name} LANGUAGES CXX)"]
    (path / "CMakeLists.txt").write_text("\n".join([*head, *lines, ""]))
    return path


def copy_of_own_schema(test):
    """The project of two schemas, in a folder of this test."""
    return shutil.copytree(EMBEDDING / "own_schema", folder / re.sub(r"\W", "_", test.id()))


def generated_files(schema):
    """The sorted names of the files that schemagen writes for it."""
    written = run(prefix / "bin/schemagen", "generate", schema, "-o", ".", "--list-outputs")
    return sorted(pathlib.Path(line).name for line in written.splitlines())


def flags_of(*packages):
    return run("pkg-config", "--cflags", "--libs", *packages).split()


class ExamplesTest(unittest.TestCase):
    maxDiff = None

    def test_each_example_is_built_by_cmake_without_warnings(self):
        has_commands = (prefix / "bin/schemagen").exists()
        for example in EXAMPLES:
            if example == "levels" or (example == "own_schema" and not has_commands):
                continue
            configure(example, f"build/{example}", "-DCMAKE_CXX_FLAGS=-fno-rtti " + " ".join(WARNINGS))
            run("cmake", "--build", f"build/{example}")
        self.assertEqual(run("build/print_operators/print_operators", PROGRAMS / "cond.pt2"), CONDITIONAL)
        self.assertEqual(run("build/importer/importer", PROGRAMS / "mlp.pt2"), IMPORTED)
        self.assertEqual(run("build/layers/layers", PROGRAMS / "conv_bn_train.pt2"), LAYERS)
        self.assertEqual(run("build/weights/weights", PROGRAMS / "mlp.pt2", "l1.bias", "zero.pt2"), ZEROED)
        self.assertEqual(run("build/fuse/fuse", PROGRAMS / "mlp.pt2", "fused.pt2"), FUSED)
        self.check_no_exceptions("build/no_exceptions/no_exceptions")
        if has_commands:
            self.assertIn("my.linear_relu.default(x, ", run(prefix / "bin/pt2", "show", "fused.pt2"))
            self.assertEqual(run("build/own_schema/upgrade_notes", "own_schema/notes.json"), UPGRADED)

    def check_no_exceptions(self, program):
        """The program reads a good file, and reports a damaged one and a missing one."""
        self.assertEqual(run(program, PROGRAMS / "mlp.json").count("torch.ops.aten."), 5)
        (folder / "damaged.json").write_text((PROGRAMS / "mlp.json").read_text().replace('"target": "', '"target": 1, "was": "', 1))
        self.assertRegex(run(program, "damaged.json", code=3), r"nodes\[0\]\.target: expected a string, found an integer \(line 1, ")
        self.assertIn("/nowhere/model.pt2", run(program, "/nowhere/model.pt2", code=3))

    def test_each_is_built_by_one_line_of_a_compiler_without_type_information(self):
        for version in ("notes_v1", "notes_v2"):
            run(prefix / "bin/schemagen", "generate", f"own_schema/{version}.yaml", "-o", f"code/{version}")
        own = [f"code/notes_v{version}/{file}.cpp" for version in (1, 2) for file in ("types", "json")]
        own += ["own_schema/upgrade_notes.cpp", "code/notes_v2/binary.cpp", "-Icode"]
        compiler, standard = COMPILERS[-1]
        common = [compiler, f"-std=c++{standard}", *WARNINGS, "-fno-rtti", "-o", "example"]
        run(*common, "print_operators/print_operators.cpp", *flags_of("pt2"))
        self.assertEqual(run("./example", PROGRAMS / "cond.pt2"), CONDITIONAL)
        run(*common, "importer/importer.cpp", *flags_of("pt2"))
        self.assertEqual(run("./example", PROGRAMS / "mlp.pt2"), IMPORTED)
        run(*common, "layers/layers.cpp", *flags_of("pt2"))
        self.assertEqual(run("./example", PROGRAMS / "conv_bn_train.pt2"), LAYERS)
        run(*common, "weights/weights.cpp", *flags_of("pt2"))
        self.assertEqual(run("./example", PROGRAMS / "mlp.pt2", "l1.bias", "zero.pt2"), ZEROED)
        run(*common, "fuse/fuse.cpp", *flags_of("pt2"))
        self.assertEqual(run("./example", PROGRAMS / "mlp.pt2", "fused.pt2"), FUSED)
        run(*common, "-fno-exceptions", "no_exceptions/no_exceptions.cpp", *flags_of("pt2"))
        self.check_no_exceptions("./example")
        run(*common, *own, *flags_of("schemagen-json", "schemagen-binary-file"))
        self.assertEqual(run("./example", "own_schema/notes.json"), UPGRADED)

    @unittest.skipUnless(re.search(r"^PT2_COMPONENTS:.*\bc\b", CACHE, re.MULTILINE), "built without the component c")
    def test_a_program_in_c_finds_the_library_by_pkg_config_and_by_cmake(self):
        source = EMBEDDING / "c" / "list_program.c"
        run("gcc", "-std=c99", "-pedantic", "-Wall", "-Werror", source, *flags_of("pt2-c"), f"-Wl,-rpath,{prefix}/lib", "-o", "c_program")
        listed = run("./c_program", PROGRAMS / "mlp.pt2")
        self.assertIn("l1.weight: float32 8 4\n", listed)
        path = project("in_c", "enable_language(C)", "find_package(pt2 REQUIRED COMPONENTS c)", f"add_executable(in_c {source})",
                       "target_link_libraries(in_c PRIVATE pt2::c)")
        configure(path, "build/in_c")
        run("cmake", "--build", "build/in_c")
        self.assertEqual(run("build/in_c/in_c", PROGRAMS / "mlp.pt2"), listed)

    @unittest.skipUnless(HAS_NANOBIND, "no nanobind")
    def test_a_python_module_of_a_schema_is_built_by_cmake(self):
        path = project("in_python", "find_package(pt2 REQUIRED COMPONENTS json binary schemagen)",
                       "schemagen_python_module(MODULE notes SCHEMA notes_v2.yaml)")
        shutil.copy(EMBEDDING / "own_schema" / "notes_v2.yaml", path)
        program = "import notes; print(notes.Notebook.from_json(b'{\"version\": 2}').to_json().decode())"
        try:
            configure(path, "build/in_python", f"-DPython_EXECUTABLE={PYTHON}")
        except AssertionError as error:
            self.assertIn("-DCMAKE_POSITION_INDEPENDENT_CODE=ON", re.sub(r"\s+", " ", str(error)))
            self.assertFalse(IS_SHARED or HAS_PYTHON)
            return
        run("cmake", "--build", "build/in_python")
        self.assertEqual(run(PYTHON, "-c", program, cwd=folder / "build/in_python"), '{"version": 2, "notes": []}\n')
        self.assertIn("class Notebook(", (folder / "build/in_python/notes.pyi").read_text())

    def test_the_types_alone_do_without_exceptions(self):
        for compiler, standard in COMPILERS:
            with self.subTest(compiler=compiler, standard=standard):
                run(compiler, f"-std=c++{standard}", *WARNINGS, "-fno-rtti", "-fno-exceptions", EMBEDDING / "types_alone.cpp",
                    *flags_of("pt2-types"), "-o", "types_alone")
                run("./types_alone")

    def test_the_types_include_little_of_the_standard_library(self):
        rule = run("g++", "-std=c++17", "-M", EMBEDDING / "types_alone.cpp", *flags_of("pt2-types"))
        for slow in ("algorithm", "functional", "iostream", "memory", "tuple", "unordered_map"):
            self.assertNotRegex(rule, rf"c\+\+/[0-9.]+/{slow}\s")

    @unittest.skipUnless(IS_RELEASE and not IS_SHARED, "only the size of a static release counts")
    def test_a_program_that_loads_json_and_binary_is_below_a_megabyte(self):
        run("g++", "-std=c++17", "-O2", "-s", EMBEDDING / "load_any.cpp", *flags_of("pt2-json", "pt2-binary"), "-o", "load_any")
        self.assertEqual(run("./load_any", PROGRAMS / "mlp.json"), "5 nodes\n")
        run(prefix / "bin/pt2", "convert", PROGRAMS / "mlp.pt2", "mlp.pt2b")
        self.assertEqual(run("./load_any", "mlp.pt2b"), "5 nodes\n")
        size = (folder / "load_any").stat().st_size
        print(f"load_any has {size} bytes")
        self.assertLess(size, 1_000_000)

    def test_a_file_that_is_no_program_is_an_error_with_a_reason(self):
        run("g++", "-std=c++17", EMBEDDING / "load_any.cpp", *flags_of("pt2-json", "pt2-binary"), "-o", "load_bad")
        self.assertIn("line 1, column 1", run("./load_bad", PROGRAMS / "mlp.pt2", code=3))


class LevelsTest(unittest.TestCase):
    """The program of each level, which links its library and what that asks for."""

    OLD = REPOSITORY / "tests/data/programs/torch-2.1.2/dtypes.json"
    # Input, output, and prefixes of names from levels that are not linked.
    FILES = r"inflate|deflate|crc32|pt2::(Zip|Archive|Pickle|Tensor(?!Type)|Storage|Weight|open_|load_|save_)"
    RULES = r"pt2::(infer|verify|find_code|diff_)"
    EDITS = r"pt2::(ProgramBuilder|insert_|erase_node|extract|join)\b"
    SCAN = r"pt2::(scan_file|harden)"
    LEVELS = {
        "types": ("", "torch.ops.aten.relu.default\n", ["schemagen::(Json|Compact)", "pt2::", FILES]),
        "json": (PROGRAMS / "mlp.json", (PROGRAMS / "mlp.json").read_text(), ["schemagen::Compact", "pt2::(upgrade|canonical)", FILES]),
        "binary": ("mlp.pt2b", "5 nodes\n", ["schemagen::Json", "pt2::(upgrade|canonical)", FILES]),
        "versions": (OLD, "HASH\n", [FILES, RULES, EDITS, SCAN]),
        "archive": ([PROGRAMS / "mlp.pt2"], "l1.weight\nl1.bias\nl2.weight\nl2.bias\nscale\nnp\n", [RULES, EDITS, SCAN]),
        "analysis": (PROGRAMS / "mlp.json", "0 findings\n", [FILES, EDITS, SCAN]),
        "edit": ([PROGRAMS / "mlp.pt2", "edited.pt2"], "", [SCAN]),
        "scan": (PROGRAMS / "mlp.json", "0 findings\n", [EDITS]),
        "show": (PROGRAMS / "mlp.json", None, [FILES, EDITS, SCAN]),
    }

    @staticmethod
    def symbols(program):
        """Returns the names that it defines, except those of the types."""
        names = [line.split(" ", 2)[2] for line in run("nm", "-C", "--defined-only", program).splitlines()]
        return [name.replace("(anonymous namespace)::", "") for name in names if not name.startswith("pt2::v8::")]

    def test_the_program_of_each_level_has_nothing_of_the_levels_above_in_it(self):
        run(prefix / "bin/pt2", "convert", PROGRAMS / "mlp.pt2", "mlp.pt2b")
        for level, (given, expected, above) in self.LEVELS.items():
            with self.subTest(level=level):
                flags = flags_of("pt2-" + level)
                if level not in ("archive", "edit", "scan"):
                    self.assertNotIn("-lz", flags)
                run("g++", "-std=c++17", "-O2", f"levels/{level}.cpp", *flags, "-o", level)
                arguments = given if isinstance(given, list) else []
                given_bytes = b"" if arguments or not given else (folder / given).read_bytes()
                done = subprocess.run([folder / level, *map(str, arguments)], cwd=folder, env=environment, input=given_bytes,
                                      capture_output=True)
                self.assertEqual(done.returncode, 0, done.stderr)
                if expected == "HASH\n":
                    expected = run(prefix / "bin/pt2", "hash", given)
                if expected is None:
                    expected = run(prefix / "bin/pt2", "show", given)
                self.assertEqual(done.stdout.decode().rstrip("\n"), expected.rstrip("\n"))
                if not IS_SHARED:
                    self.assertEqual([name for name in self.symbols(level) if re.match("|".join(above), name)], [])

    def test_cmake_finds_each_level_by_its_name(self):
        for level in ("versions", "archive"):
            with self.subTest(level=level):
                configure("levels", f"build/{level}", f"-DLEVEL={level}")
                run("cmake", "--build", f"build/{level}")

    @unittest.skipIf(IS_SHARED, "whole libraries are linked")
    def test_an_upgrade_without_a_canonical_form_has_no_table_of_operators_in_it(self):
        source = (folder / "levels/versions.cpp").read_text()
        source = re.sub(r"pt2::content_hash\((.*)\) <<", r"\1.schema_version.minor <<", source)
        (folder / "upgrade.cpp").write_text(source)
        run("g++", "-std=c++17", "-O2", "upgrade.cpp", *flags_of("pt2-versions"), "-o", "upgrade")
        self.assertEqual([name for name in self.symbols("upgrade") if name.startswith(("pt2::kOperatorTable", "pt2::find_operator"))], [])


class PackageTest(unittest.TestCase):
    def test_a_component_asks_for_no_package_that_it_does_not_need(self):
        for component in ("types", "binary", "json", "versions", "analysis", "show"):
            with self.subTest(component=component):
                source = project(f"only_{component}", f"find_package(pt2 REQUIRED COMPONENTS {component})")
                configure(source, source / "build", "-DCMAKE_DISABLE_FIND_PACKAGE_ZLIB=ON")

    def test_a_component_that_is_not_there_is_named(self):
        source = project("no_component", "find_package(pt2 REQUIRED COMPONENTS types quantum)")
        self.assertIn("quantum", configure(source, source / "build", code=1))

    def test_a_codec_that_was_not_asked_for_is_named(self):
        source = project("unknown_codec", "find_package(pt2 REQUIRED COMPONENTS types schemagen)",
                         "schemagen_generate(TARGET notes SCHEMA notes.yaml CODECS xml)")
        self.assertIn("expected json or binary, got 'xml'", configure(source, source / "build", code=1))

    def test_public_headers_and_no_others_are_installed(self):
        listed = re.findall(r"^  (\S+\.h)", (REPOSITORY / "dev/packaging/public_headers.cmake").read_text(), re.MULTILINE)
        installed = {str(path.relative_to(prefix / "include")) for path in (prefix / "include").rglob("*.h")}
        of_c = {"pt2.h", "pt2_ids.h", "schemagen_value.h", "schemagen/access.h", "schemagen/c/type.h"}
        self.assertEqual(installed - of_c, set(listed))
        self.assertEqual(of_c - installed, set())

    def test_nothing_that_is_installed_names_the_source_or_build_folder(self):
        for path in prefix.rglob("*"):
            if path.suffix in (".cmake", ".pc", ".h") or path.parent.name == "man1":
                text = path.read_text()
                self.assertNotIn(str(REPOSITORY), text, path)
                self.assertNotIn(str(BUILD), text, path)

    def test_both_commands_have_manual_pages_that_tell_of_every_subcommand(self):
        for command in ("pt2", "schemagen"):
            page = (prefix / f"share/man/man1/{command}.1").read_text()
            subcommands = re.findall(r"^  ([a-z]+) ", run(prefix / "bin" / command, "--help").split("Subcommands:")[1],
                                     re.MULTILINE)
            self.assertGreater(len(subcommands), 3)
            self.assertEqual(re.findall(rf"^\.SS {command} (.*)$", page, re.MULTILINE), subcommands)
            if shutil.which("groff"):
                self.assertEqual(run("groff", "-man", "-ww", "-z", prefix / f"share/man/man1/{command}.1"), "")

    def check_completion(self, complete):
        """Checks completions; `complete` returns a shell's completions of the last word."""
        self.assertEqual(complete("schemagen", "gen"), ["generate"])
        self.assertEqual(complete("schemagen", "generate", "--stam"), ["--stamp"])
        self.assertEqual(complete("pt2", "sh"), ["show"])
        self.assertEqual(complete("pt2", "--ver"), ["--version"])

    def check_files(self, complete):
        (folder / "a_program.pt2").touch()
        self.assertEqual(complete("pt2", "show", "a_prog"), ["a_program.pt2"])

    def test_bash_completes_subcommands_and_their_options(self):
        def complete(*words):
            script = prefix / "share/bash-completion/completions" / words[0]
            line = f'. {shlex.quote(str(script))}; COMP_WORDS=({shlex.join(words)}); COMP_CWORD={len(words) - 1}; ' \
                   f'_pt2_complete {shlex.quote(str(prefix / "bin" / words[0]))} {shlex.quote(words[-1])}; echo "${{COMPREPLY[@]}}"'
            return run("bash", "-c", line).split()

        self.check_completion(complete)

    @unittest.skipUnless(shutil.which("fish"), "needs fish")
    def test_fish_completes_subcommands_and_their_options_and_files(self):
        def complete(*words):
            line = f"set fish_complete_path {prefix}/share/fish/vendor_completions.d; set -x PATH {prefix}/bin $PATH; " \
                   f"complete -C {shlex.quote(shlex.join(words))}"
            return [found.split("\t")[0] for found in run("fish", "--no-config", "-c", line).splitlines()]

        self.check_completion(complete)
        self.check_files(complete)

    @unittest.skipUnless(shutil.which("zsh"), "needs zsh")
    def test_zsh_completes_subcommands_and_their_options_and_files(self):
        # Completion needs a terminal.
        def complete(*words):
            process, terminal = pty.fork()
            if process == 0:
                os.chdir(folder)
                os.execvpe("zsh", ["zsh", "-f", "-i"], {**environment, "TERM": "dumb"})
            self.addCleanup(os.waitpid, process, 0)
            self.addCleanup(os.close, terminal)
            shown = ""

            def type_until(text, pattern):
                nonlocal shown
                os.write(terminal, text.encode())
                while not re.search(pattern, shown):
                    self.assertTrue(select.select([terminal], [], [], 60)[0], shown)
                    shown += os.read(terminal, 4096).decode()

            type_until(f"path=({prefix}/bin $path); fpath=({prefix}/share/zsh/site-functions $fpath)\n"
                       "autoload -U compinit; compinit -u -D; print 'rea'dy\n", r"\nready")
            type_until(shlex.join(words) + "\t\x01print -rl -- \nprint 'do'ne\n", r"\ndone")
            lines = shown.replace("\r", "").split("\ndone")[0].split("\n")
            return [lines[lines.index(words[0]) + len(words) - 1]]

        self.check_completion(complete)
        self.check_files(complete)

    @unittest.skipUnless(IS_SHARED, "static libraries have no dynamic symbols")
    def test_shared_libraries_show_our_names_only_and_with_a_version(self):
        libraries = sorted(path for path in (prefix / "lib").glob("*.so") if path.is_symlink())
        self.assertGreater(len(libraries), 5)
        abi = re.search(r"#define PT2_ABI_VERSION (\d+)", (REPOSITORY / "bindings/c/pt2.h").read_text())[1]
        version = "PT2_" + re.search(r"^CMAKE_PROJECT_VERSION:STATIC=(\d+\.\d+)", CACHE, re.MULTILINE)[1]
        for library in libraries:
            symbols = [line.split()[-1] for line in run("nm", "-D", "--defined-only", library).splitlines()]
            ours = rf"^(_Z(N|NK|T[ISV]N)(3pt2|9schemagen).*@@)?{re.escape(version)}(@@{re.escape(version)})?$"
            if library.name == "libpt2c.so":
                ours = f"^((pt2|schemagen)_.*@@)?PT2C_{abi}(@@PT2C_{abi})?$"
            for symbol in symbols:
                self.assertRegex(symbol, ours)
            self.assertIn("SONAME", run("objdump", "-p", library))


class GenerateTest(unittest.TestCase):
    """schemagen_generate() in a project with two schemas."""

    def setUp(self):
        self.source = copy_of_own_schema(self)

    @staticmethod
    def built(build):
        """Returns the names and times of the files that compilers and archivers wrote."""
        return {path.name: path.stat().st_mtime_ns for path in build.rglob("*")
                if path.suffix in (".o", ".a", ".stamp") or path.name == "upgrade_notes"}

    def rebuilt(self, build):
        before = self.built(build)
        run("cmake", "--build", build)
        after = self.built(build)
        self.assertEqual(before.keys(), after.keys())
        return {name for name in after if after[name] != before[name]}

    def edit(self, old, new, name="notes_v2.yaml"):
        time.sleep(1.1)  # timestamps may have a resolution of a second
        path = self.source / name
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new))

    def check_rebuilds(self, generator):
        build = self.source / "build"
        configure(self.source, build, "-G", generator)
        run("cmake", "--build", build)
        self.assertEqual(self.rebuilt(build), set())

        self.edit("priority: {id: 40", "urgency: {id: 40")
        of_version_2 = {"notes_v2.stamp", "libnotes_v2.a", "types.cpp.o", "json.cpp.o", "binary.cpp.o", "schema_info.cpp.o",
                        "upgrade_notes.cpp.o", "upgrade_notes"}
        objects_of_version_1 = {path: path.stat().st_mtime_ns for path in build.glob("CMakeFiles/notes_v1.dir/**/*.o")}
        self.assertEqual(self.rebuilt(build), of_version_2)
        self.assertEqual({path: path.stat().st_mtime_ns for path in objects_of_version_1}, objects_of_version_1)
        self.assertEqual(self.rebuilt(build), set())

        self.edit("kind: struct", "kind: struct ")
        self.assertEqual(self.rebuilt(build), {"notes_v2.stamp"})
        self.assertEqual(self.rebuilt(build), set())

        (self.source / "shared.yaml").write_text("name: shared\nversion: {major: 1, minor: 0}\ntypes: {}\n")
        self.edit("\ntypes:", "\nimports: [shared.yaml]\ntypes:")
        self.assertEqual(self.rebuilt(build), {"notes_v2.stamp"})
        self.edit("types: {}", "types:  {}", "shared.yaml")
        self.assertEqual(self.rebuilt(build), {"notes_v2.stamp"})
        self.assertEqual(self.rebuilt(build), set())

    def test_a_changed_field_rebuilds_what_depends_on_it_and_nothing_else_by_ninja(self):
        self.check_rebuilds("Ninja")

    def test_a_changed_field_rebuilds_what_depends_on_it_and_nothing_else_by_make(self):
        self.check_rebuilds("Unix Makefiles")

    def test_it_works_from_any_folder_and_writes_where_it_is_told(self):
        (self.source / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.22)\nproject(deep LANGUAGES CXX)\n"
            "find_package(pt2 REQUIRED COMPONENTS types schemagen)\nadd_subdirectory(a/b)\n")
        (self.source / "a/b").mkdir(parents=True)
        (self.source / "a/b/CMakeLists.txt").write_text(
            "schemagen_generate(TARGET notes SCHEMA ../../notes_v2.yaml NAMESPACE my::notes OUT_DIR out/my_notes)\n"
            "add_executable(user user.cpp)\ntarget_link_libraries(user PRIVATE notes)\n")
        (self.source / "a/b/user.cpp").write_text("#include <my_notes/types.h>\n"
                                                  "int main() { return my::notes::Note{} == my::notes::Note{} ? 0 : 1; }\n")
        build = self.source / "build"
        configure(self.source, build)
        run("cmake", "--build", build)
        run(build / "a/b/user")
        self.assertTrue((build / "a/b/out/my_notes/types.h").exists())
        self.assertFalse(list(build.rglob("json.cpp.o")))

    def test_it_knows_every_file_that_schemagen_writes(self):
        function = (prefix / "lib/cmake/pt2/schemagen_generate.cmake").read_text()
        listed = re.search(r'set\(outputs "(.*)"\)', function)[1].split(";")
        self.assertEqual(sorted(listed), generated_files(self.source / "notes_v1.yaml"))

    def test_a_cross_build_takes_the_schemagen_that_it_is_given(self):
        build = self.source / "build"
        self.assertRegex(configure(self.source, build, "-DCMAKE_SYSTEM_NAME=Linux", code=1), r"set\s+SCHEMAGEN_EXECUTABLE")
        other = configure(self.source, build, "-DCMAKE_SYSTEM_NAME=Linux", "-DSCHEMAGEN_EXECUTABLE=/bin/true", code=1)
        self.assertRegex(other, r"expected\s+a\s+schemagen\s+\S+\s+that\s+this\s+machine\s+can\s+run,\s+got\s+/bin/true")
        host = folder / "host_schemagen"
        shutil.copy(prefix / "bin/schemagen", host)
        configure(self.source, build, "-DCMAKE_SYSTEM_NAME=Linux", f"-DSCHEMAGEN_EXECUTABLE={host}")
        run("cmake", "--build", build, "--target", "notes_v1_generate")
        self.assertTrue((build / "generated/notes_v1/types.h").exists())

    def test_a_schema_with_errors_stops_the_build_and_names_the_place(self):
        build = self.source / "build"
        (self.source / "notes_v1.yaml").write_text("name: notes\n")
        configure(self.source, build)
        self.assertIn("notes_v1.yaml:1", run("cmake", "--build", build, "--target", "notes_v1_generate", code=2
                                             if "Makefiles" in (build / "CMakeCache.txt").read_text() else 1))


@unittest.skipUnless(shutil.which("meson"), "meson is not installed")
class MesonTest(unittest.TestCase):
    """The Meson project of two schemas; the guide has the commands."""

    def setUp(self):
        path = os.pathsep.join([str(prefix / "bin"), environment["PATH"]])
        environment_of_test = unittest.mock.patch.dict(environment, {"PATH": path})
        environment_of_test.start()
        self.addCleanup(environment_of_test.stop)
        self.source = copy_of_own_schema(self)
        self.build = self.source / "build"

    def test_a_changed_field_rebuilds_what_depends_on_it_and_nothing_else(self):
        run("meson", "setup", self.build, self.source, "--fatal-meson-warnings", "-Dwarning_level=3", "-Dwerror=true")
        run("meson", "compile", "-C", self.build)
        self.assertEqual(run(self.build / "upgrade_notes", self.source / "notes.json"), UPGRADED)
        self.assertIn("no work to do", run("meson", "compile", "-C", self.build))

        def objects():
            return {str(path.relative_to(self.build)): path.stat().st_mtime_ns for path in self.build.rglob("*.o")}

        before = objects()
        schema = self.source / "notes_v2.yaml"
        schema.write_text(schema.read_text().replace("priority: {id: 40", "urgency: {id: 40"))
        run("meson", "compile", "-C", self.build)
        rebuilt = {path for path, time_of in objects().items() if time_of != before[path]}
        self.assertEqual(len(rebuilt), 5)
        self.assertTrue(all("v2" in path or "upgrade_notes" in path for path in rebuilt), rebuilt)
        self.assertIn("no work to do", run("meson", "compile", "-C", self.build))

    def test_a_schema_with_errors_stops_it_and_names_the_place(self):
        (self.source / "notes_v1.yaml").write_text("name: notes\n")
        run("meson", "setup", self.build, self.source)
        self.assertIn("notes_v1.yaml:1", run("meson", "compile", "-C", self.build, code=1))

    def test_it_knows_every_file_that_schemagen_writes(self):
        lists = re.findall(r"^(?:headers|sources) = \[(.*)\]$", (self.source / "meson.build").read_text(), re.MULTILINE)
        self.assertEqual(sorted(re.findall(r"'(\S+)'", " ".join(lists))), generated_files(self.source / "notes_v1.yaml"))


BAZEL_RULES = pathlib.Path("/usr/share/bazel")  # of Debian's packages
# Debian's Bazel has these functions, which Debian's newer C++ rules define.
CC_RULES = "cc_binary cc_import cc_library cc_proto_library cc_test cc_toolchain cc_toolchain_suite fdo_prefetch_hints fdo_profile objc_library"
BAZEL_RC = """\
startup --output_user_root={root}
common --override_repository=rules_cc={rules_cc}
common --override_repository=rules_java={rules}/rules/java --override_repository=platforms={rules}/tools/platforms
build --nosandbox_debug --cxxopt=-std=c++17 --copt=-Wall --copt=-Wextra --copt=-Werror
"""


@unittest.skipUnless(shutil.which("bazel") and (BAZEL_RULES / "rules/java").exists(), "bazel is not installed")
@unittest.skipIf(IS_SHARED, "Bazel links the static libraries")
class BazelTest(unittest.TestCase):
    """The Bazel workspace of two schemas, without a network: what Bazel would fetch is of Debian's packages."""

    def setUp(self):
        self.source = copy_of_own_schema(self)
        shutil.copy(prefix / "share/pt2/schemagen.bzl", self.source)
        self.edit("WORKSPACE", '"/usr"', f'"{prefix}"')
        rules_cc = folder / "rules_cc"
        (rules_cc / "cc").mkdir(parents=True, exist_ok=True)
        for file in ("WORKSPACE", "BUILD", "cc/BUILD"):
            (rules_cc / file).touch()
        (rules_cc / "cc/defs.bzl").write_text("".join(f"{rule} = native.{rule}\n" for rule in CC_RULES.split()))
        self.rc = folder / "bazelrc"
        self.rc.write_text(BAZEL_RC.format(root=folder / "bazel", rules=BAZEL_RULES, rules_cc=rules_cc))

    def edit(self, name, old, new):
        text = (self.source / name).read_text()
        self.assertIn(old, text)
        (self.source / name).write_text(text.replace(old, new))

    def bazel(self, *arguments, code=0):
        return run("bazel", "--nohome_rc", f"--bazelrc={self.rc}", *arguments, cwd=self.source, code=code)

    def objects(self):
        found = (self.source / "bazel-bin/_objs").resolve().rglob("*.o")
        return {f"{path.parent.name}/{path.name}": path.stat().st_mtime_ns for path in found}

    def test_it_builds_again_what_a_change_concerns_and_names_errors(self):
        self.addCleanup(self.bazel, "clean", "--expunge")
        self.bazel("build", "//:upgrade_notes")
        self.assertEqual(run(self.source / "bazel-bin/upgrade_notes", self.source / "notes.json"), UPGRADED)

        (self.source / "shared.yaml").write_text("name: shared\nversion: {major: 1, minor: 0}\ntypes: {}\n")
        self.edit("notes_v2.yaml", "\ntypes:", "\nimports: [shared.yaml]\ntypes:")
        self.assertIn("shared.yaml", self.bazel("build", "//:upgrade_notes", code=1))
        self.edit("BUILD.bazel", 'schema = "notes_v2.yaml"', 'schema = "notes_v2.yaml", imports = ["shared.yaml"]')
        before = self.objects()
        self.assertEqual(len(before), 9)
        self.bazel("build", "//:upgrade_notes")
        self.assertEqual(self.objects(), before)
        self.edit("notes_v2.yaml", "priority: {id: 40", "urgency: {id: 40")
        self.bazel("build", "//:upgrade_notes")
        rebuilt = [name.split(".")[0] for name, time_of in sorted(self.objects().items()) if time_of != before[name]]
        self.assertEqual(rebuilt, [f"notes_v2/{file}" for file in ("binary", "json", "schema_info", "types")] +
                         ["upgrade_notes/upgrade_notes"])

        self.edit("notes_v1.yaml", "name: notes", "name: 1")
        self.assertIn("notes_v1.yaml:", self.bazel("build", "//:upgrade_notes", code=1))

    def test_it_knows_every_file_that_schemagen_writes(self):
        lists = re.findall(r"^_(?:HEADERS|SOURCES) = \[(.*)\]$", (self.source / "schemagen.bzl").read_text(), re.MULTILINE)
        self.assertEqual(sorted(re.findall(r'"(\S+)"', " ".join(lists))), generated_files(self.source / "notes_v1.yaml"))


class GuideTest(unittest.TestCase):
    """Runs the guide's commands in order, in a folder with the files that it mentions."""

    guide = (EMBEDDING / "README.md").read_text()

    def blocks(self, language):
        return re.findall(rf"^```{language}\n(.*?)^```$", self.guide, re.MULTILINE | re.DOTALL)

    def test_every_command_works(self):
        place = folder / "guide"
        (place / "build").mkdir(parents=True)
        for example in EXAMPLES:
            shutil.copytree(EMBEDDING / example, place / example)
        shutil.copy(PROGRAMS / "mlp.pt2", place / "model.pt2")
        (place / "libpt2").symlink_to(REPOSITORY)
        (place / "build/libpt2").symlink_to(BUILD)
        # This test's own build: another one takes minutes.
        before = "cmake -S libpt2 -B build/libpt2 -DCMAKE_BUILD_TYPE=Release -DPT2_BUILD_TESTS=OFF\ncmake --build build/libpt2\n"
        script = "".join(self.blocks("sh"))
        self.assertTrue(script.startswith(before))
        run("bash", "-euo", "pipefail", "-c", script[len(before):], cwd=place)
        self.check_debian_package(next((place / "packages").glob("*.deb")))
        self.check_source_package(next((place / "packages").glob("*.tar.gz")))

    def check_debian_package(self, package):
        content = run("dpkg-deb", "--contents", package)
        for path in ("bin/pt2", "bin/schemagen", "include/pt2/types.h", "share/man/man1/pt2.1", "lib/cmake/pt2/pt2Config.cmake",
                     "share/bash-completion/completions/schemagen", "share/zsh/site-functions/_pt2",
                     "share/fish/vendor_completions.d/pt2.fish"):
            self.assertRegex(content, rf" \./usr/{path}\n")
        self.assertRegex(run("dpkg-deb", "--field", package, "Depends"), r"libc6")

    def check_source_package(self, package):
        with tarfile.open(package) as archive:
            packed = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
        tracked = subprocess.run(["git", "ls-files"], cwd=REPOSITORY, capture_output=True, text=True)
        if tracked.returncode == 0:
            missing = set(tracked.stdout.split("\n")) - packed - {""}
            self.assertEqual(sorted(missing)[:10], [])
        self.assertIn("CMakeLists.txt", packed)
        self.assertEqual([name for name in packed if name.startswith(("build", ".git/"))], [])

    def test_its_cmake_is_that_of_the_examples(self):
        of_package, _, of_source, of_schema = self.blocks("cmake")
        self.assertEqual(of_package, (EMBEDDING / "print_operators/CMakeLists.txt").read_text())
        self.assertIn(of_schema, (EMBEDDING / "own_schema/CMakeLists.txt").read_text())
        source = project("fetched", of_source)
        (source / "libpt2").symlink_to(REPOSITORY)
        shutil.copy(EMBEDDING / "types_alone.cpp", source)
        absent = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ("ZLIB", "yaml-cpp", "CLI11")]
        run("cmake", "-S", source, "-B", source / "build", *absent)
        run("cmake", "--build", source / "build")
        run(source / "build/types_alone")


class ScheduledCheckTest(unittest.TestCase):
    """Runs the job of schema-check.yml, except the parts that only the service has."""

    def test_its_commands_accept_a_good_change_and_refuse_a_bad_one(self):
        workflow = (EMBEDDING / "schema-check.yml").read_text()
        commands = re.findall(r"run: (schemagen .*)$", workflow, re.MULTILINE)
        self.assertEqual([command.split()[1] for command in commands], ["check", "fmt", "generate", "hash", "diff"])
        place = folder / "checked"
        place.mkdir()
        schemagen = shlex.quote(str(prefix / "bin/schemagen"))

        def shell(line, code=0):
            return run("bash", "-euc", line.replace("schemagen ", schemagen + " ", 1), cwd=place, code=code)

        shutil.copy(EMBEDDING / "own_schema/notes_v2.yaml", place / "schema.yaml")
        shell("schemagen generate schema.yaml -o generated")
        environment["BINARY_HASH"] = shell("schemagen hash schema.yaml --projection bin").split()[0].split(":")[-1]
        self.addCleanup(environment.pop, "BINARY_HASH")
        git = ("git", "-c", "user.name=test", "-c", "user.email=test@example.org")
        for command in (("init", "-q", "-b", "main"), ("add", "."), ("commit", "-qm", "schema"),
                        ("update-ref", "refs/remotes/origin/main", "main")):
            run(*git, *command, cwd=place)
        for command in commands:
            shell(command)
        text = (place / "schema.yaml").read_text()
        (place / "schema.yaml").write_text(text.replace("tags: {id: 30", "tags: {id: 31"))
        for command in commands[2:]:
            shell(command, code=1)

        text = text.replace("roots: [Notebook]", "roots: [Notebook, Other]")
        (place / "schema.yaml").write_text(text.replace("types:\n", "types:\n  Other: {kind: struct, fields: {}}\n", 1))
        shell(commands[3], code=2)
        environment["BINARY_ROOT"] = "Notebook"
        self.addCleanup(environment.pop, "BINARY_ROOT")
        shell(commands[3])

        (place / "schema.yaml").write_text(text.replace("kind: struct", "kind: structure"))
        self.assertIn("::error file=schema.yaml,line=", shell(commands[0], code=3))

    def test_the_workflows_install_this_version_and_build_nothing(self):
        version = re.search(r"project\(pt2 VERSION (\S+)", (REPOSITORY / "CMakeLists.txt").read_text())[1]
        for name in ("schema-check.yml", "model-check.yml"):
            workflow = (EMBEDDING / name).read_text()
            self.assertIn(f'LIBPT2_VERSION: "{version}"', workflow)
            self.assertIn('run: pip install "libpt2==$LIBPT2_VERSION"\n', workflow)
            self.assertNotIn("cmake", workflow)
        for page in ("schema/README.md", "docs/files-from-strangers.md"):
            self.assertIn(f"additional_dependencies: [libpt2=={version}]", (REPOSITORY / page).read_text())


if __name__ == "__main__":
    unittest.main()
