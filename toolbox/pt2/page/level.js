// The contents of one group: its boxes, the arrows between them, and the ports through which values enter and leave. They do
// not depend on what is unfolded.

const MOST_PORTS = 9; // in each direction; further values share the last port

/** The box of `group` that is or contains `node`; null if it is outside. */
const boxWithin = (group, box) => {
  const depth = group.path.length;
  return box.path[depth] === group ? box.path[depth + 1] ?? box : null;
};

class Level {
  constructor(group) {
    this.group = group;
    this.boxes = group.children;
    this.ports = [];
    this.arrows = new Map();
    for (const node of group.leaves) this.addNode(node);
  }

  addNode(node) {
    const box = boxWithin(this.group, node);
    for (const argument of node.arguments) {
      for (const value of argument.values) {
        const from = value.producer && (boxWithin(this.group, value.producer) ?? this.port("in", value));
        if (from && from !== box) this.addArrow(from, box, value);
      }
    }
    for (const value of node.outputs) {
      if (value.users.some((user) => !boxWithin(this.group, user))) this.addArrow(box, this.port("out", value), value);
    }
    for (const subgraph of node.subgraphs) {
      const inner = boxWithin(this.group, subgraph);
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

const levelOf = (group) => (group.level ??= new Level(group));
