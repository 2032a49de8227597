// Creates elements. Text from the program becomes text nodes or attribute values, never markup.

export const fill = (element, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
};

/** Calls `move` with the events of the pointer that `event` pressed, and `end` once it is released. */
export const whileDown = (event, move, end = () => {}) => {
  const released = new AbortController();
  const own = (call) => (next) => next.pointerId === event.pointerId && call(next);
  const stop = own(() => {
    released.abort();
    end();
  });
  for (const [name, call] of [
    ["pointermove", own(move)],
    ["pointerup", stop],
    ["pointercancel", stop],
  ])
    window.addEventListener(name, call, released);
};

export const html = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
export const svg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
