// A small picture of the whole scene that shows the visible part.

import { svg, whileDown } from "./elements.js";

export class Minimap {
  /** A click calls `goTo({ x, y })` with a point of the scene. */
  constructor(goTo) {
    this.boxes = svg("g");
    this.window = svg("rect", { class: "window" });
    this.element = svg(
      "svg",
      { class: "minimap", "aria-label": "overview", onpointerdown: (event) => this.follow(event, goTo) },
      this.boxes,
      this.window,
    );
  }

  draw(scene) {
    const { width, height } = scene.size;
    this.element.setAttribute("viewBox", `0 0 ${Math.max(width, 1)} ${Math.max(height, 1)}`);
    this.boxes.replaceChildren(
      ...[...scene.places].map(([box, { x, y, width: w, height: h }]) =>
        svg("rect", { class: `${box.kind}${scene.folding.isOpen(box) ? " open" : ""}`, x, y, width: w, height: h }),
      ),
    );
  }

  show({ x, y, width, height }) {
    for (const [name, value] of Object.entries({ x, y, width, height })) this.window.setAttribute(name, value);
  }

  follow(event, goTo) {
    const move = (at) => {
      const point = new DOMPoint(at.clientX, at.clientY).matrixTransform(this.element.getScreenCTM().inverse());
      goTo({ x: point.x, y: point.y });
    };
    whileDown(event, move);
    event.preventDefault();
    move(event);
  }
}
