// The look of shapes in a file, where nothing reads style sheets: what page.css says, as attributes.

const PROPERTIES = ["color", "fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-weight"];

/** @param {string} text */
const declarationsOf = (text) => {
  const all = Object.fromEntries(
    text.split(";").flatMap((each) => (each.includes(":") ? [each.split(/:(.*)/s, 2).map((part) => part.trim())] : [])),
  );
  const [, weight, size] = /^(bold )?(\d+)px/.exec(all.font ?? "") ?? [];
  return size === undefined ? all : { ...all, "font-size": size, "font-weight": weight ? "bold" : "400" };
};

/** `.box > rect.open` as its parts, from the outermost.
 * @param {string} selector
 */
const partsOf = (selector) =>
  [...selector.matchAll(/(> )?(\w*)((?:\.[\w-]+)*)(?: |$)/g)]
    .filter(([text]) => text)
    .map(([, isChild, tag, classes]) => ({ isChild: isChild !== undefined, tag, classes: classes.split(".").slice(1) }));

/** Reads a style sheet: its rules about shapes, the most specific ones last, and its colors for light and dark pages.
 * @param {string} css
 */
export const readStyle = (css) => {
  const blocks = [...css.replace(/\/\*.*?\*\//gs, "").matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, selectors, declarations]) => ({
    selectors: selectors.split(",").map((selector) => selector.trim()),
    declarations: declarationsOf(declarations),
  }));
  const [light, dark] = blocks.filter(({ selectors }) => selectors[0] === ":root").map(({ declarations }) => declarations);
  const rules = blocks.flatMap(({ selectors, declarations }) =>
    PROPERTIES.some((name) => name in declarations)
      ? selectors
          .filter((selector) => /^[\w.> -]+$/.test(selector))
          .map((selector) => ({ parts: partsOf(selector), declarations, weight: selector.split(".").length }))
      : [],
  );
  return { rules: rules.sort((a, b) => a.weight - b.weight), light, dark };
};

/** @typedef {ReturnType<typeof partsOf>} Selector */
/** Whether a selector applies to the last shape of `lineage`, the others of which contain it.
 * @param {Selector} parts
 * @param {Shape[]} lineage
 * @returns {boolean}
 */
const applies = (parts, lineage) => {
  const [part, { tag, classes }] = [parts[parts.length - 1], lineage[lineage.length - 1]];
  if ((part.tag && part.tag !== tag) || !part.classes.every((name) => classes.has(name))) return false;
  if (parts.length === 1) return true;
  const outer = parts.slice(0, -1);
  const ancestors = lineage.slice(0, -1);
  return part.isChild
    ? ancestors.length > 0 && applies(outer, ancestors)
    : ancestors.some((_, i) => applies(outer, lineage.slice(0, i + 1)));
};

/** Red, green, blue and alpha of a color such as `#8061b80d` or `color-mix(in srgb, #d9480f 25%, #ffffff)`, to 255.
 * @param {string} text
 * @returns {number[]}
 */
const partsOfColor = (text) => {
  const mix = /^color-mix\(in srgb, (.*) (\d+)%, (.*)\)$/.exec(text);
  if (mix) {
    const [one, other, share] = [partsOfColor(mix[1]), partsOfColor(mix[3]), Number(mix[2]) / 100];
    return one.map((part, i) => part * share + other[i] * (1 - share));
  }
  return [1, 3, 5, 7].map((at) => parseInt(text.slice(at, at + 2) || "ff", 16));
};

/** A color without alpha, and its opacity.
 * @param {string} text
 */
const plainColor = (text) => {
  if (text === "none" || text === "transparent") return { plain: "none", opacity: 1 };
  const digits = partsOfColor(text).map((part) => Math.round(part).toString(16).padStart(2, "0"));
  return { plain: `#${digits.slice(0, 3).join("")}`, opacity: parseInt(digits[3], 16) / 255 };
};

/** The attributes of the last shape of `lineage`, and its `color`, which is that of the shape around it unless a rule says otherwise.
 * @param {Shape[]} lineage
 * @param {{ rules: ReturnType<typeof readStyle>["rules"], colors: Declarations }} given
 * @param {string} outerColor
 */
export const lookOf = (lineage, { rules, colors }, outerColor) => {
  const { fill } = lineage[lineage.length - 1];
  /** @type {Declarations} */
  const own = Object.assign(
    {},
    ...rules.filter(({ parts }) => applies(parts, lineage)).map(({ declarations }) => declarations),
    fill && { fill },
  );
  /** @param {string} text */
  const valueOf = (text) => text.replace(/var\((--[\w-]+)\)/g, (_, name) => colors[name]);
  const color = own.color ? valueOf(own.color) : outerColor;
  /** @type {Declarations} */
  const attributes = {};
  for (const name of PROPERTIES.slice(1)) {
    if (own[name] === undefined) continue;
    if (name !== "fill" && name !== "stroke") attributes[name] = own[name].replaceAll("px", "");
    else {
      const { plain, opacity } = plainColor(own[name] === "currentcolor" ? color : valueOf(own[name]));
      attributes[name] = plain;
      if (opacity !== 1) attributes[`${name}-opacity`] = opacity.toFixed(3);
    }
  }
  return { attributes, color };
};
