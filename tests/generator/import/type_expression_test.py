#!/usr/bin/env python3
"""`schemagen import`: types in annotations. Needs the command in SCHEMAGEN_BINARY."""

import unittest

from port import PortTest


class TypeExpressionTest(PortTest):
    def test_reads_every_spelling_of_a_type(self):
        for python, ours in [
            ("bool", "bool"),
            ("int", "int"),
            ("float", "float"),
            ("str", "str"),
            ("bytes", "bytes"),
            ("Other", "Other"),
            ("'Other'", "Other"),
            ("Any", "Any"),
            ("typing.Any", "Any"),
            ("List[int]", '"List[int]"'),
            ("list[int]", '"List[int]"'),
            ("t.List[Other]", '"List[Other]"'),
            ("list['Other']", '"List[Other]"'),
            ("'list[Other]'", '"List[Other]"'),
            ("Dict[str, List[int]]", '"Dict[str, List[int]]"'),
            ("dict[str, 'Other']", '"Dict[str, Other]"'),
            ("dict[uint8, int]", '"Dict[uint8, int]"'),
            ("Tuple[()]", '"Tuple[()]"'),
            ("tuple[()]", '"Tuple[()]"'),
            ("List[Tuple[()]]", '"List[Tuple[()]]"'),
            ("Optional[int]", '"Optional[int]"'),
            ("Optional['Other']", '"Optional[Other]"'),
            ("Optional[Optional[int]]", '"Optional[int]"'),
            ("Optional[Any]", "Any"),
            ("int | None", '"Optional[int]"'),
            ("None | int", '"Optional[int]"'),
            ("'int | None'", '"Optional[int]"'),
            ("Union[int, None]", '"Optional[int]"'),
            ("Union[int]", "int"),
            ("list[str] | None", '"Optional[List[str]]"'),
        ]:
            with self.subTest(python):
                text = self.ported_types(
                    f"@dataclass\nclass Other: pass\n@dataclass\nclass S:\n    f: Annotated[{python}, 10]\n"
                )
                self.assertIn(f"      f: {{id: 10, type: {ours}}}\n", text)

    def test_a_type_the_language_cannot_say_becomes_any_with_a_note(self):
        for python, reason in [
            ("List[Tuple[Tuple[str, int], Tuple[str, int]]]", "the language has no tuples"),
            ("Optional[Tuple[List[bytes], Dict[str, bytes]]]", "the language has no tuples"),
            ("tuple", "the language has no tuples"),
            ("Dict[float, str]", "the key of a Dict must be str, an integer or an enum"),
            ("dict", "'dict' has no type argument"),
            ("List[Optional[int]]", "Optional can only be the outermost type"),
            ("Union[int, str]", "the language has no alternatives other than Optional[T]"),
            ("int | str | None", "the language has no alternatives other than Optional[T]"),
            ("Set[int]", "the language has no 'Set[...]'"),
            ("complex", "the language has no 'complex'"),
            ("torch.Tensor", "the language has no 'Tensor'"),
            ("Helper", "the language has no 'Helper'"),
            ("'not a type'", "'not a type' is not a type"),
            ("3", "it is not a type"),
        ]:
            with self.subTest(python):
                text = self.assert_message(
                    f"""
                    import torch; from typing import Set
                    class Helper: pass
                    @dataclass
                    class S:
                        f: Annotated[{python}, 10]
                    """,
                    f"schema.py:6:18: note: 'f' of 'S' becomes Any: {reason}\n",
                )
                self.assertIn("      f: {id: 10, type: Any}\n", text)

    def test_rejects_unknown_types(self):
        self.assert_rejected(
            """
            @dataclass
            class S:
                a: Annotated[Gone, 10]
                b: Annotated[List["Gone"], 20]
                c: Annotated[Tuple[int, Gone], 30]
                d: Annotated[Gone, 40] = 3
            """,
            """
            schema.py:4:18: error: unknown type 'Gone'
            schema.py:5:18: error: unknown type 'Gone'
            schema.py:6:18: note: 'c' of 'S' becomes Any: the language has no tuples
            schema.py:7:18: error: unknown type 'Gone'
            """,
        )


if __name__ == "__main__":
    unittest.main()
