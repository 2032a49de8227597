// Creates elements. Text from the program becomes text nodes or attribute values, never markup.

import { FONTS } from "./shape.js";

export const fill = (element, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
};

/** Calls `move` with the events of the pointer that `event` pressed, and `end` once it is released. */
export const whileDown = (event, move, end = () => {}) => {
  const released = new AbortController();
  const own = (call) => (next) => next.pointerId === event.pointerId && call(next);
  const stop = own(() => {
    released.abort();
    end();
  });
  for (const [name, call] of [
    ["pointermove", own(move)],
    ["pointerup", stop],
    ["pointercancel", stop],
  ])
    window.addEventListener(name, call, released);
};

export const html = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
export const svg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

/** The boxes that a click on an element chooses: null for none. */
export const boxes = new WeakMap();

/** An element that shows a shape, from now on also after turn(). */
export const elementOf = (shape) => {
  const { tag, classes, attributes, children, fill: color, box } = shape;
  const names = { class: classes.size ? [...classes].join(" ") : undefined };
  shape.element = svg(tag, { ...names, ...attributes }, ...children.map((child) => (typeof child === "string" ? child : elementOf(child))));
  if (color) shape.element.style.fill = color;
  if (box !== undefined) boxes.set(shape.element, box);
  return shape.element;
};

/** The width of text in a font of FONTS. */
export const measured = (() => {
  let context;
  return (text, font) => {
    context ??= document.createElement("canvas").getContext("2d");
    context.font = FONTS[font];
    return context.measureText(text).width;
  };
})();
