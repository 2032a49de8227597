// Positions of boxes and arrows: dagre lays out each unfolded group separately, from the inside out. Lengths are in pixels.

const HEADER = 30; // of an unfolded group
const LINE = 15; // below the first one of a box
const EDGE = 2; // around boxes and arrows
const MARGIN = 12; // inside an unfolded group
const FONTS = { name: "bold 12px system-ui, sans-serif", more: "11px system-ui, sans-serif", label: "10px system-ui, sans-serif" };
const MOST_LETTERS = 44;
const MANY_NUMBERS = 4; // arrows of numbers from one box; more are shown only if the box is selected

const measure = (() => {
  const context = document.createElement("canvas").getContext("2d");
  return (text, font) => {
    context.font = FONTS[font];
    return context.measureText(text).width;
  };
})();

/** Cuts text at its end to fit. */
const shortened = (text, most = MOST_LETTERS) => (text.length <= most ? text : text.slice(0, most - 1) + "\u2026");

const portText = ({ values }) => (values.length === 1 ? `${shortened(values[0].name, 24)} ${shortened(values[0].type, 24)}` : `${values.length} values`);

/** Whether an arrow carries only numbers, mostly sizes, which go everywhere. */
const isOfNumbers = ({ values }) => values.size > 0 && [...values].every(isNumber);

/** The label of an arrow; arrows of weights and ports need none. */
const arrowText = (arrow) => {
  const { from, to, values } = arrow;
  if (from.isPort || to.isPort || from.kind === "weight" || values.size === 0 || isOfNumbers(arrow)) return "";
  const types = [...new Set([...values].map((value) => value.type))];
  if (types.length > 1) return `${values.size} values`;
  return types[0] === "" ? "" : shortened(values.size === 1 ? types[0] : `${values.size} \u00d7 ${types[0]}`);
};

class Layouts {
  /** `isOpen(group)`: whether it is unfolded. `shown(stack)`: its visible member. */
  constructor(isOpen, shown) {
    Object.assign(this, { isOpen, shown });
    this.made = new Map();
  }

  /** Call it after folding or unfolding `group`. */
  forget(group) {
    for (const each of [...group.path, group]) this.made.delete(each);
  }

  of(group) {
    if (!this.made.has(group)) this.made.set(group, this.lay(levelOf(group, this.shown(group))));
    return this.made.get(group);
  }

  size(box) {
    if (box.isPort) return { width: measure(portText(box), "label") + 14, height: 18 };
    const [name, ...more] = linesOf(box).map((line) => shortened(line));
    if (box.isGroup && this.isOpen(box)) {
      const { width, height } = this.of(box);
      const header = measure(name, "name") + measure(more[0], "more") + (box.members ? 80 : 32);
      return { width: Math.max(width, header) + 2 * MARGIN, height: height + HEADER + MARGIN };
    }
    const width = Math.max(measure(name, "name"), ...more.map((line) => measure(line, "more")), 40) + (box.isGroup ? 15 : 0);
    return { width: width + 22, height: more.length ? 25 + LINE * more.length : 28 };
  }

  lay(level) {
    const graph = new dagre.graphlib.Graph();
    graph.setGraph({ rankdir: "TB", nodesep: 16, edgesep: 12, ranksep: 22 });
    for (const box of [...level.boxes, ...level.ports]) graph.setNode(box.id, this.size(box));
    const isFar = farArrows(level);
    for (const arrow of level.arrows.values()) {
      if (isFar.has(arrow)) continue;
      const text = arrowText(arrow);
      const label = text ? { width: measure(text, "label") + 8, height: 14, labelpos: "c" } : { width: 0, height: 0 };
      graph.setEdge(arrow.from.id, arrow.to.id, { ...label, weight: isOfNumbers(arrow) ? 0 : arrow.from.kind === "weight" ? 1 : 4 });
    }
    dagre.layout(graph);
    const placed = (box) => ({ box, ...rectangle(graph.node(box.id)) });
    const boxes = [...level.boxes, ...level.ports].map(placed);
    const arrows = [...level.arrows.values()].map((arrow) => {
      if (isFar.has(arrow)) return { arrow, points: straight(graph.node(arrow.from.id), graph.node(arrow.to.id)), text: "", isFar: true };
      const { points, x, y } = graph.edge(arrow.from.id, arrow.to.id);
      return { arrow, points, text: arrowText(arrow), x, y };
    });
    return fitted(boxes, arrows);
  }
}

/** Arrows of numbers that fan out: they would take most of the space in the layout. */
const farArrows = (level) => {
  const bySource = new Map();
  for (const arrow of level.arrows.values()) {
    if (isOfNumbers(arrow)) bySource.set(arrow.from, [...(bySource.get(arrow.from) ?? []), arrow]);
  }
  return new Set([...bySource.values()].filter((arrows) => arrows.length > MANY_NUMBERS).flat());
};

/** Moves what dagre laid out to the origin. Its own size leaves out arrows that pass beside the boxes. */
const fitted = (boxes, arrows) => {
  const labels = arrows.filter(({ text }) => text).flatMap(({ text, x, y }) => [-1, 1].map((side) => ({ x: x + side * (measure(text, "label") / 2 + 3), y })));
  const points = [...boxes.flatMap(({ x, y, width, height }) => [{ x, y }, { x: x + width, y: y + height }]), ...arrows.flatMap((arrow) => arrow.points), ...labels];
  const extent = (axis) => points.reduce(([least, most], { [axis]: at }) => [Math.min(least, at), Math.max(most, at)], [Infinity, -Infinity]);
  if (points.length === 0) return { boxes, arrows, width: 0, height: 0 };
  const [[left, right], [top, bottom]] = [extent("x"), extent("y")];
  const moved = (at) => ({ ...at, x: at.x - left + EDGE, y: at.y - top + EDGE });
  return { boxes: boxes.map(moved), arrows: arrows.map((arrow) => ({ ...moved(arrow), points: arrow.points.map(moved) })),
           width: right - left + 2 * EDGE, height: bottom - top + 2 * EDGE };
};

const straight = (from, to) => [{ x: from.x, y: from.y + from.height / 2 }, { x: to.x, y: to.y - to.height / 2 }];

/** Converts dagre's center of a box to its upper left corner. */
const rectangle = ({ x, y, width, height }) => ({ x: x - width / 2, y: y - height / 2, width, height });
