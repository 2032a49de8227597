"""Generates HTML for notebooks, and shows progress bars."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

_Bar = Callable[[int, int], object]


def bar(progress: _Bar | bool | None) -> _Bar | None:
    """Returns the function to call with the number of bytes done and the total. This is `progress` itself or, if
    `progress` is True, a function that draws a bar, either with tqdm (if it is installed) or on standard error.
    """
    if progress is not True:
        return progress or None
    try:
        from tqdm.auto import tqdm  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        return _print
    made: Any = tqdm(unit="B", unit_scale=True)

    def update(done: int, total: int) -> None:
        made.total = total
        made.update(done - made.n)
        if done == total:
            made.close()

    return update


def _print(done: int, total: int) -> None:
    part = done / total if total else 1.0
    print(f"\r{part:4.0%} [{'#' * int(20 * part):20}]", end="\n" if done == total else "", file=sys.stderr, flush=True)


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Returns an HTML table."""
    from html import escape

    cells = "".join(f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><tr>{''.join(f'<th>{escape(head)}</th>' for head in heads)}</tr>{cells}</table>"


def histogram(array: Any, bins: int = 20) -> str:
    """Returns an SVG image of the distribution of an array's finite numbers."""
    import numpy

    numbers = numpy.asarray(array, dtype="float64").ravel()
    counts, edges = numpy.histogram(numbers[numpy.isfinite(numbers)], bins)
    most = max(1, int(counts.max()))
    bars = "".join(
        f'<rect x="{8 * place}" y="{40 - round(40 * int(count) / most)}" width="7" height="{round(40 * int(count) / most)}"/>'
        for place, count in enumerate(counts)
    )
    scale = f"{edges[0]:.3g} to {edges[-1]:.3g}"
    return f'<svg width="{8 * bins}" height="40" fill="currentColor">{bars}</svg><br>{scale}'
