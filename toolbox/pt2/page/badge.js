// Whether a file is safe to load, and what was found in it.

import { html } from "./elements.js";
import { folded, linkElement, list, MOST_ROWS } from "./tables.js";

/** The box that a place in the program's JSON is about, or the box around its subgraph; undefined if there is none.
 * @param {Program} program
 * @param {string} path
 */
const boxOfPlace = ({ top }, path) => {
  const [, list, index] = /^graph_module\.graph\.(nodes|inputs)\[(\d+)\]/.exec(path) ?? [];
  if (list !== undefined) return top[list === "nodes" ? "nodes" : "inputs"][Number(index)];
  const [, name] = /^graph_module\.graph\.\w+_values\.(\w+)/.exec(path) ?? [];
  return top.makers.get(name);
};

/** @param {Finding[]} findings */
const verdictOf = (findings) => {
  const counts = ["error", "warning"]
    .map((level) => ({ level, count: findings.filter((each) => each.level === level).length }))
    .filter(({ count }) => count > 0);
  if (counts.length === 0) return "Safe: loading it runs no code, and its program is valid";
  const errors = findings.filter(({ level }) => level === "error");
  const isUnsafe = errors.some(({ record }) => record);
  const verdict = isUnsafe ? "Unsafe to load: " : errors.length ? "Safe to load, but invalid: " : "Safe to load: ";
  return verdict + counts.map(({ level, count }) => `${count} ${level}${count === 1 ? "" : "s"}`).join(", ");
};

const LEVELS = ["error", "warning", "note"];
const MOST_SHOWN = 3; // findings, and places of one; other findings are folded, as are notes

/** Each fault once, the most serious first, with the places where it was found. A record of a program has the faults of the program, and
 * two rules can find the same fault in one place.
 * @param {Finding[]} findings
 */
const mergedFindings = (findings) => {
  /** @param {Finding} given */
  const textOf = ({ rule, path, message }) => `${rule} ${path}: ${message}`;
  const inRecords = new Map(findings.filter(({ record }) => record).map((each) => [`${each.rule} ${each.message}`, each]));
  const merged = findings.filter(({ record }) => !record).map((each) => ({ ...each, record: inRecords.get(textOf(each))?.record }));
  const known = new Set(merged.map(textOf));
  const all = [...findings.filter((each) => each.record && !known.has(`${each.rule} ${each.message}`)), ...merged];
  all.sort((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
  /** @type {Map<string, Finding & { places: Set<string> }>} */
  const faults = new Map();
  const said = new Set();
  for (const each of all) {
    const place = each.path || each.record || "";
    if (said.has(`${place} ${each.message}`)) continue;
    said.add(`${place} ${each.message}`);
    const key = `${each.rule} ${each.message}`;
    const fault = faults.get(key) ?? { ...each, places: new Set() };
    faults.set(key, fault);
    if (place) fault.places.add(place);
  }
  return [...faults.values()];
};

/** `found`: findings of a scan (with a record) and of the program (with a path).
 * @param {{ badge: HTMLElement, program?: Program, choice?: Choose }} page
 * @param {Finding[]} found
 */
export const showFindings = ({ badge, program, choice = () => {} }, found) => {
  const findings = mergedFindings(found);
  /** @param {string} level */
  const has = (level) => findings.some((each) => each.level === level);
  /** @param {Finding & { places: Set<string> }} given */
  const entry = ({ level, rule, message, places }) => {
    const boxes = [...new Set([...places].map((place) => (program && boxOfPlace(program, place)) ?? place))];
    const links = boxes
      .slice(0, MOST_SHOWN)
      .map((box, i) => [i ? ", " : " in ", typeof box === "string" ? html("code", {}, box) : linkElement(box, box.name, choice)]);
    return html(
      "p",
      { class: level },
      html("strong", {}, rule),
      links.flat(),
      boxes.length > MOST_SHOWN ? ` and ${boxes.length - MOST_SHOWN} more places` : "",
      ": ",
      message,
    );
  };
  const shown = findings.filter(({ level }) => level !== "note").slice(0, MOST_SHOWN);
  const rest = findings.slice(shown.length);
  badge.hidden = false;
  badge.classList.add(has("error") ? "bad" : has("warning") ? "unsure" : "good");
  badge.replaceChildren(
    html("h2", {}, verdictOf(findings)),
    ...shown.map(entry),
    folded(shown.length ? "More findings" : "Notes", rest.length, html("div", {}, rest.slice(0, MOST_ROWS).map(entry))) ?? "",
  );
};
