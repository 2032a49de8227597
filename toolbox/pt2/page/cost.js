// Costs of modules for sizes that the reader chooses. A cost is a number, or a sum of products of sizes.

import { html } from "./elements.js";
import { grouped } from "./numbers.js";
import { folded, linkElement, list, row } from "./tables.js";

/** Its value; null if it has a size that `sizes`, a Map, lacks. */
const costAt = (cost, sizes) => {
  if (typeof cost === "number") return cost;
  let sum = 0;
  for (const [coefficient, ...powers] of cost) {
    let product = coefficient;
    for (let i = 0; i < powers.length; i += 2) {
      if (!sizes.has(powers[i])) return null;
      product *= sizes.get(powers[i]) ** powers[i + 1];
    }
    sum += product;
  }
  return sum;
};

const termText = ([coefficient, ...powers]) => {
  const factors = coefficient === 1 ? [] : [String(coefficient)];
  for (let i = 0; i < powers.length; i += 2) factors.push(powers[i] + (powers[i + 1] === 1 ? "" : `**${powers[i + 1]}`));
  return factors.join("*") || "1";
};

/** As `pt2 stats` writes it. */
const costText = (cost) => {
  if (typeof cost === "number") return grouped(cost);
  const degree = ([, ...powers]) => powers.reduce((sum, power, i) => sum + (i % 2 ? power : 0), 0);
  return [...cost]
    .sort((a, b) => degree(b) - degree(a))
    .map(termText)
    .join(" + ")
    .replaceAll("+ -", "- ");
};

export class Costs {
  /** The costs are not known before show(). `choose(box)` is called by links. */
  constructor(program, choose) {
    this.program = program;
    this.choose = choose;
    this.sizes = new Map();
    this.modules = [];
    this.rows = new Map();
    this.listeners = [];
    this.groups = new Map(program.groups.filter(({ kind }) => kind === "module").map((group) => [group.name, group]));
    this.groups.set("", program.root);
    this.table = html("div");
    this.facts = html("tbody", {}, row("costs", "counting"));
    this.element = html("div", { class: "costs" });
  }

  show({ facts, modules, sizes }) {
    this.sizes = new Map(sizes);
    this.modules = modules;
    this.rows = new Map(modules.map((module) => [module[0], module]));
    this.symbols = [
      ...new Set(
        modules
          .flatMap((module) => module.slice(2))
          .filter(Array.isArray)
          .flat()
          .flatMap(([, ...powers]) => powers.filter((_, i) => i % 2 === 0)),
      ),
    ].sort();
    this.facts.replaceChildren(...facts.map(([name, text]) => row(name, text)));
    this.element.replaceChildren(
      folded("Cost by module", modules.length, html("div", {}, this.fields(), this.table), modules.length > 1) ?? "",
    );
    this.changed();
  }

  changed() {
    this.draw();
    this.listeners.forEach((listener) => listener());
  }

  /** One for each size. */
  fields() {
    if (this.symbols.length === 0) return null;
    return html(
      "p",
      { class: "sizes" },
      "for ",
      ...this.symbols.map((symbol) =>
        html(
          "label",
          {},
          `${symbol} = `,
          html("input", {
            type: "number",
            min: 0,
            step: 1,
            name: symbol,
            value: this.sizes.get(symbol) ?? "",
            oninput: (event) => this.set(symbol, event.target.value),
          }),
        ),
      ),
    );
  }

  set(symbol, text) {
    const number = Number(text);
    text.trim() !== "" && Number.isInteger(number) && number >= 0 ? this.sizes.set(symbol, number) : this.sizes.delete(symbol);
    this.changed();
  }

  text(cost) {
    const number = costAt(cost, this.sizes);
    return number === null ? costText(cost) : grouped(number);
  }

  /** [multiply-adds, bytes of results] of a module as text; null if it has none. */
  of(group) {
    const module =
      group.kind === "module" || group.kind === "program" ? this.rows.get(group === this.program.root ? "" : group.name) : undefined;
    return module === undefined ? null : module.slice(2).map((cost) => this.text(cost));
  }

  /** Each module's share: of the multiply-adds or, if there are none, of the bytes of results. */
  draw() {
    const column = this.modules.some((module) => costAt(module[2], this.sizes) !== 0) ? 2 : 3;
    const rows = this.modules.map((module) => [module, costAt(module[column], this.sizes)]);
    rows.sort((a, b) => (b[1] ?? 0) - (a[1] ?? 0));
    const most = Math.max(...rows.map(([, number]) => number ?? 0), 1);
    this.table.replaceChildren(
      list(["module", column === 2 ? "multiply-adds" : "bytes of results"], rows, ([module, number]) => {
        const bar = html("span", { class: "bar" });
        bar.style.width = (100 * (number ?? 0)) / most + "%";
        const name = module[0] === "" ? "whole program" : module[0];
        const group = this.groups.get(module[0]);
        return [
          group ? linkElement(group, name, this.choose) : name,
          html("span", { class: "cost" }, bar, html("span", {}, this.text(module[column]))),
        ];
      }),
    );
  }
}
