"""Programs whose names and texts try to become HTML, script, CSS or addresses in a page."""

import json
import pathlib

HEAD = pathlib.Path(__file__).resolve().parents[1] / "data/programs/torch-2.13.0"
ENDS = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "'\"><svg onload=alert(1)>",
    "</title></style><style>*{display:none}</style>",
    "url(https://example.com/x.png)",
    "&lt;b&gt;&#60;script&#62;",
    "${alert(1)}`;alert(1)//",
]
TEXTS = ["".join(ENDS), "javascript:alert(1)", "__proto__"]


def hostile_program(text, path=HEAD / "gpt2.json"):
    """The program at `path` with `text` in the names of its values, weights and modules, and in what it says of itself."""
    program = json.loads(path.read_text(encoding="utf-8"))
    graph = program["graph_module"]["graph"]
    names = {node["name"] for node in graph["nodes"] if node.get("name")}
    for table in ("tensor_values", "sym_int_values", "sym_float_values", "sym_bool_values", "custom_obj_values"):
        names |= set(graph.get(table) or {})
    for spec in program["graph_module"]["signature"]["input_specs"]:
        for kind in spec.values():
            names |= {value for key, value in kind.items() if key in ("parameter_name", "buffer_name", "tensor_constant_name")}

    def changed(value, key=""):
        if isinstance(value, list):
            return [changed(each) for each in value]
        if isinstance(value, dict):
            return {name + text if name in names else name: changed(each, name) for name, each in value.items()}
        if not isinstance(value, str) or key in ("target", "expr_str"):
            return value
        if key == "nn_module_stack":  # `id,name,class` of each module, separated by `;`
            return value.replace(",b.", f",b{text.replace(',', ' ').replace(';', ' ')}.")
        return value + text if value in names or key in ("stack_trace", "torch_fn", "source_fn_stack") else value

    program = changed(program)
    program["guards_code"] = [*program.get("guards_code", []), text]
    program["torch_version"] = f"2.13.0{text}"
    return program
