// Costs of modules for sizes that the reader chooses. A cost is a number, or a sum of products of sizes.

import { html } from "./elements.js";
import { grouped } from "./numbers.js";
import { rowsOf } from "./program.js";
import { folded, linkElement, list, row } from "./tables.js";

/** The sizes in a term, and their powers.
 * @param {TermData} term
 */
const powersOf = ([, ...powers]) => /** @type {[string, number][]} */ (rowsOf(powers, 2));

/** Its value; null if it has a size that `sizes`, a Map, lacks.
 * @param {Cost} cost
 * @param {Map<string, number>} sizes
 */
const costAt = (cost, sizes) => {
  if (typeof cost === "number") return cost;
  let sum = 0;
  for (const term of cost) {
    let product = term[0];
    for (const [symbol, power] of powersOf(term)) {
      const size = sizes.get(symbol);
      if (size === undefined) return null;
      product *= size ** power;
    }
    sum += product;
  }
  return sum;
};

/** @param {TermData} term */
const termText = (term) => {
  const factors = powersOf(term).map(([symbol, power]) => (power === 1 ? symbol : `${symbol}**${power}`));
  return [...(term[0] === 1 ? [] : [term[0]]), ...factors].join("*") || "1";
};

/** As `pt2 stats` writes it.
 * @param {Cost} cost
 */
const costText = (cost) => {
  if (typeof cost === "number") return grouped(cost);
  /** @param {TermData} term */
  const degree = (term) => powersOf(term).reduce((sum, [, power]) => sum + power, 0);
  return [...cost]
    .sort((a, b) => degree(b) - degree(a))
    .map(termText)
    .join(" + ")
    .replaceAll("+ -", "- ");
};

export class Costs {
  /** The costs are not known before show(). `choose(box)` is called by links.
   * @param {Program} program
   * @param {Choose} choose
   * @param {() => void} onchange
   */
  constructor(program, choose, onchange) {
    this.program = program;
    this.choose = choose;
    this.sizes = new Map();
    /** @type {Map<string, CostData["modules"][number]>} By name. */
    this.modules = new Map();
    this.onchange = onchange;
    this.groups = new Map(program.groups.filter(({ kind }) => kind === "module").map((group) => [group.name, group]));
    this.groups.set("", program.root);
    this.table = html("div");
    this.facts = html("tbody", {}, row("costs", "counting"));
    this.element = html("div", { class: "costs" });
  }

  /** @param {CostData} given */
  show({ facts, modules, sizes }) {
    this.sizes = new Map(sizes);
    this.modules = new Map(modules.map((module) => [module[0], module]));
    const terms = modules.flatMap(([, , ...costs]) => costs.flatMap((cost) => (typeof cost === "number" ? [] : cost)));
    const symbols = [...new Set(terms.flatMap(powersOf).map(([symbol]) => symbol))].sort();
    this.facts.replaceChildren(...facts.map(([name, text]) => row(name, text)));
    const content = html("div", {}, this.fields(symbols), this.table);
    this.element.replaceChildren(folded("Cost by module", modules.length, content, modules.length > 1) ?? "");
    this.changed();
  }

  changed() {
    this.draw();
    this.onchange();
  }

  /** One for each size.
   * @param {string[]} symbols
   */
  fields(symbols) {
    if (symbols.length === 0) return null;
    const fields = symbols.map((name) => {
      const value = this.sizes.get(name) ?? "";
      const oninput = (/** @type {any} */ { target }) => this.set(name, target.value);
      return html("label", {}, `${name} = `, html("input", { type: "number", min: 0, step: 1, name, value, oninput }));
    });
    return html("p", { class: "sizes" }, "for ", ...fields);
  }

  /**
   * @param {string} symbol
   * @param {string} text
   */
  set(symbol, text) {
    const number = Number(text);
    text.trim() !== "" && Number.isInteger(number) && number >= 0 ? this.sizes.set(symbol, number) : this.sizes.delete(symbol);
    this.changed();
  }

  /** @param {Cost} cost */
  text(cost) {
    const number = costAt(cost, this.sizes);
    return number === null ? costText(cost) : grouped(number);
  }

  /** [multiply-adds, bytes of results] of a module as text; null if it has none.
   * @param {Group} group
   */
  of(group) {
    const module =
      group.kind === "module" || group.kind === "program" ? this.modules.get(group === this.program.root ? "" : group.name) : undefined;
    return module === undefined ? null : [this.text(module[2]), this.text(module[3])];
  }

  /** Each module's share: of the multiply-adds or, if there are none, of the bytes of results. */
  draw() {
    const modules = [...this.modules.values()];
    const column = modules.some((module) => costAt(module[2], this.sizes) !== 0) ? 2 : 3;
    const rows = modules.map((module) => ({ module, share: costAt(module[column], this.sizes) ?? 0 }));
    rows.sort((a, b) => b.share - a.share);
    const most = Math.max(...rows.map(({ share }) => share), 1);
    const made = list(["module", column === 2 ? "multiply-adds" : "bytes of results"], rows, ({ module, share }) => {
      const bar = html("span", { class: "bar" });
      bar.style.width = (100 * share) / most + "%";
      const name = module[0] === "" ? "whole program" : module[0];
      const group = this.groups.get(module[0]);
      const cost = html("span", { class: "cost" }, bar, html("span", {}, this.text(module[column])));
      return [group ? linkElement(group, name, this.choose) : name, cost];
    });
    this.table.replaceChildren(made);
  }
}
