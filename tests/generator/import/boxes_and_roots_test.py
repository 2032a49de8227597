#!/usr/bin/env python3
"""`schemagen import`: boxed members and roots. Needs the command in SCHEMAGEN_BINARY."""

import unittest

from port import PortTest


class ChoosesBoxes(PortTest):
    def boxed(self, source, *options):
        text = self.ported_types(source, "--assign-ids", *options)
        lines = [line.strip().split(":")[0] for line in text.split("\n") if "boxed: true" in line]
        return lines

    def test_boxes_a_quoted_forward_reference_that_is_part_of_a_recursion(self):
        source = """
            @dataclass
            class GraphArgument:
                graph: "Graph"
            class Argument(_Union):
                as_graph: GraphArgument
            @dataclass
            class Graph:
                inputs: List[Argument]
            """
        self.assertEqual(self.boxed(source), ["graph"])

    def test_does_not_box_a_quoted_reference_without_recursion(self):
        source = "@dataclass\nclass A:\n    b: 'B'\n@dataclass\nclass B:\n    n: int\n"
        self.assertEqual(self.boxed(source), [])

    def test_boxes_the_member_that_closes_a_cycle(self):
        source = """
            @dataclass
            class A:
                b: B
            @dataclass
            class B:
                c: Optional[C]
            class C(_Union):
                n: int
                a: A
            """
        self.assertEqual(self.boxed(source), ["a"])

    def test_prefers_the_quoted_reference_of_a_cycle(self):
        source = "@dataclass\nclass A:\n    b: 'B'\n@dataclass\nclass B:\n    a: Optional[A]\n"
        self.assertEqual(self.boxed(source), ["b"])

    def test_boxes_a_type_that_holds_itself(self):
        source = "@dataclass\nclass A:\n    next: Optional[A]\n    all: List[A]\n"
        self.assertEqual(self.boxed(source), ["next"])

    def test_lists_and_dicts_need_no_box(self):
        self.assertEqual(self.boxed("@dataclass\nclass A:\n    a: List['A']\n    b: Dict[str, 'A']\n"), [])

    def test_boxes_further_members_on_request(self):
        source = "@dataclass\nclass A:\n    n: int\n@dataclass\nclass B:\n    a: A\n    o: Optional[A]\n"
        self.assertEqual(self.boxed(source, "--box", "B.a", "--box", "B.o", "--box", "B.a"), ["a", "o"])

    def test_a_member_boxed_on_request_cuts_its_cycle(self):
        source = "@dataclass\nclass A:\n    b: Optional[B]\n@dataclass\nclass B:\n    a: A\n"
        self.assertEqual(self.boxed(source, "--box", "A.b"), ["b"])

    def test_rejects_a_request_to_box_what_cannot_be_boxed(self):
        source = "@dataclass\nclass A:\n    n: Annotated[int, 1]\n    l: Annotated[List[A], 2]\n"
        for request, message in [
            ("A.x", "no such field; write TYPE.FIELD"),
            ("X.n", "no such field; write TYPE.FIELD"),
            ("A", "no such field; write TYPE.FIELD"),
            ("A.n", "only a member that is a struct or union can be boxed"),
            ("A.l", "only a member that is a struct or union can be boxed"),
        ]:
            with self.subTest(request):
                result = self.port(source, "--box", request)
                self.assertEqual(result.code, 2)
                self.assertIn(f"error: --box {request}: {message}\n", result.errors)
                self.assertIsNone(result.text)


class ChoosesRoots(PortTest):
    SOURCE = """
        class E(IntEnum):
            A = 0
        class U(_Union):
            a: int
        @dataclass
        class Low:
            own: List[Low]
        @dataclass
        class Middle:
            low: Dict[str, Low]
        @dataclass
        class Top:
            middle: Optional[Middle]
        @dataclass
        class Alone:
            again: List[Alone]
        """

    def test_roots_are_the_structs_that_no_other_type_refers_to(self):
        self.assertIn("\nroots: [Top, Alone]\n", self.port(self.SOURCE, "--assign-ids").text)

    def test_names_further_roots_in_declaration_order(self):
        result = self.port(self.SOURCE, "--assign-ids", "--root", "Middle", "--root", "U", "--root", "Top")
        self.assertIn("\nroots: [U, Middle, Top, Alone]\n", result.text)

    def test_rejects_a_root_that_does_not_exist(self):
        result = self.port(self.SOURCE, "--assign-ids", "--root", "Nothing")
        self.assertEqual(result.code, 2)
        self.assertIn("error: --root Nothing: no such type\n", result.errors)


if __name__ == "__main__":
    unittest.main()
