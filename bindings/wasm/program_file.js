// Files, their programs and tensors, and what is computed from programs. index.d.ts documents what the package exports.

/** @import { Differences, FileFinding, Program, ProgramFinding, Signature, Stats } from "./index.js" */
/** @import { ExportedProgram } from "./schema.js" */

import { DataError, Library, parsed, written } from "./library.js";
import { crc32, PART, Parts, sourceOf, TO } from "./sources.js";

/** @type {ProgramFinding["level"][]} */
const LEVELS = ["error", "warning", "note"];
/** @type {TensorInfo["kind"][]} */
const KINDS = ["parameter", "buffer", "constant", "object"];
/** @type {any} */
const Float16 = globalThis.Float16Array ?? Uint16Array;
/** Others are bytes.
 * @type {{ [dtype: string]: new (bytes: ArrayBuffer) => Elements }}
 */
const ARRAYS = {
  int8: Int8Array,
  uint16: Uint16Array,
  int16: Int16Array,
  uint32: Uint32Array,
  int32: Int32Array,
  uint64: BigUint64Array,
  int64: BigInt64Array,
  float16: Float16,
  bfloat16: Uint16Array,
  float32: Float32Array,
  float64: Float64Array,
  complex32: Float16,
  complex64: Float32Array,
  complex128: Float64Array,
};
const FIELDS = { refuse: 1, "skip-empty": 2, skip: 3 };

/** @type {Library} Undefined before init(). */
let library;
/** @type {Promise<Library> | undefined} */
let loading;

/** @param {WasmSource} [wasm] */
export async function init(wasm) {
  loading ??= Library.load(wasm);
  try {
    library = await loading;
  } catch (error) {
    loading = undefined;
    throw error;
  }
}

function loaded() {
  if (!library) throw new TypeError("call init() first, and wait for it");
  return library;
}

/** Library memory for a file: its parts, and C handles. */
class Held {
  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
    /** @type {[number, string][]} */
    this.handles = [];
  }

  /**
   * @param {number} handle
   * @param {string} free
   */
  add(handle, free) {
    this.handles.unshift([handle, free]);
    return handle;
  }

  free() {
    for (const [handle, free] of this.handles.splice(0)) library.c[free](handle);
    this.parts.free();
  }
}
const forgotten = new FinalizationRegistry((/** @type {Held} */ held) => held.free());

/**
 * @param {FileSource} source
 * @param {OpenOptions} [given]
 */
export async function open(source, { model, newerFields, numbers, request, signal } = {}) {
  await init();
  const from = await sourceOf(source, request, signal);
  const held = new Held(new Parts(library, from));
  try {
    await held.parts.fetch(TO.OPEN, signal);
    const handle = held.add(library.made("pt2_parts_open", held.parts.handle, 0), "pt2_file_free");
    return new ProgramFile(held, handle, model, newerFields, numbers);
  } catch (error) {
    held.free();
    throw error;
  }
}

/**
 * @param {FileSource} source
 * @param {Pick<OpenOptions, "request" | "signal">} [given]
 */
export async function scan(source, { request, signal } = {}) {
  await init();
  const parts = new Parts(library, await sourceOf(source, request, signal));
  try {
    return await scanned(parts, signal);
  } finally {
    parts.free();
  }
}

/**
 * @param {Parts} parts
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<FileFinding[]>}
 */
async function scanned(parts, signal) {
  await parts.fetch(TO.SCAN, signal);
  return findings(library, "record", "pt2_parts_scan", parts.handle);
}

export class ProgramFile {
  /** @type {Held | undefined} */
  #held;
  #handle;
  #model;
  #newerFields;
  #numbers;
  /** @type {number | undefined} */
  #program;
  /** @type {ExportedProgram | undefined} */
  #json;
  /** @type {Map<string, number> | undefined} */
  #tensors;
  /** @type {number | undefined} */
  #weights;

  /**
   * @param {Held} held
   * @param {number} handle
   * @param {string | undefined} model
   * @param {OpenOptions["newerFields"]} newerFields
   * @param {boolean | undefined} numbers
   */
  constructor(held, handle, model, newerFields, numbers) {
    this.#held = held;
    this.#handle = handle;
    this.#model = model;
    this.#numbers = numbers;
    this.#newerFields = newerFields ?? "skip-empty";
    if (!(this.#newerFields in FIELDS)) throw new TypeError(`newerFields: expected ${Object.keys(FIELDS).join(", ")}, got ${newerFields}`);
    forgotten.register(this, held, this);
  }

  #open() {
    if (!this.#held) throw new TypeError("the file is closed");
    return { c: library, held: this.#held };
  }

  get models() {
    const { c } = this.#open();
    return Array.from({ length: c.c.pt2_file_model_count(this.#handle) }, (_, i) => c.text("pt2_file_model_name", this.#handle, i) ?? "");
  }

  /** Internal. */
  _programHandle() {
    const { c, held } = this.#open();
    const options = Int32Array.of(24, 0, FIELDS[this.#newerFields], 0, 0, 0); // pt2_load_options
    /** @param {number} at */
    const load = (at) => c.withTexts([this.#model], (model) => c.made("pt2_program_load", this.#handle, model, at));
    return (this.#program ??= held.add(c.withNumbers(options, load), "pt2_program_free"));
  }

  /** @returns {ExportedProgram} */
  get program() {
    return (this.#json ??= parsed(this.#open().c.string("pt2_program_to_json", this._programHandle(), 0), this.#numbers));
  }

  #named() {
    const { c, held } = this.#open();
    if (this.#tensors) return this.#tensors;
    this.#tensors = new Map();
    if (c.c.pt2_file_kind(this.#handle) !== 3) return this.#tensors; // not an archive
    const weights = c.withTexts([this.#model], (model) => c.made("pt2_weights_load", this.#handle, model));
    held.add(weights, "pt2_weights_free");
    this.#weights = weights;
    for (let i = 0; i < c.c.pt2_weights_count(weights); ++i) {
      const tensor = c.c.pt2_weights_at(weights, i);
      this.#tensors.set(c.text("pt2_tensor_name", tensor) ?? "", tensor);
    }
    return this.#tensors;
  }

  keys() {
    return [...this.#named().keys()];
  }

  /** @param {string} name */
  #find(name) {
    const tensor = this.#named().get(name);
    if (tensor === undefined) throw new RangeError(`no tensor ${JSON.stringify(name)}`);
    return tensor;
  }

  /**
   * @param {string} name
   * @returns {TensorInfo}
   */
  layout(name) {
    const { c } = this.#open();
    const tensor = this.#find(name);
    const kind = KINDS[c.c.pt2_tensor_kind(tensor)];
    const record = c.text("pt2_tensor_record", tensor) ?? "";
    if (!c.c.pt2_tensor_has_layout(tensor))
      return { name, kind, dtype: null, shape: null, strides: null, device: null, bytes: null, record };
    const rank = c.c.pt2_tensor_rank(tensor);
    /** @param {string} getter */
    const numbers = (getter) =>
      rank === 0 ? [] : Array.from(new BigInt64Array(c.c.memory.buffer, c.c[getter](tensor) >>> 0, rank), Number);
    return {
      name,
      kind,
      dtype: c.text("pt2_tensor_dtype_name", tensor),
      shape: numbers("pt2_tensor_shape"),
      strides: numbers("pt2_tensor_strides"),
      device: c.text("pt2_tensor_device", tensor),
      bytes: Number(BigInt.asUintN(64, c.c.pt2_tensor_bytes(tensor))),
      record,
    };
  }

  /**
   * @param {string} name
   * @param {TensorOptions} [given]
   */
  async tensor(name, { range, progress, signal } = {}) {
    signal?.throwIfAborted();
    const { dtype, record, shape, bytes } = this.layout(name);
    const Elements = ARRAYS[dtype ?? ""] ?? Uint8Array;
    const count = shape ? shape.reduce((product, n) => product * n, 1) : NaN; // of an object, NaN
    const size = count ? (bytes ?? 0) / count : 1; // of one element
    const [from, to] = range ?? [0, count];
    if (range && !(0 <= from && from <= to && to <= count))
      throw new RangeError(`range: expected elements from 0 to ${count}, got [${from}, ${to}]`);
    const [begin, end] = [from * size, to * size];
    const read = await this.#inPlace(this.#find(name), record, begin, end, { progress, signal });
    if (read) return new Elements(read.buffer);
    const { parts } = this.#open().held;
    await parts.fetch(TO.READ, signal, record);
    /** @param {Uint8Array<ArrayBuffer>} copied */
    const slice = (copied) => (range ? copied.slice(begin, end) : copied.slice());
    return new Elements(this.#open().c.given(slice, "pt2_tensor_copy", this.#find(name)).buffer);
  }

  /** Reads from the source what is there as it is needed, and not in the library's memory.
   * @param {number} tensor
   * @param {string} record
   * @param {number} begin
   * @param {number} end
   * @param {TensorOptions} given
   * @returns {Promise<Uint8Array<ArrayBuffer> | undefined>}
   */
  async #inPlace(tensor, record, begin, end, { progress, signal }) {
    const { c, held } = this.#open();
    const { parts } = held;
    const [whole] = parts.next(TO.READ, record);
    if (!whole || c.c.pt2_tensor_is_pickled(tensor)) return undefined;
    // The header comes with a tensor that is read at once.
    let start = 0;
    /** @type {Uint8Array} */
    let got = new Uint8Array();
    for (const header of parts.next(TO.LOCATE, record)) {
      start = header[0];
      const isRead = begin === 0 && end > 0 && whole[1] - start <= PART;
      got = await parts.read(start, isRead ? Math.min(whole[1], header[1] + end) : header[1], signal);
      this.#open();
      parts.add(start, got.subarray(0, header[1] - start));
    }
    const [offset, crc] = c.pair("pt2_tensor_place", tensor);
    if (offset < 0) return undefined;
    const elements = new Uint8Array(end - begin);
    for (let at = begin, to = begin; at < end; at = to) {
      to = Math.min(end, at + PART);
      const place = offset + at - start;
      const isGot = place >= 0 && place + to - at <= got.length;
      elements.set(isGot ? got.subarray(place, place + to - at) : await parts.read(offset + at, offset + to, signal), at - begin);
      progress?.(to - begin, end - begin);
    }
    if (crc >= 0 && end - begin === Number(c.c.pt2_tensor_bytes(tensor)) && crc32(elements) !== crc) {
      throw new DataError(`CRC-32 mismatch in '${record}': the data is damaged`, { path: "" });
    }
    return elements;
  }

  /** For viewer.html: the JSON that the page of `pt2 view` shows.
   * @param {string} title
   */
  _page(title) {
    const { c, held } = this.#open();
    this.#named();
    return c.withTexts([title], (text) => c.string("pt2_program_page", this._programHandle(), text, this.#weights ?? 0));
  }

  /** For viewer.html: returns what the same page shows about costs, as JSON. */
  _pageCosts() {
    return this.#open().c.string("pt2_program_page_costs", this._programHandle());
  }

  /** @param {{ signal?: AbortSignal }} [given] */
  async scan({ signal } = {}) {
    return scanned(this.#open().held.parts, signal);
  }

  /** @returns {ProgramFinding[]} */
  verify() {
    return findings(this.#open().c, "path", "pt2_program_verify", this._programHandle(), this.#handle);
  }

  close() {
    if (!this.#held) return;
    forgotten.unregister(this);
    this.#held.free();
    this.#held = this.#json = this.#tensors = this.#weights = this.#program = undefined;
  }

  [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() {
    this.close();
  }
}

/**
 * @param {Library} c
 * @param {"record" | "path"} place
 * @param {string} call
 * @param {...Given} given
 * @returns {any[]} FileFinding or ProgramFinding
 */
function findings(c, place, call, ...given) {
  const list = c.made(call, ...given);
  try {
    return Array.from({ length: c.c.pt2_findings_count(list) }, (_, i) => {
      const offset = Number(c.c.pt2_finding_offset(list, i));
      return {
        rule: c.text("pt2_finding_rule", list, i),
        level: LEVELS[c.c.pt2_finding_level(list, i)],
        [place]: c.text(`pt2_finding_${place}`, list, i),
        ...(place === "record" && { what: c.text("pt2_finding_what", list, i), offset: offset < 0 ? null : offset }),
        message: c.text("pt2_finding_message", list, i),
      };
    });
  } finally {
    c.c.pt2_findings_free(list);
  }
}

/** Each program is a ProgramFile or an object as in JSON.
 * @template T
 * @param {(Program | ProgramFile)[]} programs
 * @param {(c: Library, ...handles: number[]) => T} use
 */
function withPrograms(programs, use) {
  const c = loaded();
  /** @type {number[]} */
  const made = [];
  try {
    const handles = programs.map((program) => {
      if (program instanceof ProgramFile) return program._programHandle();
      const file = c.withTexts([written(program)], (text) => c.made("pt2_file_from_bytes", ...c.span(text), 0));
      try {
        made.push(c.withTexts([undefined], (model) => c.made("pt2_program_load", file, model, 0)));
      } finally {
        c.c.pt2_file_free(file);
      }
      return made[made.length - 1];
    });
    return use(c, ...handles);
  } finally {
    for (const handle of made) c.c.pt2_program_free(handle);
  }
}

/** @param {Program} program */
export function hash(program) {
  return withPrograms([program], (c, handle) => c.string("pt2_program_hash", handle));
}

/**
 * @param {Program} a
 * @param {Program} b
 * @returns {Differences}
 */
export function diff(a, b) {
  return withPrograms([a, b], (c, one, other) => c.json("pt2_program_diff", one, other));
}

/** For drawing(): the JSON that a page without weights shows.
 * @param {Program} program
 */
export function _page(program) {
  return withPrograms([program], (c, handle) => c.withTexts([""], (title) => c.string("pt2_program_page", handle, title, 0)));
}

/** For viewer.html: the JSON for the page of `pt2 diff`.
 * @param {Program} a
 * @param {Program} b
 */
export function _pageDifferences(a, b) {
  return withPrograms([a, b], (c, one, other) => c.string("pt2_program_page_differences", one, other));
}

/**
 * @param {Program} program
 * @param {{ [symbol: string]: number | bigint }} [sizes]
 * @param {{ by?: "operator" | "module" | "node" }} [given]
 * @returns {Stats}
 */
export function stats(program, sizes = {}, { by = "operator" } = {}) {
  const symbols = Object.keys(sizes);
  const values = BigInt64Array.from(symbols, (symbol) => BigInt(sizes[symbol]));
  return withPrograms([program], (c, handle) =>
    c.withNumbers(values, (at) =>
      c.withTexts([by, ...symbols], (kind, first) =>
        parsed(c.string("pt2_program_stats", handle, c.span(kind)[0], first ?? 0, at, symbols.length)),
      ),
    ),
  );
}

/**
 * @param {Program} program
 * @returns {ProgramFinding[]}
 */
export function verify(program) {
  return withPrograms([program], (c, handle) => findings(c, "path", "pt2_program_verify", handle, 0));
}

/**
 * @param {Program} program
 * @returns {Signature}
 */
export function signature(program) {
  return withPrograms([program], (c, handle) => parsed(c.string("pt2_program_signature", handle)));
}

/** @param {Program} program */
export function show(program) {
  return withPrograms([program], (c, handle) => c.string("pt2_program_text", handle));
}
