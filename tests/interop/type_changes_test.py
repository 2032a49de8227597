#!/usr/bin/python3
"""What `schemagen diff` says about a field whose type changes is what compiled readers do.

No reader refuses what diff says it reads, and some value is read where diff says that it depends. Where diff says that readers
refuse a value, some still read it: that verdict may be stricter than it has to be.

Each of 85 types is changed to each other one: 7140 edits. Values of the old type, its extremes among them, are written as
JSON and as bytes by generated code, and read by the generated code of the new type. All types are members of one union, so that
they are compiled once: the name or id of the member selects the reader.

Needs SCHEMAGEN_BINARY, the libraries to link in LIBRARIES, and a compiler in CXX and CXXFLAGS.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
FIRST_ID = 1000  # the long form in Thrift Compact, after any other id

RANGES = {f"int{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32)}
RANGES |= {"int": (-(2**63), 2**63 - 1)} | {f"uint{bits}": (0, 2**bits - 1) for bits in (8, 16, 32, 64)}
PLAIN = {name: [0, 1, *ends] for name, ends in RANGES.items()} | {
    "bool": [True, False],
    "float": [0.0, 0.5, 3.0, -1e300, 1e-300, "NaN", "-Infinity"],
    "float32": [0.0, 0.5, 3.0, "NaN", "-Infinity"],
    "str": ["", "a b", "abcd", "A", "NaN", "1", "-7", "\u00e9"],
    "bytes": ["", "abcd", "/w=="],
    "Tuple[()]": [[]],
    "Any": [0, 1, "x", "", "A", [], [1, None], {}, {"k": 2.5}, {"x": 1}, {"m": 1}, {"1": 1}, {"A": 1}, True, None],
    "E": [0, 1, 77, *RANGES["int32"]],
    "N": ["A", "B", 77, *RANGES["int32"]],
    "S": [{"x": 1}],
    "U": [{"m": 1}],
}
KEYS = {name: [str(value) for value in PLAIN[name]] for name in [*RANGES, "E", "N"]}
DEFINITIONS = """\
  E: {kind: enum, fields: {A: 0, B: 1}}
  N: {kind: enum, json: name, fields: {A: 0, B: 1}}
  S: {kind: struct, fields: {x: {id: 1, type: int}}}
  U: {kind: union, fields: {m: {id: 1, type: int}}}
"""


def types():
    """(type, values) of plain types, and of what holds them."""
    all_types = list(PLAIN.items())
    for name, values in PLAIN.items():
        all_types.append((f"List[{name}]", [[], values[:1], values, *([value] for value in values)]))
        all_types.append((f"Dict[str, {name}]", [{}, *({"1": value} for value in values)]))
        if name != "Any":
            all_types.append((f"Optional[{name}]", [None, *values]))
    all_types += [(f"Dict[{name}, int]", [{}, *({key: 1} for key in keys)]) for name, keys in KEYS.items()]
    return all_types


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return (bytes(out) + bytes([number])).hex()


def header(index):
    """Returns the start of a payload whose root has this member: the header of a struct field, and its id."""
    return "0c" + varint((FIRST_ID + index) * 2)


class TypeChangesTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.types = types()
        cls.pairs = [(i, j) for i in range(len(cls.types)) for j in range(len(cls.types)) if i != j]
        members = ", ".join(f"s{i}: {{id: {FIRST_ID + i}, type: S{i}}}" for i in range(len(cls.types)))
        structs = "".join(cls.struct(f"S{i}", i) for i in range(len(cls.types)))
        root = f"  Root: {{kind: union, fields: {{{members}}}}}\n"
        schema = cls.write("s.yaml", f"name: s\nversion: {{major: 1, minor: 0}}\ntypes:\n{DEFINITIONS}{structs}{root}")
        subprocess.run([os.environ["SCHEMAGEN_BINARY"], "generate", schema, "-o", cls.folder / "s"], check=True)
        compiler = os.environ.get("CXX", "c++").split() + os.environ.get("CXXFLAGS", "").split()
        sources = [cls.folder / "s" / f"{name}.cpp" for name in ("types", "json", "binary", "schema_info")]
        subprocess.run([*compiler, "-std=c++17", "-O0", "-I", cls.folder, "-I", REPOSITORY / "runtime",
                        REPOSITORY / "tests/interop/type_changes.cpp", *sources, *os.environ["LIBRARIES"].split(),
                        "-o", cls.folder / "reader"], check=True)

    @classmethod
    def struct(cls, name, index):
        return f"  {name}: {{kind: struct, fields: {{a: {{id: 1, type: \"{cls.types[index][0]}\"}}}}}}\n"

    @classmethod
    def write(cls, name, text):
        path = cls.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def ask(self, lines):
        done = subprocess.run([self.folder / "reader"], input="".join(line + "\n" for line in lines), capture_output=True,
                              text=True, check=True)
        answers = done.stdout.split("\n")[:-1]
        self.assertEqual(len(answers), len(lines))
        return answers

    def verdicts(self):
        """(old, new) -> effects of all findings together, and their rules."""
        paths = []
        for which, version in ((0, 1), (1, 2)):
            structs = "".join(self.struct(f"P{pair[0]}x{pair[1]}", pair[which]) for pair in self.pairs)
            paths.append(self.write(f"{version}.yaml", f"name: s\nversion: {{major: {version}, minor: 0}}\nroots: [P0x1]\n"
                                    f"types:\n{DEFINITIONS}{structs}"))
        done = subprocess.run([os.environ["SCHEMAGEN_BINARY"], "diff", *paths, "--format", "json"], capture_output=True, text=True)
        worse = ["yes", "depends", "no"].index
        found = {}
        for finding in json.loads(done.stdout)["findings"]:
            if not finding["path"].endswith(".a"):
                continue
            pair = tuple(map(int, finding["path"][1:-2].split("x")))
            effects, rules = found.setdefault(pair, (dict.fromkeys(finding["effects"], "yes"), []))
            rules.append(finding["rule"])
            for name, verdict in finding["effects"].items():
                effects[name] = max(effects[name], verdict, key=worse)
        return found

    def readings(self):
        """(writer, reader, wire) -> (value, what the reader made of it, or None) of each value."""
        written = []
        for i, (_, values) in enumerate(self.types):
            texts = self.ask(["j" + json.dumps({f"s{i}": {"a": value}}) for value in values])
            self.assertFalse([text for text in texts if text.startswith("!")])
            written.append((texts, self.ask(["w" + text for text in texts])))
        lines, keys = [], []
        for i, j in self.pairs:
            for text, payload in zip(*written[i]):
                self.assertTrue(payload.startswith(header(i)))
                lines += ["j" + text.replace(f'"s{i}"', f'"s{j}"', 1), "b" + header(j) + payload[len(header(i)):]]
                keys += [(i, j, "json", text), (i, j, "binary", text)]
        readings = {}
        for (i, j, wire, text), answer in zip(keys, self.ask(lines)):
            read = None if answer.startswith("!") else json.loads(answer)[f"s{j}"]["a"]
            readings.setdefault((i, j, wire), []).append((json.loads(text)[f"s{i}"]["a"], read, answer))
        return readings

    def test_each_verdict_is_what_readers_do(self):
        verdicts, readings = self.verdicts(), self.readings()
        wrong, checked = [], 0
        for i, j in self.pairs:
            for wire in ("json", "binary"):
                values = readings[i, j, wire]
                refused = [answer for _, _, answer in values if answer.startswith("!")]
                # By a newer and by an older reader.
                for pair, effect in (((i, j), f"new_reads_old_{wire}"), ((j, i), f"old_reads_new_{wire}")):
                    effects, rules = verdicts.get(pair, ({effect: "yes"}, []))
                    verdict = effects[effect]
                    checked += 1
                    if verdict == "yes" and refused or verdict == "depends" and len(refused) == len(values):
                        wrong.append((self.types[i][0], self.types[j][0], effect, verdict, rules, refused[0]))
        self.assertEqual(checked, 4 * 85 * 84)
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
