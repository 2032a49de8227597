// The reader's own data on nodes and modules: numbers become colors, texts become groups of one color.

import { button, html } from "./elements.js";
import { grouped, shortNumber } from "./numbers.js";
import { countsOf } from "./program.js";
import { linkElement, list } from "./tables.js";

// Of texts; others share one.
const COLORS = ["#d92626", "#26d959", "#8b26d9", "#d9be26", "#26c1d9", "#d9268e", "#5cd926", "#2629d9", "#d95626", "#26d988"];
const TOP = 10;

/** Fields of a line of CSV (RFC 4180).
 * @param {string} line
 */
const fieldsOf = (line) =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain.trim());

/** @param {string} text */
const numberOrText = (text) => (text !== "" && Number.isFinite(Number(text)) ? Number(text) : text);

/** @param {string} text */
const readCsv = (text) => {
  const rows = text
    .split(/\r?\n/)
    .filter((line) => line.trim())
    .map(fieldsOf);
  const bad = rows.findIndex((row) => row.length < 2);
  if (bad >= 0) throw new Error(`row ${bad + 1}: expected a name and a value, got 1 field`);
  // A header names the columns; it is not a node, and its value is not a number where the others are.
  const hasHeader = rows.length > 1 && typeof numberOrText(rows[0][1]) === "string" && typeof numberOrText(rows[1][1]) === "number";
  return { title: hasHeader ? rows[0][1] : "", values: rows.slice(hasHeader ? 1 : 0).map(([name, value]) => [name, numberOrText(value)]) };
};

/** A plain object {name: value}, {title, values: {name: value}}, or Model Explorer's node data.
 * @param {string} text
 */
const readJson = (text) => {
  const data = JSON.parse(text);
  if (data === null || typeof data !== "object" || Array.isArray(data)) throw new Error("expected an object that maps nodes to values");
  const graphs = data.results ? [data] : Object.values(data).filter((graph) => graph?.results);
  if (graphs.length) {
    const values = graphs.flatMap(({ results }) =>
      Object.entries(results).map(([name, one]) => [name.slice(name.lastIndexOf("/") + 1), one?.value ?? one]),
    );
    return { title: "", values };
  }
  const values = data.values && typeof data.values === "object" ? data.values : data;
  return { title: typeof data.title === "string" ? data.title : "", values: Object.entries(values) };
};

/** { title, values: Map of name to number or text }. Throws Error.
 * @param {string} text
 * @param {string} file
 */
export const readOverlay = (text, file) => {
  if (/\0|^\ufffd/.test(text)) throw new Error("the file is not UTF-8; save it as UTF-8");
  const { title, values } = /^\s*\{/.test(text) ? readJson(text) : readCsv(text);
  for (const [name, value] of values) {
    if (typeof value !== "number" && typeof value !== "string")
      throw new Error(`${name}: expected a number or a string, got ${JSON.stringify(value)}`);
  }
  if (values.length === 0) throw new Error("the file contains no values");
  return { title: title || file, values: new Map(/** @type {[string, number | string][]} */ (values)) };
};

/** The data of one file, for the boxes of one program. */
export class Overlay {
  /**
   * @param {Program} program
   * @param {ReturnType<typeof readOverlay>} given
   */
  constructor(program, { title, values }) {
    this.program = program;
    this.title = title;
    this.combine = "sum";
    /** @type {Map<Box, number | string>} */
    this.own = new Map();
    /** @type {Map<string, Box>} */
    const boxes = new Map([...program.groups.slice(1), ...program.nodes].map((box) => [box.name, box]));
    this.missing = [...values.keys()].filter((name) => !boxes.has(name));
    for (const [name, value] of values) {
      const box = boxes.get(name);
      if (box) this.own.set(box, value);
    }
    const all = [...this.own.values()];
    const numbers = all.filter((value) => typeof value === "number");
    this.isNumbers = numbers.length === all.length;
    this.least = numbers.reduce((a, b) => Math.min(a, b), Infinity);
    this.most = numbers.reduce((a, b) => Math.max(a, b), -Infinity);
    this.counts = [...countsOf(all, String)].sort((a, b) => b[1] - a[1]); // of texts
    this.values = this.measured();
  }

  /** Modules without a value have the sum, or the largest, of those inside. */
  measured() {
    const values = new Map(this.own);
    for (const group of this.isNumbers ? this.program.groups : []) {
      const inner = group.leaves.flatMap((node) => this.own.get(node) ?? []).map(Number);
      if (this.own.has(group) || inner.length === 0) continue;
      const value = this.combine === "sum" ? inner.reduce((a, b) => a + b) : inner.reduce((a, b) => Math.max(a, b));
      values.set(group, value);
    }
    return values;
  }

  /** @param {number | string} value */
  colorOf(value) {
    if (!this.isNumbers) {
      const color = COLORS[this.counts.findIndex(([text]) => text === String(value))];
      return color ? `color-mix(in srgb, ${color} 45%, var(--back))` : "var(--line)";
    }
    const share = this.most > this.least ? (Number(value) - this.least) / (this.most - this.least) : 1;
    return `color-mix(in srgb, var(--mark) ${Math.round(5 + 50 * Math.min(Math.max(share, 0), 1))}%, var(--back))`;
  }

  /** Colors the boxes that are drawn.
   * @param {Scene} scene
   */
  paint(scene) {
    for (const [box, shape] of scene.shapes) {
      const value = this.values.get(box);
      if (value === undefined || scene.folding.isOpen(box)) continue;
      shape.classes.add("painted");
      for (const part of shape.children) {
        if (typeof part === "string") continue;
        if (part.tag === "rect") part.fill = this.colorOf(value);
        if (part.tag === "title") part.children.push(`\n${this.title}: ${value}`);
      }
    }
  }
}

/** The legend, with the largest values.
 * @param {Overlay} overlay
 * @param {Page} page
 */
export const legendOf = (overlay, page) => {
  const legend = html("section", { class: "overlay" });
  const draw = () => {
    const { title, missing, isNumbers } = overlay;
    const names = `${grouped(missing.length)} ${missing.length === 1 ? "name is" : "names are"}`;
    const hint = `${names} not in the program: ${missing.slice(0, 3).join(", ")}`;
    const parts = isNumbers ? numbers() : texts();
    if (missing.length > 0) parts.push(html("p", { class: "hint", title: missing.slice(0, 20).join("\n") }, hint));
    const remove = button("Remove", () => page.removeData());
    legend.replaceChildren(html("h2", {}, title, " ", remove), ...parts);
  };
  /** @param {number | string} value */
  const swatch = (value) => {
    const color = html("span", { class: "swatch" });
    color.style.background = overlay.colorOf(value);
    return color;
  };
  const numbers = () => {
    const { least, most, own, combine } = overlay;
    const swatches = Array.from({ length: 12 }, (_, i) => swatch(least + ((most - least) * i) / 11));
    const scale = html("p", { class: "scale" }, html("span", {}, shortNumber(least)), swatches, html("span", {}, shortNumber(most)));
    const change = () => {
      overlay.combine = select.value;
      overlay.values = overlay.measured();
      page.draw();
      draw();
    };
    const options = ["sum", "largest"].map((each) => html("option", { selected: each === combine }, each));
    const select = html("select", { "aria-label": "what modules show", onchange: change }, options);
    const top = [...own].sort((a, b) => Number(b[1]) - Number(a[1])).slice(0, TOP);
    const rows = list([`top ${top.length}`, "value"], top, ([box, value]) => [linkElement(box, box.name, page.choice), shortNumber(value)]);
    return [scale, html("p", {}, "modules show the ", select), rows];
  };
  const texts = () => [list(["value", "boxes"], overlay.counts, ([text, count]) => [[swatch(text), " ", text], grouped(count)])];
  draw();
  return legend;
};
