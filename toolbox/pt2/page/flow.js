// The dependencies and dependents of a box: all paths from the program's inputs to its outputs through it.

/** All nodes reachable from `nodes` by `next`, including these.
 * @param {Iterable<NodeBox>} nodes
 * @param {(node: NodeBox) => NodeBox[]} next
 */
const reach = (nodes, next) => {
  const reached = new Set(nodes);
  const waiting = [...nodes];
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    for (const node of next(at)) {
      if (reached.has(node)) continue;
      reached.add(node);
      waiting.push(node);
    }
  }
  return reached;
};

/** @param {NodeBox} node */
export const makersOf = (node) => node.arguments.flatMap((argument) => argument.values.flatMap((value) => value.producer ?? []));
/** @param {NodeBox} node */
export const usersOf = (node) => node.outputs.flatMap((value) => value.users);

/** @typedef {ReturnType<typeof flowThrough>} Flow */
/** `before` and `after`: the nodes on these paths up to the box and from it. `boxes`: these nodes and the groups that contain them.
 * @param {Box} box
 */
export const flowThrough = (box) => {
  const start = box.isGroup ? box.leaves : [box];
  const [before, after] = [reach(start, makersOf), reach(start, usersOf)];
  /** @type {Set<Box>} */
  const boxes = new Set([...before, ...after]);
  for (const node of [...before, ...after]) for (const group of node.path) boxes.add(group);
  return { before, after, boxes };
};

/** Whether a value is on these paths; it may also pass by the box, from a node before it to one after it.
 * @param {Flow} given
 * @param {Value} value
 * @param {(user: NodeBox) => boolean} [isUser]
 */
const carries = ({ before, after }, value, isUser = () => true) =>
  [before, after].some(
    (nodes) => value.producer !== null && nodes.has(value.producer) && value.users.some((user) => nodes.has(user) && isUser(user)),
  );

/**
 * @param {Box} box
 * @param {Flow} flow
 */
export const isOnFlow = (box, flow) => (box.isPort ? box.outputs.some((value) => carries(flow, value)) : flow.boxes.has(box));

/**
 * @param {Arrow} given
 * @param {Flow} flow
 */
export const isArrowOnFlow = ({ from, to, values }, flow) =>
  values.size === 0
    ? [from, to].every((box) => flow.boxes.has(box))
    : [...values].some((value) => carries(flow, value, (user) => to.isPort || user === to || user.path.some((group) => group === to)));
