"""The rooms of the source tree include each other only along the arrows of the table in DESIGN.md, which contain no cycle.

A room is a folder, a level some of them. A room may include those before it in its level's row and all of the levels that it
stands on, and of those that they stand on.
"""

import pathlib
import re
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
TREES = ["runtime", "generated", "toolbox", "generator", "tools", "bindings", "dev"]
# Besides the includer's own folder.
INCLUDE_FOLDERS = ["runtime", "generated", "toolbox", "generator", "tools", "tools/pt2", "tools/schemagen", "bindings", "bindings/c", "bindings/python"]
# The wheel contains the command; code generated for Python is compiled with the bindings.
EXEMPT = {("bindings/python/pt2/command.cpp", "tools/pt2/command.h"), ("generated/pt2/python.cpp", "bindings/python/schemagen/python/module.h")}
INCLUDE = re.compile(r'^#include ["<]([^">]+)[">]', re.MULTILINE)
ROW = re.compile(r"^\| ([A-Za-z ]+) \| (`[^|]*`) \| ([^|]*)\|[^|]*\|$", re.MULTILINE)


def sources():
    for tree in TREES:
        for path in sorted((REPOSITORY / tree).rglob("*")):
            if path.suffix in (".h", ".cpp"):
                yield path.relative_to(REPOSITORY)


def included_files(source):
    """The files of this repository that `source` includes."""
    for name in INCLUDE.findall((REPOSITORY / source).read_text(encoding="utf-8")):
        for folder in [source.parent, *map(pathlib.Path, INCLUDE_FOLDERS)]:
            if (REPOSITORY / folder / name).is_file():
                yield pathlib.Path((REPOSITORY / folder / name).resolve()).relative_to(REPOSITORY)
                break


def room_of(path):
    """The folder of a file. Those of released schemas are one room."""
    return re.sub(r"^(generated/pt2/released)/.*", r"\1", path.parent.as_posix())


def allowed_arrows(design):
    """Returns the folders that each folder of the table may include."""
    rooms, below = {}, {}
    for level, cell, foundations in ROW.findall(design):
        rooms[level] = re.findall(r"`([a-z0-9_/]+)`", cell)
        # A subfolder includes itself and earlier folders of its row.
        below[level] = [name.strip(" `") for name in foundations.split(",") if name.strip()]
    level_of = {room: level for level in rooms for room in rooms[level]}

    def all_below(level):
        found = set()
        for name in below[level]:
            other = level_of.get(name, name)
            own = rooms[other]
            found |= set(own[:own.index(name) + 1] if name in level_of else own) | all_below(other)
        return found

    return {room: all_below(level) | set(names[:i]) for level, names in rooms.items() for i, room in enumerate(names)}


def forbidden(includes, arrows):
    """The includes, as pairs of files, that go against the arrows."""
    return [f"{source} includes {target}" for source, target in includes
            if room_of(source) != room_of(target) and (str(source), str(target)) not in EXEMPT and room_of(target) not in arrows.get(room_of(source), ())]


def find_cycle(arrows):
    """Names that lead in a circle along `arrows`; empty: there are none."""
    done, path = set(), []

    def visit(name):
        if name in path:
            return path[path.index(name):] + [name]
        if name in done:
            return []
        done.add(name)
        path.append(name)
        for other in sorted(arrows.get(name, ())):
            if cycle := visit(other):
                return cycle
        path.pop()
        return []

    for name in sorted(arrows):
        if cycle := visit(name):
            return cycle
    return []


class Arrows(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.includes = [(source, target) for source in sources() for target in included_files(source)]
        cls.rooms = {room_of(source) for source in sources()}
        cls.arrows = allowed_arrows((REPOSITORY / "DESIGN.md").read_text(encoding="utf-8"))

    def test_every_room_has_its_row_and_every_row_its_room(self):
        self.assertGreater(len(self.rooms), 15)
        self.assertEqual(set(self.arrows), self.rooms)

    def test_rooms_include_each_other_along_the_arrows(self):
        self.assertGreater(len(self.includes), 500)
        self.assertEqual(forbidden(self.includes, self.arrows), [])

    def test_arrows_lead_in_no_circle(self):
        self.assertEqual(find_cycle(self.arrows), [])

    def test_no_header_includes_itself_through_others(self):
        headers = {}
        for source, target in self.includes:
            headers.setdefault(str(source), set()).add(str(target))
        self.assertEqual(find_cycle(headers), [])

    def test_sources_of_libraries_begin_with_a_header_of_their_room(self):
        # `schemagen amalgamate` finds definitions in the source with the header's name.
        for source in sources():
            if source.suffix == ".cpp" and source.parts[0] in ("runtime", "toolbox"):
                first = next(included_files(source))
                self.assertEqual(first.suffix, ".h", source)
                self.assertEqual(first.parent, source.parent, source)

    def test_an_include_against_an_arrow_is_found(self):
        against = (pathlib.Path("runtime/pt2/text/literal.cpp"), pathlib.Path("toolbox/pt2/show/print.h"))
        along = (pathlib.Path("toolbox/pt2/show/print.cpp"), pathlib.Path("runtime/pt2/text/literal.h"))
        self.assertEqual(forbidden([against, along], self.arrows),
                         ["runtime/pt2/text/literal.cpp includes toolbox/pt2/show/print.h"])
        self.assertEqual(find_cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}}), ["b", "c", "b"])


if __name__ == "__main__":
    unittest.main()
