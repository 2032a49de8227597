// A small picture of the whole scene that shows the visible part.

import { svg, whileDown } from "./elements.js";

export class Minimap {
  /** A click calls `goTo({ x, y })` with a point of the scene.
   * @param {(point: Point) => void} goTo
   */
  constructor(goTo) {
    this.boxes = svg("g");
    this.window = svg("rect", { class: "window" });
    this.element = svg(
      "svg",
      { class: "minimap", "aria-label": "overview" /** @param {Event} event */, onpointerdown: (event) => this.follow(event, goTo) },
      this.boxes,
      this.window,
    );
  }

  /** @param {Scene} scene */
  draw(scene) {
    const { width, height } = scene.place;
    this.element.setAttribute("viewBox", `0 0 ${Math.max(width, 1)} ${Math.max(height, 1)}`);
    const boxes = [...scene.places].map(([box, { x, y, width: w, height: h }]) =>
      svg("rect", { class: `${box.kind}${scene.folding.isOpen(box) ? " open" : ""}`, x, y, width: w, height: h }),
    );
    this.boxes.replaceChildren(...boxes);
  }

  /** @param {Place} given */
  show({ x, y, width, height }) {
    for (const [name, value] of Object.entries({ x, y, width, height })) this.window.setAttribute(name, String(value));
  }

  /**
   * @param {PointerEvent} event
   * @param {(point: Point) => void} goTo
   */
  follow(event, goTo) {
    /** @param {PointerEvent} at */
    const move = (at) => {
      const point = new DOMPoint(at.clientX, at.clientY).matrixTransform(this.element.getScreenCTM()?.inverse());
      goTo({ x: point.x, y: point.y });
    };
    whileDown(event, move);
    event.preventDefault();
    move(event);
  }
}
