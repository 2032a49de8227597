// The visible part of the scene and its scale, controlled by wheel, pointer and keys.

import { whileDown } from "./elements.js";

const LEAST_SCALE = 0.02; // unless all is fitted to the window
const MOST_SCALE = 4;
const STILL = 200; // ms after a movement, in which the browser may scale its picture instead of painting again
const A_DRAG = 4; // pixels; shorter movements are clicks

export class Camera {
  /** Moves `content` within `frame`, an <svg>; `onmove` is called after each change.
   * @param {SVGSVGElement} frame
   * @param {SVGGElement} content
   * @param {() => void} onmove
   */
  constructor(frame, content, onmove) {
    this.frame = frame;
    this.content = content;
    this.onmove = onmove;
    this.x = 0;
    this.y = 0;
    this.scale = 1;
    this.wasDragged = false;
    /** @type {Map<number, PointerEvent>} */
    this.pointers = new Map();
    frame.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    frame.addEventListener("pointerdown", (event) => this.drag(event));
  }

  get size() {
    return { width: this.frame.clientWidth || 1, height: this.frame.clientHeight || 1 };
  }

  apply() {
    this.content.setAttribute("transform", `translate(${this.x} ${this.y}) scale(${this.scale})`);
    this.content.classList.add("moving");
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.content.classList.remove("moving"), STILL);
    this.onmove();
  }

  /**
   * @param {number} dx
   * @param {number} dy
   */
  pan(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.apply();
  }

  /** Zooms around a point of the frame, by default its center.
   * @param {number} factor
   * @param {Point} [at]
   */
  zoom(factor, at = { x: this.size.width / 2, y: this.size.height / 2 }) {
    const scale = Math.min(Math.max(this.scale * factor, Math.min(LEAST_SCALE, this.scale)), MOST_SCALE);
    this.x = at.x - ((at.x - this.x) * scale) / this.scale;
    this.y = at.y - ((at.y - this.y) * scale) / this.scale;
    this.scale = scale;
    this.apply();
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    const { left, top } = this.frame.getBoundingClientRect();
    if (event.shiftKey) return this.pan(-event.deltaY * lines, 0);
    this.zoom(Math.exp(-event.deltaY * lines * 0.0015), { x: event.clientX - left, y: event.clientY - top });
  }

  /** @param {PointerEvent} event */
  drag(event) {
    if (event.button !== 0) return;
    if (this.pointers.size === 0) this.wasDragged = false;
    this.pointers.set(event.pointerId, event);
    const release = () => void this.pointers.delete(event.pointerId);
    whileDown(event, (next) => this.follow(next), release);
  }

  /** Follows a mouse or a finger. Two fingers also zoom around their middle.
   * @param {PointerEvent} next
   */
  follow(next) {
    const { clientX: x, clientY: y } = this.pointers.get(next.pointerId) ?? next;
    if (!this.wasDragged && Math.hypot(next.clientX - x, next.clientY - y) < A_DRAG) return;
    this.wasDragged = true;
    this.pointers.set(next.pointerId, next);
    this.pan((next.clientX - x) / this.pointers.size, (next.clientY - y) / this.pointers.size);
    const other = [...this.pointers.values()].find(({ pointerId }) => pointerId !== next.pointerId);
    if (other === undefined) return;
    const { left, top } = this.frame.getBoundingClientRect();
    /**
     * @param {number} atX
     * @param {number} atY
     */
    const distance = (atX, atY) => Math.max(Math.hypot(atX - other.clientX, atY - other.clientY), 1);
    this.zoom(distance(next.clientX, next.clientY) / distance(x, y), {
      x: (next.clientX + other.clientX) / 2 - left,
      y: (next.clientY + other.clientY) / 2 - top,
    });
  }

  /** Shows all of `place`, a rectangle of the scene; if that would be too small to read, shows its start.
   * @param {Place} place
   * @param {Place} [first]
   */
  begin(place, first) {
    this.fit(place);
    if (this.scale < 0.5 && first) this.show(first, 0.8, 24);
  }

  /** Shows all of `place`, at a scale of at most 1.
   * @param {Place} place
   */
  fit(place) {
    const { width, height } = this.size;
    this.show(place, Math.min(1, Math.max(width - 40, 1) / place.width, Math.max(height - 40, 1) / place.height));
  }

  /** Centers the place at a readable scale; if it is larger than the frame, shows its top.
   * @param {Place} place
   */
  goTo(place) {
    const scale = Math.max(this.scale, 0.7);
    this.show(place, scale, place.height * scale > this.size.height ? 40 : undefined);
  }

  /** `top`: the distance of the place from the top of the frame. Default: it is in the middle.
   * @param {Place} place
   * @param {number} scale
   * @param {number} [top]
   */
  show({ x, y, width, height }, scale, top = (this.size.height - height * scale) / 2) {
    this.scale = scale;
    this.x = this.size.width / 2 - (x + width / 2) * scale;
    this.y = top - y * scale;
    this.apply();
  }

  /** Moves as little as necessary to show all of `place`; of what is larger than the frame, its top and its middle.
   * @param {Place} given
   */
  include({ x, y, width, height }) {
    const { view } = this;
    const margin = 20 / this.scale;
    /** @type {(at: number, size: number, from: number, room: number) => number} */
    const shift = (at, size, from, room) => Math.min(from + room - at - size - margin, 0) || Math.max(from + margin - at, 0);
    const dx = width < view.width ? shift(x, width, view.x, view.width) : view.x + view.width / 2 - x - width / 2;
    const dy = height < view.height ? shift(y, height, view.y, view.height) : view.y + margin - y;
    this.pan(dx * this.scale, dy * this.scale);
  }

  /** The visible part of the scene. */
  get view() {
    const { width, height } = this.size;
    return { x: -this.x / this.scale, y: -this.y / this.scale, width: width / this.scale, height: height / this.scale };
  }
}
