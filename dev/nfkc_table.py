#!/usr/bin/env python3
"""Writes generated/pt2/tables/nfkc_table.h, the Unicode data that is_nfkc() needs, from Python's own unicodedata.

    dev/nfkc_table.py generated/pt2/tables/nfkc_table.h
    dev/nfkc_table.py generated/pt2/tables/nfkc_table.h --check

With --check: compares instead. Code points that Unicode assigned keep their normalization forever, so a newer Python may know more of
them and never differs in one of the table.
"""

import argparse
import pathlib
import re
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


def numbers(text):
    """The rows of its three tables."""
    return [re.findall(r"\{([^{}]*)\}", part) for part in re.findall(r"\[\] = \{(.*?)\n\};", text, re.DOTALL)]


def points(table_rows):
    """Returns the value of each code point in a table of ranges."""
    values = {}
    for row in table_rows:
        first, last, *rest = (int(number, 16) for number in row.split(", "))
        values.update(dict.fromkeys(range(first, last + 1), tuple(rest)))
    return values


def differences(old, new):
    """Returns the differences from a table of another Unicode version, for code points that both know."""
    (old_unstable, old_marks, old_pairs), (new_unstable, new_marks, new_pairs) = numbers(old), numbers(new)
    was_unstable, now_unstable = points(old_unstable), points(new_unstable)
    for point in sorted(now_unstable.keys() - was_unstable.keys()):
        if unicodedata.category(chr(point)) != "Cn":
            yield f"U+{point:04X} changes"
    was_mark, is_mark = points(old_marks), points(new_marks)
    for point in sorted(was_mark.keys() | is_mark.keys()):
        if point not in was_unstable and point not in now_unstable and was_mark.get(point) != is_mark.get(point):
            yield f"U+{point:04X} has another combining class"
    for pair in sorted(set(old_pairs) ^ set(new_pairs)):
        if not any(int(number, 16) in was_unstable or int(number, 16) in now_unstable for number in pair.split(", ")):
            yield f"{pair} is composed"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    if not arguments.check:
        arguments.path.write_text(table())
        return
    found = list(differences(arguments.path.read_text(), table()))
    print(*found, sep="\n")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
