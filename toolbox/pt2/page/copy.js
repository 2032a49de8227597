// Buttons that copy texts about a box.

import { button, html } from "./elements.js";

/** Pages from the disk may not have the clipboard of the browser.
 * @param {string} text
 */
const copyText = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = html("textarea", { class: "copied", "aria-hidden": true }, text);
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
};

/**
 * @param {string} what
 * @param {string} text
 */
const copyButton = (what, text) => {
  const copy = async () => {
    await copyText(text);
    element.textContent = "copied";
    setTimeout(() => (element.textContent = what), 1000);
  };
  const element = button(what, copy, { class: "copy", title: text });
  return element;
};

/** The place in the model's source that made a node: the last line in its stack trace that names a file.
 * @param {NodeBox} node
 */
const sourceLine = (node) => {
  const [, trace] = node.metadata.find(([key]) => key === "stack_trace") ?? [];
  const lines = [...(trace ?? "").matchAll(/File "(.*)", line (\d+)/g)];
  const [, file, line] = lines.at(-1) ?? [];
  return file === undefined ? "" : `${file}:${line}`;
};

/** Python that finds the node in the file.
 * @param {string} title
 * @param {NodeBox} node
 */
const pythonFor = (title, node) =>
  `import pt2\n\nwith pt2.edit(pt2.load(${JSON.stringify(title)})) as g:\n    node = g.node(${JSON.stringify(node.name)})\n`;

/**
 * @param {Program} program
 * @param {Box} box
 */
export const copyButtons = (program, box) => {
  const texts = [["name", box.name]];
  if (!box.isGroup) {
    const target = box.kind === "operation" ? box.label : box.target;
    if (target) texts.push(["target", target]);
    if (sourceLine(box)) texts.push(["source", sourceLine(box)]);
    if (box.kind === "operation" && !box.name.includes("/")) texts.push(["Python", pythonFor(program.title, box)]);
  }
  const buttons = texts.flatMap(([what, text]) => [copyButton(what, text), " "]);
  return html("p", { class: "copies" }, "copy ", buttons);
};
