#!/usr/bin/python3
"""Random values of a random schema are equal in JSON, in our binary data and in Apache Thrift's.

The codec is generated and compiled anew for each run. Python's json writes the values: the same bytes have to come back
once they were a payload. Then Apache Thrift's Python reads our payload by the IDL that schemagen exports, and what it
writes has to come back as the same JSON, too. PT2_TEST_SEED sets the seed, which is printed. Needs schemagen in
SCHEMAGEN_BINARY, the libraries to link in LIBRARIES, and a compiler in CXX
with its options in CXXFLAGS. Exit code 77, which CTest is told to count as skipped: Apache Thrift is not installed.
"""

import base64
import json
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile

from thrift_test import REPOSITORY, read_by_python, skip, write_by_python

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import random_seed  # noqa: E402

TYPES = 8
VALUES = 100
MOST_DEPTH = 5
MOST_ITEMS = 40
INTEGERS = {f"{sign}int{bits}": (sign, bits) for sign in ("", "u") for bits in (8, 16, 32, 64)} | {"int": ("", 64)}
SCALARS = ["bool", "int", "float", "str", "bytes", "Any", "Tuple[()]", "float32", *INTEGERS]


class RandomSchema:
    """Types T0, T1, ... and Root. A type holds earlier ones in any way, later ones and itself in lists and maps only, so that
    each has a value without end; Root has all."""

    def __init__(self, rng):
        self.rng = rng
        self.items_left = 0
        self.kinds = {f"T{i}": rng.choice(["struct", "struct", "union", "enum"]) for i in range(TYPES)}
        self.kinds["Root"] = "struct"
        self.fields = {name: self.random_fields(name, kind) for name, kind in self.kinds.items()}

    def random_fields(self, name, kind):
        """{name: number} of an enum, else {name: (id, type)}."""
        count = self.rng.randint(1, 8)
        if kind == "enum":
            numbers = [0] + self.rng.sample(range(-2**31, 2**31), count)
            return {f"N{i}": number for i, number in enumerate(numbers)}
        earlier = list(self.kinds)[:-1] if name == "Root" else [f"T{i}" for i in range(int(name[1:]))]
        types = [self.random_type(earlier) for _ in range(count)]
        if name == "Root":
            types += [f"List[{other}]" for other in earlier]
        if kind == "struct":
            types = [f"Optional[{text}]" if self.rng.random() < 0.3 else text for text in types]
        return {f"f{i}": (number, text) for i, (number, text) in enumerate(zip(self.random_ids(len(types)), types))}

    def random_ids(self, count):
        """Returns distinct ids in random order: close together, more than 15 apart, or far apart."""
        most = self.rng.choice([count, 40, 400, 32767])
        return self.rng.sample(range(1, most + 1), count) if most >= count else list(range(1, count + 1))

    def random_type(self, earlier, depth=0):
        choice = self.rng.random()
        if depth < 3 and choice < 0.2:
            return f"List[{self.random_type(self.named(), depth + 1)}]"
        if depth < 3 and choice < 0.4:
            enums = [name for name in self.named() if self.kinds[name] == "enum"]
            key = self.rng.choice(["str", "str", "int", *enums[:2]])
            return f"Dict[{key}, {self.random_type(self.named(), depth + 1)}]"
        return self.rng.choice(earlier) if earlier and choice < 0.7 else self.rng.choice(SCALARS)

    def named(self):
        return [name for name in self.kinds if name != "Root"]

    def root(self):
        """A random value of Root."""
        self.items_left = MOST_ITEMS
        return self.value("Root")

    def yaml(self):
        text = "name: s\nversion: {major: 1, minor: 0}\nroots: [Root]\ntypes:\n"
        for name, kind in self.kinds.items():
            text += f"  {name}:\n    kind: {kind}\n    fields:\n"
            for field, value in self.fields[name].items():
                spelled = value if kind == "enum" else '{id: %d, type: "%s"}' % value
                text += f"      {field}: {spelled}\n"
        return text

    def value(self, text, depth=0):
        """A random value of the type, as JSON has it."""
        rng = self.rng
        if text.startswith("Optional["):
            return None if rng.random() < 0.5 else self.value(text[9:-1], depth)
        if text.startswith("List["):
            return [self.value(text[5:-1], depth + 1) for _ in range(self.count(depth))]
        if text.startswith("Dict["):
            key, _, item = text[5:-1].partition(", ")
            return {self.key(key): self.value(item, depth + 1) for _ in range(self.count(depth))}
        if text not in self.kinds:
            return random_scalar(rng, text)
        if self.kinds[text] == "enum":
            return rng.choice(list(self.fields[text].values()) + [rng.randint(-2**31, 2**31 - 1)])
        fields = {name: field_type for name, (_, field_type) in self.fields[text].items()}
        if self.kinds[text] == "union":
            name = rng.choice(list(fields))
            return {name: self.value(fields[name], depth + 1)}
        return {name: self.value(field_type, depth + 1) for name, field_type in fields.items()}

    def key(self, text):
        """A random key, as JSON has it."""
        return random_text(self.rng) if text == "str" else str(self.value(text))

    def count(self, depth):
        """Returns the number of items or entries for the next container."""
        count = self.rng.choice([0, 1, 2, 14, 15, 16] if depth < 3 else [0, 0, 1, 2])
        count = min(count, self.items_left) if depth <= MOST_DEPTH else 0
        self.items_left -= count
        return count


def random_text(rng):
    letters = ["a", "Z", " ", '"', "\\", "\n", "\x7f", "\x00", "\u00e9", "\u2603", "\U0001f600"]
    return "".join(rng.choices(letters, k=rng.choice([0, 1, 3, 15, 16, 40, 200])))


def random_float32(rng):
    """Returns a random float32, written with the fewest digits."""
    bits = rng.randbytes(3) + bytes([rng.choice([0, 1, 63, 126, 128, 191, 254])])
    [value] = struct.unpack("<f", bits)
    return next(short for short in (float(f"{value:.{digits}g}") for digits in range(1, 10)) if struct.pack("<f", short) == bits)


def random_scalar(rng, text):
    if text == "bool":
        return rng.random() < 0.5
    if text in INTEGERS:
        sign, bits = INTEGERS[text]
        least, most = (0, 2**bits - 1) if sign else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        return rng.choice([0, 1, least, most, rng.randint(least, most) >> rng.randint(0, bits - 1)])
    if text == "float":
        [bits] = struct.unpack("<d", rng.randbytes(8))
        return rng.choice([0.0, -0.0, 1.0, 0.1, 1e22, 5e-324, "NaN", "Infinity", "-Infinity"] +
                          ([bits] if abs(bits) < float("inf") else []))
    if text == "float32":
        return rng.choice([0.0, -0.0, 1.0, 0.1, 16777216.0, 3.4028235e38, 1e-45, "NaN", "Infinity", random_float32(rng)])
    if text == "str":
        return random_text(rng)
    if text == "bytes":
        return base64.b64encode(rng.randbytes(rng.choice([0, 1, 2, 3, 200]))).decode()
    if text == "Any":
        return rng.choice([None, True, 7, 1.5, random_text(rng), [1, [2, {}]], {"a": [None, False]}])
    assert text == "Tuple[()]"
    return []


def compiled(folder):
    """The program of random_values.cpp for the schema in the folder."""
    tool = os.path.join(folder, "random_values")
    generated = [os.path.join(folder, "s", name + ".cpp") for name in ["types", "json", "binary", "schema_info"]]
    source = os.path.join(REPOSITORY, "tests", "interop", "random_values.cpp")
    compiler = os.environ.get("CXX", "c++").split() + os.environ.get("CXXFLAGS", "").split()
    libraries = os.environ["LIBRARIES"].split()
    subprocess.run([*compiler, "-std=c++17", "-O0", "-I", folder, "-I", os.path.join(REPOSITORY, "runtime"), source,
                    *generated, *libraries, "-o", tool], check=True)
    return tool


def convert(tool, mode, lines):
    result = subprocess.run([tool, mode], input="".join(line + "\n" for line in lines), capture_output=True, text=True,
                            check=False)
    if result.returncode != 0:
        raise AssertionError(f"{mode}: {result.stderr}")
    return result.stdout.splitlines()


def thrift_root(schemagen, schema, folder):
    """The class Root that Apache Thrift's compiler makes."""
    idl = os.path.join(folder, "random_idl.thrift")
    subprocess.run([schemagen, "export", schema, "--format", "thrift", "-o", idl], check=True)
    with open(idl, encoding="utf-8") as file:
        text = [line for line in file if not line.startswith("namespace")]
    with open(idl, "w", encoding="utf-8") as file:
        file.writelines(text)
    subprocess.run(["thrift", "--gen", "py", "-out", folder, idl], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    sys.path.insert(0, folder)
    from random_idl import ttypes  # pylint: disable=import-error,import-outside-toplevel
    return ttypes.Root


def check(folder, schema):
    schemagen = os.environ["SCHEMAGEN_BINARY"]
    path = os.path.join(folder, "s.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(schema.yaml())
    subprocess.run([schemagen, "generate", path, "-o", os.path.join(folder, "s")], check=True)
    tool = compiled(folder)
    lines = [json.dumps(schema.root()) for _ in range(VALUES)]
    payloads = convert(tool, "to-binary", lines)
    assert convert(tool, "to-json", payloads) == lines, "other JSON comes back from our payloads"
    root = thrift_root(schemagen, path, folder)
    theirs = [write_by_python(read_by_python(root, bytes.fromhex(payload))).hex() for payload in payloads]
    assert convert(tool, "to-json", theirs) == lines, "other JSON comes back from Apache Thrift's payloads"


def main():
    if shutil.which("thrift") is None:
        skip("no thrift-compiler")
    schema = RandomSchema(random.Random(random_seed.SEED))
    with tempfile.TemporaryDirectory() as folder:
        try:
            check(folder, schema)
        except AssertionError as error:
            print(schema.yaml())
            print(str(error)[:10000])
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
