/** A path through the middles between points, bent towards the points.
 * @param {{ x: number, y: number }[]} points
 */
export const curve = (points) => {
  /** @param {{ x: number, y: number }} given */
  const at = ({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  let path = "M" + at(points[0]);
  for (let i = 1; i + 1 < points.length; ++i) {
    const [here, next] = [points[i], points[i + 1]];
    const end = i + 2 < points.length ? { x: (here.x + next.x) / 2, y: (here.y + next.y) / 2 } : next;
    path += `Q${at(here)} ${at(end)}`;
  }
  return points.length > 2 ? path : path + "L" + at(points[1]);
};
