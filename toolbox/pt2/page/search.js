// Finds boxes by their names, operators, modules and weights.

import { button, html } from "./elements.js";

const MOST_RESULTS = 60;
const NOTHING = "nothing found in the names of nodes, operators, modules, classes and weights";

/** How well a box matches `words`: 0 is best, Infinity if a word is missing. Groups that pt2 made and named come after what the model has.
 * @param {{ names: string[], text: string, box: Box }} entry
 * @param {string[]} words
 */
const distance = (entry, words) => {
  if (!words.every((word) => entry.text.includes(word))) return Infinity;
  const whole = words.join(" ");
  if (entry.names.includes(whole)) return 0;
  const isMade = ["repeat", "run", "stack"].includes(entry.box.kind);
  return (entry.names.some((name) => name.startsWith(whole)) ? 1 : 2) + (isMade ? 2 : 0);
};

export class Search {
  /**
   * @param {Program} program
   * @param {Choose} choose
   */
  constructor(program, choose) {
    this.choose = choose;
    this.entries = [...program.groups.slice(1), ...program.nodes].map((box) => {
      const names = [box.name, box.label, box.target].map((name) => name.toLowerCase());
      return { box, names, text: names.join(" ") };
    });
    this.field = html("input", {
      type: "search",
      placeholder: "Search (/)",
      "aria-label": "search names, operators, modules and weights",
      oninput: () => this.find(),
      onkeydown: (event) => this.key(event),
    });
    this.results = html("ul", { class: "results", hidden: true });
    this.element = html("div", { class: "search" }, this.field, this.results);
  }

  find() {
    const words = this.field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = words.length === 0 ? [] : this.entries.map((entry) => ({ far: distance(entry, words), box: entry.box }));
    found.sort((a, b) => a.far - b.far);
    this.found = found.filter(({ far }) => far < Infinity).map(({ box }) => box);
    this.results.hidden = words.length === 0;
    const rest = this.found.length - MOST_RESULTS;
    const hint = this.found.length === 0 ? NOTHING : rest > 0 ? `and ${rest} more` : null;
    const results = this.found.slice(0, MOST_RESULTS).map((box) => {
      const content = [html("span", { class: "name" }, box.name), html("span", { class: "more" }, box.target || box.label || box.kind)];
      return html(
        "li",
        {},
        button(content, () => this.take(box)),
      );
    });
    this.results.replaceChildren(...results, ...(hint ? [html("li", { class: "hint" }, hint)] : []));
  }

  /** @param {Box} box */
  take(box) {
    this.close();
    this.choose(box);
  }

  close() {
    this.results.hidden = true;
    this.field.blur();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "Escape") this.close();
    if (event.key === "Enter" && this.found?.length) this.take(this.found[0]);
    if (event.key === "ArrowDown") this.results.querySelector("button")?.focus();
    event.stopPropagation();
  }
}
