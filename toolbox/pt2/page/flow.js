// The dependencies and dependents of a box: all paths from the program's inputs to its outputs through it.

/** All nodes reachable from `nodes` by `next`, including these. */
const reach = (nodes, next) => {
  const reached = new Set(nodes);
  const waiting = [...nodes];
  while (waiting.length) {
    for (const node of next(waiting.pop())) {
      if (reached.has(node)) continue;
      reached.add(node);
      waiting.push(node);
    }
  }
  return reached;
};

const makersOf = (node) => node.arguments.flatMap((argument) => argument.values.map((value) => value.producer).filter(Boolean));
const usersOf = (node) => node.outputs.flatMap((value) => value.users);

/** The nodes on these paths and the groups that contain them. */
const flowThrough = (box) => {
  const start = box.isGroup ? box.leaves : [box];
  const nodes = new Set([...reach(start, makersOf), ...reach(start, usersOf)]);
  const boxes = new Set(nodes);
  for (const node of nodes) for (const group of node.path) boxes.add(group);
  return boxes;
};

const isOnFlow = (box, flow) => (box.isPort ? box.values.some((value) => flow.has(value.producer) && value.users.some((user) => flow.has(user))) : flow.has(box));
