"""Reads the values of a program from its JSON."""


def names_in(argument):
    """Returns the values that an argument names."""
    if isinstance(argument, list):
        return [name for item in argument for name in names_in(item)]
    if not isinstance(argument, dict):
        return []
    if set(argument) <= {"name", "class_fqn"} and "name" in argument:
        return [argument["name"]]
    if set(argument) == {"as_name"}:
        return [argument["as_name"]]
    return [name for key, item in argument.items() if key != "as_graph" for name in names_in(item)]


def values_of(graph):
    return names_in(graph["inputs"]) + [name for node in graph["nodes"] for name in names_in(node["outputs"])]


def user_values(specs, kinds):
    """Returns the names of the user's values, None for a literal."""
    users = [spec for spec in specs if set(spec) & kinds]
    return [(names_in(next(iter(spec.values()))["arg"]) + [None])[0] if "user_input" in spec or "user_output" in spec else None
            for spec in users]


def cut(graph, model_values, at):
    """Returns the values that cross from the first `at` nodes to the rest, except the model's own."""
    before = names_in(graph["inputs"]) + [name for node in graph["nodes"][:at] for name in names_in(node["outputs"])]
    after = set(names_in(graph["outputs"])) | {name for node in graph["nodes"][at:] for name in names_in(node["inputs"])}
    return [name for name in dict.fromkeys(before) if name in after and name not in model_values]
