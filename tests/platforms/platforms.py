#!/usr/bin/env python3
"""Builds copies of libpt2 for other platforms and compares what they print with what a copy prints here: see platforms.sh.

Needs schemagen in SCHEMAGEN_BINARY, and for zig a Python with ziglang in PT2_ZIG_PYTHON.
"""

import argparse
import concurrent.futures
import dataclasses
import itertools
import os
import pathlib
import shutil
import subprocess
import sys
import time
import zipfile
import zlib

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SOURCES = REPOSITORY / "tests" / "platforms"
BUILD = REPOSITORY / "build" / "platforms"
PROGRAMS = sorted(
    path.relative_to(REPOSITORY).as_posix()
    for path in (REPOSITORY / "tests" / "data" / "programs").rglob("*")
    if path.suffix in (".json", ".pt2", ".pt2b") and path.name != "about.json"
)


@dataclasses.dataclass
class Platform:
    compilers: tuple[str, str]  # of C++ and C
    options: tuple[str, ...] = ()  # of both
    linking: tuple[str, ...] = ()  # of C++, and to link
    run: tuple[str, ...] | None = ()  # None: it is compiled and linked only
    suffix: str = ""


def gcc(target, *options, run, suffix="", variant=""):
    """Debian's cross compiler."""
    return Platform((f"{target}-g++{variant}", f"{target}-gcc{variant}"), options, ("-static",), run, suffix)


def zig(target, *linking, run=None):
    # dev/test.sh runs the sanitizers.
    return Platform(("zig c++", "zig cc"), ("-target", target, "-fno-sanitize=undefined"), linking, run)


NATIVE = Platform(("g++", "gcc"))
PLATFORMS = {
    "libc++": Platform(("clang++-14", "clang-14"), linking=("-stdlib=libc++",)),
    "aarch64": gcc("aarch64-linux-gnu", run=("qemu-aarch64",)),
    "s390x": gcc("s390x-linux-gnu", run=("qemu-s390x",)),
    "i686": gcc("i686-linux-gnu", "-msse2", "-mfpmath=sse", run=("qemu-i386",)),
    "windows": gcc("x86_64-w64-mingw32", "-Wa,-mbig-obj", "-O1", run=("/usr/lib/wine/wine64",), suffix=".exe", variant="-posix"),
    "no-threads": gcc("x86_64-w64-mingw32", "-Wa,-mbig-obj", "-O1", run=None, suffix=".exe", variant="-win32"),  # lacks std::mutex
    "wasm": Platform(
        ("em++", "emcc"),
        ("-fwasm-exceptions",),
        ("-sNODERAWFS", "-sSINGLE_FILE", "-sALLOW_MEMORY_GROWTH", "-sTOTAL_STACK=1MB"),
        ("node",),
        ".js",
    ),
    "musl": zig("x86_64-linux-musl", "-static", run=()),
    "macos-aarch64": zig("aarch64-macos"),
    "macos-x86_64": zig("x86_64-macos"),
}
CXX = "-std=c++17 -O0 -DPT2_WITH_XXHASH -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wold-style-cast -Werror".split()
C = "-std=c99 -O0 -pedantic -Wall -Wextra -Werror".split()

# By level: options of `schemagen amalgamate`, and the program.
LEVELS = {
    "archive": (["--level", "archive"], "archive_outputs.cpp"),
    "all": (["--level", "all", "--with-c"], "c_outputs.c"),
}


def environment():
    """That of compilers and emulators. All that they write is in BUILD."""
    home = BUILD / "home"
    home.mkdir(parents=True, exist_ok=True)
    return {**os.environ, "NODE_PATH": "/usr/share/nodejs", "HOME": str(home), "WINEPREFIX": str(home / "wine"), "WINEDEBUG": "-all"}


def run(command, **options):
    """Returns what it printed. Raises CalledProcessError."""
    words = [str(word) for word in command]
    return subprocess.run(words, cwd=REPOSITORY, env=environment(), capture_output=True, check=True, **options).stdout


def amalgamate():
    for level, (options, _) in LEVELS.items():
        folder = BUILD / level
        run([os.environ["SCHEMAGEN_BINARY"], "amalgamate", "schema/pt2.yaml", *options, "-o", folder / "pt2"])
    include = BUILD / "include"
    include.mkdir(exist_ok=True)
    shutil.copy("/usr/include/xxhash.h", include)


def words(compiler):
    if not compiler.startswith("zig "):
        is_cached = shutil.which("ccache") and not compiler.startswith("em")
        return ["ccache", compiler] if is_cached else [compiler]
    return [os.environ["PT2_ZIG_PYTHON"], "-m", "ziglang", *compiler.split()[1:]]


def build(name, platform, level):
    """Returns the program."""
    cxx, c = map(words, platform.compilers)
    compiled_as_cxx = [*cxx, *CXX, *platform.options, *(option for option in platform.linking if option.startswith("-stdlib"))]
    source = SOURCES / LEVELS[level][1]
    folder = BUILD / level
    library, program = folder / f"{name}.o", folder / f"{name}_program.o"
    run([*compiled_as_cxx, "-I", folder, "-isystem", BUILD / "include", "-c", folder / "pt2" / "pt2.cpp", "-o", library])
    compiled = [*c, *C, *platform.options] if source.suffix == ".c" else compiled_as_cxx
    run([*compiled, "-I", folder, "-isystem", BUILD / "include", "-c", source, "-o", program])
    built = folder / f"{name}{platform.suffix}"
    run([*cxx, *platform.options, *platform.linking, program, library, "-o", built])
    return built


def outputs(name, platform, level, program):
    """Returns what it prints about each file."""
    folder = BUILD / level / f"{name}_files"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    paths = "".join(f"{path}\n" for path in PROGRAMS).encode()
    printed = run([*platform.run, program, folder.relative_to(REPOSITORY)], input=paths).decode()
    printed = printed.replace("\r\n", "\n").replace(folder.name, "files")
    parts = printed.split("file tests/")[1:]
    return {path: part for path, part in zip(PROGRAMS, parts)}


def write_large_archive(path, program):
    """An archive with 2.5 GiB of zeros beside the program, as a sparse file: its directory is beyond what 31 bits can count."""
    size = 5 << 29
    with zipfile.ZipFile(path, "w") as archive, zipfile.ZipFile(program) as small:
        for name in small.namelist():
            archive.writestr(name, small.read(name))
        zeros = zipfile.ZipInfo(small.namelist()[0].split("/")[0] + "/extra/zeros")
        archive.writestr(zeros, b"")
        archive.fp.seek(size, os.SEEK_CUR)
        archive.start_dir = archive.fp.tell()
        zeros.file_size = zeros.compress_size = size
        block = bytes(1 << 24)
        for _ in range(size // len(block)):
            zeros.CRC = zlib.crc32(block, zeros.CRC)
        archive.fp.seek(zeros.header_offset)
        archive.fp.write(zeros.FileHeader(zip64=False))
        archive.fp.seek(archive.start_dir)


def opens_large_files(platform, library):
    """Whether a program compiled with `library` lists the operators of a program in a large archive."""
    listing, large = library.with_name("list_operators"), library.with_name("large.pt2")
    program = REPOSITORY / "tests" / "data" / "programs" / "torch-2.13.0" / "mlp.pt2"
    source = REPOSITORY / "tests" / "embedding" / "copy_in" / "main.cpp"
    run([*words(platform.compilers[0]), "-std=c++17", *platform.options, *platform.linking, "-I", library.parent, source, library, "-o", listing])
    write_large_archive(large, program)
    try:
        operators = run([*platform.run, listing, large])
    finally:
        large.unlink()
    return operators != b"" and operators == run([*platform.run, listing, program])


def first_difference(path, ours, theirs):
    lines = itertools.zip_longest(ours.splitlines(), theirs.splitlines())
    here, there = next(pair for pair in lines if pair[0] != pair[1])
    return f"{path}\n  here:  {here}\n  there: {there}"


def try_platform(name, platform, level, expected):
    """Returns whether all outputs are equal, and what to print."""
    start = time.monotonic()
    try:
        program = build(name, platform, level)
        built = time.monotonic()
        if platform.run is None:
            return True, f"{name} {level}: compiled and linked, {built - start:.0f} s"
        printed = outputs(name, platform, level, program)
        opens_large = not (name == "i686" and level == "archive") or opens_large_files(platform, program.with_name(f"{name}.o"))
    except subprocess.CalledProcessError as error:
        return False, f"{name} {level}: {error}\n{error.stderr.decode(errors='replace')[-4000:]}"
    different = [path for path in PROGRAMS if printed.get(path) != expected[path]]
    line = f"{name} {level}: {len(PROGRAMS) - len(different)} of {len(PROGRAMS)} files"
    line += f", built in {built - start:.0f} s, run in {time.monotonic() - built:.0f} s"
    if not opens_large:
        line += "\na file over 2 GiB was not read"
    if different:
        line += "\n" + first_difference(different[0], expected[different[0]], printed.get(different[0], ""))
    return opens_large and not different, line


def main():
    parser = argparse.ArgumentParser(prog="platforms.sh")
    parser.add_argument("--list", action="store_true", help="name the platforms")
    parser.add_argument("--level", choices=LEVELS, action="append", help="only this one")
    parser.add_argument("platform", nargs="*", help="all by default")
    arguments = parser.parse_args()
    if arguments.list:
        return print("\n".join(PLATFORMS))
    for name in arguments.platform:
        if name not in PLATFORMS:
            parser.error(f"unknown platform {name}: expected one of {', '.join(PLATFORMS)}")
    amalgamate()
    levels = arguments.level or list(LEVELS)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        expected = {level: pool.submit(lambda level: outputs("native", NATIVE, level, build("native", NATIVE, level)), level) for level in levels}
        expected = {level: future.result() for level, future in expected.items()}
        tried = [
            pool.submit(try_platform, name, PLATFORMS[name], level, expected[level])
            for level in reversed(levels)  # longest first, so that all cores finish together
            for name in arguments.platform or PLATFORMS
        ]
        are_equal = True
        for future in tried:
            is_equal, line = future.result()
            are_equal &= is_equal
            print(line, flush=True)
    return 0 if are_equal else 1


if __name__ == "__main__":
    sys.exit(main())
