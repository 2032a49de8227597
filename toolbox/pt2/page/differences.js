// Two programs side by side with their differences.

import { panel } from "./details.js";
import { button, fill, html } from "./elements.js";
import { LinkedPages } from "./linked_pages.js";
import { Page } from "./main.js";
import { byKey } from "./program.js";

const KINDS = { removed: "gone", added: "new", changed: "changed" };

/** The changed boxes of a program with the kind of change; the groups around them are `touched`.
 * @param {Program} program
 * @param {Difference[]} differences
 * @param {"at_before" | "at_after"} side
 */
const marksOf = (program, differences, side) => {
  /** @type {Map<Box, string>} */
  const marks = new Map();
  const nodes = new Map(program.nodes.map((node) => [node.name, node]));
  for (const difference of differences) {
    const node = nodes.get(difference[side] ?? "");
    if (node === undefined) continue;
    marks.set(node, KINDS[difference.kind]);
    for (const group of node.path) if (!marks.has(group)) marks.set(group, "touched");
  }
  return marks;
};

/** A click calls `choose(difference)`.
 * @param {Difference[]} differences
 * @param {(difference: Difference) => void} choose
 */
const differenceList = (differences, choose) => {
  /** @param {Difference} difference */
  const entry = (difference) => {
    const { where, before, after, details, kind } = difference;
    /**
     * @param {"-" | "+" | " "} sign
     * @param {string | null} text
     */
    const line = (sign, text) =>
      text ? html("code", { class: { "-": "before", "+": "after", " ": undefined }[sign] }, `${sign} ${text}`) : null;
    const lines = before === after ? [line(" ", before)] : [line("-", before), line("+", after)];
    const notes = details.map((detail) => html("span", { class: "more" }, detail));
    const show = () => {
      for (const each of list.querySelectorAll(".shown")) each.classList.remove("shown");
      element.classList.add("shown");
      choose(difference);
    };
    const place = where ? html("span", { class: "more" }, `in ${where}`) : null;
    const element = button([place, ...lines, ...notes], show, { class: `difference ${KINDS[kind]}` });
    return element;
  };
  const count = ["no differences", "1 difference"][differences.length] ?? `${differences.length} differences`;
  const sections = [...byKey(differences, ({ part }) => part)].map(([part, inPart]) =>
    html("section", {}, html("h2", { class: "part" }, part), inPart.map(entry)),
  );
  const list = html("div", { class: "differences" }, html("h1", {}, count), sections);
  return list;
};

/** Combines two pages and the list.
 * @param {Program[]} programs
 * @param {Difference[]} differences
 */
export const showDifferences = (programs, differences) => {
  const pages = programs.map((program, i) => new Page(program, marksOf(program, differences, i === 0 ? "at_before" : "at_after")));
  const links = new LinkedPages(pages, differences);
  /** @param {Difference} given */
  const choose = ({ at_before: before, at_after: after }) => {
    links.quietly(() =>
      [before, after].forEach((name, i) => {
        const { nodes } = pages[i].program;
        pages[i].choose(nodes.find((node) => node.name === name) ?? null, true);
      }),
    );
    links.folded(pages[before === null ? 1 : 0]);
  };
  document.body.className = "diff";
  pages.forEach(({ element, program }, i) => fill(element, { "aria-label": `${"-+"[i]} ${program.title}`, role: i === 0 && "main" }, []));
  const sides = pages.map(({ program, legend, details }, i) =>
    html("div", { class: "side" }, html("h2", {}, `${"-+"[i]} ${program.title}`), legend, details.element),
  );
  const list = differenceList(differences, choose);
  document.body.append(...pages.map((page) => page.element), panel(html("p", {}, links.button), list, sides));
  links.quietly(() => pages.forEach((page) => page.start()));
  links.folded(pages[0]);
  return pages;
};
