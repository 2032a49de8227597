// Whether a file is safe to load, and what was found in it.

const isInSubgraph = (node) => node.path.some(({ kind }) => kind === "subgraph");

/** The box that a place in the program's JSON is about; undefined if there is none. In a subgraph, the box that holds it. */
const boxOfPlace = (program, path) => {
  const [, list, index] = /^graph_module\.graph\.(nodes|inputs)\[(\d+)\]/.exec(path) ?? [];
  if (list !== undefined) {
    const kinds = list === "nodes" ? ["operation"] : ["input", "weight"];
    return program.nodes.filter((node) => kinds.includes(node.kind) && !isInSubgraph(node))[index];
  }
  const [, name] = /^graph_module\.graph\.\w+_values\.(\w+)/.exec(path) ?? [];
  return name === undefined ? undefined : program.nodes.find((node) => !isInSubgraph(node) && node.outputs.some((value) => value.name === name));
};

const verdictOf = (findings) => {
  const counts = ["error", "warning"].map((level) => [level, findings.filter((each) => each.level === level).length]).filter(([, count]) => count > 0);
  if (counts.length === 0) return "Safe: loading it runs no code, and its program is valid";
  const errors = findings.filter(({ level }) => level === "error");
  const verdict = errors.some(({ record }) => record) ? "Unsafe to load: " : errors.length ? "Safe to load, but invalid: " : "Safe to load: ";
  return verdict + counts.map(([level, count]) => `${count} ${level}${count === 1 ? "" : "s"}`).join(", ");
};

/** `findings`: of a scan, which have a record, and of the program, which have a path. Links call `choose(box)`. */
const showFindings = (badge, program, findings, choose) => {
  const has = (level) => findings.some((each) => each.level === level);
  badge.classList.add(has("error") ? "bad" : has("warning") ? "unsure" : "good");
  badge.replaceChildren(html("h2", {}, verdictOf(findings)), ...findings.slice(0, MOST_ROWS).map(({ level, rule, message, record, path }) => {
    const box = boxOfPlace(program, path ?? "");
    const place = record || path || "";
    return html("p", { class: level }, html("strong", {}, rule), " ", message, place ? [" in ", box ? linkElement(box, box.name, choose) : html("code", {}, place)] : "");
  }));
};
