// The picture of a schema's types, for schemagen's HTML export.

import { curve } from "../text/curve.js";

/** @param {string} id */
const byId = (id) => /** @type {Element} */ (document.getElementById(id));
/** @type {{ nodes: { name: string, kind: string, title: string }[], arcs: { from: number, to: number, holding: string, title: string }[] }} */
const data = JSON.parse(byId("graph-data").textContent ?? "");
const svg = byId("graph-picture");

/** @type {(element: Element, attributes: { [name: string]: string | number }) => void} */
const set = (element, attributes) => Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, String(value)));

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {Element} parent
 * @param {K} tag
 * @param {{ [name: string]: string | number }} attributes
 * @param {string} [text]
 */
const append = (parent, tag, attributes, text) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(element, attributes);
  if (text !== undefined) element.textContent = text;
  return parent.appendChild(element);
};

const graph = new dagre.graphlib.Graph({ multigraph: true });
graph.setGraph({ rankdir: "LR", nodesep: 10, edgesep: 6, ranksep: 50, marginx: 14, marginy: 14 });
const groups = data.nodes.map((node) => append(svg, "g", { class: node.kind }));
const labels = data.nodes.map((node, i) => {
  const link = append(groups[i], "a", { href: "#" + node.name });
  append(link, "title", {}, node.title);
  const box = append(link, "rect", {});
  const text = append(link, "text", {}, node.name);
  graph.setNode(i, { width: text.getComputedTextLength() + 18, height: 24 });
  return { box, text };
});
data.arcs.forEach((arc, i) => graph.setEdge(arc.from, arc.to, {}, String(i)));
dagre.layout(graph);

const { width = 0, height = 0 } = graph.graph();
set(svg, { width, height, viewBox: `0 0 ${width} ${height}` });
labels.forEach(({ box, text }, i) => {
  const { x, y, width, height } = graph.node(i);
  set(box, { x: x - width / 2, y: y - height / 2, width, height });
  set(text, { x, y: y + 4 });
});

data.arcs.forEach((arc, i) => {
  const { points } = graph.edge(arc.from, arc.to, String(i));
  const path = append(groups[arc.from], "path", { class: arc.holding, d: curve(points), "marker-end": "url(#arrow)" });
  append(path, "title", {}, arc.title);
  groups[arc.from].prepend(path);
});
