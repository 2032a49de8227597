// Unfolds many groups at once, in parts between which the page takes events, so that it can be cancelled. Each group is laid out by
// itself and has at most 96 boxes, so that a part is short. A linked page unfolds the same groups.

import { button, html } from "./elements.js";
import { grouped } from "./numbers.js";

const MOST_DRAWN = 4000; // boxes: the memory of the page stays bounded
const PART = 30; // ms
const PATIENCE = 150; // ms until the dialog shows

export class Unfolding {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.isBusy = false;
    this.isCancelled = false;
    this.status = html("p", { role: "status" });
    const cancel = button("Cancel", () => this.dialog.close());
    /** @type {HTMLDialogElement} */
    this.dialog = html("dialog", { "aria-label": "unfolding", onclose: () => (this.isCancelled = this.isBusy) }, this.status, cancel);
    this.notice = html("p", { class: "notice", role: "status", hidden: true });
  }

  /** Opens as many of the groups as may be drawn, and lays them out. Returns false if it was cancelled: then nothing has changed.
   * @param {Group[]} groups
   */
  async open(groups) {
    if (this.isBusy) return false;
    const { page } = this;
    const chosen = this.chosen(groups);
    if (chosen.length === 0) return false;
    const all = [...chosen.map((group) => ({ page, group })), ...(page.linked?.counterparts(page, chosen) ?? [])];
    const parts = all.filter(({ page, group }) => !page.isOpen(group));
    for (const { page, group } of parts) page.setOpen(group, true);
    this.isBusy = true;
    const isLaidOut = await this.layOut(parts);
    this.isBusy = false;
    this.dialog.close();
    if (isLaidOut) return true;
    for (const { page, group } of parts) page.setOpen(group, false);
    return false;
  }

  /** @param {Group[]} groups */
  chosen(groups) {
    let boxes = this.page.scene.places.size;
    const end = groups.findIndex((group) => (boxes += this.page.boxesIn(group).length) > MOST_DRAWN);
    this.notice.hidden = end < 0;
    const rest = `${grouped(groups.length - end)} of ${grouped(groups.length)} boxes stay folded`;
    this.notice.textContent = `Only ${grouped(MOST_DRAWN)} boxes are drawn at once: ${rest}. Fold some, or unfold single ones by their triangles.`;
    return end < 0 ? groups : groups.slice(0, end);
  }

  /** @param {{ page: Page, group: Group }[]} parts */
  async layOut(parts) {
    this.isCancelled = false;
    const made = new Map(parts.flatMap(({ page: { layouts }, group }) => [...group.path, group].map((each) => [each, layouts])));
    const all = [...made].sort(([a], [b]) => b.path.length - a.path.length);
    const begin = performance.now();
    let last = begin;
    for (const [i, [group, layouts]] of all.entries()) {
      layouts.of(group);
      const now = performance.now();
      if (now - last < PART) continue;
      this.status.textContent = `laid out ${grouped(i + 1)} of ${grouped(all.length)} modules`;
      if (now - begin > PATIENCE && !this.dialog.open) this.dialog.showModal();
      await new Promise((resolve) => setTimeout(resolve));
      if (this.isCancelled) return false;
      last = performance.now();
    }
    return true;
  }
}
