// Two pages that stay in step: what is visible, unfolded and selected.

import { button } from "./elements.js";
import { Page } from "./main.js";

/** @param {Group} group */
const keyPart = ({ kind, name }) => (kind === "program" ? kind : `${kind} ${name}`);

/** A key that a box shares with its counterpart in the other program.
 * @param {Box} box
 */
const boxKey = (box) => (box.isGroup ? [...box.path.slice(1), box].map(keyPart).join("\n") : box.name);

export class LinkedPages {
  /** `differences` between the programs name the counterparts whose names differ.
   * @param {Page[]} pages
   * @param {Difference[]} differences
   */
  constructor(pages, differences) {
    this.pages = pages;
    this.isOn = true;
    this.isFollowing = false;
    const boxes = pages.map(({ program }) => new Map([...program.groups, ...program.nodes].map((box) => [boxKey(box), box])));
    const renamed = [
      new Map(differences.map(({ at_before: before, at_after: after }) => [before, after])),
      new Map(differences.map(({ at_before: before, at_after: after }) => [after, before])),
    ];
    /** The box of the other program, or undefined.
     * @param {Page} page
     * @param {Box} box
     */
    this.counterpart = (page, box) => {
      const side = pages.indexOf(page);
      const key = boxKey(box);
      return boxes[1 - side].get((!box.isGroup && renamed[side].get(key)) || key);
    };
    const title = "whether each graph follows the other";
    this.button = button("Linked", () => this.turn(), { "aria-pressed": "true", title });
    pages.forEach((page) => (page.linked = this));
  }

  /** @param {Page} page */
  other(page) {
    return this.pages[1 - this.pages.indexOf(page)];
  }

  /** What to unfold on the other page when `page` unfolds `groups`.
   * @param {Page} page
   * @param {Group[]} groups
   */
  counterparts(page, groups) {
    if (!this.isOn) return [];
    const other = this.other(page);
    return groups.flatMap((group) => {
      const same = this.counterpart(page, group);
      return same ? [{ page: other, group: same }] : [];
    });
  }

  turn() {
    this.isOn = !this.isOn;
    this.button.setAttribute("aria-pressed", String(this.isOn));
    if (this.isOn && Page.active) this.folded(Page.active);
  }

  /** Calls `change`, which the other page does not follow further.
   * @param {() => void} change
   */
  quietly(change) {
    if (this.isFollowing) return;
    this.isFollowing = true;
    try {
      change();
    } finally {
      this.isFollowing = false;
    }
  }

  /** @param {() => void} change */
  follow(change) {
    if (this.isOn) this.quietly(change);
  }

  /** @param {Page} page */
  moved(page) {
    this.follow(() => this.align(page, this.middle(page)));
  }

  /**
   * @param {Page} page
   * @param {Box | null} box
   */
  chose(page, box) {
    this.follow(() => {
      const same = (box && this.counterpart(page, box)) ?? null;
      const other = this.other(page);
      if (same !== null) other.reveal(same);
      other.choose(same, false);
      this.align(page, box && same && page.scene.places.has(box) ? box : this.middle(page));
    });
  }

  /** @param {Page} page */
  folded(page) {
    this.follow(() => {
      const other = this.other(page);
      page.mirror(page.program.groups.slice(1), other, (box) => this.counterpart(page, box));
      other.draw();
      this.align(page, this.middle(page));
    });
  }

  /** @param {Page} page */
  middle(page) {
    const { places } = this.other(page).scene;
    return page.middle((box) => {
      const same = this.counterpart(page, box);
      return !page.isOpen(box) && same && places.has(same);
    });
  }

  /** Moves the other page so that the counterpart of `box` is where the box is.
   * @param {Page} page
   * @param {Box | undefined} box
   */
  align(page, box) {
    const other = this.other(page);
    const { camera } = page;
    const from = box && page.scene.places.get(box);
    const same = box && this.counterpart(page, box);
    const to = same && other.scene.places.get(same);
    if (!from || !to) return;
    /** @param {Place} place */
    const center = (place) => [place.x + place.width / 2, place.y];
    const [[fromX, fromY], [toX, toY]] = [center(from), center(to)];
    other.camera.scale = camera.scale;
    other.camera.x = camera.x + (fromX - toX) * camera.scale;
    other.camera.y = camera.y + (fromY - toY) * camera.scale;
    other.camera.apply();
  }
}
