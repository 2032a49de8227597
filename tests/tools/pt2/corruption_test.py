"""`pt2 validate` finds what was made wrong in a program, of whatever kind it is.

PT2_BINARY names the pt2 command. PT2_TEST_SEED sets the seed of what is random, PT2_TEST_ROUNDS how often each kind is tried on each program.
"""

import collections
import json
import os
import pathlib
import random
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import corruptions  # noqa: E402
from random_seed import SEED  # noqa: E402

PT2 = os.environ["PT2_BINARY"]
ROUNDS = int(os.environ.get("PT2_TEST_ROUNDS", "1"))
PROGRAMS = pathlib.Path(__file__).resolve().parents[2] / "data" / "programs" / "torch-2.13.0"


def findings(program):
    """Returns the rules with messages; schema violations are left out."""
    done = subprocess.run([PT2, "validate", "--json", "-"], input=json.dumps(program).encode(), capture_output=True)
    assert done.returncode in (0, 1, 3), done.stderr
    [result] = json.loads(done.stdout)
    rules = {(finding["rule"], finding["path"], finding["message"]) for finding in result["findings"]}
    return rules | {("SCHEMA", error["reason"]) for error in result["errors"]}


class CorruptionTest(unittest.TestCase):
    maxDiff = None

    def test_each_kind_is_found_in_each_program(self):
        chance = random.Random(SEED)
        counts, missed = collections.Counter(), []
        for path in sorted(PROGRAMS.glob("*.json")):
            if path.name in ("about.json", "gpt2.json"):  # gpt2: 3 MB of one kind of block
                continue
            program = json.loads(path.read_text())
            before = findings(program)
            for _ in range(ROUNDS):
                for kind, changed in corruptions.corrupted(program, chance):
                    counts[kind] += 1
                    # Only warnings, because torch may know new operators.
                    if not findings(changed) - before:
                        missed.append(f"{path.stem}: {kind}")
        print(f"{counts.total()} corruptions, {len(missed)} missed")
        self.assertEqual(set(counts), {kind.__name__ for kind in corruptions.KINDS})
        self.assertEqual(missed, [])


if __name__ == "__main__":
    unittest.main()
