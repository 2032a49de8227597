#!/usr/bin/env python3
"""Writes generated/pt2/tables/nfkc_table.h, the Unicode data that is_nfkc() needs, from Python's own unicodedata.

    dev/nfkc_table.py generated/pt2/tables/nfkc_table.h
    dev/nfkc_table.py generated/pt2/tables/nfkc_table.h --check

With --check: compares instead, unless the table is of another version of Unicode than this Python.
"""

import argparse
import pathlib
import sys
import unicodedata

FIRST, END = 0x80, 0x110000
SURROGATES = range(0xD800, 0xE000)
# Left out by is_nfkc(): Hangul's vowels and final consonants compose by arithmetic.
JAMO = [range(0x1161, 0x1176), range(0x11A8, 0x11C3)]


def is_of_identifier(point):
    return ("a" + chr(point)).isidentifier()


def is_unstable(point):
    """Returns whether some version of Python may read an identifier with this character as another one."""
    if point in SURROGATES or unicodedata.category(chr(point)) == "Cn":
        return True
    changes = unicodedata.normalize("NFKC", chr(point)) != chr(point)
    return is_of_identifier(point) and (changes or any(point in some for some in JAMO))


def runs(value_of):
    """Returns [first, last, value] of neighbors with the same value that is not false."""
    found = []
    for point in range(FIRST, END):
        value = value_of(point)
        if not value:
            continue
        if found and found[-1][1] == point - 1 and found[-1][2] == value:
            found[-1][1] = point
        else:
            found.append([point, point, value])
    return found


def compositions():
    """Returns (first, second, composed) of all pairs that NFC composes."""
    found = []
    for point in range(FIRST, END):
        parts = unicodedata.decomposition(chr(point)).split()
        if len(parts) != 2 or parts[0].startswith("<"):
            continue
        first, second = (int(part, 16) for part in parts)
        if unicodedata.normalize("NFC", chr(first) + chr(second)) == chr(point):
            found.append((first, second, point))
    return sorted(found)


def rows(items):
    texts = ["{" + ", ".join(f"0x{number:X}" for number in item) + "}," for item in items]
    lines, line = [], " "
    for text in texts:
        if len(line) + 1 + len(text) > 110:
            lines.append(line)
            line = " "
        line += " " + text
    return "\n".join([*lines, line])


def table():
    unstable = [run[:2] for run in runs(is_unstable)]
    classes = runs(lambda point: unicodedata.combining(chr(point)))
    return f"""// Made by dev/nfkc_table.py of Unicode {unicodedata.unidata_version}; do not edit.
// Code points whose NFKC form may be another one, marks that are put in order, and pairs that are composed.
// clang-format off
#pragma once

#include <cstdint>

namespace pt2::nfkc {{

struct Range {{
  std::uint32_t first;
  std::uint32_t last;
}};
struct MarkRange {{
  std::uint32_t first;
  std::uint32_t last;
  std::uint32_t combining_class;
}};
struct Composition {{
  std::uint32_t first;
  std::uint32_t second;
  std::uint32_t composed;
}};

/// Code points of identifiers that NFKC changes, the vowels and final consonants of Hangul, and unassigned code
/// points, which a later version of Unicode may give a decomposition.
constexpr Range kUnstable[] = {{
{rows(unstable)}
}};

/// Code points whose combining class is not 0.
constexpr MarkRange kMarks[] = {{
{rows(classes)}
}};

/// By the first two.
constexpr Composition kCompositions[] = {{
{rows(compositions())}
}};

}}  // namespace pt2::nfkc
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    text = table()
    if not arguments.check:
        arguments.path.write_text(text)
        return
    known = arguments.path.read_text()
    is_of_same_version = known.splitlines()[0] == text.splitlines()[0]
    if is_of_same_version and known != text:
        sys.exit(f"{arguments.path} is stale: run dev/nfkc_table.py")


if __name__ == "__main__":
    main()
