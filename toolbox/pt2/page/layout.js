// Positions of boxes and arrows: dagre lays out each unfolded group separately, from the inside out. Lengths are in pixels.

import { makersOf } from "./flow.js";
import { Level } from "./level.js";
import { Box, byKey, isNumber, linesOf } from "./program.js";

export const HEADER = 30; // of an unfolded group
export const LINE = 15; // below the first one of a box
const EDGE = 2; // around boxes and arrows
const MARGIN = 12; // inside an unfolded group
const MOST_LETTERS = 44;
// Arrows from one box that are drawn as one line: more numbers than these, or as many arrows that pass more rows.
const MANY_NUMBERS = 4;
const MANY_FAR = 3;
const NEAR = 2;

/** Cuts text at its end to fit.
 * @param {string} text
 * @param {number} [most]
 */
export const shortened = (text, most = MOST_LETTERS) => (text.length <= most ? text : text.slice(0, most - 1) + "\u2026");

/** @param {Port} given */
export const portText = ({ outputs: values }) =>
  values.length === 1
    ? `${shortened(values[0].name, 24)} ${shortened(values[0].type, 24)}`
    : shortened(values.map(({ name }) => name).join(", "), 36);

/** Whether an arrow carries only numbers, mostly sizes, which go everywhere.
 * @param {Arrow} given
 */
export const isOfNumbers = ({ values }) => values.size > 0 && [...values].every(isNumber);

/** The label of an arrow; arrows of weights and ports need none.
 * @param {Arrow} arrow
 */
const arrowText = (arrow) => {
  const { from, to, values } = arrow;
  if (from.isPort || to.isPort || from.kind === "weight" || values.size === 0 || isOfNumbers(arrow)) return "";
  const types = [...new Set([...values].map((value) => value.type))];
  if (types.length > 1) return `${values.size} values`;
  return types[0] === "" ? "" : shortened(values.size === 1 ? types[0] : `${values.size} \u00d7 ${types[0]}`);
};

export class Layouts {
  /** `folding`: what is visible, a Folding. `measure(text, font)`: the width of text in a font of FONTS.
   * @param {Folding} folding
   * @param {Measure} measure
   */
  constructor(folding, measure) {
    this.folding = folding;
    this.measure = measure;
    /** @type {Map<Group, Layout>} */
    this.made = new Map();
  }

  /** Call it after folding or unfolding `group`.
   * @param {Group} group
   */
  forget(group) {
    for (const each of [...group.path, group]) this.made.delete(each);
  }

  /** @param {Group} group */
  of(group) {
    const made = this.made.get(group) ?? this.lay(new Level(group, this.folding.shown(group)));
    this.made.set(group, made);
    return made;
  }

  /** @param {Box} box */
  size(box) {
    if (box.isPort) return { width: this.measure(portText(box), "label") + 14, height: 18 };
    const [name, ...more] = linesOf(box).map((line) => shortened(line));
    if (box.isGroup && this.folding.isOpen(box)) {
      const inner = this.of(box);
      const header = this.measure(name, "name") + this.measure(more[0], "more") + (box.members ? 80 : 32);
      const width = Math.max(inner.width, header) + 2 * MARGIN;
      return { width, height: inner.height + HEADER + MARGIN, axis: (width - inner.width) / 2 + inner.axis };
    }
    const width = Math.max(this.measure(name, "name"), ...more.map((line) => this.measure(line, "more")), 40) + (box.isGroup ? 15 : 0);
    return { width: width + 22, height: more.length ? 25 + LINE * more.length : 28 };
  }

  /** @param {Level} level */
  lay(level) {
    const graph = new dagre.graphlib.Graph();
    graph.setGraph({ rankdir: "TB", nodesep: 16, edgesep: 12, ranksep: 22 });
    const shared = sharedArrows(level);
    const isShared = new Set([...shared.values()].flat());
    /** @type {Map<Box, Port>} */
    const ends = new Map();
    for (const [to, arrows] of shared) {
      const end = new Box(`far ${to.id}`, "in");
      end.outputs = [...new Set(arrows.flatMap((arrow) => [...arrow.values]))];
      ends.set(to, end);
    }
    const boxes = [...level.boxes, ...level.ports, ...ends.values()];
    for (const box of boxes) graph.setNode(box.id, this.size(box));
    /** @type {Arrow[]} */
    const near = [
      ...[...level.arrows.values()].filter((arrow) => !isShared.has(arrow)),
      ...[...ends].map(([to, from]) => ({ from, to, values: new Set(from.outputs) })),
    ];
    /** @param {Arrow} arrow */
    const labelOf = (arrow) => {
      const text = arrowText(arrow);
      return { text, textWidth: text ? this.measure(text, "label") + 6 : 0 };
    };
    for (const arrow of near) {
      const { text, textWidth } = labelOf(arrow);
      const label = text ? { width: textWidth + 2, height: 14, labelpos: "c" } : { width: 0, height: 0 };
      graph.setEdge(arrow.from.id, arrow.to.id, { ...label, weight: isOfNumbers(arrow) ? 0 : arrow.from.kind === "weight" ? 1 : 4 });
    }
    dagre.layout(graph);
    const { itemOf, items, lanes } = straightened(graph, boxes, near);
    /** @type {(given: [Box, Spot]) => BoxLayout} */
    const placeOf = ([box, { x, y, left, right, height }]) => ({ box, x: x - left, y: y - height / 2, width: left + right, height });
    const arrows = [...lanes].map(([arrow, lane]) => {
      const [from, to] = [itemOf(arrow.from), itemOf(arrow.to)];
      const { x, y } = lane.find(({ isLabel }) => isLabel) ?? lane[0];
      const points = lane.flatMap((at) =>
        [-1, 1].map((side) => ({ x: at.x, y: at.y + (side * (from.y < to.y ? 1 : -1) * at.height) / 2 })),
      );
      return { arrow, points: [border(from, lane[0]), ...points, border(to, lane[lane.length - 1])], ...labelOf(arrow), x, y };
    });
    const right = [...items.values(), ...[...lanes.values()].flat()].reduce((most, item) => Math.max(most, item.x + item.right), 0);
    const sources = [...new Set([...isShared].map(({ from }) => from))];
    const lines = [...isShared].map((arrow) => {
      const [from, to] = [itemOf(arrow.from), itemOf(ends.get(arrow.to) ?? arrow.to)];
      const side = right + GAP + 6 * sources.indexOf(arrow.from);
      const [start, end] = [from.x + from.right - Math.min(8, from.right), from.y + from.row / 2 + 4];
      const above = to.y - to.row / 2 - 4;
      const ys = [from.y + from.height / 2, end, end, above, above, to.y - to.height / 2];
      const points = [start, start, side, side, to.x, to.x].map((x, i) => ({ x, y: ys[i] }));
      return { arrow, points, text: "", textWidth: 0, x: side, y: end, isShared: true };
    });
    return fitted([...items].map(placeOf), [...arrows, ...lines]);
  }
}

/** The arrows of a value that is read far away more than once, or of a number that goes everywhere: by reader. They are drawn as one line
 * beside the boxes, to a port next to each reader.
 * @param {Level} level
 */
const sharedArrows = (level) => {
  /** @type {Map<Box, number>} */
  const first = new Map(); // row where a box can be
  /** @type {typeof first} */
  const last = new Map();
  /** @param {Box} box */
  const rank = (box) => first.get(box) ?? 0;
  for (const { from, to } of level.arrows.values()) first.set(to, Math.max(rank(to), rank(from) + 1));
  /** @param {Box} box */
  const lastRank = (box) => last.get(box) ?? rank(box);
  for (const { from, to } of [...level.arrows.values()].reverse()) last.set(from, Math.min(last.get(from) ?? Infinity, lastRank(to) - 1));
  /** @param {Arrow} given */
  const distance = ({ from, to }) => lastRank(to) - rank(from);
  const chosen = [...byKey(level.arrows.values(), ({ from }) => from).values()].flatMap((arrows) => {
    const numbers = arrows.filter(isOfNumbers);
    if (numbers.length > MANY_NUMBERS) return numbers;
    return arrows.filter((each) => distance(each) > NEAR).length < MANY_FAR ? [] : arrows.filter((each) => distance(each) > 1);
  });
  return byKey(chosen, ({ to }) => to);
};

/** Moves what is laid out, with the main path at x = 0, to the origin.
 * @param {BoxLayout[]} boxes
 * @param {ArrowLayout[]} arrows
 * @returns {Layout}
 */
const fitted = (boxes, arrows) => {
  const labels = arrows
    .filter(({ text }) => text)
    .flatMap(({ textWidth, x, y }) => [-1, 1].map((side) => ({ x: x + (side * textWidth) / 2, y })));
  const points = [
    ...boxes.flatMap(({ x, y, width, height }) => [
      { x, y },
      { x: x + width, y: y + height },
    ]),
    ...arrows.flatMap((arrow) => arrow.points),
    ...labels,
  ];
  /** @param {"x" | "y"} axis */
  const extent = (axis) =>
    points.reduce(([least, most], { [axis]: at }) => [Math.min(least, at), Math.max(most, at)], [Infinity, -Infinity]);
  if (points.length === 0) return { boxes, arrows, width: 0, height: 0, axis: 0 };
  const [[left, right], [top, bottom]] = [extent("x"), extent("y")];
  /** @type {<T extends Point>(at: T) => T} */
  const moved = (at) => ({ ...at, x: at.x - left + EDGE, y: at.y - top + EDGE });
  return {
    boxes: boxes.map(moved),
    arrows: arrows.map((arrow) => ({ ...moved(arrow), points: arrow.points.map(moved) })),
    width: right - left + 2 * EDGE,
    height: bottom - top + 2 * EDGE,
    axis: EDGE - left,
  };
};

// ---- The main path: dagre chooses rows and the order in them. The main path becomes a straight line, and the rest goes beside it. ----

const SWEEPS = [0, -1, 1]; // beside the main path, and up and down, to straighten what is connected
const GAP = 14; // between neighbors of a row

/** What a box adds to the main path, which is where most of the parameters are.
 * @param {Box} box
 */
const massOf = (box) => {
  if (box.kind === "weight") return 0;
  const weights = box.isGroup ? box.leaves : box.kind === "operation" ? makersOf(box) : [];
  const parameters = weights.filter(({ kind, label }) => kind === "weight" && label.startsWith("parameter"));
  return (box.isPort ? 0 : 1) + box.leaves.length + 100 * parameters.length;
};

/** Marks the boxes of the heaviest path as main, and returns its arrows.
 * @param {Map<Box, Spot>} items
 * @param {Arrow[]} arrows
 */
const mainPath = (items, arrows) => {
  /** @typedef {{ item: Spot, mass: number, arrow: Arrow | undefined }} End The heaviest path to a box, and its last arrow. */
  /** @type {Map<Box, End>} */
  const paths = new Map();
  /** @param {Arrow} arrow */
  const massBefore = ({ from }) => paths.get(from)?.mass ?? 0;
  const followed = arrows.filter((arrow) => !isOfNumbers(arrow) && arrow.from.kind !== "weight");
  const into = byKey(followed, ({ to }) => to);
  /** @type {End | undefined} */
  let end;
  for (const [box, item] of [...items].sort((a, b) => a[1].y - b[1].y)) {
    // Boxes above have a path.
    const above = (into.get(box) ?? []).filter(({ from }) => paths.has(from));
    const arrow = above.length ? above.reduce((best, each) => (massBefore(each) > massBefore(best) ? each : best)) : undefined;
    const path = { item, arrow, mass: massOf(box) + (arrow ? massBefore(arrow) + 0.01 : 0) };
    paths.set(box, path);
    if (end === undefined || path.mass > end.mass) end = path;
  }
  /** @type {Set<Arrow>} */
  const main = new Set();
  for (let at = end; at; at = at.arrow && paths.get(at.arrow.from)) {
    at.item.isMain = true;
    if (at.arrow) main.add(at.arrow);
  }
  return main;
};

/** `items`: the places of boxes, where `x` is the axis, `left` and `right` are what is beside it, and `y` is the center. `lanes`: where each
 * arrow passes the rows between its boxes.
 * @param {DagreGraph} graph
 * @param {Box[]} boxes
 * @param {Arrow[]} arrows
 */
const straightened = (graph, boxes, arrows) => {
  /** @type {Map<Box, Spot>} */
  const items = new Map();
  for (const box of boxes) {
    const { x, y, width, height, axis = width / 2 } = graph.node(box.id);
    const item = { x: x - width / 2 + axis, y, left: axis, right: width - axis, height, row: 0, isBox: true, isLoose: box.isPort };
    items.set(box, { ...item, up: [], down: [] });
  }
  /** @param {Box} box */
  const itemOf = (box) => /** @type {Spot} */ (items.get(box));
  const main = mainPath(items, arrows);
  /** @type {Map<Arrow, Spot[]>} */
  const lanes = new Map();
  for (const arrow of arrows) {
    const { points, y: labelY, width } = graph.edge(arrow.from.id, arrow.to.id);
    const shared = { height: 0, row: 0, isMain: main.has(arrow), isLoose: arrow.from.isPort || arrow.to.isPort };
    /** @type {Spot[]} */
    const lane = points.slice(1, -1).map(({ x, y }) => {
      const isLabel = Math.abs(y - labelY) < 0.5;
      const half = isLabel ? width / 2 : 0;
      return { x, y, left: half, right: half, up: [], down: [], isLabel, ...shared };
    });
    lanes.set(arrow, lane);
    const chain = [itemOf(arrow.from), ...lane, itemOf(arrow.to)];
    for (let i = 0; i + 1 < chain.length; ++i) {
      const [upper, lower] = chain[i].y < chain[i + 1].y ? [chain[i], chain[i + 1]] : [chain[i + 1], chain[i]];
      upper.down.push(lower);
      lower.up.push(upper);
    }
  }
  const rows = byKey([...items.values(), ...[...lanes.values()].flat()], ({ y }) => Math.round(y));
  for (const row of rows.values()) {
    const height = row.reduce((most, each) => Math.max(most, each.isBox ? each.height : each.isLabel ? 14 : 0), 0);
    for (const item of row) Object.assign(item, { row: height, height: item.isBox ? item.height : height });
  }
  const sorted = [...rows].sort((a, b) => a[0] - b[0]).map(([, row]) => row.sort((a, b) => a.x - b.x));
  for (const direction of SWEEPS) (direction > 0 ? sorted : [...sorted].reverse()).forEach((row) => place(row, direction));
  return { itemOf, items, lanes };
};

/** Places a row below those above it, or above those below it: each item at the neighbor that is nearest to the main path, if there is room.
 * Ports follow the boxes, and lanes to and from the main path stay beside it.
 * @param {Spot[]} row
 * @param {number} direction
 */
const place = (row, direction) => {
  /** @param {Spot} item */
  const wanted = (item) => {
    if (item.isMain || direction === 0) return 0;
    const next = (direction > 0 ? item.up : item.down).filter(({ isMain, isLoose }) => (item.isBox ? item.isLoose || !isLoose : !isMain));
    return next.length ? next.reduce((best, { x }) => (Math.abs(x) < Math.abs(best) ? x : best), Infinity) : item.x;
  };
  const main = row.findIndex(({ isMain }) => isMain);
  const pivot = main < 0 ? row.length >> 1 : main;
  row[pivot].x = wanted(row[pivot]);
  for (let i = pivot + 1; i < row.length; ++i) row[i].x = Math.max(wanted(row[i]), row[i - 1].x + row[i - 1].right + GAP + row[i].left);
  for (let i = pivot - 1; i >= 0; --i) row[i].x = Math.min(wanted(row[i]), row[i + 1].x - row[i + 1].left - GAP - row[i].right);
};

/** Where an arrow from or to `towards` meets the border of a box.
 * @param {Spot} given
 * @param {Point} towards
 */
const border = ({ x, y, left, right, height }, towards) => {
  const inset = Math.min(8, (left + right) / 2);
  return { x: Math.min(Math.max(towards.x, x - left + inset), x + right - inset), y: y + (towards.y > y ? height : -height) / 2 };
};
