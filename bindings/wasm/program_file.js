// Files, their programs and tensors, and what is computed from programs. index.d.ts documents what the package exports.
import { DataError, Library, parsed, written } from "./library.js";
import { crc32, PART, Parts, sourceOf, TO } from "./sources.js";

const LEVELS = ["error", "warning", "note"];
const KINDS = ["parameter", "buffer", "constant", "object"];
const ARRAYS = {
  bool: Uint8Array,
  uint8: Uint8Array,
  int8: Int8Array,
  uint16: Uint16Array,
  int16: Int16Array,
  uint32: Uint32Array,
  int32: Int32Array,
  uint64: BigUint64Array,
  int64: BigInt64Array,
  float16: globalThis.Float16Array ?? Uint16Array,
  bfloat16: Uint16Array,
  float32: Float32Array,
  float64: Float64Array,
  complex32: globalThis.Float16Array ?? Uint16Array,
  complex64: Float32Array,
  complex128: Float64Array,
};
const FIELDS = { refuse: 1, "skip-empty": 2, skip: 3 };

let library;
let loading;

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
  constructor(parts) {
    this.parts = parts;
    this.handles = [];
  }
  add(handle, free) {
    this.handles.unshift([handle, free]);
    return handle;
  }
  free() {
    for (const [handle, free] of this.handles.splice(0)) library.c[free](handle);
    this.parts.free();
  }
}
const forgotten = new FinalizationRegistry((held) => held.free());

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

export async function scan(source, { request, signal } = {}) {
  await init();
  const parts = new Parts(library, await sourceOf(source, request, signal));
  try {
    return await scanned(parts, signal);
  } finally {
    parts.free();
  }
}

async function scanned(parts, signal) {
  await parts.fetch(TO.SCAN, signal);
  return findings(library, "record", "pt2_parts_scan", parts.handle);
}

export class ProgramFile {
  #held;
  #handle;
  #model;
  #newerFields;
  #numbers;
  #program;
  #json;
  #tensors;
  #weights;

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
    return library;
  }

  get models() {
    const c = this.#open();
    return Array.from({ length: c.c.pt2_file_model_count(this.#handle) }, (_, i) => c.text("pt2_file_model_name", this.#handle, i));
  }

  /** Internal. */
  _programHandle() {
    const c = this.#open();
    if (this.#program === undefined) {
      const options = c.allocate(24);
      try {
        c.bytes(options, 24).fill(0);
        const set = new Int32Array(c.c.memory.buffer, options, 3);
        [set[0], set[2]] = [24, FIELDS[this.#newerFields]];
        this.#program = c.withTexts([this.#model], (model) => c.made("pt2_program_load", this.#handle, model, options));
      } finally {
        c.c.free(options);
      }
      this.#held.add(this.#program, "pt2_program_free");
    }
    return this.#program;
  }

  get program() {
    this.#json ??= parsed(this.#open().string("pt2_program_to_json", this._programHandle(), 0), this.#numbers);
    return this.#json;
  }

  #named() {
    const c = this.#open();
    if (this.#tensors) return this.#tensors;
    this.#tensors = new Map();
    if (c.c.pt2_file_kind(this.#handle) !== 3) return this.#tensors; // not an archive
    const weights = c.withTexts([this.#model], (model) => c.made("pt2_weights_load", this.#handle, model));
    this.#held.add(weights, "pt2_weights_free");
    this.#weights = weights;
    for (let i = 0; i < c.c.pt2_weights_count(weights); ++i) {
      const tensor = c.c.pt2_weights_at(weights, i);
      this.#tensors.set(c.text("pt2_tensor_name", tensor), tensor);
    }
    return this.#tensors;
  }

  keys() {
    return [...this.#named().keys()];
  }

  #find(name) {
    const tensor = this.#named().get(name);
    if (tensor === undefined) throw new RangeError(`no tensor ${JSON.stringify(name)}`);
    return tensor;
  }

  layout(name) {
    const [tensor, c] = [this.#find(name), this.#open()];
    const hasLayout = c.c.pt2_tensor_has_layout(tensor) !== 0;
    const rank = hasLayout ? c.c.pt2_tensor_rank(tensor) : 0;
    const numbers = (getter) => {
      if (!hasLayout) return null;
      return rank === 0 ? [] : Array.from(new BigInt64Array(c.c.memory.buffer, c.c[getter](tensor) >>> 0, rank), Number);
    };
    return {
      name,
      kind: KINDS[c.c.pt2_tensor_kind(tensor)],
      dtype: hasLayout ? c.text("pt2_tensor_dtype_name", tensor) : null,
      shape: numbers("pt2_tensor_shape"),
      strides: numbers("pt2_tensor_strides"),
      device: hasLayout ? c.text("pt2_tensor_device", tensor) : null,
      bytes: hasLayout ? Number(BigInt.asUintN(64, c.c.pt2_tensor_bytes(tensor))) : null,
      record: c.text("pt2_tensor_record", tensor),
    };
  }

  async tensor(name, { range, progress, signal } = {}) {
    signal?.throwIfAborted();
    const { dtype, record, shape, bytes } = this.layout(name);
    const Elements = ARRAYS[dtype] ?? Uint8Array;
    const count = shape?.reduce((product, n) => product * n, 1);
    const size = count ? bytes / count : 1; // of one element
    const [from, to] = range ?? [0, count];
    if (range && !(0 <= from && from <= to && to <= count))
      throw new RangeError(`range: expected elements from 0 to ${count}, got [${from}, ${to}]`);
    const [begin, end] = [from * size, to * size];
    const read = await this.#inPlace(this.#find(name), record, begin, end, { progress, signal });
    if (read) return new Elements(read.buffer);
    const { parts } = this.#held;
    await parts.fetch(TO.READ, signal, record);
    const slice = (copied) => (range ? copied.slice(begin, end) : copied.slice());
    return new Elements(this.#open().given(slice, "pt2_tensor_copy", this.#find(name)).buffer);
  }

  /** Reads from the source what is there as it is needed, and not in the library's memory. */
  async #inPlace(tensor, record, begin, end, { progress, signal }) {
    const [c, { parts }] = [this.#open(), this.#held];
    const [whole] = parts.next(TO.READ, record);
    if (!whole || c.c.pt2_tensor_is_pickled(tensor)) return undefined;
    // The header comes with a tensor that is read at once.
    let [start, got] = [0, new Uint8Array()];
    for (const header of parts.next(TO.LOCATE, record)) {
      start = header[0];
      got = await parts.read(
        start,
        begin === 0 && end > 0 && whole[1] - start <= PART ? Math.min(whole[1], header[1] + end) : header[1],
        signal,
      );
      this.#open();
      parts.add(start, got.subarray(0, header[1] - start));
    }
    const [offset, crc] = c.pair("pt2_tensor_place", tensor);
    if (offset < 0) return undefined;
    const elements = new Uint8Array(end - begin);
    for (let at = begin, to; at < end; at = to) {
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

  /** For viewer.html: the JSON that the page of `pt2 view` shows. */
  _page(title) {
    const c = this.#open();
    this.#named();
    return c.withTexts([title], (text) => c.string("pt2_program_page", this._programHandle(), text, this.#weights ?? 0));
  }

  /** For viewer.html: returns what the same page shows about costs, as JSON. */
  _pageCosts() {
    return this.#open().string("pt2_program_page_costs", this._programHandle());
  }

  async scan({ signal } = {}) {
    this.#open();
    return scanned(this.#held.parts, signal);
  }

  verify() {
    return findings(this.#open(), "path", "pt2_program_verify", this._programHandle(), this.#handle);
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

/** Each program is a ProgramFile or an object as in JSON. */
function withPrograms(programs, use) {
  const c = loaded();
  const made = [];
  try {
    const handles = programs.map((program) => {
      if (program instanceof ProgramFile) return program._programHandle();
      const text = new TextEncoder().encode(written(program));
      const at = c.allocate(text.length + 1);
      made.push([at, "free"]);
      c.bytes(at, text.length).set(text);
      const file = c.made("pt2_file_from_bytes", at, text.length, 0);
      made.push([file, "pt2_file_free"]);
      const handle = c.withTexts([undefined], (model) => c.made("pt2_program_load", file, model, 0));
      made.push([handle, "pt2_program_free"]);
      return handle;
    });
    return use(c, ...handles);
  } finally {
    for (const [handle, free] of made.reverse()) c.c[free](handle);
  }
}

export function hash(program) {
  return withPrograms([program], (c, handle) => c.string("pt2_program_hash", handle));
}

export function diff(a, b) {
  return withPrograms([a, b], (c, one, other) => c.json("pt2_program_diff", one, other));
}

/** For drawing(): the JSON that a page without weights shows. */
export function _page(program) {
  return withPrograms([program], (c, handle) => c.withTexts([""], (title) => c.string("pt2_program_page", handle, title, 0)));
}

/** For viewer.html: the JSON for the page of `pt2 diff`. */
export function _pageDifferences(a, b) {
  return withPrograms([a, b], (c, one, other) => c.string("pt2_program_page_differences", one, other));
}

export function stats(program, sizes = {}, { by = "operator" } = {}) {
  const symbols = Object.keys(sizes);
  return withPrograms([program], (c, handle) => {
    const values = c.allocate(8 * symbols.length + 8);
    try {
      new BigInt64Array(c.c.memory.buffer, values, symbols.length).set(symbols.map((symbol) => BigInt(sizes[symbol])));
      return c.withTexts([by, ...symbols], (kind, first) =>
        c.json("pt2_program_stats", handle, c.characters(kind), first ?? 0, values, symbols.length),
      );
    } finally {
      c.c.free(values);
    }
  });
}

export function verify(program) {
  return withPrograms([program], (c, handle) => findings(c, "path", "pt2_program_verify", handle, 0));
}

export function signature(program) {
  return withPrograms([program], (c, handle) => c.json("pt2_program_signature", handle));
}

export function show(program) {
  return withPrograms([program], (c, handle) => c.string("pt2_program_text", handle));
}
