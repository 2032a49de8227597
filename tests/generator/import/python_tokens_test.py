#!/usr/bin/env python3
"""`schemagen import`: comments. Needs the command in SCHEMAGEN_BINARY."""

import unittest

from port import COMMENTED, PortTest


class CommentsTest(PortTest):
    def test_comments_become_docs_on_request(self):
        self.assert_types(
            COMMENTED,
            """
            S:
              kind: struct
              doc: Where a thing is. And how.
              fields:
                a: {id: 10, type: int, doc: Which one.}
                b: {id: 20, type: int, doc: "Or this: one."}
                c: {id: 30, type: int}

            U:
              kind: union
              fields:
                x: {id: 10, type: int}
            """,
            "--comments",
        )

    def test_comments_are_dropped_without_the_option(self):
        self.assertNotIn("doc", self.ported_types(COMMENTED))


if __name__ == "__main__":
    unittest.main()
