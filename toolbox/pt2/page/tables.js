// Tables, sections and links of the panel.

import { html } from "./elements.js";
import { grouped } from "./numbers.js";

export const MOST_ROWS = 400;

/**
 * @param {Content} term
 * @param {...Content} content
 */
export const row = (term, ...content) => html("tr", {}, html("th", { scope: "row" }, term), html("td", {}, ...content));
/** @param {Content[]} rows */
export const table = (rows) => html("table", {}, html("tbody", {}, ...rows));
/**
 * @param {string} title
 * @param {...Content} content
 */
export const section = (title, ...content) => html("section", {}, html("h3", {}, title), ...content);

/** `cellsOf(row)`: its cells, asked for only if the row is shown.
 * @template T
 * @param {Content[]} heads
 * @param {T[]} rows
 * @param {(row: T) => Content[]} cellsOf
 */
export const list = (heads, rows, cellsOf) => {
  /** @type {(tag: "th" | "td", cells: Content[]) => Element} */
  const line = (tag, cells) => {
    const made = cells.map((cell) => html(tag, {}, ...[cell].flat()));
    return html("tr", {}, made);
  };
  const shown = rows.slice(0, MOST_ROWS).map((row) => line("td", cellsOf(row)));
  const rest = rows.length > MOST_ROWS ? html("tfoot", {}, line("td", [`and ${rows.length - MOST_ROWS} more`])) : null;
  return html("table", { class: "list" }, html("thead", {}, line("th", heads)), html("tbody", {}, shown), rest);
};

/**
 * @param {string} title
 * @param {number} count
 * @param {Content} content
 * @param {boolean} [isOpen]
 */
export const folded = (title, count, content, isOpen = false) =>
  count === 0
    ? null
    : html("details", { open: isOpen }, html("summary", {}, title, html("span", { class: "count" }, ` ${grouped(count)}`)), content);

/** The fragment of the address that selects a box.
 * @param {Box} box
 */
export const linkTo = (box) => (box.isGroup ? "module=" : "node=") + encodeURIComponent(box.name);

/** A link to a box, whose text breaks after dots and underscores; a click calls `choose(box)`.
 * @param {Box} box
 * @param {string} text
 * @param {Choose} choose
 */
export const linkElement = (box, text, choose) => {
  /** @param {Event} event */
  const onclick = (event) => {
    event.preventDefault();
    choose(box);
  };
  const parts = text.split(/(?<=[._])/).flatMap((part) => [part, html("wbr")]);
  return html("a", { href: "#" + linkTo(box), title: box.name, onclick }, parts);
};
