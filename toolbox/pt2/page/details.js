// Details of the selected box.

import { copyButtons } from "./copy.js";
import { Costs } from "./cost.js";
import { button, html, svg, whileDown } from "./elements.js";
import { grouped, shortNumber } from "./numbers.js";
import { operatorCounts, stacksOf, weightsOf } from "./program.js";
import { linkElement, list, row, section, table } from "./tables.js";
import { elementsOf } from "./weight_table.js";

/** The panel beside the graph. On a narrow screen it is a sheet below the graph, and its handle pulls it up.
 * @param {...Content} content
 */
export const panel = (...content) => {
  /** @param {number} height */
  const raise = (height) => document.body.style.setProperty("--sheet", `${height}px`);
  let wasPulled = false;
  /** @param {PointerEvent} event */
  const pull = (event) => {
    wasPulled = false;
    whileDown(event, ({ clientY }) => {
      wasPulled = true;
      raise(window.innerHeight - clientY);
    });
  };
  /** @param {MouseEvent} given */
  const turn = ({ detail: clicks }) => {
    if (!wasPulled || clicks === 0) raise(window.innerHeight * (element.clientHeight < window.innerHeight / 2 ? 0.8 : 0.3));
  };
  const handle = button("", turn, { class: "handle", "aria-label": "raise or lower the panel", onpointerdown: pull });
  /** @type {HTMLElement} */
  const element = html("aside", {}, handle, ...content);
  return element;
};

/**
 * @param {Partial<Statistics>} weight
 * @returns {weight is Statistics}
 */
const hasStatistics = (weight) => weight.finite !== undefined;

export class Details {
  /** Links to boxes call `choose(box)`. `walker(stack)`: an element that shows another member of a stack.
   * @param {Program} program
   * @param {Choose} choose
   * @param {(stack: Group) => Element} walker
   */
  constructor(program, choose, walker) {
    this.program = program;
    this.choose = choose;
    this.walker = walker;
    /** @type {((weight: Weight) => Element | null) | undefined} Adds to the details of a weight. */
    this.extra = undefined;
    /** @type {Box | null} */
    this.box = null;
    this.costs = new Costs(program, choose, () => this.show(this.box));
    this.element = html("div", { class: "details" });
    this.show(null);
  }

  /** @param {Box | null} box */
  show(box) {
    this.box = box;
    if (box === null) {
      this.element.replaceChildren(html("p", { class: "hint" }, "Click a box for its details. Press ? for keys."));
    } else {
      const parts = box.isGroup ? this.group(box) : this.node(box);
      this.element.replaceChildren(
        html("h2", { class: "chosen" }, box.name),
        ...stacksOf(box).map(this.walker),
        copyButtons(this.program, box),
        ...parts.filter((part) => part !== null),
      );
    }
    this.element.scrollTop = 0;
  }

  /**
   * @param {Box} box
   * @param {string} text
   */
  link(box, text) {
    return linkElement(box, text, this.choose);
  }

  /** @param {Box[]} boxes */
  links(boxes) {
    return boxes.map((box, i) => [i === 0 ? "" : ", ", this.link(box, box.name)]).flat();
  }

  // ---- Nodes ----

  /** @param {NodeBox} node */
  node(node) {
    const weights = [node, ...weightsOf(node)].flatMap(({ target }) => this.program.weights.get(target) ?? []);
    return [
      html("p", { class: "kind" }, node.kind === "operation" ? html("code", {}, node.label) : node.label, ...this.documentation(node)),
      node.arguments.length ? section(node.kind === "output" ? "Value" : "Arguments", this.argumentTable(node)) : null,
      node.outputs.length ? section(node.kind === "operation" ? "Results" : "Type", this.resultTable(node)) : null,
      node.subgraphs.length ? section("Runs", html("p", {}, this.links(node.subgraphs))) : null,
      ...weights.map((weight) => this.weight(weight)),
      section("In", html("p", {}, this.links(node.path))),
      ...node.metadata.map(([key, text]) => section(key.replaceAll("_", " "), html("pre", {}, text))),
    ];
  }

  /** @param {NodeBox} given */
  documentation({ kind, label }) {
    const [space, name] = label.split(".");
    if (kind !== "operation" || space !== "aten") return [];
    const href = "https://docs.pytorch.org/docs/stable/search.html?q=" + encodeURIComponent(name);
    return [" ", html("a", { href, target: "_blank", rel: "noreferrer" }, "documentation")];
  }

  /** The text of an argument; a single value is a link.
   * @param {Argument} argument
   */
  argumentText(argument) {
    const [value] = argument.values;
    if (argument.values.length === 1 && value.producer && argument.text === value.name) {
      return [this.link(value.producer, argument.text), " ", html("span", { class: "type" }, value.type)];
    }
    const makers = [...new Set(argument.values.flatMap((each) => each.producer ?? []))];
    return [html("span", {}, argument.text), ...(makers.length ? [html("br"), "from ", ...this.links(makers)] : [])];
  }

  /** @param {NodeBox} node */
  argumentTable(node) {
    const rows = node.arguments.map((argument, i) => {
      const note = argument.isDefault ? html("span", { class: "default" }, " default") : null;
      const line = row(argument.name || String(i), ...this.argumentText(argument), note);
      line.className = argument.isDefault ? "left-out" : "";
      return line;
    });
    return table(rows);
  }

  /** @param {NodeBox} node */
  resultTable(node) {
    const rows = node.outputs.map(({ name, type, users }) => {
      const uses = users.length ? ["used by ", ...this.links([...new Set(users)])] : "not used";
      return row(name, html("span", { class: "type" }, type || "not known"), html("br"), uses);
    });
    return table(rows);
  }

  /** @param {Weight & Partial<Statistics>} weight */
  weight(weight) {
    const facts = [row("kind", weight.kind), row("record", weight.record)];
    if (weight.type !== undefined)
      facts.push(row("type", html("span", { class: "type" }, weight.type)), row("bytes", grouped(weight.bytes)));
    if (weight.error !== undefined) facts.push(row("elements", weight.error));
    if (hasStatistics(weight)) facts.push(...this.statistics(weight));
    const bars = hasStatistics(weight) && weight.histogram.length ? histogram(weight) : null;
    return section("Weight", html("p", {}, weight.name), table(facts), bars, this.extra?.(weight));
  }

  /** @param {Statistics} weight */
  statistics(weight) {
    const { minimum, maximum, mean, deviation, zeros, nans, infinities } = weight;
    const numbers = Object.entries(weight.finite ? { minimum, maximum, mean, deviation } : {});
    const counts = Object.entries({ zeros, nans, infinities }).filter(([, count]) => count !== 0);
    return [
      ...numbers.map(([name, number]) => row(name, shortNumber(number))),
      ...counts.map(([name, count]) => row(name, grouped(count))),
    ];
  }

  // ---- Groups ----

  /** @param {Group} group */
  group(group) {
    const operators = [...operatorCounts(group)].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    const weights = group.leaves.filter((node) => node.kind === "weight");
    const parameters = weights.filter(({ label }) => label.startsWith("parameter"));
    const elements = new Map(parameters.map((node) => [node.target, elementsOf(node.outputs[0].type)]));
    const sum = [...elements.values()].reduce((sum, each) => (sum === null || each === null ? null : sum + each), 0);
    const cost = this.costs.of(group);
    const { neighbor, difference, path } = group;
    const costs = cost && [row("multiply-adds", cost[0]), row("bytes of results", cost[1])];
    const sizes = [row("tensors", grouped(elements.size)), row("elements", sum === null ? "not known" : grouped(sum))];
    const used = list(["operator", "nodes"], operators, ([name, count]) => [name, grouped(count)]);
    const types = weights.map((node) => {
      const type = node.outputs.map((value) => value.type).join(", ");
      return row(this.link(node, node.target), html("span", { class: "type" }, type));
    });
    return [
      html("p", { class: "kind" }, group.kind, group.label ? [" ", html("code", {}, group.label)] : ""),
      costs && section("Cost", table(costs)),
      elements.size ? section("Parameters", table(sizes)) : null,
      difference && neighbor ? section("Difference", html("p", {}, "from ", this.link(neighbor, neighbor.name), `: ${difference}`)) : null,
      section("Operators", used),
      types.length ? section("Weights", table(types)) : null,
      path.length ? section("In", html("p", {}, this.links(path))) : null,
    ];
  }
}

/** The histogram of a weight's elements.
 * @param {Statistics} given
 */
export const histogram = ({ histogram: counts, minimum, maximum }) => {
  const most = Math.max(...counts);
  const bars = counts.map((count, i) => {
    const height = count === 0 ? 0 : Math.max((count / most) * 56, 1);
    const place = { x: (i * 256) / counts.length, y: 58 - height, width: 256 / counts.length - 1, height };
    return svg("rect", place, svg("title", {}, grouped(count)));
  });
  const picture = svg("svg", { viewBox: "0 0 256 58", role: "img", "aria-label": "histogram" }, bars);
  const caption = html("figcaption", {}, html("span", {}, shortNumber(minimum)), html("span", {}, shortNumber(maximum)));
  return html("figure", { class: "histogram" }, picture, caption);
};
