// Two pages that stay in step: what is visible, unfolded and selected.

import { html } from "./elements.js";
import { Page } from "./main.js";

/** A key that a box shares with its counterpart in the other program. */
const boxKey = (box) => (box.isGroup ? [...box.path.slice(1), box].map(({ kind, name }) => `${kind} ${name}`).join("\n") : box.name);

export class LinkedPages {
  /** `differences` between the programs name the counterparts whose names differ. */
  constructor(pages, differences) {
    this.pages = pages;
    this.isOn = true;
    this.isFollowing = false;
    const boxes = pages.map(({ program }) => new Map([...program.groups, ...program.nodes].map((box) => [boxKey(box), box])));
    const renamed = [new Map(), new Map()];
    for (const { at_before: before, at_after: after } of differences) {
      if (before !== null) renamed[0].set(before, after);
      if (after !== null) renamed[1].set(after, before);
    }
    /** The box of the other program, or undefined. */
    this.counterpart = (page, box) => {
      const side = pages.indexOf(page);
      const key = boxKey(box);
      return box === page.program.root
        ? this.other(page).program.root
        : boxes[1 - side].get(!box.isGroup && renamed[side].has(key) ? renamed[side].get(key) : key);
    };
    this.button = html(
      "button",
      { type: "button", "aria-pressed": "true", title: "whether each graph follows the other", onclick: () => this.turn() },
      "Linked",
    );
    pages.forEach((page) => (page.linked = this));
  }

  other(page) {
    return this.pages[1 - this.pages.indexOf(page)];
  }

  /** What to unfold on the other page when `page` unfolds `groups`: [page, group] each. */
  counterparts(page, groups) {
    if (!this.isOn) return [];
    return groups.map((group) => [this.other(page), this.counterpart(page, group)]).filter(([, group]) => group !== undefined);
  }

  turn() {
    this.isOn = !this.isOn;
    this.button.setAttribute("aria-pressed", this.isOn);
    if (this.isOn) this.folded(Page.active);
  }

  /** Calls `change`, which the other page does not follow further. */
  quietly(change) {
    if (this.isFollowing) return;
    this.isFollowing = true;
    try {
      change();
    } finally {
      this.isFollowing = false;
    }
  }

  follow(change) {
    if (this.isOn) this.quietly(change);
  }

  moved(page) {
    this.follow(() => this.align(page, this.middle(page)));
  }

  chose(page, box) {
    this.follow(() => {
      const same = box === null || box.isPort ? null : (this.counterpart(page, box) ?? null);
      const other = this.other(page);
      if (same !== null) other.reveal(same);
      other.choose(same, false);
      this.align(page, same !== null && page.scene.places.has(box) ? box : this.middle(page));
    });
  }

  folded(page) {
    this.follow(() => {
      const other = this.other(page);
      for (const group of page.program.groups.slice(1)) {
        const same = this.counterpart(page, group);
        if (same === undefined) continue;
        if (page.open.has(group) !== other.open.has(same)) other.setOpen(same, page.open.has(group));
        const member = same.members && this.counterpart(page, page.shown(group));
        if (member !== undefined && member !== other.shown(same)) other.show(same, member);
      }
      other.draw();
      this.align(page, this.middle(page));
    });
  }

  middle(page) {
    const { places } = this.other(page).scene;
    return page.middle((box) => !page.open.has(box) && places.has(this.counterpart(page, box)));
  }

  /** Moves the other page so that the counterpart of `box` is where the box is. */
  align(page, box) {
    const other = this.other(page);
    const { camera } = page;
    const from = box && page.scene.places.get(box);
    const to = box && other.scene.places.get(this.counterpart(page, box));
    if (!from || !to) return;
    const center = (place) => [place.x + place.width / 2, place.y];
    const [[fromX, fromY], [toX, toY]] = [center(from), center(to)];
    Object.assign(other.camera, {
      scale: camera.scale,
      x: camera.x + (fromX - toX) * camera.scale,
      y: camera.y + (fromY - toY) * camera.scale,
    });
    other.camera.apply();
  }
}
