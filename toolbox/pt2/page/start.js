// Shows the page's one program, or two with their differences.

import { showDifferences } from "./differences.js";
import { showProgram } from "./main.js";
import { readProgram } from "./program.js";

/** @param {string} id */
const read = (id) => document.getElementById(id)?.textContent ?? undefined;
const programs = ["program", "other"].flatMap((id) => read(id) ?? []).map(readProgram);
if (programs.length === 2) {
  const pages = showDifferences(programs, JSON.parse(read("differences") ?? ""));
  ["costs", "other_costs"].forEach((id, i) => pages[i].details.costs.show(JSON.parse(read(id) ?? "")));
} else {
  showProgram(programs[0], { costs: read("costs"), data: read("overlay"), findings: read("findings") });
}
