// Creates elements. Text from the program becomes text nodes or attribute values, never markup.

import { FONTS } from "./shape.js";

/** Returns the element.
 * @template {Element} T
 * @param {T} element
 * @param {Attributes} attributes
 * @param {Content[]} children
 */
export const fill = (element, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
};

/** Calls `move` with the events of the pointer that `event` pressed, and `end` once it is released.
 * @param {PointerEvent} event
 * @param {(event: PointerEvent) => void} move
 * @param {() => void} [end]
 */
export const whileDown = (event, move, end = () => {}) => {
  const released = new AbortController();
  /** @type {(call: (event: PointerEvent) => void) => (next: PointerEvent) => void} */
  const own = (call) => (next) => {
    if (next.pointerId === event.pointerId) call(next);
  };
  const stop = own(() => {
    released.abort();
    end();
  });
  window.addEventListener("pointermove", own(move), released);
  window.addEventListener("pointerup", stop, released);
  window.addEventListener("pointercancel", stop, released);
};

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...Content} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export const html = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...Content} children
 * @returns {SVGElementTagNameMap[K]}
 */
export const svg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

/**
 * @param {Content} text
 * @param {Listener} onclick
 * @param {Attributes} [attributes]
 */
export const button = (text, onclick, attributes) => html("button", { type: "button", onclick, ...attributes }, text);

/** A hidden element that calls `use` with the files that the reader picks.
 * @param {Attributes} attributes
 * @param {(files: File[]) => void} use
 */
export const filePicker = (attributes, use) => {
  const onchange = () => {
    const files = [...(picker.files ?? [])];
    picker.value = ""; // so that the same file can be chosen again
    use(files);
  };
  /** @type {HTMLInputElement} */
  const picker = html("input", { type: "file", hidden: true, onchange, ...attributes });
  return picker;
};

/** Calls `use` with the files that the reader drops anywhere.
 * @param {(files: File[]) => void} use
 */
export const takeDrops = (use) => {
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    use([...(event.dataTransfer?.files ?? [])]);
  });
};

/**
 * The boxes that a click on an element chooses: null for none.
 * @type {WeakMap<EventTarget, Box | null>}
 */
export const boxes = new WeakMap();

/** An element that shows a shape, from now on also after setClass().
 * @param {Shape} shape
 * @returns {SVGElement}
 */
export const elementOf = (shape) => {
  const { tag, classes, attributes, children, fill: color, box } = shape;
  const names = { class: classes.size ? [...classes].join(" ") : undefined };
  const element = svg(tag, { ...names, ...attributes }, ...children.map((child) => (typeof child === "string" ? child : elementOf(child))));
  if (color) element.style.fill = color;
  if (box !== undefined) boxes.set(element, box);
  shape.element = element;
  return element;
};

/** @type {CanvasRenderingContext2D | undefined} */
let canvas;

/** @type {Measure} */
export const measured = (text, font) => {
  canvas ??= contextOf(document.createElement("canvas"));
  canvas.font = FONTS[font];
  return canvas.measureText(text).width;
};

/** @param {HTMLCanvasElement} canvas */
export const contextOf = (canvas) => /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
