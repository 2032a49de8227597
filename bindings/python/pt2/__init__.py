"""Reads, checks, changes and writes PyTorch exported programs (.pt2) without PyTorch.

    import pt2
    program = pt2.load("model.pt2")
    for node in program.graph_module.graph.nodes:
        print(node.target)

The classes of a program, such as ExportedProgram, Graph, Node and Argument, have the same names as in PyTorch's export
schema. Objects of these classes are views, so assigning to their attributes changes the program.
"""

from pt2 import _pt2, edits, reports
from pt2._pt2 import *  # noqa: F403
from pt2._pt2 import __version__ as __version__
from pt2._pt2 import Size, Value, schema_hash, schema_version
from pt2._lazy import __getattr__ as __getattr__
from pt2.builder import Builder
from pt2.graph_edit import edit, operator
from pt2.edits import *  # noqa: F403
from pt2.files import File, Tensor, save
from pt2.files import open as open
from pt2.patterns import Match, PatternValue, match, ops, rewrite
from pt2.program import ExportedProgram, from_json, from_pt2b, load
from pt2.reports import *  # noqa: F403
from pt2.reports import hash as hash

# Without open() and hash(), which would hide the builtins.
__all__ = [
    "schema_hash",
    "schema_version",
    "Builder",
    "ExportedProgram",
    "File",
    "Match",
    "PatternValue",
    "Size",
    "Tensor",
    "Value",
    "edit",
    "from_json",
    "from_pt2b",
    "load",
    "match",
    "operator",
    "ops",
    "rewrite",
    "save",
]
__all__ += edits.__all__
__all__ += reports.__all__
__all__ += _pt2.__all__
