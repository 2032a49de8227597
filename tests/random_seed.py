"""The seed of random tests, which importing this prints."""

import os
import random

_GIVEN = os.environ.get("PT2_TEST_SEED") or "1"

SEED = random.SystemRandom().getrandbits(32) if _GIVEN == "random" else int(_GIVEN)
print(f"PT2_TEST_SEED={SEED}", flush=True)
