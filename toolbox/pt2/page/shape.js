// Parts of a picture as values, which a page shows as elements and a file stores as text.

export const FONTS = { name: "bold 12px system-ui, sans-serif", more: "11px system-ui, sans-serif", label: "10px system-ui, sans-serif" };

/** `children`: shapes and texts. Attributes with names such as onclick are listeners, for a page.
 * @param {Shape["tag"]} tag
 * @param {Attributes & { class?: string }} [given]
 * @param {...(Shape | string | null | (Shape | string | null)[])} children
 * @returns {Shape}
 */
export const shape = (tag, { class: names = "", ...attributes } = {}, ...children) => ({
  tag,
  classes: new Set(names.split(" ").filter(Boolean)),
  attributes,
  children: children.flat().filter((child) => child !== null),
});

/** Adds or removes a class, also of the element that shows the shape.
 * @param {Shape} given
 * @param {string} name
 * @param {boolean} isOn
 */
export const setClass = ({ classes, element }, name, isOn) => {
  classes[isOn ? "add" : "delete"](name);
  element?.classList.toggle(name, isOn);
};
