// What is unfolded and visible of a program.

import { Layouts } from "./layout.js";
import { isShown } from "./program.js";

const MOST_BOXES = 40; // unfolded at first

export class Folding {
  /** `marks`: CSS classes by box; marked nodes are never hidden. `measure(text, font)`: the width of text in a font of FONTS.
   * @param {Program} program
   * @param {Measure} measure
   * @param {Map<Box, string>} [marks]
   */
  constructor(program, measure, marks = new Map()) {
    this.program = program;
    this.marks = marks;
    /** @type {Set<Group>} */
    this.open = new Set();
    /** @type {Map<Group, Group>} The visible ones, by stack. */
    this.members = new Map();
    /** @type {Set<Role>} Of weights and sizes, which are hidden otherwise. */
    this.shownRoles = new Set();
    this.layouts = new Layouts(this, measure);
    this.hide();
  }

  /** @param {Box} box */
  isOpen(box) {
    return this.open.has(/** @type {Group} */ (box));
  }

  /**
   * @param {Group} group
   * @param {boolean} isOpen
   */
  setOpen(group, isOpen) {
    this.open[isOpen ? "add" : "delete"](group);
    this.layouts.forget(group);
  }

  /** Hides the nodes whose role is not shown, and the groups of nothing else. */
  hide() {
    const { nodes, groups } = this.program;
    for (const node of nodes) node.isHidden = node.role !== "" && !this.shownRoles.has(node.role) && !this.marks.has(node);
    for (const group of groups) group.isHidden = group.leaves.length > 0 && group.leaves.every((node) => node.isHidden);
  }

  /**
   * @param {Role} role
   * @param {boolean} isShown
   */
  setShown(role, isShown) {
    this.shownRoles[isShown ? "add" : "delete"](role);
    this.hide();
    this.layouts.made.clear();
  }

  /** The visible member of a stack; undefined for other groups.
   * @param {Group} group
   */
  shown(group) {
    return this.members.get(group) ?? group.members?.[0];
  }

  /**
   * @param {Group} stack
   * @param {Group} member
   */
  show(stack, member) {
    this.members.set(stack, member);
    this.layouts.forget(stack);
  }

  /** The boxes in a group that are visible if it is unfolded.
   * @param {Group} group
   */
  boxesIn(group) {
    return group.children.filter((box) => isShown(box, this.shown(group)));
  }

  /** Unfolds `levels` of the groups in `root`. By default, unfolds levels as long as they have few boxes, without unused inputs.
   * @param {Group} root
   * @param {number} [levels]
   */
  unfoldLevels(root, levels) {
    let boxes = this.boxesIn(root);
    let count = boxes.length;
    for (let level = 0; boxes.length > 0 && (levels === undefined ? count < MOST_BOXES : level < levels); ++level) {
      const groups = boxes.filter((box) => box.isGroup && (levels !== undefined || box.kind !== "unused"));
      boxes = groups.flatMap((group) => this.boxesIn(group));
      if (levels === undefined && (count += boxes.length) > MOST_BOXES) break;
      groups.forEach((group) => this.setOpen(group, true));
    }
  }

  /** Folds, unfolds and shows in `other`, which can be this, what is so in `groups`. `twin(box)`: the box there, or undefined.
   * @param {Group[]} groups
   * @param {Folding} other
   * @param {(box: Box) => Box | undefined} twin
   */
  mirror(groups, other, twin) {
    for (const group of groups) {
      const same = twin(group);
      if (same === undefined) continue;
      if (this.isOpen(group) !== other.isOpen(same)) other.setOpen(same, this.isOpen(group));
      const shown = this.shown(group);
      const member = same.members && shown && twin(shown);
      if (member !== undefined && member !== other.shown(same)) other.show(same, member);
    }
  }

  /** Unfolds the groups around a box, and shows it if it is hidden.
   * @param {Box} box
   */
  unfoldAround(box) {
    if (box.isHidden && box.role) this.setShown(box.role, true);
    for (const [i, group] of box.path.entries()) {
      if (i > 0 && !this.open.has(group)) this.setOpen(group, true);
      const next = box.path[i + 1] ?? box;
      if (!isShown(next, this.shown(group))) this.show(group, next);
    }
  }
}
