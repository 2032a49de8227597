// The visible contents of one group: its boxes, the arrows between them, and the ports through which values enter and leave. They
// do not depend on what is unfolded.

import { Box, isShown } from "./program.js";

const MOST_PORTS = 9; // in each direction; further values share the last port

export class Level {
  /** `shown`: the visible member of a stack.
   * @param {Group} group
   * @param {Group | undefined} shown
   */
  constructor(group, shown) {
    this.group = group;
    this.shown = shown;
    this.boxes = group.children.filter((box) => isShown(box, shown));
    /** @type {Port[]} */
    this.ports = [];
    /** @type {Map<string, Arrow>} */
    this.arrows = new Map();
    for (const node of group.leaves) {
      const box = this.within(node);
      if (box) this.addNode(node, box);
    }
  }

  /** The visible box that is or contains `box`; null if there is none.
   * @param {Box} box
   */
  within(box) {
    const depth = this.group.path.length;
    const found = box.path[depth + 1] ?? box;
    return box.path[depth] === this.group && isShown(found, this.shown) ? found : null;
  }

  /** `box`: that which is or contains the node.
   * @param {NodeBox} node
   * @param {Box} box
   */
  addNode(node, box) {
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

  /**
   * @param {"in" | "out"} direction
   * @param {Value} value
   */
  port(direction, value) {
    const ports = this.ports.filter(({ kind }) => kind === direction);
    const known = ports.find(({ outputs }) => outputs.includes(value));
    if (known) return known;
    const port = ports[MOST_PORTS] ?? new Box(`${direction}${ports.length}`, direction);
    if (port.outputs.length === 0) this.ports.push(port);
    port.outputs.push(value);
    return port;
  }

  /** `value`: null for an arrow from a subgraph's holder.
   * @param {Box} from
   * @param {Box} to
   * @param {Value | null} value
   */
  addArrow(from, to, value) {
    const key = from.id + ">" + to.id;
    const arrow = this.arrows.get(key) ?? { from, to, values: new Set() };
    this.arrows.set(key, arrow);
    if (value) arrow.values.add(value);
  }
}
