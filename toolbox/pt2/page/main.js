// The graph of a program and its controls: clicks, keys and links.

import { showFindings } from "./badge.js";
import { Camera } from "./camera.js";
import { Details, panel } from "./details.js";
import { boxes, elementOf, fill, html, measured, svg } from "./elements.js";
import { flowThrough, isArrowOnFlow, isOnFlow, makersOf, usersOf } from "./flow.js";
import { Folding } from "./folding.js";
import { HEADER } from "./layout.js";
import { Minimap } from "./minimap.js";
import { legendOf, Overlay, readOverlay } from "./overlay.js";
import { pictureDialog } from "./picture.js";
import { numberOf, stacksOf } from "./program.js";
import { programPanel } from "./program_panel.js";
import { Scene } from "./scene.js";
import { Search } from "./search.js";
import { setClass } from "./shape.js";
import { linkTo, row, table } from "./tables.js";
import { Unfolding } from "./unfolding.js";

const KEYS = [
  ["/", "search"],
  ["Enter", "fold or unfold the selection"],
  ["e, c", "unfold everything one level deeper, fold everything"],
  ["arrows", "move; if the graph has the focus (Tab), go to the nearest box, with Shift, move"],
  ["+ and -", "zoom"],
  ["0", "fit the graph to the window"],
  ["f", "go to the selection"],
  ["p", "highlight paths through the selection"],
  ["w, z", "show weights, and sizes, in boxes of their own"],
  ["u, d", "select the source of its first input, or a user of its first result"],
  ["s", "save a picture"],
  ["o", "color nodes by data from a file"],
  ["Esc", "clear the selection"],
  [", and .", "previous and next of equal boxes"],
  ["g", "go to one of equal boxes by its number"],
  ["?", "show these keys"],
];
const STEP = 60; // pixels
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Page extends Folding {
  /** `marks`: CSS classes by box. */
  constructor(program, marks = new Map()) {
    super(program, measured, marks);
    this.chosen = null;
    this.showsFlow = false;
    this.overlay = null;
    this.linked = null; // LinkedPages
    this.badge = html("section", { class: "badge", role: "status", hidden: true });
    this.legend = html("div", { class: "legend" });
    const choose = (box) => this.choose(box, true);
    this.scene = new Scene(program.root, this);
    this.content = svg("g", { class: "scene" });
    this.minimap = new Minimap((point) => this.camera.goTo({ ...point, width: 0, height: 0 }));
    this.details = new Details(program, choose, (stack) => this.walker(stack));
    this.search = new Search(program, choose);
    this.choice = choose;
    this.unfolding = new Unfolding(this);
    this.build();
    this.camera = new Camera(this.frame, this.content, () => {
      this.minimap.show(this.camera.view);
      this.linked?.moved(this);
    });
    this.element.addEventListener("pointerdown", () => (Page.active = this));
    Page.active ??= this;
    document.addEventListener("keydown", (event) => Page.active === this && this.key(event));
    window.addEventListener("hashchange", () => this.element.isConnected && this.followLink());
    window.addEventListener("resize", () => this.minimap.show(this.camera.view));
  }

  build() {
    this.frame = svg(
      "svg",
      {
        class: "graph",
        role: "application",
        "aria-label": "graph",
        tabindex: 0,
        onfocus: () => this.focus(),
        onclick: (event) => this.click(event),
        ondblclick: (event) => this.doubleClick(event),
      },
      this.content,
    );
    const button = (text, title, onclick) => html("button", { type: "button", title, onclick }, text);
    this.help = html(
      "dialog",
      {},
      html("h2", {}, "Keys"),
      table(KEYS.map(([key, text]) => row(key, text))),
      html("p", {}, "Scroll to zoom, drag to move, and double-click to fold or unfold."),
      button("Close", "Esc", () => this.help.close()),
    );
    this.pictures = pictureDialog(this);
    this.picker = html("input", {
      type: "file",
      accept: ".json,.csv",
      hidden: true,
      "aria-label": "data on nodes",
      onchange: () => this.picker.files[0] && this.openData(this.picker.files[0]),
    });
    this.flowButton = button("Path", "highlight paths through the selection (p)", () => this.toggleFlow());
    this.switches = new Map(
      ["weights", "sizes"].map((role) => {
        const title = `show ${role} in boxes of their own (${role === "weights" ? "w" : "z"})`;
        return [
          role,
          html(
            "button",
            {
              type: "button",
              title,
              "aria-pressed": "false",
              hidden: !this.program.nodes.some((node) => node.role === role),
              onclick: () => this.turn(role),
            },
            role === "weights" ? "Weights" : "Sizes",
          ),
        ];
      }),
    );
    const bar = html(
      "header",
      {},
      this.search.element,
      button("All", "fit the graph to the window (0)", () => this.fit()),
      button("\u2212", "zoom out (-)", () => this.camera.zoom(0.8)),
      button("+", "zoom in (+)", () => this.camera.zoom(1.25)),
      button("Unfold", "unfold everything one level deeper (e)", () => this.unfoldLevel()),
      button("Fold", "fold everything (c)", () => this.foldAll()),
      this.flowButton,
      ...this.switches.values(),
      button("Data", "color nodes by values from a JSON or CSV file, which you can also drop on the page (o)", () => this.picker.click()),
      button("Save", "save a picture (s)", () => this.pictures.showModal()),
      button("?", "keys", () => this.help.showModal()),
    );
    this.element = html(
      "section",
      { class: "page", "aria-label": this.program.title },
      bar,
      html("div", { class: "canvas" }, this.frame, this.minimap.element, this.unfolding.notice),
      this.help,
      this.pictures,
      this.picker,
      this.unfolding.dialog,
    );
    this.element.addEventListener("dragover", (event) => event.preventDefault());
    this.element.addEventListener("drop", (event) => this.drop(event));
  }

  // ---- Folding ----

  start() {
    this.unfoldFew(this.program.root);
    this.draw();
    if (!this.followLink()) this.camera.begin({ x: 0, y: 0, ...this.scene.size }, this.first());
  }

  /** The place of the uppermost box, preferably a user input. */
  first() {
    const uppermost = (isIt) =>
      [...this.scene.places]
        .filter(([box]) => isIt(box))
        .reduce((first, [, place]) => (place.y < first.y ? place : first), { x: 0, y: Infinity, width: 0 });
    const input = uppermost((box) => box.kind === "input" && box.path.every((group) => group.kind !== "unused"));
    return input.y < Infinity ? input : uppermost((box) => box.kind !== "unused");
  }

  draw() {
    this.scene.draw();
    this.overlay?.paint(this.scene);
    this.content.replaceChildren(...this.scene.content.map(elementOf));
    this.minimap.draw(this.scene);
    this.mark();
  }

  toggle(group) {
    this.setOpen(group, !this.open.has(group));
    if (group.members && this.open.has(group)) this.setOpen(this.shown(group), true);
    this.drawAround(group);
  }

  // ---- Weights and sizes: hidden unless a switch shows them ----

  setShown(role, isShown) {
    super.setShown(role, isShown);
    this.switches.get(role).setAttribute("aria-pressed", isShown);
  }

  turn(role) {
    const [middle, isShown] = [this.middle(({ role: own }) => !own), !this.shownRoles.has(role)];
    for (const page of this.linked?.isOn ? this.linked.pages : [this]) page.setShown(role, isShown);
    this.drawAround(middle);
  }

  // ---- Stacks: one member is visible ----

  walk(stack, steps) {
    this.goTo(stack, stack.members[stack.members.indexOf(this.shown(stack)) + steps]);
  }

  /** Shows another member of a stack, with the same parts unfolded and selected. */
  goTo(stack, member) {
    const before = this.shown(stack);
    if (member === undefined || member === before) return;
    const isInside = (box) => box === before || box.path.includes(before);
    const twin = (box) => {
      if (box === before) return member;
      const outer = box.path[box.path.length - 1];
      return twin(outer)?.children?.[outer.children.indexOf(box)];
    };
    for (const group of this.open) if (isInside(group) && twin(group)?.isGroup) this.setOpen(twin(group), true);
    for (const [inner, shown] of this.members)
      if (isInside(inner) && twin(inner)?.members?.includes(twin(shown))) this.show(twin(inner), twin(shown));
    this.show(stack, member);
    if (this.scene.places.has(stack)) this.drawAround(stack);
    this.choose(
      (this.chosen && !this.chosen.isPort && isInside(this.chosen) && twin(this.chosen)) || member,
      !this.scene.places.has(stack),
    );
  }

  /** The innermost stack around the selection, or else the nearest one. */
  stack() {
    return (this.chosen && !this.chosen.isPort && stacksOf(this.chosen).pop()) || this.middle(({ members }) => members);
  }

  /** A field with the number of the visible member. */
  walker(stack) {
    const { name, members } = stack;
    const button = (text, steps, title) => html("button", { type: "button", title, onclick: () => this.walk(stack, steps) }, text);
    const field = html("input", {
      type: "number",
      min: numberOf(members[0]),
      max: numberOf(members[members.length - 1]),
      value: numberOf(this.shown(stack)),
      "aria-label": `number in ${name}`,
      onchange: () =>
        this.goTo(
          stack,
          members.find((member) => numberOf(member) === field.valueAsNumber),
        ),
    });
    return html("p", { class: "walker" }, button("\u2039", -1, "previous (,)"), field, button("\u203a", 1, "next (.)"), ` of ${name}`);
  }

  /** Selects the visible member of the nearest stack, and its number. */
  askNumber() {
    const stack = this.stack();
    if (!stack) return;
    if (this.chosen === null || !stacksOf(this.chosen).includes(stack)) this.choose(this.shown(stack), true);
    [...this.details.element.querySelectorAll(".walker input")].pop().select();
  }

  /** Draws after folding or unfolding. Keeps the zoom, and the corner of `box` in place. */
  drawAround(box) {
    const before = this.scene.places.get(box);
    this.draw();
    const after = this.scene.places.get(box);
    if (before && after) this.camera.pan((before.x - after.x) * this.camera.scale, (before.y - after.y) * this.camera.scale);
    this.linked?.folded(this);
  }

  /** The box that is nearest to the middle of what is visible, of those that `isOne`. */
  middle(isOne) {
    const { x, y, width, height } = this.camera.view;
    let [nearest, least] = [undefined, Infinity];
    for (const [box, place] of this.scene.places) {
      const far = Math.hypot(place.x + place.width / 2 - x - width / 2, place.y + place.height / 2 - y - height / 2);
      if (far < least && isOne(box)) [nearest, least] = [box, far];
    }
    return nearest;
  }

  reveal(box) {
    this.unfoldAround(box);
    this.draw();
    this.linked?.folded(this);
  }

  async unfoldLevel() {
    const groups = [...this.scene.places.keys()].filter((box) => box.isGroup && !this.open.has(box));
    if (groups.length === 0) return;
    const middle = this.middle((box) => !this.open.has(box));
    if (await this.unfolding.open(groups)) this.drawAround(middle);
  }

  foldAll() {
    this.unfolding.notice.hidden = true;
    for (const group of [...this.open]) this.setOpen(group, false);
    this.draw();
    this.linked?.folded(this);
    this.fit();
  }

  fit() {
    this.camera.fit({ x: 0, y: 0, ...this.scene.size });
  }

  // ---- Data of the reader ----

  drop(event) {
    event.preventDefault();
    if (event.dataTransfer.files.length) this.openData(event.dataTransfer.files[0]);
  }

  async openData(file) {
    this.showData(await file.text(), file.name);
  }

  /** Colors the boxes by the values in a JSON or CSV text, or says why not. */
  showData(text, name) {
    this.removeData();
    try {
      this.overlay = new Overlay(this.program, readOverlay(text, name));
      this.legend.append(
        legendOf(
          this.overlay,
          this.choice,
          () => this.draw(),
          () => this.removeData(),
        ),
      );
    } catch (error) {
      this.legend.append(html("p", { class: "fault", role: "alert" }, `${name}: ${error.message}`));
    }
    this.draw();
  }

  removeData() {
    this.overlay = null;
    this.legend.replaceChildren();
    this.draw();
  }

  // ---- Selection ----

  /** `goes`: whether to scroll to the box and unfold the groups around it. */
  choose(box, goes) {
    this.chosen = box;
    if (box !== null && !box.isPort && goes) {
      this.reveal(box);
      this.camera.goTo(this.scene.places.get(box) ?? { x: 0, y: 0, ...this.scene.size });
    }
    this.details.show(box);
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
    this.flowButton.setAttribute("aria-pressed", this.showsFlow);
    this.mark();
  }

  /** Highlights the selection, its neighbors and, if enabled, the paths through it. */
  mark() {
    const flow = this.showsFlow && this.chosen !== null ? flowThrough(this.chosen) : null;
    for (const [box, shape] of this.scene.shapes) {
      if (this.marks.has(box)) setClass(shape, this.marks.get(box), true);
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

  /** The box of an event, or null. */
  boxAt(event) {
    for (let at = event.target; at && at !== this.frame; at = at.parentNode) if (boxes.has(at)) return boxes.get(at);
    return null;
  }

  click(event) {
    if (this.camera.wasDragged) return;
    const box = this.boxAt(event);
    this.choose(box, box !== null && !this.scene.places.has(box));
  }

  doubleClick(event) {
    const box = this.boxAt(event);
    if (box?.isGroup && this.scene.places.has(box)) this.toggle(box);
  }

  // ---- Keys ----

  key(event) {
    if (
      event.ctrlKey ||
      event.altKey ||
      event.metaKey ||
      this.help.open ||
      this.pictures.open ||
      this.unfolding.isBusy ||
      event.target.closest?.("input")
    )
      return;
    const step = STEPS[event.key];
    const does =
      step && document.activeElement === this.frame && !event.shiftKey
        ? () => this.walkTo(...step)
        : step
          ? () => this.camera.pan(-STEP * step[0], -STEP * step[1])
          : this.keys()[event.key];
    if (does === undefined || (event.target.closest?.("button, a, summary") && ["Enter", " "].includes(event.key))) return;
    event.preventDefault();
    does();
  }

  keys() {
    const { camera, chosen } = this;
    return {
      "/": () => this.search.field.focus(),
      "?": () => this.help.showModal(),
      Enter: () => chosen?.isGroup && this.scene.places.has(chosen) && this.toggle(chosen),
      Escape: () => this.choose(null, false),
      "+": () => camera.zoom(1.25),
      "=": () => camera.zoom(1.25),
      "-": () => camera.zoom(0.8),
      0: () => this.fit(),
      e: () => this.unfoldLevel(),
      c: () => this.foldAll(),
      f: () => chosen && this.choose(chosen, true),
      p: () => this.toggleFlow(),
      s: () => this.pictures.showModal(),
      o: () => this.picker.click(),
      w: () => this.turn("weights"),
      z: () => this.turn("sizes"),
      ",": () => this.stack() && this.walk(this.stack(), -1),
      ".": () => this.stack() && this.walk(this.stack(), 1),
      g: () => this.askNumber(),
      u: () => this.step(makersOf),
      d: () => this.step(usersOf),
    };
  }

  /** Selects a box for the keys that walk from it. */
  focus() {
    if (this.chosen === null && this.frame.matches(":focus-visible"))
      this.choose(
        this.middle(() => true),
        false,
      );
  }

  /** Selects the nearest box to the left (-1, 0), below (0, 1), etc. */
  walkTo(right, down) {
    const { places } = this.scene;
    const center = ([box, { x, y, width, height }]) => [x + width / 2, y + (this.open.has(box) ? HEADER : height) / 2];
    if (!places.has(this.chosen))
      return this.choose(
        this.middle(() => true),
        true,
      );
    const [x, y] = center([this.chosen, places.get(this.chosen)]);
    let [nearest, least] = [undefined, Infinity];
    for (const place of places) {
      const [dx, dy] = [center(place)[0] - x, center(place)[1] - y];
      const far = right * dx + down * dy + 2 * Math.abs(right * dy + down * dx);
      if (right * dx + down * dy > 1 && far < least) [nearest, least] = [place, far];
    }
    if (nearest === undefined) return;
    const [box, place] = nearest;
    const { view } = this.camera;
    const [atX, atY] = center(nearest);
    this.choose(box, atX < view.x || atY < view.y || atX > view.x + view.width || atY > view.y + view.height);
  }

  step(next) {
    const box = this.chosen && !this.chosen.isGroup ? next(this.chosen).find(({ isHidden }) => !isHidden) : undefined;
    if (box) this.choose(box, true);
  }
}

/** JSON that may be undefined: `costs` of the program, `data` on nodes of a file, { name, text }, and `findings` in the program's file. */
export const showProgram = (program, { costs, data, findings } = {}) => {
  const page = new Page(program);
  fill(page.element, { role: "main" }, []);
  document.body.append(
    page.element,
    panel(page.badge, page.legend, page.details.element, programPanel(program, page.choice, page.details.costs)),
  );
  page.start();
  if (costs !== undefined) page.details.costs.show(JSON.parse(costs));
  if (findings !== undefined) {
    page.badge.hidden = false;
    showFindings(page.badge, program, JSON.parse(findings), page.choice);
  }
  if (data !== undefined) {
    const { name, text } = JSON.parse(data);
    page.showData(text, name);
  }
  return page;
};
