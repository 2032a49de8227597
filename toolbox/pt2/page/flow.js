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

export const makersOf = (node) => node.arguments.flatMap((argument) => argument.values.map((value) => value.producer).filter(Boolean));
export const usersOf = (node) => node.outputs.flatMap((value) => value.users);

/** `before` and `after`: the nodes on these paths up to the box and from it. `boxes`: these nodes and the groups that contain them. */
export const flowThrough = (box) => {
  const start = box.isGroup ? box.leaves : [box];
  const [before, after] = [reach(start, makersOf), reach(start, usersOf)];
  const boxes = new Set([...before, ...after]);
  for (const node of [...boxes]) for (const group of node.path) boxes.add(group);
  return { before, after, boxes };
};

/** Whether a value is on these paths; it may also pass by the box, from a node before it to one after it. */
const carries = ({ before, after }, value, isUser = () => true) =>
  [before, after].some((nodes) => nodes.has(value.producer) && value.users.some((user) => nodes.has(user) && isUser(user)));

export const isOnFlow = (box, flow) => (box.isPort ? box.values.some((value) => carries(flow, value)) : flow.boxes.has(box));

export const isArrowOnFlow = ({ from, to, values }, flow) =>
  values.size === 0
    ? flow.boxes.has(from) && flow.boxes.has(to)
    : [...values].some((value) => carries(flow, value, (user) => to.isPort || user === to || user.path.includes(to)));
