// The program embedded in the page: its tables, converted to linked objects.

import { makersOf, usersOf } from "./flow.js";

const GROUP_KINDS = ["program", "module", "subgraph", "repeat", "run", "unused", "stack", "outputs"];
const NODE_KINDS = ["input", "weight", "operation", "output"];

/** The items of a flat list, `count` to a row.
 * @template T
 * @param {T[]} list
 * @param {number} count
 */
export const rowsOf = (list, count) => Array.from({ length: list.length / count }, (_, i) => list.slice(count * i, count * i + count));

/** Lists of items by key.
 * @template T, K
 * @param {Iterable<T>} items
 * @param {(item: T) => K} keyOf
 */
export const byKey = (items, keyOf) => {
  /** @type {Map<K, T[]>} */
  const lists = new Map();
  for (const item of items) {
    const key = keyOf(item);
    const list = lists.get(key);
    list ? list.push(item) : lists.set(key, [item]);
  }
  return lists;
};

/** How many items have each key.
 * @template T, K
 * @param {Iterable<T>} items
 * @param {(item: T) => K} keyOf
 */
export const countsOf = (items, keyOf) => new Map([...byKey(items, keyOf)].map(([key, { length }]) => [key, length]));

/** The first item with the least finite distance of those that `isOne`; undefined if there is none.
 * @template T
 * @param {Iterable<T>} items
 * @param {(item: T) => number} distance
 * @param {(item: T) => unknown} [isOne]
 */
export const nearest = (items, distance, isOne = () => true) => {
  /** @type {{ item?: T, far: number }} */
  let best = { far: Infinity };
  for (const item of items) {
    const far = distance(item);
    if (far < best.far && isOne(item)) best = { item, far };
  }
  return best.item;
};

/** @type {never[]} */
const NONE = [];

/** A node, a group of boxes, or a port, where values enter or leave a group. Each has neutral values for what only the others have. */
export class Box {
  #read;
  #given;
  /** @type {Argument[] | undefined} */
  #arguments;
  isHidden = false;
  /** @type {Role} */
  role = "";
  target = "";
  /** @type {Value[]} Of a port, those that pass it. */
  outputs = NONE;
  /** @type {Group[]} */
  subgraphs = NONE;
  /** @type {[string, string][]} */
  metadata = NONE;
  /** @type {Box[]} */
  children = NONE;
  /** @type {NodeBox[]} In a group. */
  leaves = NONE;
  /** @type {Group[] | undefined} Of a stack. */
  members;
  number = ""; // after the name of the first of several calls
  /** @type {Group | undefined} */
  neighbor;
  /** @type {string | undefined} */
  difference;

  /** `label`: the operator of a node, or the class of a module. `read(given)`: the arguments, asked for once, when they are needed: a large
   * program has a million, and a page shows few.
   * @param {string} id
   * @param {string} kind
   * @param {string} [name]
   * @param {string} [label]
   * @param {NodeData[5]} [given]
   * @param {(given: NodeData[5]) => Argument[]} [read]
   */
  constructor(id, kind, name = "", label = "", given = NONE, read = () => []) {
    this.id = id;
    this.kind = kind;
    this.name = name;
    this.label = label;
    this.#given = given;
    this.#read = read;
    this.isGroup = GROUP_KINDS.includes(kind);
    /** @type {Group[]} All groups around it, outermost first. */
    this.path = NONE;
    if (this.isGroup) [this.children, this.leaves] = [[], []];
    if (this.isPort) this.outputs = [];
  }

  get isPort() {
    return this.kind === "in" || this.kind === "out";
  }

  get arguments() {
    return (this.#arguments ??= this.#read(this.#given));
  }
}

// The first that matches an operator's name: `native_layer_norm` is a normalization, and `log_softmax` an activation.
const CATEGORIES = Object.entries({
  control: /^higher_order|assert|sym_constrain/,
  normalization: /norm/,
  matrix: /conv|linear|(^|add|b)mm$|addmv|matmul|einsum|attention|lstm|gru|rnn|embedding|dot$/,
  activation: /relu|elu$|silu|sigmoid|tanh|softmax|softplus|mish|glu|hardswish|dropout/,
  shape: /view|reshape|permute|transpose|squeeze|flatten|expand|sym_|movedim|^t$/,
  movement:
    /cat$|stack|split|chunk|slice|select|index|gather|scatter|getitem|copy|clone|pad|repeat|roll|where|^to$|arange|full|zeros|ones|empty|unbind|masked/,
});
/** @param {string} label */
export const categoryOf = (label) =>
  CATEGORIES.find(([, names]) => names.test(label.startsWith("higher_order") ? label : (label.split(".")[1] ?? label)))?.[0];

/** @param {{ type: string }} given */
export const isNumber = ({ type }) => /^(int|float|bool)\(/.test(type);

// Arguments that take a number as data. Others take it as a part of a shape or as an index.
const DATA = /^(|self|other|input|value|fill_value|exponent|alpha|beta|min|max|scale|condition|operands|pred)$/;

/** Whether a node computes only numbers from numbers, or is an assertion about them, and shapes alone depend on it. Its users come first.
 * @param {NodeBox} node
 */
const isSize = (node) => {
  if (node.kind !== "operation" || !node.outputs.every(isNumber)) return false;
  const isRoot = /^aten\.sym_/.test(node.label);
  if (!isRoot && !node.arguments.every(({ values }) => values.every(isNumber))) return false;
  if (node.outputs.length === 0) return /assert|constrain/.test(node.label);
  /** @param {NodeBox} user */
  const isShape = (user) =>
    user.kind === "operation" &&
    !user.outputs.every(isNumber) &&
    user.arguments.every(({ name, values }) => !DATA.test(name) || !values.some((value) => node.outputs.includes(value)));
  return usersOf(node).every((user) => user.role === "sizes" || isShape(user));
};

/** What the page hides unless a switch shows it: weights, which the boxes of their users name, or which a module has and does not use, and
 * sizes.
 * @param {NodeBox} node
 * @returns {Role}
 */
const roleOf = (node) => {
  if (node.kind !== "weight") return isSize(node) ? "sizes" : "";
  return groupOf(node).kind !== "unused" && usersOf(node).every(({ kind }) => kind === "operation") ? "weights" : "";
};

/** The part of a dotted name after the path of the enclosing module.
 * @param {string} name
 * @param {string} outer
 */
const ownPart = (name, outer) => (outer && name.startsWith(outer + ".") ? name.slice(outer.length + 1) : name);
/** @param {string} name */
const lastPart = (name) => name.slice(name.lastIndexOf(".") + 1);

const SECOND = " (call 2)"; // after the name of a module

/** Groups and nodes as boxes.
 * @param {PageData} data
 */
export const readProgram = (data) => {
  /** @param {number} i */
  const string = (i) => data.strings[i];
  /** @type {Value[]} */
  const values = data.values.map(([name, type]) => ({ name: string(name), type: string(type), producer: null, users: [] }));
  const groups = data.groups.map(([kind, name, type], i) => new Box("g" + i, GROUP_KINDS[kind], string(name), string(type)));
  /** @type {Group[][]} */
  const paths = [];
  /** The path of the boxes in a group. They share it.
   * @type {(i: number) => Group[]}
   */
  const inside = (i) => (paths[i] ??= [...(i === 0 ? [] : inside(data.groups[i][3])), groups[i]]);
  for (const [i, group] of groups.entries()) group.path = inside(i).slice(0, -1);
  /** @param {NodeData[5]} given */
  const read = (given) =>
    /** @type {ArgumentData[]} */ (rowsOf(given, 4)).map(([name, text, isDefault, operands]) => ({
      name: string(name),
      text: string(text),
      isDefault: isDefault === 1,
      values: operands.map((value) => values[value]),
    }));
  const nodes = data.nodes.map(([kind, name, label, target, parent, given, outputs, subgraphs, metadata], i) => {
    const node = new Box("n" + i, NODE_KINDS[kind], string(name), string(label), given, read);
    node.target = string(target);
    node.path = inside(parent);
    node.outputs = outputs.map((value) => values[value]);
    node.subgraphs = subgraphs.map((group) => groups[group]);
    node.metadata = rowsOf(metadata, 2).map(([key, text]) => [string(key), string(text)]);
    for (const operands of given) if (Array.isArray(operands)) for (const value of operands) values[value].users.push(node);
    return node;
  });
  for (const [i, [, , producer]] of data.values.entries()) values[i].producer = nodes[producer] ?? null;
  const isListed = new Set();
  /** @param {Group} group */
  const list = (group) => {
    if (!isListed.has(group)) group.path[group.path.length - 1].children.push(group);
    isListed.add(group);
  };
  for (const node of nodes) {
    for (const group of node.path) group.leaves.push(node);
    node.path.slice(1).forEach(list);
    node.path[node.path.length - 1].children.push(node);
  }
  groups.slice(1).forEach(list); // groups of empty subgraphs
  for (const stack of groups.filter(({ kind }) => kind === "stack")) stack.members = stack.children.filter(isMember);
  const named = new Map(groups.map((group) => [group.name, group]));
  for (const { name } of groups) {
    const first = name.endsWith(SECOND) ? named.get(name.slice(0, -SECOND.length)) : undefined;
    if (first) first.number = " (call 1)";
  }
  for (const group of groups.filter((each) => each.kind === "module" && groupOf(each).kind !== "stack")) {
    const [, list, number] = /^(|.*?[._])(\d+)$/.exec(group.name) ?? [];
    group.neighbor = [-1, 1].map((step) => named.get(list + (Number(number) + step))).find((other) => other?.label === group.label);
  }
  for (const node of [...nodes].reverse()) node.role = roleOf(node);
  groups[0].name = lastPart(groups[0].label) || "program";
  /** @param {number[][]} rows */
  const strings = (rows) => rows.map((row) => row.map(string));
  const weightNodes = nodes.filter(({ kind }) => kind === "weight");
  const top = nodes.filter(({ path }) => path.every(({ kind }) => kind !== "subgraph"));
  const weights = new Map(data.weights.map((weight) => [string(weight.name), { ...weight, name: string(weight.name) }]));
  return {
    title: data.title,
    facts: data.facts,
    ranges: data.ranges,
    guards: data.guards,
    inputs: strings(data.inputs),
    outputs: strings(data.outputs),
    root: groups[0],
    groups,
    nodes,
    /** Those of the outermost graph, as its JSON lists them, and by the values that they define. */
    top: {
      nodes: top.filter(({ kind }) => kind === "operation"),
      inputs: top.filter(({ kind }) => kind === "input" || kind === "weight"),
      makers: new Map(top.flatMap((node) => node.outputs.map(({ name }) => [name, node]))),
    },
    weights,
    /** The first node of each, by name. */
    weightNodes: new Map([...byKey(weightNodes, ({ target }) => target)].map(([target, [first]]) => [target, first])),
  };
};

/** Whether a box in a stack is one of those of which a page shows one at a time.
 * @param {Box} box
 */
const isMember = ({ kind }) => kind === "module" || kind === "repeat";

/** Whether a box is visible in its group, if that is unfolded: of a stack, only the member `shown` is.
 * @param {Box} box
 * @param {Group | undefined} shown
 */
export const isShown = (box, shown) => !box.isHidden && (shown === undefined || box === shown || !isMember(box));

/** The stacks that a box is or is in, outermost first.
 * @param {Box} box
 */
export const stacksOf = (box) => (box.isGroup ? [...box.path, box] : box.path).filter(({ kind }) => kind === "stack");

/** The number of a member of a stack, e.g. 3 for `layers.3` or `mul, index (3 of 5)`.
 * @param {{ name: string }} given
 */
export const numberOf = ({ name }) => Number(/\d+(?= of \d+\)|$)/.exec(name));

/** How many nodes of each operator a group contains.
 * @param {Group} group
 */
export const operatorCounts = ({ leaves }) => {
  const nodes = leaves.filter(({ kind }) => kind === "operation");
  return countsOf(nodes, ({ label }) => label);
};

/** What a module has more (+) or less (-) than its neighbor in a list of modules of the same class, e.g. `+1 relu`.
 * @param {Group} group
 */
const differenceText = (group) => {
  if (group.neighbor === undefined) return "";
  const [own, others] = [group, group.neighbor].map(operatorCounts);
  return [...new Set([...own.keys(), ...others.keys()])]
    .map((label) => ({ label, more: (own.get(label) ?? 0) - (others.get(label) ?? 0) }))
    .filter(({ more }) => more !== 0)
    .map(({ label, more }) => `${more > 0 ? "+" : "\u2212"}${Math.abs(more)} ${label.replace(/^aten\.|\.default$/g, "")}`)
    .join(", ");
};

// Arguments that say little about what a node does.
const MINOR =
  /^(device|layout|pin_memory|memory_format|cudnn_enabled?|non_blocking|copy|assert_msg) | (None|False)$|^(dilation|groups) [[1, \]]+$|^output_padding [[0, \]]+$/;

/** The arguments other than tensors, without defaults, with sizes for the names of numbers.
 * @param {NodeBox} node
 */
const attributesText = (node) => {
  /** @param {Argument} given */
  const text = ({ name, text, values }) => {
    const sizes = new Map(values.map((value) => [value.name, value.type.slice(value.type.indexOf("(") + 1, -1)]));
    return `${name} ${text.replace(/\w+/g, (word) => sizes.get(word) ?? word)}`;
  };
  /** @param {Argument} argument */
  const isSubgraph = (argument) => node.subgraphs.some(({ name }) => name === argument.text);
  return node.arguments
    .filter((argument) => !isSubgraph(argument))
    .filter(({ name, isDefault, values }) => name && !isDefault && values.every(isNumber))
    .map(text)
    .filter((each) => !MINOR.test(each))
    .join(", ");
};

/** The hidden weights that a node uses.
 * @param {NodeBox} node
 */
export const weightsOf = (node) => [...new Set(makersOf(node))].filter(({ kind, isHidden }) => kind === "weight" && isHidden);

/** The name of a weight in a group.
 * @param {NodeBox} given
 * @param {Group} group
 */
const weightName = ({ target }, group) => ownPart(target, nearestModule(group).replace(/ \(call \d+\)$/, ""));
/** @param {Box} given */
const groupOf = ({ path }) => path[path.length - 1];

/** @param {NodeBox} node */
const weightsText = (node) =>
  weightsOf(node)
    .map((weight) =>
      `${weightName(weight, groupOf(node))} ${weight.outputs[0].type.replace(/^\w+\[(.*)\]$/, "$1").replaceAll(", ", "\u00d7")}`.trim(),
    )
    .join(", ");

/** @param {NodeBox} node */
const partsOf = (node) => [weightsText(node), attributesText(node)].filter(Boolean);

/** The lines of text in a box.
 * @param {Box} box
 */
export const linesOf = (box) => {
  if (box.isGroup) {
    const outer = box.path[box.path.length - 1];
    const noun = box.kind === "unused" ? "input" : box.kind === "outputs" ? "output" : "node";
    const count = (box.members?.[0] ?? box).leaves.filter((node) => noun !== "node" || node.kind === "operation").length;
    const nodes = `${count} ${noun}${count === 1 ? "" : "s"}${box.members ? " each" : ""}`;
    const name = box.kind === "module" ? ownPart(box.name, nearestModule(outer)) + box.number : box.name;
    const difference = (box.difference ??= differenceText(box));
    const only = count === 1 ? box.leaves.find((node) => node.kind === "operation") : undefined;
    return [
      name,
      [...(box.label ? [lastPart(box.label)] : []), nodes, ...(difference ? [difference] : [])].join(", "),
      ...(only ? partsOf(only) : []),
    ];
  }
  const types = box.outputs.map((value) => value.type).join(", ");
  if (box.kind === "operation") return [box.label, lastName(box.name), ...partsOf(box)];
  if (box.kind === "weight") return [weightName(box, groupOf(box)), types];
  return [box.kind === "input" ? lastName(box.name) : box.arguments.map((argument) => argument.text).join(", "), types || box.label];
};

/** The name of the innermost module that is or contains `group`.
 * @param {Group} group
 */
const nearestModule = (group) => [...group.path, group].reverse().find((each) => each.kind === "module")?.name ?? "";

/** A node's name without its subgraphs.
 * @param {string} name
 */
const lastName = (name) => name.slice(name.lastIndexOf("/") + 1);
