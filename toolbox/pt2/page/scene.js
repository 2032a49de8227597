// The visible part of the program as SVG: nested boxes and arrows.

import { curve } from "../../../generator/text/curve.js";
import { svg } from "./elements.js";
import { HEADER, isOfNumbers, Layouts, LINE, measure, portText, shortened } from "./layout.js";
import { categoryOf, linesOf } from "./program.js";

const arrowTitle = ({ values }) =>
  values.size === 0
    ? "runs"
    : [...values]
        .slice(0, 20)
        .map((value) => `${value.name}: ${value.type}`)
        .join("\n");

/** The triangle at the end of an arrow. It has no transform, which would slow down the movement of large graphs. */
const tip = (before, end) => {
  const length = Math.hypot(end.x - before.x, end.y - before.y) || 1;
  const [x, y] = [(end.x - before.x) / length, (end.y - before.y) / length];
  const at = (along, aside) => `${(end.x + along * x - aside * y).toFixed(1)} ${(end.y + along * y + aside * x).toFixed(1)}`;
  return `M${at(-7, -4)}L${at(1, 0)}L${at(-7, 4)}z`;
};

export class Scene {
  /** `isOpen(group)`: whether it is unfolded. Its triangle calls `toggle(group)`. `shown(stack)`: its visible member; the triangles of
   * a stack call `walk(stack, steps)`.
   */
  constructor(root, { isOpen, toggle, shown, walk }) {
    Object.assign(this, { root, isOpen, toggle, walk });
    this.layouts = new Layouts(isOpen, shown);
    this.element = svg("g", { class: "scene" });
  }

  /** Redraws everything; lays out only what changed. */
  draw() {
    this.places = new Map(); // of boxes, in the scene
    this.shapes = new Map(); // elements by box and port
    this.arrows = []; // { arrow, element }
    const { width, height } = this.layouts.of(this.root);
    this.size = { width, height };
    this.element.replaceChildren(...this.inside(this.root, 0, 0));
  }

  inside(group, left, top) {
    const { boxes, arrows } = this.layouts.of(group);
    const drawn = arrows.map(({ arrow, points, isShared, text, x: textX, y: textY }) => {
      const kind = arrow.values.size === 0 ? "arrow runs" : isShared ? "arrow shared" : isOfNumbers(arrow) ? "arrow numbers" : "arrow";
      // No marker: it would not follow the arrow's color, and some programs turn it otherwise.
      const element = svg(
        "g",
        { class: kind },
        svg("title", {}, arrowTitle(arrow)),
        svg("path", { d: isShared ? `M${points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}` : curve(points) }),
        svg("path", { class: "tip", d: tip(...points.slice(-2)) }),
      );
      const textWidth = text ? measure(text, "label") + 6 : 0;
      // An arrow drawn behind its label would strike it out.
      const label = text
        ? svg(
            "g",
            {},
            svg("rect", { class: "behind-label", x: textX - textWidth / 2, y: textY - 7, width: textWidth, height: 14 }),
            svg("text", { class: "label", x: textX, y: textY + 3.5, "text-anchor": "middle" }, text),
          )
        : null;
      this.arrows.push({ arrow, element, label });
      return { element, label };
    });
    return [
      ...drawn.map(({ element }) => element),
      ...drawn.flatMap(({ label }) => label ?? []),
      ...boxes.map((place) => this.box(place, left, top)),
    ];
  }

  box({ box, x, y, width, height }, left, top) {
    if (box.isPort) return this.port(box, x, y, width, height);
    this.places.set(box, { x: left + x, y: top + y, width, height });
    const isOpen = box.isGroup && this.isOpen(box);
    const attributes = {
      class: ["box", box.kind, box.kind === "operation" && categoryOf(box.label), isOpen && "open"].filter(Boolean).join(" "),
      transform: `translate(${x} ${y})`,
      "data-name": box.name,
      "data-kind": box.kind,
    };
    const rect = svg("rect", { width, height, rx: box.kind === "input" || box.kind === "output" ? height / 2 : 5 });
    const sheets =
      box.members && !isOpen
        ? svg("path", { class: "sheets", d: [3, 6].map((at) => `M${at} ${height + at - 3}v3h${width}v${-height}h-3`).join("") })
        : null;
    const shape = svg(
      "g",
      attributes,
      svg("title", {}, `${box.name}\n${box.isGroup ? box.type : box.label}`),
      rect,
      sheets,
      isOpen ? this.header(box, width) : this.lines(box, height),
      box.isGroup ? this.triangles(box, isOpen, width) : null,
    );
    if (isOpen) {
      const { width: inner } = this.layouts.of(box);
      const [dx, dy] = [(width - inner) / 2, HEADER];
      shape.append(svg("g", { transform: `translate(${dx} ${dy})` }, this.inside(box, left + x + dx, top + y + dy)));
    }
    shape.__box = box;
    this.shapes.set(box, shape);
    return shape;
  }

  port(port, x, y, width, height) {
    const shape = svg(
      "g",
      { class: `port ${port.direction}`, transform: `translate(${x} ${y})` },
      svg("title", {}, arrowTitle({ values: new Set(port.values) })),
      svg("rect", { width, height, rx: 9 }),
      svg("text", { x: width / 2, y: 12.5, "text-anchor": "middle" }, portText(port)),
    );
    this.shapes.set(port, shape);
    // A click goes to the producer or the consumer of the value.
    shape.__box = port.direction === "in" ? port.values[0].producer : (port.values[0].users.find((user) => !this.places.has(user)) ?? null);
    return shape;
  }

  header(box, width) {
    const [name, more] = linesOf(box);
    const texts = [svg("tspan", { class: "name" }, shortened(name)), svg("tspan", { class: "more", dx: 8 }, shortened(more))];
    return [svg("path", { class: "bar", d: `M0 ${HEADER - 6}H${width}` }), svg("text", { x: 26, y: 17 }, texts)];
  }

  lines(box, height) {
    const [name, ...more] = linesOf(box).map((line) => shortened(line));
    const x = box.isGroup ? 26 : 11;
    return [
      svg("text", { class: "name", x, y: more.length ? 17 : height / 2 + 4 }, name),
      ...more.map((line, i) => svg("text", { class: "more", x, y: 17 + LINE * (i + 1) }, line)),
    ];
  }

  triangles(box, isOpen, width) {
    const stop = (event) => event.stopPropagation();
    const triangle = (label, x, d, act) =>
      svg(
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
        svg("title", {}, label),
        svg("rect", { class: "target", width: 24, height: 26 }),
        svg("path", { d }),
      );
    const toggle = triangle(isOpen ? "fold" : "unfold", 0, isOpen ? "M8 10L18 10L13 17Z" : "M9 8L16 13L9 18Z", () => this.toggle(box));
    if (!box.members || !isOpen) return [toggle];
    return [
      toggle,
      triangle("previous (,)", width - 50, "M16 8L9 13L16 18Z", () => this.walk(box, -1)),
      triangle("next (.)", width - 26, "M9 8L16 13L9 18Z", () => this.walk(box, 1)),
    ];
  }
}
