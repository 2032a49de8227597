// The weights of the program: a table to sort and filter.

import { button, html } from "./elements.js";
import { grouped } from "./numbers.js";
import { byKey } from "./program.js";
import { linkElement, list } from "./tables.js";

/** Elements of a type such as f32[2, 3]; null if a size is a symbol or the type is unknown.
 * @param {string} type
 */
export const elementsOf = (type) => {
  const [, sizes] = /\[(.*)\]/.exec(type) ?? [];
  if (sizes === undefined || !/^[\d, ]*$/.test(sizes)) return null;
  return sizes
    .split(",")
    .filter((size) => size.trim())
    .reduce((product, size) => product * Number(size), 1);
};

/** One row for each weight; `tied`: others with the same record and type.
 * @param {Program} program
 */
const weightRows = (program) => {
  const names = [...new Set([...program.weightNodes.keys(), ...program.weights.keys()])];
  const rows = names.map((name) => {
    const node = program.weightNodes.get(name);
    const weight = program.weights.get(name);
    const type = weight?.type ?? node?.outputs[0]?.type ?? "";
    const place = weight?.type === undefined ? "" : `${weight.record} ${weight.type}`;
    const kind = weight?.kind ?? node?.label.split(" ")[0] ?? "";
    return { name, node, kind, type, elements: elementsOf(type), bytes: weight?.bytes ?? null, place };
  });
  const byPlace = byKey(rows, ({ place }) => place);
  return rows.map((row) => {
    const same = row.place === "" ? [] : (byPlace.get(row.place) ?? []);
    return { ...row, tied: same.map(({ name }) => name).filter((name) => name !== row.name) };
  });
};

/** @typedef {"name" | "type" | "elements" | "bytes"} WeightColumn */
/** @type {WeightColumn[]} */
const WEIGHT_COLUMNS = ["name", "type", "elements", "bytes"];

export class WeightTable {
  /**
   * @param {Program} program
   * @param {Choose} choose
   */
  constructor(program, choose) {
    this.rows = weightRows(program);
    this.choose = choose;
    /** @type {WeightColumn | ""} */
    this.column = "";
    this.isDown = false;
    this.filter = html("input", {
      type: "search",
      placeholder: "filter",
      "aria-label": "filter the weights",
      oninput: () => this.narrow(),
    });
    this.table = html("div");
    this.element = html("div", { class: "weights" }, this.filter, this.table);
    this.draw();
  }

  /** @param {WeightColumn} column */
  sort(column) {
    this.isDown = this.column === column ? !this.isDown : column === "elements" || column === "bytes";
    this.column = column;
    this.draw();
  }

  /** Keeps the height, so that the filter stays in its place. */
  narrow() {
    this.table.style.minHeight ||= `${this.table.offsetHeight}px`;
    this.draw();
  }

  chosenRows() {
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = this.rows.filter(({ name, kind, type }) => words.every((word) => `${name} ${kind} ${type}`.toLowerCase().includes(word)));
    /** @typedef {ReturnType<typeof weightRows>[number]} WeightRow */
    /** @param {WeightRow} row */
    const key = (row) => (this.column && row[this.column]) ?? -1;
    /**
     * @param {WeightRow} a
     * @param {WeightRow} b
     */
    const order = (a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0);
    return this.column === "" ? rows : rows.sort((a, b) => (this.isDown ? order(b, a) : order(a, b)));
  }

  draw() {
    /** @param {WeightColumn} column */
    const head = (column) => button(column, () => this.sort(column), { class: "sort" });
    /** @param {number | null} number */
    const count = (number) => (number === null ? "" : grouped(number));
    const found = list(WEIGHT_COLUMNS.map(head), this.chosenRows(), ({ name, node, kind, type, elements, bytes, tied }) => [
      [
        node ? linkElement(node, name, this.choose) : name,
        html("span", { class: "more" }, tied.length ? `${kind}, tied to ${tied.join(", ")}` : kind),
      ],
      html("span", { class: "type" }, type),
      count(elements),
      count(bytes),
    ]);
    const sorted = found.querySelectorAll("thead th")[WEIGHT_COLUMNS.findIndex((column) => column === this.column)];
    sorted?.setAttribute("aria-sort", this.isDown ? "descending" : "ascending");
    this.table.replaceChildren(found);
  }
}
