// The graph of a program and its controls: clicks, keys and links.

import { Camera } from "./camera.js";
import { Details, panel } from "./details.js";
import { boxes, button, elementOf, filePicker, fill, html, measured, svg } from "./elements.js";
import { flowThrough, isArrowOnFlow, isOnFlow, makersOf, usersOf } from "./flow.js";
import { Folding } from "./folding.js";
import { HEADER } from "./layout.js";
import { Minimap } from "./minimap.js";
import { messageOf } from "./numbers.js";
import { legendOf, Overlay, readOverlay } from "./overlay.js";
import { pictureDialog } from "./picture.js";
import { nearest, numberOf, stacksOf } from "./program.js";
import { programPanel } from "./program_panel.js";
import { Scene } from "./scene.js";
import { Search } from "./search.js";
import { setClass } from "./shape.js";
import { linkTo, row, table } from "./tables.js";
import { Unfolding } from "./unfolding.js";

/** What keys do: [the keys in the help, its text, what each does].
 * @type {[string, string, { [key: string]: (page: Page) => unknown }][]}
 */
const KEYS = [
  ["/", "search", { "/": (page) => page.search.field.focus() }],
  ["Enter", "fold or unfold the selection", { Enter: (page) => page.toggleDrawn(page.chosen) }],
  ["e, c", "unfold everything one level deeper, fold everything", { e: (page) => page.unfoldLevel(), c: (page) => page.foldAll() }],
  ["arrows", "move; if the graph has the focus (Tab), go to the nearest box, with Shift, move", {}],
  [
    "+ and -",
    "zoom",
    { "+": ({ camera }) => camera.zoom(1.25), "=": ({ camera }) => camera.zoom(1.25), "-": ({ camera }) => camera.zoom(0.8) },
  ],
  ["0", "fit the graph to the window", { 0: (page) => page.fit() }],
  ["f", "go to the selection", { f: (page) => page.chosen && page.choose(page.chosen, true) }],
  ["p", "highlight paths through the selection", { p: (page) => page.toggleFlow() }],
  ["w, z", "show weights, and sizes, as boxes", { w: (page) => page.turn("weights"), z: (page) => page.turn("sizes") }],
  [
    "u, d",
    "select the source of its first input, or a user of its first result",
    { u: (page) => page.step(makersOf), d: (page) => page.step(usersOf) },
  ],
  ["s", "save a picture", { s: (page) => page.pictures.showModal() }],
  ["o", "color nodes by data from a file", { o: (page) => page.picker.click() }],
  ["Esc", "clear the selection", { Escape: (page) => page.choose(null, false) }],
  [", and .", "previous and next of equal boxes", { ",": (page) => page.walk(-1), ".": (page) => page.walk(1) }],
  ["g", "go to one of equal boxes by its number", { g: (page) => page.askNumber() }],
  ["?", "show these keys", { "?": (page) => page.help.showModal() }],
];
const STEP = 60; // pixels
/** @type {{ [key: string]: [number, number] }} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Page extends Folding {
  /** @type {Page | undefined} The one that keys control. */
  static active;
  /** @type {Choose} */
  choice = (box) => this.choose(box, true);

  /** `marks`: CSS classes by box.
   * @param {Program} program
   * @param {Map<Box, string>} [marks]
   */
  constructor(program, marks = new Map()) {
    super(program, measured, marks);
    /** @type {Box | null} */
    this.chosen = null;
    this.showsFlow = false;
    /** @type {Overlay | null} */
    this.overlay = null;
    /** @type {LinkedPages | null} */
    this.linked = null;
    this.badge = html("section", { class: "badge", role: "status", hidden: true });
    this.legend = html("div", { class: "legend" });
    this.content = svg("g", { class: "scene" });
    this.minimap = new Minimap((point) => this.camera.goTo({ ...point, width: 0, height: 0 }));
    this.details = new Details(program, this.choice, (stack) => this.walker(stack));
    this.search = new Search(program, (box) => {
      if (box?.isGroup) this.unfold(box);
      this.choose(box, true);
    });
    this.unfolding = new Unfolding(this);
    this.frame = svg(
      "svg",
      {
        class: "graph",
        role: "application",
        "aria-label": "graph",
        tabindex: 0,
        onfocus: () => this.focus(),
        onclick: (event) => this.click(event),
        ondblclick: (event) => this.toggleDrawn(this.boxAt(event)),
      },
      this.content,
    );
    /** @type {HTMLDialogElement} */
    this.help = html(
      "dialog",
      {},
      html("h2", {}, "Keys"),
      table(KEYS.map(([key, text]) => row(key, text))),
      html("p", {}, "Scroll to zoom, drag to move, and double-click to fold or unfold."),
      button("Close", () => this.help.close(), { title: "Esc" }),
    );
    this.pictures = pictureDialog(this);
    this.flowButton = button("Path", () => this.toggleFlow(), { title: "highlight paths through the selection (p)" });
    this.switches = { weights: this.switchOf("weights", "Weights", "w"), sizes: this.switchOf("sizes", "Sizes", "z") };
    const bar = html(
      "header",
      {},
      this.search.element,
      button("All", () => this.fit(), { title: "fit the graph to the window (0)" }),
      button("\u2212", () => this.camera.zoom(0.8), { title: "zoom out (-)" }),
      button("+", () => this.camera.zoom(1.25), { title: "zoom in (+)" }),
      button("Unfold", () => this.unfoldLevel(), { title: "unfold everything one level deeper (e)" }),
      button("Fold", () => this.foldAll(), { title: "fold everything (c)" }),
      this.flowButton,
      this.switches.weights,
      this.switches.sizes,
      button("Data", () => this.picker.click(), {
        title: "color nodes by values from a JSON or CSV file, which you can also drop on the page (o)",
      }),
      button("Save", () => this.pictures.showModal(), { title: "save a picture (s)" }),
      button("?", () => this.help.showModal(), { title: "keys" }),
    );
    this.element = html(
      "section",
      { class: "page", "aria-label": this.program.title },
      bar,
      html("div", { class: "canvas" }, this.frame, this.minimap.element, this.unfolding.notice),
      this.help,
      this.pictures,
      this.unfolding.dialog,
    );
    const forms = { accept: ".json,.csv", "aria-label": "data on nodes" };
    this.picker = filePicker(forms, ([file]) => this.openData(file));
    this.element.append(this.picker);
    this.camera = new Camera(this.frame, this.content, () => {
      this.minimap.show(this.camera.view);
      this.linked?.moved(this);
    });
    for (const type of ["pointerdown", "drop"]) this.element.addEventListener(type, () => (Page.active = this));
    Page.active ??= this;
    document.addEventListener("keydown", (event) => Page.active === this && this.key(event));
    window.addEventListener("hashchange", () => this.element.isConnected && this.followLink());
    window.addEventListener("resize", () => this.minimap.show(this.camera.view));
    this.unfoldLevels(program.root);
    /** @type {Scene} */
    this.scene = this.draw();
  }

  // ---- Folding ----

  /** Shows the start of the graph, or the box in the address, once the page is in the document. */
  start() {
    if (!this.followLink()) this.camera.begin(this.scene.place, this.first());
  }

  /** The place of the uppermost box, preferably a user input. */
  first() {
    const boxes = [...this.scene.places].sort(([, a], [, b]) => a.y - b.y);
    const input = boxes.find(([box]) => box.kind === "input" && box.path.every((group) => group.kind !== "unused"));
    return (input ?? boxes.find(([box]) => box.kind !== "unused"))?.[1];
  }

  /** @returns {Scene} */
  draw() {
    const scene = (this.scene = new Scene(this.program.root, this));
    this.overlay?.paint(scene);
    this.content.replaceChildren(...scene.content.map(elementOf));
    this.minimap.draw(scene);
    this.mark();
    return scene;
  }

  /** @param {Group} group */
  toggle(group) {
    if (this.open.has(group)) this.setOpen(group, false);
    else this.unfold(group);
    this.drawAround(group);
    const place = this.scene.places.get(group);
    if (place && this.open.has(group)) this.camera.include(place);
  }

  /** @param {Group} group */
  unfold(group) {
    for (const each of [group, this.shown(group)]) if (each) this.setOpen(each, true);
  }

  // ---- Weights and sizes: hidden unless a switch shows them ----

  /**
   * @param {"weights" | "sizes"} role
   * @param {string} name
   * @param {string} key
   */
  switchOf(role, name, key) {
    const title = `show ${role} as boxes (${key})`;
    const hidden = !this.program.nodes.some((node) => node.role === role);
    return button(name, () => this.turn(role), { title, "aria-pressed": "false", hidden });
  }

  /**
   * @param {Role} role
   * @param {boolean} isShown
   */
  setShown(role, isShown) {
    super.setShown(role, isShown);
    if (role) this.switches[role].setAttribute("aria-pressed", String(isShown));
  }

  /** @param {Role} role */
  turn(role) {
    const [middle, isShown] = [this.middle(({ role: own }) => !own), !this.shownRoles.has(role)];
    for (const page of this.linked?.isOn ? this.linked.pages : [this]) page.setShown(role, isShown);
    this.drawAround(middle);
  }

  // ---- Stacks: one member is visible ----

  /**
   * @param {number} steps
   * @param {Group} [stack]
   */
  walk(steps, stack = this.stack()) {
    const { members = [] } = stack ?? {};
    if (stack) this.goTo(stack, members[members.findIndex((member) => member === this.shown(stack)) + steps]);
  }

  /** Shows another member of a stack, with the same parts unfolded and selected.
   * @param {Group} stack
   * @param {Group | undefined} member
   */
  goTo(stack, member) {
    const before = this.shown(stack);
    if (member === undefined || before === undefined || member === before) return;
    /** @param {Box} box */
    const isInside = (box) => box === before || box.path.includes(before);
    /** @type {(box: Box) => Box | undefined} */
    const twin = (box) => {
      if (box === before) return member;
      const outer = box.path[box.path.length - 1];
      const other = twin(outer);
      return other?.children[outer.children.indexOf(box)];
    };
    this.mirror(this.program.groups.filter(isInside), this, twin);
    this.show(stack, member);
    if (this.scene.places.has(stack)) this.drawAround(stack);
    this.choose((this.chosen && isInside(this.chosen) && twin(this.chosen)) || member, !this.scene.places.has(stack));
  }

  /** The innermost stack around the selection, or else the nearest one. */
  stack() {
    const around = this.chosen && stacksOf(this.chosen).pop();
    return around ?? this.middle(({ members }) => members);
  }

  /** A field with the number of the visible member.
   * @param {Group} stack
   */
  walker(stack) {
    const { name, members = [] } = stack;
    const [min, max] = [numberOf(members[0]), numberOf(members[members.length - 1])];
    const value = numberOf(this.shown(stack) ?? members[0]);
    const onchange = (/** @type {any} */ { target }) => {
      const member = members.find((member) => numberOf(member) === target.valueAsNumber);
      this.goTo(stack, member);
    };
    const onclick = (/** @type {any} */ { target }) => target.select();
    const field = html("input", { type: "number", min, max, value, "aria-label": `number in ${name}`, onclick, onchange });
    const previous = button("\u2039", () => this.walk(-1, stack), { title: "previous (,)" });
    const next = button("\u203a", () => this.walk(1, stack), { title: "next (.)" });
    return html("p", { class: "walker" }, previous, field, next, ` of ${name}`);
  }

  /** Selects the visible member of the nearest stack, and its number. */
  askNumber() {
    const stack = this.stack();
    if (!stack) return;
    if (this.chosen === null || !stacksOf(this.chosen).includes(stack)) this.choose(this.shown(stack) ?? null, true);
    const fields = this.details.element.querySelectorAll(".walker input");
    /** @type {HTMLInputElement} */ (fields[fields.length - 1]).select();
  }

  /** Draws after folding or unfolding. Keeps the zoom, and the corner of `box` in place.
   * @param {Box} [box]
   */
  drawAround(box) {
    const before = box && this.scene.places.get(box);
    this.draw();
    const after = box && this.scene.places.get(box);
    if (before && after) this.camera.pan((before.x - after.x) * this.camera.scale, (before.y - after.y) * this.camera.scale);
    this.linked?.folded(this);
  }

  /** The box that is nearest to the middle of what is visible, of those that `isOne`.
   * @param {(box: Box) => unknown} isOne
   */
  middle(isOne) {
    const { x, y, width, height } = this.camera.view;
    /** @param {[Box, Place]} given */
    const far = ([, place]) => Math.hypot(place.x + place.width / 2 - x - width / 2, place.y + place.height / 2 - y - height / 2);
    return nearest(this.scene.places, far, ([box]) => isOne(box))?.[0];
  }

  /** @param {Box} box */
  reveal(box) {
    this.unfoldAround(box);
    this.drawAround();
  }

  async unfoldLevel() {
    const groups = [...this.scene.places.keys()].filter((box) => box.isGroup).filter((group) => !this.isOpen(group));
    if (groups.length === 0) return;
    const middle = this.middle((box) => !this.isOpen(box));
    if (await this.unfolding.open(groups)) this.drawAround(middle);
  }

  foldAll() {
    this.unfolding.notice.hidden = true;
    for (const group of [...this.open]) this.setOpen(group, false);
    this.drawAround();
    this.fit();
  }

  fit() {
    this.camera.fit(this.scene.place);
  }

  // ---- Data of the reader ----

  /** @param {File | undefined} file */
  async openData(file) {
    if (file) this.showData(await file.text(), file.name);
  }

  /** Colors the boxes by the values in a JSON or CSV text, or says why not.
   * @param {string} text
   * @param {string} name
   */
  showData(text, name) {
    this.removeData();
    try {
      this.overlay = new Overlay(this.program, readOverlay(text, name));
      this.legend.append(legendOf(this.overlay, this));
    } catch (error) {
      this.legend.append(html("p", { class: "fault", role: "alert" }, `${name}: ${messageOf(error)}`));
    }
    this.draw();
  }

  removeData() {
    this.overlay = null;
    this.legend.replaceChildren();
    this.draw();
  }

  // ---- Selection ----

  /** `goes`: whether to scroll to the box and unfold the groups around it.
   * @param {Box | null} box
   * @param {boolean} goes
   */
  choose(box, goes) {
    this.chosen = box;
    if (box !== null && goes) {
      this.reveal(box);
      this.camera.goTo(this.scene.places.get(box) ?? this.scene.place);
    }
    this.details.show(box);
    if (box !== null) this.details.element.scrollIntoView({ block: "start" });
    this.mark();
    this.linked?.chose(this, box);
    const link = box === null ? "" : "#" + linkTo(box);
    if (location.hash !== link) history.replaceState(null, "", link || location.pathname + location.search);
  }

  /** Selects the box in the address; returns whether there is one. */
  followLink() {
    const [, kind, text] = /^#(node|module)=(.*)$/.exec(location.hash) ?? [];
    if (kind === undefined) return false;
    let name = text;
    try {
      name = decodeURIComponent(text);
    } catch {
      // Not encoded for an address: used unchanged.
    }
    const boxes = kind === "node" ? this.program.nodes : this.program.groups;
    const box = boxes.find((each) => each.name === name);
    if (box === undefined) return false;
    if (box !== this.chosen) this.choose(box, true);
    return true;
  }

  toggleFlow() {
    this.showsFlow = !this.showsFlow;
    this.flowButton.setAttribute("aria-pressed", String(this.showsFlow));
    this.mark();
  }

  /** Highlights the selection, its neighbors and, if enabled, the paths through it. */
  mark() {
    const flow = this.showsFlow && this.chosen !== null ? flowThrough(this.chosen) : null;
    for (const [box, shape] of this.scene.shapes) {
      const mark = this.marks.get(box);
      if (mark) setClass(shape, mark, true);
      setClass(shape, "chosen", box === this.chosen);
      setClass(shape, "aside", flow !== null && !isOnFlow(box, flow));
    }
    for (const { arrow, drawn, label } of this.scene.arrows) {
      const isAside = flow !== null && !isArrowOnFlow(arrow, flow);
      if (label) setClass(label, "aside", isAside);
      setClass(drawn, "lit", !isAside && (flow !== null || arrow.from === this.chosen || arrow.to === this.chosen));
      setClass(drawn, "aside", isAside);
    }
  }

  /** The box of an event, or null.
   * @param {Event} event
   */
  boxAt(event) {
    const element = event.composedPath().find((each) => boxes.has(each));
    return (element && boxes.get(element)) ?? null;
  }

  /** @param {MouseEvent} event */
  click(event) {
    if (this.camera.wasDragged) return;
    const box = this.boxAt(event);
    this.choose(box, box !== null && !this.scene.places.has(box));
  }

  /** @param {Box | null} box */
  toggleDrawn(box) {
    if (box?.isGroup && this.scene.places.has(box)) this.toggle(box);
  }

  // ---- Keys ----

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {Element} */ (event.target);
    const isBusy = this.help.open || this.pictures.open || this.unfolding.isBusy;
    if (event.ctrlKey || event.altKey || event.metaKey || isBusy || target.closest?.("input")) return;
    const step = STEPS[event.key];
    const does = KEYS.flatMap(([, , acts]) => acts[event.key] ?? [])[0];
    if ((!step && !does) || (target.closest?.("button, a, summary") && ["Enter", " "].includes(event.key))) return;
    event.preventDefault();
    if (!step) does(this);
    else if (document.activeElement === this.frame && !event.shiftKey) this.walkTo(...step);
    else this.camera.pan(-STEP * step[0], -STEP * step[1]);
  }

  /** Selects a box for the keys that walk from it. */
  focus() {
    const middle = this.middle(() => true);
    if (this.chosen === null && middle && this.frame.matches(":focus-visible")) this.choose(middle, false);
  }

  /** Selects the nearest box to the left (-1, 0), below (0, 1), etc.
   * @param {number} right
   * @param {number} down
   */
  walkTo(right, down) {
    const { places } = this.scene;
    /** @param {[Box, Place]} given */
    const center = ([box, { x, y, width, height }]) => [x + width / 2, y + (this.isOpen(box) ? HEADER : height) / 2];
    const from = this.chosen && places.get(this.chosen);
    if (!this.chosen || !from) {
      const middle = this.middle(() => true);
      return middle && this.choose(middle, true);
    }
    const [x, y] = center([this.chosen, from]);
    const next = nearest(places, (place) => {
      const [dx, dy] = [center(place)[0] - x, center(place)[1] - y];
      const along = right * dx + down * dy;
      return along > 1 ? along + 2 * Math.abs(right * dy + down * dx) : Infinity;
    });
    if (next === undefined) return;
    const { view } = this.camera;
    const [atX, atY] = center(next);
    this.choose(next[0], atX < view.x || atY < view.y || atX > view.x + view.width || atY > view.y + view.height);
  }

  /** @param {(node: NodeBox) => NodeBox[]} next */
  step(next) {
    const box = this.chosen && !this.chosen.isGroup ? next(this.chosen).find(({ isHidden }) => !isHidden) : undefined;
    if (box) this.choose(box, true);
  }
}

/** @param {Program} program */
export const showProgram = (program) => {
  const page = new Page(program);
  fill(page.element, { role: "main" }, []);
  const tables = programPanel(program, page.choice, page.details.costs);
  document.body.append(page.element, panel(page.badge, page.legend, page.details.element, tables));
  page.start();
  return page;
};
