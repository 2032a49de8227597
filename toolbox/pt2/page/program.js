// The program embedded in the page: its tables, converted to linked objects.

const GROUP_KINDS = ["program", "module", "subgraph", "repeat", "run", "unused"];
const NODE_KINDS = ["input", "weight", "operation", "output"];

/** All groups around a box, outermost first. */
const pathOf = (box, groups) => {
  const path = [];
  for (let at = box.parent; at !== undefined; at = groups[at].parent) path.unshift(groups[at]);
  return path;
};

const readArguments = (list, string, values) => {
  const result = [];
  for (let i = 0; i < list.length; i += 4) {
    result.push({ name: string(list[i]), text: string(list[i + 1]), isDefault: list[i + 2] === 1,
                  values: list[i + 3].map((value) => values[value]) });
  }
  return result;
};

const readPairs = (list, string) => {
  const result = [];
  for (let i = 0; i < list.length; i += 2) result.push([string(list[i]), string(list[i + 1])]);
  return result;
};

/** The part of a dotted name after the path of the enclosing module. */
const ownPart = (name, outer) => (outer && name.startsWith(outer + ".") ? name.slice(outer.length + 1) : name);
const lastPart = (name) => name.slice(name.lastIndexOf(".") + 1);

/** Groups and nodes as boxes. `path`: all groups around a box, outermost first. */
const readProgram = (text) => {
  const data = JSON.parse(text);
  const string = (i) => data.strings[i];
  const values = data.values.map(([name, type, producer]) => ({ name: string(name), type: string(type), producer, users: [] }));
  const groups = data.groups.map(([kind, name, type, parent], i) => ({
    id: "g" + i, isGroup: true, kind: GROUP_KINDS[kind], name: string(name), type: string(type),
    parent: i === 0 ? undefined : parent, children: [], leaves: [],
  }));
  const nodes = data.nodes.map(([kind, name, label, target, parent, given, outputs, subgraphs, metadata], i) => ({
    id: "n" + i, isGroup: false, kind: NODE_KINDS[kind], name: string(name), label: string(label), target: string(target), parent,
    arguments: readArguments(given, string, values), outputs: outputs.map((value) => values[value]),
    subgraphs: subgraphs.map((group) => groups[group]), metadata: readPairs(metadata, string),
  }));
  for (const value of values) value.producer = value.producer < 0 ? null : nodes[value.producer];
  for (const box of [...groups, ...nodes]) box.path = pathOf(box, groups);
  const isListed = new Set();
  const list = (box) => {
    if (!isListed.has(box)) box.path[box.path.length - 1].children.push(box);
    isListed.add(box);
  };
  for (const node of nodes) {
    for (const argument of node.arguments) for (const value of argument.values) value.users.push(node);
    for (const group of node.path) group.leaves.push(node);
    [...node.path.slice(1), node].forEach(list);
  }
  groups.slice(1).forEach(list); // groups of empty subgraphs
  groups[0].name = lastPart(groups[0].type) || "program";
  const strings = (rows) => rows.map((row) => row.map(string));
  const weights = new Map(data.weights.map((weight) => [string(weight.name), { ...weight, name: string(weight.name) }]));
  return { title: data.title, facts: data.facts, stats: data.stats, sizes: data.sizes, ranges: data.ranges, guards: data.guards,
           inputs: strings(data.inputs), outputs: strings(data.outputs), root: groups[0], groups, nodes, weights };
};

/** The two lines of text in a box. */
const linesOf = (box) => {
  if (box.isGroup) {
    const outer = box.path[box.path.length - 1];
    const isUnused = box.kind === "unused";
    const count = box.leaves.filter((node) => isUnused || node.kind === "operation").length;
    const nodes = (count === 1 ? "1 " : `${count} `) + (isUnused ? "input" : "node") + (count === 1 ? "" : "s");
    const name = box.kind === "module" ? ownPart(box.name, nearestModule(outer)) : box.name;
    return [name, box.type ? `${lastPart(box.type)}, ${nodes}` : nodes];
  }
  const types = box.outputs.map((value) => value.type).join(", ");
  if (box.kind === "operation") return [box.label, lastName(box.name)];
  if (box.kind === "weight") return [ownPart(box.target, nearestModule(box.path[box.path.length - 1])), types];
  return [box.kind === "input" ? lastName(box.name) : box.arguments.map((argument) => argument.text).join(", "), types || box.label];
};

/** The name of the innermost module that is or contains `group`. */
const nearestModule = (group) => [...group.path, group].reverse().find((each) => each.kind === "module")?.name ?? "";

/** A node's name without its subgraphs. */
const lastName = (name) => name.slice(name.lastIndexOf("/") + 1);
