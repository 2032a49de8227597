#!/usr/bin/env python3
"""The English of documents, messages and comments has no more suspect phrases, as tests/project/prose.py counts them, than LIMITS allow."""

import importlib.util
import pathlib
import tempfile
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("prose", REPOSITORY / "tests/project/prose.py")
prose = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(prose)

# Marks per thousand words. Lower a limit when the text has improved; the goal is 0.5 for each.
LIMITS = {"documents": 0.5, "messages": 0.5, "comments": 2.0}

FOREIGN = {
    "put the subject first": ["Of one part, there is one view at most.", "In each of them, the last one wins."],
    "name the subject": ["Who loads many programs reuses one.", "What is shown. What differs comes last."],
    "say what it is": ["the path is no file"],
    "compare numbers": ["there are as many strides as sizes", "a tensor has not one stride per size"],
    "say who does it": ["it is said where", "that member is gone"],
    "repeat the noun": ["the names are those of the schema", "a list, one of which is empty"],
    "write 'except', 'only' or 'own'": ["all but for the last", "a file of its own", "it is read anew"],
    "use 'is'": ["the hash stands beside it"],
    "split the sentence": ["a name, which was read, which nobody uses"],
    "use a plain verb": ["a value that is to be written", "it ends without a word"],
    "say who knows it": ["it is not known how long it is"],
    "use the term of the field": ["whole numbers only"],
}
NATIVE = ["Each part has at most one live view.", "as_strided: 2 strides for 3 sizes", "Returns what was read.", "It is no longer needed.",
          "What does it cost?", "Unknown fields are preserved.", "You can use your own schema.", "expected a list, got a string"]


class PatternsTest(unittest.TestCase):
    def test_foreign_phrases_are_found_with_their_advice(self):
        self.assertEqual(set(FOREIGN), {advice for advice, _ in [*prose.OPENINGS, *prose.PHRASES]})
        for advice, texts in FOREIGN.items():
            for text in texts:
                self.assertIn(advice, [found for found, _ in prose.suspects_in(text)], text)

    def test_plain_english_is_accepted(self):
        for text in NATIVE:
            self.assertEqual(list(prose.suspects_in(text)), [], text)


class ReadersTest(unittest.TestCase):
    def read(self, name, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, name)
            path.write_text(text, encoding="utf-8")
            return list(prose.prose_of(path))

    def test_documents_are_read_by_paragraph_without_code(self):
        text = "# A title\n\nOne `code`\nline.\n\n```sh\ncode\n```\n* an item\n| a | row |\n"
        self.assertEqual(self.read("a.md", text), [(3, "documents", "One `x` line."), (9, "documents", "* an item"), (10, "documents", "| a | row |")])

    def test_cpp_comments_and_messages_are_joined_over_lines(self):
        text = '/// Returns\n/// two lines.\nint x = 1\'000;  // why\nthrow Error("expected one " + name);\nf("a message of "\n  "two lines", \'"\', "x");\n'
        self.assertEqual(self.read("a.cpp", text), [(1, "comments", "Returns two lines."), (3, "comments", "why"), (4, "messages", "expected one "),
                                                    (5, "messages", "a message of two lines")])

    def test_python_docstrings_are_comments(self):
        text = '"""A module."""\n\n\ndef f():\n    """Returns 1."""\n    raise ValueError("expected an even number")  # why\n'
        self.assertEqual([(line, kind) for line, kind, _ in self.read("a.py", text)],
                         [(1, "comments"), (5, "comments"), (6, "messages"), (6, "comments")])


class LimitsTest(unittest.TestCase):
    def test_no_kind_of_text_is_above_its_limit(self):
        words, suspects = prose.measure()
        for kind, limit in LIMITS.items():
            with self.subTest(kind):
                self.assertGreater(words[kind], 10000)
                found = prose.rate(words[kind], len(suspects[kind]))
                self.assertLessEqual(found, limit, f"see CONTRIBUTING.md#style; `tests/project/prose.py` lists all {kind}, and these are some:\n" +
                                     "\n".join(f'{path}:{line}: {advice}: "{phrase}"' for path, line, advice, phrase in suspects[kind][-20:]))


if __name__ == "__main__":
    unittest.main()
