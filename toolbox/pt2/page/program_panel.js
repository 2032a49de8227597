// Tables about the program as a whole.

const MOST_ROWS = 400;

const list = (heads, rows) =>
  html("table", { class: "list" }, html("thead", {}, html("tr", {}, heads.map((head) => html("th", {}, head)))),
    html("tbody", {}, rows.slice(0, MOST_ROWS).map((cells) => html("tr", {}, cells.map((cell) => html("td", {}, cell))))),
    rows.length > MOST_ROWS ? html("tfoot", {}, html("tr", {}, html("td", {}, `and ${rows.length - MOST_ROWS} more`))) : null);

const folded = (title, count, content, isOpen = false) =>
  count === 0 ? null : html("details", { open: isOpen }, html("summary", {}, title, html("span", { class: "count" }, ` ${grouped(count)}`)), content);

/** Each module's share of the costs: multiply-adds or, if there are none, bytes of results. */
const costs = (program, choose) => {
  const isNumber = (cost) => typeof cost === "number";
  const column = program.stats.some((row) => !isNumber(row[2]) || row[2] > 0) ? 2 : 3;
  const most = Math.max(...program.stats.map((row) => row[column]).filter(isNumber), 1);
  const groups = new Map(program.groups.filter(({ kind }) => kind === "module").map((group) => [group.name, group]));
  const rows = program.stats.map((cost) => {
    const group = cost[0] === "" ? program.root : groups.get(cost[0]);
    const name = cost[0] === "" ? "whole program" : cost[0];
    const bar = html("span", { class: "bar" });
    bar.style.width = (isNumber(cost[column]) ? Math.min((100 * cost[column]) / most, 100) : 0) + "%";
    return [group ? linkElement(group, name, choose) : name, html("span", { class: "cost" }, bar, html("span", {}, grouped(cost[column])))];
  });
  return list(["module", column === 2 ? "multiply-adds" : "bytes of results"], rows);
};

const programPanel = (program, choose) => {
  const makers = new Map();
  for (const node of program.nodes) for (const value of node.outputs) if (!makers.has(value.name)) makers.set(value.name, node);
  const linked = ([name, type, meaning]) =>
    [makers.has(name) ? linkElement(makers.get(name), name, choose) : name, html("span", { class: "type" }, type), meaning];
  const heads = ["name", "type", "stands for"];
  const isUsers = ([, , meaning]) => meaning.startsWith("user");
  return html("div", { class: "program" },
    html("h1", {}, program.title),
    table(program.facts.map(([name, text]) => row(name, text))),
    folded("Inputs", program.inputs.length, list(heads, [...program.inputs.filter(isUsers), ...program.inputs.filter((each) => !isUsers(each))].map(linked)), program.inputs.length <= 12),
    folded("Outputs", program.outputs.length, list(heads, program.outputs.map(linked)), program.outputs.length <= 12),
    folded("Ranges", program.ranges.length, list(["condition"], program.ranges.map((text) => [text])), true),
    folded("Guards", program.guards.length, list(["condition"], program.guards.map((text) => [text]))),
    folded("Cost by module", program.stats.length, costs(program, choose), program.stats.length > 1));
};
