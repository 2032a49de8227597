// Pictures of the graph to keep: SVG, or PNG of it.

const MOST_PIXELS = 8192; // per side of a PNG
const SCALE_OF_PNG = 2;

/** An SVG file with `place`, a rectangle of the scene. It has the style of the page. */
const pictureOf = (page, { x, y, width, height }) => {
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  const rules = document.querySelector("style").textContent;
  // The colors of the page, whatever the program that shows the picture prefers.
  const colors = getComputedStyle(document.documentElement);
  const names = new Set(rules.match(/--[a-z-]+(?=:)/g));
  style.textContent = `${rules}\n:root { ${[...names].map((name) => `${name}: ${colors.getPropertyValue(name)}`).join("; ")} }`;
  const copy = page.scene.element.cloneNode(true);
  copy.removeAttribute("transform");
  const picture = svg("svg", { xmlns: "http://www.w3.org/2000/svg", class: "graph", viewBox: `${x} ${y} ${width} ${height}`, width, height },
    style, page.frame.querySelector("defs").cloneNode(true), svg("rect", { x, y, width, height, fill: colors.getPropertyValue("--back") }), copy);
  return new XMLSerializer().serializeToString(picture);
};

const download = (blob, name) => {
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

const savePicture = async (page, place, format) => {
  const text = pictureOf(page, place);
  const blob = format === "svg" ? new Blob([text], { type: "image/svg+xml" }) : await pngOf(text, place);
  download(blob, `${page.program.title}.${format}`);
};

/** A dialog that saves what is visible, or all. */
const pictureDialog = (page) => {
  const button = (text, format, place) => html("button", { type: "button", onclick: () => { dialog.close(); savePicture(page, place(), format); } }, text);
  const view = () => page.camera.view;
  const all = () => ({ x: -8, y: -8, width: page.scene.size.width + 16, height: page.scene.size.height + 16 });
  const dialog = html("dialog", { "aria-label": "save a picture" }, html("h2", {}, "Save a picture"),
    html("p", {}, "Visible part: ", button("SVG", "svg", view), " ", button("PNG", "png", view)),
    html("p", {}, "Whole graph, as unfolded: ", button("SVG", "svg", all), " ", button("PNG", "png", all)),
    html("button", { type: "button", onclick: () => dialog.close() }, "Cancel"));
  return dialog;
};
