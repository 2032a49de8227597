// Shows the page's one program, or two with their differences.

import { showFindings } from "./badge.js";
import { showDifferences } from "./differences.js";
import { takeDrops } from "./elements.js";
import { Page, showProgram } from "./main.js";
import { readProgram } from "./program.js";

/** @param {string} id */
const read = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");
const [program, other, overlay, findings] = ["program", "other", "overlay", "findings"].map(read);
const pages = other ? showDifferences([program, other].map(readProgram), read("differences")) : [showProgram(readProgram(program))];
pages.forEach(({ details }, i) => details.costs.show(read(["costs", "other_costs"][i])));
if (findings) showFindings(pages[0], findings);
takeDrops(([file]) => Page.active?.openData(file));
if (overlay) pages[0].showData(overlay.text, overlay.name);
