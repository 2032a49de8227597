"""The version of schema/pt2.yaml, so that a new version needs no change in tests."""

import json
import pathlib
import re

_TESTS = pathlib.Path(__file__).resolve().parent
_TEXT = (_TESTS.parent / "schema/pt2.yaml").read_text()

MAJOR, MINOR = map(int, re.search(r"^version: {major: (\d+), minor: (\d+)}$", _TEXT, re.MULTILINE).groups())
VERSION = f"{MAJOR}.{MINOR}"
NEXT_MINOR = f"{MAJOR}.{MINOR + 1}"

TORCH_MINOR = json.loads((_TESTS / "data/programs/torch-2.13.0/mlp.json").read_text())["schema_version"]["minor"]


def as_torch_wrote(written: str, torch_text: str) -> str:
    """`written` by the head schema, without what is newer than torch's: members that `torch_text` lacks, null or empty."""
    if MINOR == TORCH_MINOR or written == torch_text:
        return written

    def known(value, wanted):
        if isinstance(value, dict) and isinstance(wanted, dict):
            return {key: known(item, wanted.get(key)) for key, item in value.items() if key in wanted or item not in (None, [], {})}
        if isinstance(value, list) and isinstance(wanted, list):
            return [known(*pair) for pair in zip(value, wanted)] + value[len(wanted):]
        return value

    return json.dumps(known(json.loads(written), json.loads(torch_text)))
