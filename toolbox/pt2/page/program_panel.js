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
  /** @param {string[]} given */
  const linked = ([name, type, meaning]) => {
    const maker = program.top.makers.get(name);
    return [maker ? linkElement(maker, name, choose) : name, html("span", { class: "type" }, type), meaning];
  };
  const heads = ["name", "type", "stands for"];
  /** @param {string[]} given */
  const isUsers = ([, , meaning]) => meaning.startsWith("user");
  const inputs = [...program.inputs.filter(isUsers), ...program.inputs.filter((each) => !isUsers(each))];
  /** @param {string[]} texts */
  const conditions = (texts) => list(["condition"], texts, (text) => [text]);
  const facts = program.facts.map(([name, text]) => row(name, text));
  return html(
    "div",
    { class: "program" },
    html("h1", {}, program.title),
    html("table", {}, html("tbody", {}, facts), costs.facts),
    folded("Inputs", inputs.length, list(heads, inputs, linked), inputs.length <= 12),
    folded("Outputs", program.outputs.length, list(heads, program.outputs, linked), program.outputs.length <= 12),
    folded("Ranges", program.ranges.length, conditions(program.ranges), true),
    folded("Guards", program.guards.length, conditions(program.guards)),
    costs.element,
    folded("Weights", weights.rows.length, weights.element),
  );
};
