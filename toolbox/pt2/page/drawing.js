// A picture of a program without a page.

import { Folding } from "./folding.js";
import { readProgram } from "./program.js";
import { Scene } from "./scene.js";
import { FONTS } from "./shape.js";
import { svgText } from "./svg_text.js";

// Widths of the printable letters of ASCII in DejaVu Sans, which is wider than most fonts, in 1/30 of their height.
const PLAIN = "acepjto9ccfpabaajjjjjjjjjjaapppgulllnjion99khqnoioljjmluljlcacpffjjhjjbjj99i9ujjjjdgcjipiigjajp";
const BOLD = "begpluq9eegpcdcbllllllllllccpppiuonmpllppbbojupqmqnmlpoxnmmebepfflmimldmmbbkbwmlmmfifmkskkimbmp";

/** About the width of text in a font of FONTS.
 * @param {string} text
 * @param {Font} font
 */
const textWidth = (text, font) => {
  const [, isBold, size] = /^(bold )?(\d+)px/.exec(FONTS[font]) ?? [];
  const widths = isBold ? BOLD : PLAIN;
  /** @param {string} letter */
  const width = (letter) => (letter >= "\u2e80" ? 1 : parseInt(widths[letter.charCodeAt(0) - 32] ?? "k", 36) / 30);
  return Math.ceil([...text].reduce((sum, letter) => sum + width(letter), 0) * Number(size));
};

/** Returns the text of an SVG file. `data` is what the page of `pt2 view` contains, and `css` the text of page.css. For the options, see
 * index.d.ts in bindings/wasm.
 * @param {string} data
 * @param {string} css
 * @param {{ module?: string, unfold?: number | string[], theme?: "light" | "dark" }} [given]
 */
export const drawingOf = (data, css, { module, unfold, theme = "light" } = {}) => {
  if (theme !== "light" && theme !== "dark") throw new TypeError(`theme: expected light or dark, got ${theme}`);
  const program = readProgram(JSON.parse(data));
  const folding = new Folding(program, textWidth);
  /** @param {string} name */
  const groupNamed = (name) => {
    const group = program.groups.find((each) => each.name === name);
    if (group === undefined) throw new RangeError(`no module ${JSON.stringify(name)}`);
    return group;
  };
  const root = module === undefined ? program.root : groupNamed(module);
  if (unfold === undefined || typeof unfold === "number") folding.unfoldLevels(root, unfold);
  else for (const group of unfold.map(groupNamed)) (folding.unfoldAround(group), folding.setOpen(group, true));
  const { picture, content } = new Scene(root, folding);
  return svgText(content, picture, css, theme === "dark");
};
