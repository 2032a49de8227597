// The visible contents of one group: its boxes, the arrows between them, and the ports through which values enter and leave. They
// do not depend on what is unfolded.

import { isShown } from "./program.js";

const MOST_PORTS = 9; // in each direction; further values share the last port

/** The box of `group` that is or contains `node`; null if it is outside.
 * @param {Group} group
 * @param {Box} box
 */
const boxWithin = (group, box) => {
  const depth = group.path.length;
  return box.path[depth] === group ? (box.path[depth + 1] ?? box) : null;
};

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
    const found = boxWithin(this.group, box);
    return found && isShown(found, this.shown) ? found : null;
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
    const ports = this.ports.filter((port) => port.direction === direction);
    const known = ports.find((each) => each.values.includes(value));
    if (known) return known;
    /** @type {Port} */
    const port = ports[MOST_PORTS] ?? { id: `${direction}${ports.length}`, isPort: true, direction, values: [] };
    if (port.values.length === 0) this.ports.push(port);
    port.values.push(value);
    return port;
  }

  /** `value`: null for an arrow from a subgraph's holder.
   * @param {Box | Port} from
   * @param {Box | Port} to
   * @param {Value | null} value
   */
  addArrow(from, to, value) {
    const key = from.id + ">" + to.id;
    const arrow = this.arrows.get(key) ?? { from, to, values: new Set() };
    this.arrows.set(key, arrow);
    if (value) arrow.values.add(value);
  }
}

/**
 * @param {Group} group
 * @param {Group | undefined} shown
 */
export const levelOf = (group, shown) => ((shown ?? group)[shown ? "alone" : "level"] ??= new Level(group, shown));
