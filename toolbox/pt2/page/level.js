// The visible contents of one group: its boxes, the arrows between them, and the ports through which values enter and leave. They
// do not depend on what is unfolded.

import { isShown } from "./program.js";

const MOST_PORTS = 9; // in each direction; further values share the last port

/** The box of `group` that is or contains `node`; null if it is outside. */
const boxWithin = (group, box) => {
  const depth = group.path.length;
  return box.path[depth] === group ? (box.path[depth + 1] ?? box) : null;
};

class Level {
  /** `shown`: the visible member of a stack. */
  constructor(group, shown) {
    this.group = group;
    this.shown = shown;
    this.boxes = group.children.filter((box) => isShown(box, shown));
    this.ports = [];
    this.arrows = new Map();
    for (const node of group.leaves) if (this.within(node)) this.addNode(node);
  }

  /** The visible box that is or contains `box`; null if there is none. */
  within(box) {
    const found = boxWithin(this.group, box);
    return found && isShown(found, this.shown) ? found : null;
  }

  addNode(node) {
    const box = this.within(node);
    for (const argument of node.arguments) {
      for (const value of argument.values) {
        const from = value.producer && !value.producer.isHidden && (this.within(value.producer) ?? this.port("in", value));
        if (from && from !== box) this.addArrow(from, box, value);
      }
    }
    for (const value of node.outputs) {
      if (value.users.some((user) => !user.isHidden && !this.within(user))) this.addArrow(box, this.port("out", value), value);
    }
    for (const subgraph of node.subgraphs) {
      const inner = this.within(subgraph);
      if (inner && inner !== box) this.addArrow(box, inner, null);
    }
  }

  port(direction, value) {
    const ports = this.ports.filter((port) => port.direction === direction);
    let port = ports.find((each) => each.values.includes(value));
    if (port) return port;
    if (ports.length > MOST_PORTS) {
      port = ports[MOST_PORTS];
      port.values.push(value);
    } else {
      port = { id: `${direction}${ports.length}`, isPort: true, direction, values: [value] };
      this.ports.push(port);
    }
    return port;
  }

  /** `value`: null for an arrow from a subgraph's holder. */
  addArrow(from, to, value) {
    const key = from.id + ">" + to.id;
    if (!this.arrows.has(key)) this.arrows.set(key, { from, to, values: new Set() });
    if (value) this.arrows.get(key).values.add(value);
  }
}

export const levelOf = (group, shown) => ((shown ?? group)[shown ? "alone" : "level"] ??= new Level(group, shown));
