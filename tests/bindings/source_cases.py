"""The files of tests/data, and what the command says of them: every binding says the same, through each of its kinds of sources.

PT2_BINARY is the command.
"""

import functools
import json
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = sorted(
    path
    for folder in ("programs", "old_exports", "packages", "hostile")
    for path in (ROOT / "tests" / "data" / folder).rglob("*")
    if path.suffix in (".pt2", ".pt2b", ".json") and path.stat().st_size < 1_000_000 and path.name != "expected.json"
)


def said(*arguments):
    done = subprocess.run([os.environ["PT2_BINARY"], *arguments, *FILES], capture_output=True, text=True)
    return json.loads(done.stdout)


@functools.cache
def expected():
    """Returns, for each of FILES, the hash, which is None if the file has no program or several, and [rule, message] of each finding."""
    cases = {str(path): {"hash": None, "findings": []} for path in FILES}
    for entry in said("hash", "--json"):
        cases[entry["file"]]["hash"] = None if "model" in entry else entry["hash"]
    for finding in said("scan", "--format", "json"):
        cases[finding["file"]]["findings"].append([finding["rule"], finding["message"]])
    assert len(cases) > 200 and sum(case["hash"] is not None for case in cases.values()) > 150
    return cases
