// Tables about the program as a whole.

import { html } from "./elements.js";
import { folded, linkElement, list, row } from "./tables.js";
import { WeightTable } from "./weight_table.js";

/**
 * @param {Program} program
 * @param {Choose} choose
 * @param {Costs} costs
 */
export const programPanel = (program, choose, costs) => {
  const weights = new WeightTable(program, choose);
  const makers = new Map();
  for (const node of program.nodes) for (const value of node.outputs) if (!makers.has(value.name)) makers.set(value.name, node);
  /** @param {string[]} given */
  const linked = ([name, type, meaning]) => [
    makers.has(name) ? linkElement(makers.get(name), name, choose) : name,
    html("span", { class: "type" }, type),
    meaning,
  ];
  const heads = ["name", "type", "stands for"];
  /** @param {string[]} given */
  const isUsers = ([, , meaning]) => meaning.startsWith("user");
  return html(
    "div",
    { class: "program" },
    html("h1", {}, program.title),
    html(
      "table",
      {},
      html(
        "tbody",
        {},
        program.facts.map(([name, text]) => row(name, text)),
      ),
      costs.facts,
    ),
    folded(
      "Inputs",
      program.inputs.length,
      list(heads, [...program.inputs.filter(isUsers), ...program.inputs.filter((each) => !isUsers(each))], linked),
      program.inputs.length <= 12,
    ),
    folded("Outputs", program.outputs.length, list(heads, program.outputs, linked), program.outputs.length <= 12),
    folded(
      "Ranges",
      program.ranges.length,
      list(["condition"], program.ranges, (text) => [text]),
      true,
    ),
    folded(
      "Guards",
      program.guards.length,
      list(["condition"], program.guards, (text) => [text]),
    ),
    costs.element,
    folded("Weights", weights.rows.length, weights.element),
  );
};
