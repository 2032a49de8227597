// Details of the selected box.

import { copyButtons } from "./copy.js";
import { Costs } from "./cost.js";
import { html, svg, whileDown } from "./elements.js";
import { grouped, shortNumber } from "./numbers.js";
import { operatorCounts, stacksOf, weightsOf } from "./program.js";
import { linkElement, list, row, section, table } from "./tables.js";
import { elementsOf } from "./weight_table.js";

/** The panel beside the graph. On a narrow screen it is a sheet below the graph, and its handle pulls it up. */
export const panel = (...content) => {
  const raise = (height) => document.body.style.setProperty("--sheet", `${height}px`);
  let wasPulled = false;
  const pull = (event) => {
    wasPulled = false;
    whileDown(event, ({ clientY }) => {
      wasPulled = true;
      raise(window.innerHeight - clientY);
    });
  };
  const turn = ({ detail: clicks }) =>
    (wasPulled && clicks > 0) || raise(window.innerHeight * (element.clientHeight < window.innerHeight / 2 ? 0.8 : 0.3));
  const handle = html("button", {
    type: "button",
    class: "handle",
    "aria-label": "raise or lower the panel",
    onpointerdown: pull,
    onclick: turn,
  });
  const element = html("aside", {}, handle, ...content);
  return element;
};

export class Details {
  /** Links to boxes call `choose(box)`. `walker(stack)`: an element that shows another member of a stack. */
  constructor(program, choose, walker) {
    this.program = program;
    this.choose = choose;
    this.walker = walker;
    this.extra = undefined; // adds to the details of a weight
    this.costs = new Costs(program, choose);
    this.costs.listeners.push(() => this.show(this.box));
    this.element = html("div", { class: "details" });
    this.show(null);
  }

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

  link(box, text) {
    return linkElement(box, text, this.choose);
  }

  links(boxes) {
    return boxes.map((box, i) => [i === 0 ? "" : ", ", this.link(box, box.name)]).flat();
  }

  // ---- Nodes ----

  node(node) {
    const weights = [node, ...weightsOf(node)].map(({ target }) => this.program.weights.get(target)).filter(Boolean);
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

  documentation({ kind, label }) {
    const [space, name] = label.split(".");
    if (kind !== "operation" || space !== "aten") return [];
    const href = "https://docs.pytorch.org/docs/stable/search.html?q=" + encodeURIComponent(name);
    return [" ", html("a", { href, target: "_blank", rel: "noreferrer" }, "documentation")];
  }

  /** The text of an argument; a single value is a link. */
  argumentText(argument) {
    const [value] = argument.values;
    if (argument.values.length === 1 && value.producer && argument.text === value.name) {
      return [this.link(value.producer, argument.text), " ", html("span", { class: "type" }, value.type)];
    }
    const makers = [...new Set(argument.values.map((each) => each.producer).filter(Boolean))];
    return [html("span", {}, argument.text), ...(makers.length ? [html("br"), "from ", ...this.links(makers)] : [])];
  }

  argumentTable(node) {
    return table(
      node.arguments.map((argument, i) => {
        const line = row(
          argument.name || String(i),
          ...this.argumentText(argument),
          argument.isDefault ? html("span", { class: "default" }, " default") : null,
        );
        line.className = argument.isDefault ? "left-out" : "";
        return line;
      }),
    );
  }

  resultTable(node) {
    return table(
      node.outputs.map((value) =>
        row(
          value.name,
          html("span", { class: "type" }, value.type || "not known"),
          html("br"),
          value.users.length ? ["used by ", ...this.links([...new Set(value.users)])] : "not used",
        ),
      ),
    );
  }

  weight(weight) {
    const facts = [row("kind", weight.kind), row("record", weight.record)];
    if (weight.type !== undefined)
      facts.push(row("type", html("span", { class: "type" }, weight.type)), row("bytes", grouped(weight.bytes)));
    if (weight.error !== undefined) facts.push(row("elements", weight.error));
    if (weight.finite !== undefined) facts.push(...this.statistics(weight));
    return section(
      "Weight",
      html("p", {}, weight.name),
      table(facts),
      weight.histogram?.length ? histogram(weight) : null,
      this.extra?.(weight),
    );
  }

  statistics(weight) {
    const numbers = ["minimum", "maximum", "mean", "deviation"].map((name) => row(name, shortNumber(weight[name])));
    const counts = ["zeros", "nans", "infinities"].filter((name) => weight[name] !== 0).map((name) => row(name, grouped(weight[name])));
    return [...(weight.finite ? numbers : []), ...counts];
  }

  // ---- Groups ----

  group(group) {
    const operators = [...operatorCounts(group)].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    const weights = group.leaves.filter((node) => node.kind === "weight");
    const parameters = new Map(
      weights.filter(({ label }) => label.startsWith("parameter")).map((node) => [node.target, elementsOf(node.outputs[0].type)]),
    );
    const elements = [...parameters.values()];
    const cost = this.costs.of(group);
    return [
      html("p", { class: "kind" }, group.kind, group.type ? [" ", html("code", {}, group.type)] : ""),
      cost ? section("Cost", table([row("multiply-adds", cost[0]), row("bytes of results", cost[1])])) : null,
      elements.length
        ? section(
            "Parameters",
            table([
              row("tensors", grouped(elements.length)),
              row("elements", elements.includes(null) ? "not known" : grouped(elements.reduce((sum, each) => sum + each, 0))),
            ]),
          )
        : null,
      group.difference
        ? section("Difference", html("p", {}, "from ", this.link(group.neighbor, group.neighbor.name), `: ${group.difference}`))
        : null,
      section(
        "Operators",
        list(["operator", "nodes"], operators, ([name, count]) => [name, grouped(count)]),
      ),
      weights.length
        ? section(
            "Weights",
            table(
              weights.map((node) =>
                row(this.link(node, node.target), html("span", { class: "type" }, node.outputs.map((value) => value.type).join(", "))),
              ),
            ),
          )
        : null,
      group.path.length ? section("In", html("p", {}, this.links(group.path))) : null,
    ];
  }
}

/** The histogram of a weight's elements. */
export const histogram = ({ histogram: counts, minimum, maximum }) => {
  const most = Math.max(...counts);
  const bars = counts.map((count, i) => {
    const height = count === 0 ? 0 : Math.max((count / most) * 56, 1);
    return svg(
      "rect",
      { x: (i * 256) / counts.length, y: 58 - height, width: 256 / counts.length - 1, height },
      svg("title", {}, grouped(count)),
    );
  });
  return html(
    "figure",
    { class: "histogram" },
    svg("svg", { viewBox: "0 0 256 58", role: "img", "aria-label": "histogram" }, bars),
    html("figcaption", {}, html("span", {}, shortNumber(minimum)), html("span", {}, shortNumber(maximum))),
  );
};
