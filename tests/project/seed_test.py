"""Tests of what PT2_TEST_SEED means to random tests, in Python; tests/runtime/test_seed.h does the same."""

import os
import pathlib
import subprocess
import sys
import unittest

TESTS = pathlib.Path(__file__).resolve().parents[1]


class SeedTest(unittest.TestCase):
    def seed(self, given):
        environment = {name: value for name, value in os.environ.items() if name != "PT2_TEST_SEED"}
        if given is not None:
            environment["PT2_TEST_SEED"] = given
        done = subprocess.run([sys.executable, TESTS / "random_seed.py"], env=environment, capture_output=True, text=True, check=True)
        self.assertRegex(done.stdout, r"\APT2_TEST_SEED=\d+\n\Z")
        return done.stdout

    def test_without_it_all_runs_are_the_same(self):
        self.assertEqual(self.seed(None), self.seed(None))
        self.assertEqual(self.seed(""), self.seed(None))

    def test_a_number_is_the_seed(self):
        self.assertEqual(self.seed("123"), "PT2_TEST_SEED=123\n")

    def test_random_draws_another_one_each_time(self):
        self.assertGreater(len({self.seed("random") for _ in range(3)}), 1)


if __name__ == "__main__":
    unittest.main()
