#!/usr/bin/env python3
"""docs/messages.md has the messages of the commands and the sources as they are, and dev/messages.py finds them.

PT2_BINARY and SCHEMAGEN_BINARY name the commands.
"""

import importlib.util
import pathlib
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("messages", REPOSITORY / "dev/messages.py")
messages = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(messages)


class MessagesTest(unittest.TestCase):
    def test_the_page_is_up_to_date(self):
        page = messages.page()
        for line, (kept, made) in enumerate(zip(messages.PAGE.read_text(encoding="utf-8").split("\n"), page.split("\n")), 1):
            self.assertEqual(kept, made, f"docs/messages.md:{line} is out of date: run dev/messages.py")
        self.assertEqual(messages.PAGE.read_text(encoding="utf-8"), page)

    def test_every_call_fails_with_a_message(self):
        for line in messages.calls_section()[4:]:
            self.assertIn("error: ", line)

    def test_most_rules_have_messages(self):
        found = messages.messages_of_rules()
        self.assertGreater(sum(bool(texts) for texts in found.values()), 60)

    def test_every_area_has_messages(self):
        for title, texts in messages.messages_of_areas().items():
            self.assertTrue(texts, title)

    def test_values_in_a_message_become_an_ellipsis(self):
        text = 'throw DataError("expected " + std::to_string(count(a, b)) + " items, found " + quoted(name)\n    + (x ? "a" : "b") + " of them");'
        self.assertEqual(list(messages.messages_in(text, text.index("("))), ["expected … items, found … of them"])
        text = 'fail(path, is_list ? "expected a list" : "expected one value");'
        self.assertEqual(list(messages.messages_in(text, text.index("("))), ["expected a list", "expected one value"])


if __name__ == "__main__":
    unittest.main()
