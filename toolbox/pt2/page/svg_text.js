// A picture as the text of an SVG file, which other programs than browsers can read, too.

import { shape } from "./shape.js";
import { lookOf, readStyle } from "./style.js";

const FONT_NAMES = "system-ui, sans-serif, DejaVu Sans, Arial"; // resvg has no sans-serif by itself

/** @type {{ [letter: string]: string }} */
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
/** @param {string} text */
const escaped = (text) =>
  text.replace(/[&<>"]/g, (letter) => ENTITIES[letter]).replace(/[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd");

/** `lineage`: the shapes around the one to write, and this.
 * @param {Shape[]} lineage
 * @param {Parameters<typeof lookOf>[1]} style
 * @param {string} outerColor
 * @returns {string}
 */
const textOf = (lineage, style, outerColor) => {
  const { tag, attributes: own, children } = lineage[lineage.length - 1];
  const { attributes, color } = lookOf(lineage, style, outerColor);
  // Roles and listeners are for pages.
  const isKept = (/** @type {[string, unknown]} */ [name, value]) =>
    value !== undefined && typeof value !== "function" && !/^(role|aria-.*)$/.test(name);
  const all = Object.entries({ ...own, ...attributes }).filter(isKept);
  const start = `${tag}${all.map(([name, value]) => ` ${name}="${escaped(String(value))}"`).join("")}`;
  const inner = children.map((child) => (typeof child === "string" ? escaped(child) : textOf([...lineage, child], style, color)));
  return `<${start}>${inner.join("")}</${tag}>`;
};

/** An SVG file with `place`, a rectangle of a picture. `css` is the text of page.css.
 * @param {Shape[]} shapes
 * @param {Place} given
 * @param {string} css
 * @param {boolean} isDark
 */
export const svgText = (shapes, { x, y, width, height }, css, isDark) => {
  const { rules, light, dark } = readStyle(css);
  const colors = isDark ? dark : light;
  const ground = shape("rect", { x, y, width, height, fill: colors["--back"] });
  const attributes = {
    xmlns: "http://www.w3.org/2000/svg",
    viewBox: `${x} ${y} ${width} ${height}`,
    width,
    height,
    "font-family": FONT_NAMES,
  };
  return textOf([shape("svg", { class: "graph", ...attributes }, ground, ...shapes)], { rules, colors }, colors["--text"]);
};
