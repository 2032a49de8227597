#!/usr/bin/env python3
"""Counts the tests of a run of dev/test.sh: count_tests.py FOLDER [--strict].

FOLDER holds ctest's JUnit files (*.xml) and one *.step file per step, `passed` or `failed`. A ctest test whose output tells how
many cases it ran (Catch2, unittest) counts as that many. The last line printed is `N passed, N failed, N skipped`; the exit
code is 1 where one failed or none ran. What was skipped is printed with its reason; with --strict, a skipped test counts as failed
unless tests/skipped.txt has its reason's beginning.
"""

import ast
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree


def cases(output: str):
    """Returns (passed, failed, skipped) from a test program's output, or None if it has no such counts."""
    if match := re.search(r"All tests passed \(.* in (\d+) test cases?\)", output):
        return int(match[1]), 0, 0
    if match := re.search(r"test cases:\s*(\d+)((?: \|\s*\d+ \w+(?: \w+)*)+)", output):
        failed = re.search(r"\|\s*(\d+) failed", match[2])
        count = int(failed[1]) if failed else 0
        return int(match[1]) - count, count, 0
    if match := re.search(r"^Ran (\d+) tests? in ", output, re.MULTILINE):
        counts = {kind: re.search(rf"{kind}=(\d+)", output) for kind in ("failures", "errors", "skipped")}
        number = {kind: int(found[1]) if found else 0 for kind, found in counts.items()}
        failed = number["failures"] + number["errors"]
        return int(match[1]) - failed - number["skipped"], failed, number["skipped"]
    return None


def skips(output: str, skipped: int):
    """The reasons of as many skipped tests, as `unittest -v` prints them."""
    reasons = [ast.literal_eval(reason) for reason in re.findall(r"\.\.\. skipped ('.*'|\".*\")$", output, re.MULTILINE)]
    return (reasons + ["no reason given"] * skipped)[:skipped]


def count_junit(path: pathlib.Path, allowed):
    """(passed, failed, skipped). Prints the reason of each skipped test; one that begins with none of `allowed` counts as failed."""
    total = [0, 0, 0]
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        output = case.findtext("system-out") or ""
        status = case.get("status")
        counted = cases(output)
        if status == "fail" and (counted is None or counted[1] == 0):
            counted = (0, 1, 0)  # it crashed, or was stopped, before it could report
        elif counted is None:
            counted = (0, 0, 1) if status in ("notrun", "disabled") else (1, 0, 0)
        passed, failed, skipped = counted
        for reason in skips(output, skipped):
            listed = reason.startswith(allowed)
            print(f"{path.stem}: {case.get('name')} skipped a test: {reason}{'' if listed else ' (not in tests/skipped.txt: failed)'}")
            failed, skipped = failed + (not listed), skipped - (not listed)
        total = [a + b for a, b in zip(total, (passed, failed, skipped))]
    return total


def main() -> int:
    folder = pathlib.Path(sys.argv[1])
    allowed = ("",)
    if "--strict" in sys.argv[2:]:
        lines = (pathlib.Path(__file__).parents[1] / "tests/skipped.txt").read_text().splitlines()
        allowed = tuple(line.split(" # ")[0] for line in lines if not line.startswith("#"))
    passed = failed = skipped = 0
    for step in sorted(folder.glob("*.step")):
        good = step.read_text().strip() == "passed"
        if step.stem.startswith("test_"):
            # Counted below. A run that stopped before it could report is one failure.
            failed += not good and not (folder / f"{step.stem[5:]}.xml").exists()
        else:
            passed += good
            failed += not good
    for junit in sorted(folder.glob("*.xml")):
        counts = count_junit(junit, allowed)
        print(f"{junit.stem}: {counts[0]} passed, {counts[1]} failed, {counts[2]} skipped")
        passed, failed, skipped = passed + counts[0], failed + counts[1], skipped + counts[2]
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
