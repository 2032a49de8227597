// The visible part of the program as shapes: nested boxes and arrows.

import { curve } from "../../../generator/text/curve.js";
import { HEADER, isOfNumbers, LINE, portText, shortened } from "./layout.js";
import { categoryOf, linesOf } from "./program.js";
import { shape } from "./shape.js";

const EDGE = 8; // of a picture in a file

/** @param {{ values: Set<Value> }} given */
const arrowTitle = ({ values }) =>
  values.size === 0
    ? "runs"
    : [...values]
        .slice(0, 20)
        .map((value) => `${value.name}: ${value.type}`)
        .join("\n");

/** The triangle at the end of an arrow. It has no transform, which would slow down the movement of large graphs.
 * @param {Point} before
 * @param {Point} end
 */
const tip = (before, end) => {
  const length = Math.hypot(end.x - before.x, end.y - before.y) || 1;
  const [x, y] = [(end.x - before.x) / length, (end.y - before.y) / length];
  /**
   * @param {number} along
   * @param {number} aside
   */
  const at = (along, aside) => `${(end.x + along * x - aside * y).toFixed(1)} ${(end.y + along * y + aside * x).toFixed(1)}`;
  return `M${at(-7, -4)}L${at(1, 0)}L${at(-7, 4)}z`;
};

export class Scene {
  /** Draws everything; lays out only what changed. `folding`: what is visible. In a page, the triangle of a group calls its
   * `toggle(group)`, and those of a stack, `walk(steps, stack)`.
   * @param {Group} root
   * @param {Folding & { toggle?(group: Group): void, walk?(steps: number, stack: Group): void }} folding
   */
  constructor(root, folding) {
    this.folding = folding;
    /** @type {Map<Box, Place>} */
    this.places = new Map(); // in the scene
    /** @type {Map<Box, Shape>} */
    this.shapes = new Map();
    /** @type {{ arrow: Arrow, drawn: Shape, label: Shape | null }[]} */
    this.arrows = [];
    const { width, height } = folding.layouts.of(root);
    this.place = { x: 0, y: 0, width, height };
    this.picture = { x: -EDGE, y: -EDGE, width: width + 2 * EDGE, height: height + 2 * EDGE };
    this.content = this.inside(root, 0, 0);
  }

  /**
   * @param {Group} group
   * @param {number} left
   * @param {number} top
   */
  inside(group, left, top) {
    const { boxes, arrows } = this.folding.layouts.of(group);
    const lines = arrows.map(({ arrow, points, isShared, text, textWidth, x: textX, y: textY }) => {
      const kind = arrow.values.size === 0 ? "arrow runs" : isShared ? "arrow shared" : isOfNumbers(arrow) ? "arrow numbers" : "arrow";
      // No marker: it would not follow the arrow's color, and some programs turn it otherwise.
      const drawn = shape(
        "g",
        { class: kind },
        shape("title", {}, arrowTitle(arrow)),
        shape("path", { d: isShared ? `M${points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}` : curve(points) }),
        shape("path", { class: "tip", d: tip(points[points.length - 2], points[points.length - 1]) }),
      );
      // An arrow drawn behind its label would strike it out.
      const behind = shape("rect", { class: "behind-label", x: textX - textWidth / 2, y: textY - 7, width: textWidth, height: 14 });
      const words = shape("text", { class: "label", x: textX, y: textY + 3.5, "text-anchor": "middle" }, text);
      return { arrow, drawn, label: text ? shape("g", {}, behind, words) : null };
    });
    this.arrows.push(...lines);
    return [
      ...lines.map(({ drawn }) => drawn),
      ...lines.flatMap(({ label }) => label ?? []),
      ...boxes.map((place) => this.box(place, left, top)),
    ];
  }

  /**
   * @param {BoxLayout} given
   * @param {number} left
   * @param {number} top
   */
  box({ box, x, y, width, height }, left, top) {
    if (box.isPort) return this.port(box, x, y, width, height);
    this.places.set(box, { x: left + x, y: top + y, width, height });
    const open = box.isGroup && this.folding.isOpen(box) ? box : null;
    const category = box.kind === "operation" && box.label ? categoryOf(box.label) : "";
    const attributes = {
      class: ["box", box.kind, category, open && "open"].filter(Boolean).join(" "),
      transform: `translate(${x} ${y})`,
      "data-name": box.name,
      "data-kind": box.kind,
    };
    const rect = shape("rect", { width, height, rx: box.kind === "input" || box.kind === "output" ? height / 2 : 5 });
    const sheets = [3, 6].map((at) => `M${at} ${height + at - 3}v3h${width}v${-height}h-3`);
    const drawn = shape(
      "g",
      attributes,
      shape("title", {}, `${box.name}\n${box.label}`),
      rect,
      box.members && !open ? shape("path", { class: "sheets", d: sheets.join("") }) : null,
      open ? this.header(box, width) : this.lines(box, height),
      box.isGroup ? this.triangles(box, open !== null, width) : null,
    );
    if (open) {
      const { width: inner } = this.folding.layouts.of(open);
      const [dx, dy] = [(width - inner) / 2, HEADER];
      drawn.children.push(shape("g", { transform: `translate(${dx} ${dy})` }, this.inside(open, left + x + dx, top + y + dy)));
    }
    drawn.box = box;
    this.shapes.set(box, drawn);
    return drawn;
  }

  /**
   * @param {Port} port
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   */
  port(port, x, y, width, height) {
    const drawn = shape(
      "g",
      { class: `port ${port.kind}`, transform: `translate(${x} ${y})` },
      shape("title", {}, arrowTitle({ values: new Set(port.outputs) })),
      shape("rect", { width, height, rx: 9 }),
      shape("text", { x: width / 2, y: 12.5, "text-anchor": "middle" }, portText(port)),
    );
    this.shapes.set(port, drawn);
    // A click goes to the producer or the consumer of the value.
    const [{ producer, users }] = port.outputs;
    drawn.box = port.kind === "in" ? producer : (users.find((user) => !this.places.has(user)) ?? null);
    return drawn;
  }

  /**
   * @param {Box} box
   * @param {number} width
   */
  header(box, width) {
    const [name, more] = linesOf(box);
    const texts = [shape("tspan", { class: "name" }, shortened(name)), shape("tspan", { class: "more", dx: 8 }, shortened(more))];
    return [shape("path", { class: "bar", d: `M0 ${HEADER - 6}H${width}` }), shape("text", { x: 26, y: 17 }, texts)];
  }

  /**
   * @param {Box} box
   * @param {number} height
   */
  lines(box, height) {
    const [name, ...more] = linesOf(box).map((line) => shortened(line));
    const x = box.isGroup ? 26 : 11;
    return [
      shape("text", { class: "name", x, y: more.length ? 17 : height / 2 + 4 }, name),
      ...more.map((line, i) => shape("text", { class: "more", x, y: 17 + LINE * (i + 1) }, line)),
    ];
  }

  /**
   * @param {Group} box
   * @param {boolean} isOpen
   * @param {number} width
   */
  triangles(box, isOpen, width) {
    /** @param {Event} event */
    const stop = (event) => event.stopPropagation();
    /**
     * @param {string} label
     * @param {number} x
     * @param {string} d
     * @param {() => void} act
     */
    const triangle = (label, x, d, act) =>
      shape(
        "g",
        {
          class: "triangle",
          role: "button",
          "aria-label": label,
          transform: x ? `translate(${x} 0)` : undefined,
          onpointerdown: stop,
          ondblclick: stop,
          onclick: (event) => {
            stop(event);
            act();
          },
        },
        shape("title", {}, label),
        shape("rect", { class: "target", width: 24, height: 26 }),
        shape("path", { d }),
      );
    const toggle = triangle(isOpen ? "fold" : "unfold", 0, isOpen ? "M8 10L18 10L13 17Z" : "M9 8L16 13L9 18Z", () =>
      this.folding.toggle?.(box),
    );
    if (!box.members || !isOpen) return [toggle];
    return [
      toggle,
      triangle("previous (,)", width - 50, "M16 8L9 13L16 18Z", () => this.folding.walk?.(-1, box)),
      triangle("next (.)", width - 26, "M9 8L16 13L9 18Z", () => this.folding.walk?.(1, box)),
    ];
  }
}
