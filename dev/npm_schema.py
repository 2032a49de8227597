#!/usr/bin/env python3
"""Splits the TypeScript of `schemagen export --format typescript` into what runs, schema.js, and its types, schema.d.ts.

npm_schema.py pt2.ts FOLDER
"""

import pathlib
import re
import sys

CONSTANT = re.compile(r"^export const (\w+) = (\{\n.*?^\}|[^{\n;]+)( as const)?;\n", re.DOTALL | re.MULTILINE)

INT = "/** An integer: a bigint if it is above 2**53 or below -2**53. */\nexport type int = number | bigint;\n"


def main(source, folder):
    text = pathlib.Path(source).read_text()
    heading = text[: text.index("\n") + 1]
    constants = CONSTANT.findall(text)
    folder = pathlib.Path(folder)
    (folder / "schema.js").write_text(heading + "".join(f"export const {name} = {value};\n" for name, value, _ in constants))

    def declared(match):
        members = re.sub(r"^  (\w+|\"[^\"\n]*\"): (.*),$", r"  readonly \1: \2;", match[2], flags=re.MULTILINE)
        return f"export declare const {match[1]}: {members};\n"

    text = re.sub(r"^(  \w+\??: |export type json = ).*", lambda line: re.sub(r"\bnumber\b", "int", line[0]), CONSTANT.sub(declared, text), flags=re.MULTILINE)
    (folder / "schema.d.ts").write_text(heading + INT + text[len(heading):])


if __name__ == "__main__":
    main(*sys.argv[1:])
