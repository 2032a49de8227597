// Tables about the program as a whole.

const MOST_ROWS = 400;

/** `cellsOf(row)`: its cells, asked for only if the row is shown. */
const list = (heads, rows, cellsOf = (row) => row) =>
  html("table", { class: "list" }, html("thead", {}, html("tr", {}, heads.map((head) => html("th", {}, head)))),
    html("tbody", {}, rows.slice(0, MOST_ROWS).map((row) => html("tr", {}, cellsOf(row).map((cell) => html("td", {}, ...[cell].flat()))))),
    rows.length > MOST_ROWS ? html("tfoot", {}, html("tr", {}, html("td", {}, `and ${rows.length - MOST_ROWS} more`))) : null);

const folded = (title, count, content, isOpen = false) =>
  count === 0 ? null : html("details", { open: isOpen }, html("summary", {}, title, html("span", { class: "count" }, ` ${grouped(count)}`)), content);

const programPanel = (program, choose, costs) => {
  const weights = new WeightTable(program, choose);
  const makers = new Map();
  for (const node of program.nodes) for (const value of node.outputs) if (!makers.has(value.name)) makers.set(value.name, node);
  const linked = ([name, type, meaning]) =>
    [makers.has(name) ? linkElement(makers.get(name), name, choose) : name, html("span", { class: "type" }, type), meaning];
  const heads = ["name", "type", "stands for"];
  const isUsers = ([, , meaning]) => meaning.startsWith("user");
  return html("div", { class: "program" },
    html("h1", {}, program.title),
    html("table", {}, html("tbody", {}, program.facts.map(([name, text]) => row(name, text))), costs.facts),
    folded("Inputs", program.inputs.length, list(heads, [...program.inputs.filter(isUsers), ...program.inputs.filter((each) => !isUsers(each))], linked), program.inputs.length <= 12),
    folded("Outputs", program.outputs.length, list(heads, program.outputs, linked), program.outputs.length <= 12),
    folded("Ranges", program.ranges.length, list(["condition"], program.ranges, (text) => [text]), true),
    folded("Guards", program.guards.length, list(["condition"], program.guards, (text) => [text])),
    costs.element,
    folded("Weights", weights.rows.length, weights.element));
};
