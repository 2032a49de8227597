#!/usr/bin/env python3
"""Writes the zip archives that zip_test.cpp reads into the folder given: a second opinion on the format.

Each holds `text.json` with 20000 bytes of "0123456789", and `empty` with none; `many.zip` holds 70000 members.
"""
import os
import sys
import zipfile

TEXT = b"0123456789" * 2000


class Unseekable:
    """A stream like a pipe: zipfile then writes the sizes after the data."""

    def __init__(self, file):
        self.file = file

    def write(self, data):
        return self.file.write(data)

    def flush(self):
        self.file.flush()


def fill(archive, force_zip64=False):
    with archive.open("text.json", "w", force_zip64=force_zip64) as member:
        member.write(TEXT)
    archive.writestr("empty", b"")


def main():
    folder = sys.argv[1]

    def path(name):
        return os.path.join(folder, name)

    for name, method in (("stored", zipfile.ZIP_STORED), ("deflated", zipfile.ZIP_DEFLATED)):
        with zipfile.ZipFile(path(name + ".zip"), "w", method) as archive:
            fill(archive)
        with zipfile.ZipFile(path(name + "_zip64.zip"), "w", method) as archive:
            fill(archive, force_zip64=True)
        with zipfile.ZipFile(path(name + "_comment.zip"), "w", method) as archive:
            fill(archive)
            archive.comment = b"x" * 65535
        with open(path(name + "_streamed.zip"), "wb") as file:
            with zipfile.ZipFile(Unseekable(file), "w", method) as archive:
                fill(archive)
    with zipfile.ZipFile(path("many.zip"), "w") as archive:
        for i in range(70000):
            archive.writestr(f"member{i}", b"")
    with zipfile.ZipFile(path("bzip2.zip"), "w", zipfile.ZIP_BZIP2) as archive:
        fill(archive)


if __name__ == "__main__":
    main()
