// Pictures of the graph to keep: SVG, or PNG of it.

import { button, contextOf, html } from "./elements.js";
import { svgText } from "./svg_text.js";

const MOST_PIXELS = 8192; // per side of a PNG
const SCALE_OF_PNG = 2;

/**
 * @param {Blob} blob
 * @param {string} name
 */
export const download = (blob, name) => {
  const url = URL.createObjectURL(blob);
  html("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
};

/** Draws an SVG file on a canvas.
 * @param {string} text
 * @param {Size} given
 */
const pngOf = async (text, { width, height }) => {
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const scale = Math.min(SCALE_OF_PNG, MOST_PIXELS / width, MOST_PIXELS / height);
    const canvas = html("canvas", { width: Math.ceil(width * scale), height: Math.ceil(height * scale) });
    contextOf(canvas).drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  } finally {
    URL.revokeObjectURL(url);
  }
};

/** Saves `place`, a rectangle of the scene. `part`: added to the file's name.
 * @param {Page} given
 * @param {Place} place
 * @param {string} part
 * @param {string} format
 */
const savePicture = async ({ scene, program }, place, part, format) => {
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const text = svgText(scene.content, place, document.querySelector("style")?.textContent ?? "", isDark);
  const blob = format === "svg" ? new Blob([text], { type: "image/svg+xml" }) : await pngOf(text, place);
  download(blob, `${program.title}${part}.${format}`);
};

/** A dialog that saves what is visible, or all.
 * @param {Page} page
 */
export const pictureDialog = (page) => {
  const all = () => page.scene.picture;
  const visible = () => page.camera.view;
  /**
   * @param {string} format
   * @param {() => Place} place
   * @param {string} part
   */
  const save = (format, place, part) =>
    button(format, () => {
      dialog.close();
      savePicture(page, place(), part, format.toLowerCase());
    });
  const part = " (visible part)";
  /** @type {HTMLDialogElement} */
  const dialog = html(
    "dialog",
    { "aria-label": "save a picture" },
    html("h2", {}, "Save a picture"),
    html("p", {}, "Visible part: ", save("SVG", visible, part), save("PNG", visible, part)),
    html("p", {}, "Whole graph, as unfolded: ", save("SVG", all, ""), save("PNG", all, "")),
    button("Cancel", () => dialog.close()),
  );
  return dialog;
};
