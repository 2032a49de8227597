// Pictures of the graph to keep: SVG, or PNG of it.

import { html, svg } from "./elements.js";

const MOST_PIXELS = 8192; // per side of a PNG
const SCALE_OF_PNG = 2;

// Other programs than browsers know only these, as attributes, and no rules or variables.
const STYLES = {
  g: ["opacity"],
  rect: ["fill", "stroke", "stroke-width", "stroke-dasharray"],
  path: ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity"],
  text: ["fill", "font-size", "font-weight"],
  tspan: ["fill", "font-size", "font-weight"],
};
const FONT_NAMES = "system-ui, sans-serif, DejaVu Sans, Arial"; // resvg has no sans-serif by itself
const DEFAULTS = { stroke: "none", "stroke-width": "1", "stroke-dasharray": "none", opacity: "1" };

/** A computed color, such as rgb(1, 2, 3) or color(srgb 0.1 0.2 0.3 / 0.4), as [color, opacity]. */
const plainColor = (text) => {
  const [red, green, blue, alpha = 1] = text.match(/[\d.]+(e-\d+)?/g)?.map(Number) ?? [];
  if (red === undefined || alpha === 0) return ["none", 1];
  const parts = [red, green, blue].map((part) => Math.round(text.startsWith("color") ? part * 255 : part));
  return [`#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`, alpha];
};

/** Returns a copy whose elements have the style of the page as attributes. */
const styledCopy = (element) => {
  const copy = element.cloneNode(true);
  const copies = [...copy.querySelectorAll("*")];
  for (const [i, original] of [...element.querySelectorAll("*")].entries()) {
    const style = getComputedStyle(original);
    if (style.display === "none" && original.tagName !== "title") copies[i].remove();
    for (const name of ["class", "style"]) copies[i].removeAttribute(name);
    for (const name of STYLES[original.tagName] ?? []) {
      const isColor = name === "fill" || name === "stroke";
      const [value, opacity] = isColor ? plainColor(style[name]) : [style.getPropertyValue(name).replaceAll("px", ""), 1];
      if (value !== DEFAULTS[name]) copies[i].setAttribute(name, value);
      if (opacity !== 1) copies[i].setAttribute(`${name}-opacity`, opacity);
    }
  }
  return copy;
};

/** An SVG file with `place`, a rectangle of the scene. */
const pictureOf = (page, { x, y, width, height }) => {
  const copy = styledCopy(page.scene.element);
  for (const name of ["class", "transform"]) copy.removeAttribute(name);
  const [fill] = plainColor(getComputedStyle(document.body).backgroundColor);
  const picture = svg(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", viewBox: `${x} ${y} ${width} ${height}`, width, height, "font-family": FONT_NAMES },
    svg("rect", { x, y, width, height, fill }),
    copy,
  );
  return new XMLSerializer().serializeToString(picture);
};

export const download = (blob, name) => {
  const url = URL.createObjectURL(blob);
  html("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
};

/** Draws an SVG file on a canvas. */
const pngOf = async (text, { width, height }) => {
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const scale = Math.min(SCALE_OF_PNG, MOST_PIXELS / width, MOST_PIXELS / height);
    const canvas = html("canvas", { width: Math.ceil(width * scale), height: Math.ceil(height * scale) });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  } finally {
    URL.revokeObjectURL(url);
  }
};

/** `part`: added to the file's name. */
const savePicture = async (page, place, part, format) => {
  const text = pictureOf(page, place);
  const blob = format === "svg" ? new Blob([text], { type: "image/svg+xml" }) : await pngOf(text, place);
  download(blob, `${page.program.title}${part}.${format}`);
};

/** A dialog that saves what is visible, or all. */
export const pictureDialog = (page) => {
  const buttons = (place, part) =>
    ["SVG", "PNG"].map((format) =>
      html(
        "button",
        {
          type: "button",
          onclick: () => {
            dialog.close();
            savePicture(page, place(), part, format.toLowerCase());
          },
        },
        format,
      ),
    );
  const all = () => ({ x: -8, y: -8, width: page.scene.size.width + 16, height: page.scene.size.height + 16 });
  const dialog = html(
    "dialog",
    { "aria-label": "save a picture" },
    html("h2", {}, "Save a picture"),
    html(
      "p",
      {},
      "Visible part: ",
      buttons(() => page.camera.view, " (visible part)"),
    ),
    html("p", {}, "Whole graph, as unfolded: ", buttons(all, "")),
    html("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
  );
  return dialog;
};
