// Positions of boxes and arrows: dagre lays out each unfolded group separately, from the inside out. Lengths are in pixels.

import { makersOf } from "./flow.js";
import { levelOf } from "./level.js";
import { isNumber, linesOf } from "./program.js";

export const HEADER = 30; // of an unfolded group
export const LINE = 15; // below the first one of a box
const EDGE = 2; // around boxes and arrows
const MARGIN = 12; // inside an unfolded group
const MOST_LETTERS = 44;
// Arrows from one box that are drawn as one line: more numbers than these, or as many arrows that pass more rows.
const MANY_NUMBERS = 4;
const MANY_FAR = 3;
const NEAR = 2;

/** Cuts text at its end to fit. */
export const shortened = (text, most = MOST_LETTERS) => (text.length <= most ? text : text.slice(0, most - 1) + "\u2026");

export const portText = ({ values }) =>
  values.length === 1
    ? `${shortened(values[0].name, 24)} ${shortened(values[0].type, 24)}`
    : shortened(values.map(({ name }) => name).join(", "), 36);

/** Whether an arrow carries only numbers, mostly sizes, which go everywhere. */
export const isOfNumbers = ({ values }) => values.size > 0 && [...values].every(isNumber);

/** The label of an arrow; arrows of weights and ports need none. */
const arrowText = (arrow) => {
  const { from, to, values } = arrow;
  if (from.isPort || to.isPort || from.kind === "weight" || values.size === 0 || isOfNumbers(arrow)) return "";
  const types = [...new Set([...values].map((value) => value.type))];
  if (types.length > 1) return `${values.size} values`;
  return types[0] === "" ? "" : shortened(values.size === 1 ? types[0] : `${values.size} \u00d7 ${types[0]}`);
};

export class Layouts {
  /** `folding`: what is visible, a Folding. `measure(text, font)`: the width of text in a font of FONTS. */
  constructor(folding, measure) {
    this.folding = folding;
    this.measure = measure;
    this.made = new Map();
  }

  /** Call it after folding or unfolding `group`. */
  forget(group) {
    for (const each of [...group.path, group]) this.made.delete(each);
  }

  of(group) {
    if (!this.made.has(group)) this.made.set(group, this.lay(levelOf(group, this.folding.shown(group))));
    return this.made.get(group);
  }

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

  lay(level) {
    const graph = new dagre.graphlib.Graph();
    graph.setGraph({ rankdir: "TB", nodesep: 16, edgesep: 12, ranksep: 22 });
    const shared = sharedArrows(level);
    const isShared = new Set([...shared.values()].flat());
    const ends = new Map(
      [...shared].map(([to, arrows]) => [
        to,
        { id: `far ${to.id}`, isPort: true, direction: "in", values: [...new Set(arrows.flatMap(({ values }) => [...values]))] },
      ]),
    );
    const boxes = [...level.boxes, ...level.ports, ...ends.values()];
    for (const box of boxes) graph.setNode(box.id, this.size(box));
    const near = [
      ...[...level.arrows.values()].filter((arrow) => !isShared.has(arrow)),
      ...[...ends].map(([to, from]) => ({ from, to, values: new Set(from.values) })),
    ];
    const labels = new Map();
    for (const arrow of near) {
      const text = arrowText(arrow);
      const textWidth = text ? this.measure(text, "label") + 6 : 0;
      labels.set(arrow, { text, textWidth });
      const label = text ? { width: textWidth + 2, height: 14, labelpos: "c" } : { width: 0, height: 0 };
      graph.setEdge(arrow.from.id, arrow.to.id, { ...label, weight: isOfNumbers(arrow) ? 0 : arrow.from.kind === "weight" ? 1 : 4 });
    }
    dagre.layout(graph);
    const { items, lanes } = straightened(graph, boxes, near);
    const places = [...items].map(([box, item]) => ({
      box,
      x: item.x - item.left,
      y: item.y - item.height / 2,
      width: item.left + item.right,
      height: item.height,
    }));
    const arrows = near.map((arrow) => {
      const [from, to] = [arrow.from, arrow.to].map((box) => items.get(box));
      const lane = lanes.get(arrow);
      const { x, y } = lane.find(({ isLabel }) => isLabel) ?? lane[0];
      const points = lane.flatMap((at) =>
        [-1, 1].map((side) => ({ x: at.x, y: at.y + (side * (from.y < to.y ? 1 : -1) * at.height) / 2 })),
      );
      return { arrow, points: [border(from, lane[0]), ...points, border(to, lane[lane.length - 1])], ...labels.get(arrow), x, y };
    });
    const right = [...items.values(), ...[...lanes.values()].flat()].reduce((most, item) => Math.max(most, item.x + item.right), 0);
    const sources = [...new Set([...isShared].map(({ from }) => from))];
    const lines = [...isShared].map((arrow) => {
      const [from, to, side] = [items.get(arrow.from), items.get(ends.get(arrow.to)), right + GAP + 6 * sources.indexOf(arrow.from)];
      const [start, end] = [from.x + from.right - Math.min(8, from.right), from.y + from.row / 2 + 4];
      const above = to.y - to.row / 2 - 4;
      const points = [
        [start, from.y + from.height / 2],
        [start, end],
        [side, end],
        [side, above],
        [to.x, above],
        [to.x, to.y - to.height / 2],
      ].map(([x, y]) => ({ x, y }));
      return { arrow, points, text: "", isShared: true };
    });
    return fitted(places, [...arrows, ...lines]);
  }
}

/** The arrows of a value that is read far away more than once, or of a number that goes everywhere: by reader. They are drawn as one line
 * beside the boxes, to a port next to each reader.
 */
const sharedArrows = (level) => {
  const [first, last] = [new Map(), new Map()]; // rows where boxes can be
  const rank = (box) => first.get(box) ?? 0;
  const bySource = new Map();
  for (const arrow of level.arrows.values()) {
    const { from, to } = arrow;
    first.set(to, Math.max(rank(to), rank(from) + 1));
    bySource.set(from, [...(bySource.get(from) ?? []), arrow]);
  }
  const lastRank = (box) => last.get(box) ?? rank(box);
  for (const { from, to } of [...level.arrows.values()].reverse()) last.set(from, Math.min(last.get(from) ?? Infinity, lastRank(to) - 1));
  const distance = ({ from, to }) => lastRank(to) - rank(from);
  const shared = new Map();
  for (const arrows of bySource.values()) {
    const numbers = arrows.filter(isOfNumbers);
    const chosen =
      numbers.length > MANY_NUMBERS
        ? numbers
        : arrows.filter((each) => distance(each) > NEAR).length < MANY_FAR
          ? []
          : arrows.filter((each) => distance(each) > 1);
    for (const arrow of chosen) shared.set(arrow.to, [...(shared.get(arrow.to) ?? []), arrow]);
  }
  return shared;
};

/** Moves what is laid out, with the main path at x = 0, to the origin. */
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
  const extent = (axis) =>
    points.reduce(([least, most], { [axis]: at }) => [Math.min(least, at), Math.max(most, at)], [Infinity, -Infinity]);
  if (points.length === 0) return { boxes, arrows, width: 0, height: 0, axis: 0 };
  const [[left, right], [top, bottom]] = [extent("x"), extent("y")];
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

/** What a box adds to the main path, which is where most of the parameters are. */
const massOf = (box) => {
  if (box.kind === "weight") return 0;
  const weights = box.isGroup ? box.leaves : box.kind === "operation" ? makersOf(box) : [];
  return (box.mass ??=
    (box.isPort ? 0 : 1) +
    (box.isGroup ? box.leaves.length : 0) +
    100 * weights.filter(({ kind, label }) => kind === "weight" && label.startsWith("parameter")).length);
};

/** The heaviest path: [its boxes, its arrows]. */
const mainPath = (items, arrows) => {
  const into = new Map([...items.keys()].map((box) => [box, []]));
  for (const arrow of arrows)
    if (!isOfNumbers(arrow) && arrow.from.kind !== "weight" && items.get(arrow.from).y < items.get(arrow.to).y)
      into.get(arrow.to).push(arrow);
  const mass = new Map();
  const last = new Map(); // arrow by box
  let end;
  for (const [box] of [...items].sort((a, b) => a[1].y - b[1].y)) {
    const arrow = into
      .get(box)
      .reduce((best, each) => (best === undefined || mass.get(each.from) > mass.get(best.from) ? each : best), undefined);
    last.set(box, arrow);
    mass.set(box, massOf(box) + (arrow === undefined ? 0 : mass.get(arrow.from) + 0.01));
    if (end === undefined || mass.get(box) > mass.get(end)) end = box;
  }
  const [boxes, path] = [new Set(), new Set()];
  for (let box = end; box !== undefined; box = last.get(box)?.from) {
    boxes.add(box);
    if (last.get(box)) path.add(last.get(box));
  }
  return [boxes, path];
};

/** `items`: the places of boxes, where `x` is the axis, `left` and `right` are what is beside it, and `y` is the center. `lanes`: where each
 * arrow passes the rows between its boxes.
 */
const straightened = (graph, boxes, arrows) => {
  const items = new Map(
    boxes.map((box) => {
      const { x, y, width, height, axis = width / 2 } = graph.node(box.id);
      return [
        box,
        { x: x - width / 2 + axis, y, left: axis, right: width - axis, height, up: [], down: [], isBox: true, isLoose: box.isPort },
      ];
    }),
  );
  const [mainBoxes, mainArrows] = mainPath(items, arrows);
  for (const box of mainBoxes) items.get(box).isMain = true;
  const lanes = new Map(
    arrows.map((arrow) => {
      const { points, y: labelY, width } = graph.edge(arrow.from.id, arrow.to.id);
      return [
        arrow,
        points.slice(1, -1).map(({ x, y }) => {
          const isLabel = Math.abs(y - labelY) < 0.5;
          const half = isLabel ? width / 2 : 0;
          return {
            x,
            y,
            left: half,
            right: half,
            up: [],
            down: [],
            isLabel,
            isMain: mainArrows.has(arrow),
            isLoose: arrow.from.isPort || arrow.to.isPort,
          };
        }),
      ];
    }),
  );
  for (const [{ from, to }, lane] of lanes) {
    const chain = [items.get(from), ...lane, items.get(to)];
    for (let i = 0; i + 1 < chain.length; ++i) {
      const [upper, lower] = chain[i].y < chain[i + 1].y ? [chain[i], chain[i + 1]] : [chain[i + 1], chain[i]];
      upper.down.push(lower);
      lower.up.push(upper);
    }
  }
  const rows = new Map();
  for (const item of [...items.values(), ...[...lanes.values()].flat()]) {
    const key = Math.round(item.y);
    if (!rows.has(key)) rows.set(key, []);
    rows.get(key).push(item);
  }
  for (const row of rows.values()) {
    const height = row.reduce((most, { height: own, isLabel }) => Math.max(most, own ?? (isLabel ? 14 : 0)), 0);
    for (const item of row) Object.assign(item, { row: height, height: item.height ?? height });
  }
  const sorted = [...rows].sort((a, b) => a[0] - b[0]).map(([, row]) => row.sort((a, b) => a.x - b.x));
  for (const direction of SWEEPS) (direction > 0 ? sorted : [...sorted].reverse()).forEach((row) => place(row, direction));
  return { items, lanes };
};

/** Places a row below those above it, or above those below it: each item at the neighbor that is nearest to the main path, if there is room.
 * Ports follow the boxes, and lanes to and from the main path stay beside it.
 */
const place = (row, direction) => {
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

/** Where an arrow from or to `towards` meets the border of a box. */
const border = ({ x, y, left, right, height }, towards) => {
  const inset = Math.min(8, (left + right) / 2);
  return { x: Math.min(Math.max(towards.x, x - left + inset), x + right - inset), y: y + (towards.y > y ? height : -height) / 2 };
};
