// Reads files for viewer.html in a separate thread.

import { _pageDifferences, init, open, scan } from "../program_file.js";
import { sourceOf } from "../sources.js";

/** @import { ProgramFile } from "../program_file.js" */

/** @type {Map<number, ProgramFile>} By number. */
const files = new Map();

/** @param {number} number */
const fileOf = (number) => {
  const file = files.get(number);
  if (file === undefined) throw new TypeError("the file is closed");
  return file;
};

/** @param {number} bytes */
const sizeText = (bytes) => (bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);

/** A source that reports how many bytes were read.
 * @param {File | string} given
 * @param {(done: number) => void} progress
 */
const counted = async (given, progress) => {
  const source = await sourceOf(given);
  let done = 0;
  /** @type {Source["read"]} */
  const read = async (start, end) => {
    const bytes = await source.read(start, end);
    progress((done += bytes.length));
    return bytes;
  };
  return { ...source, read };
};

/** Returns the number in the `bits` of a 16-bit float.
 * @param {number} bits
 */
const half = (bits) => {
  const [sign, exponent, fraction] = [bits & 0x8000 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -14 * (fraction / 1024));
};
const wide = new Uint32Array(1);
const widened = new Float32Array(wide.buffer);
/** @param {number} bits */
const bfloat = (bits) => {
  wide[0] = bits << 16;
  return widened[0];
};

/** Returns a function that returns the element at an index as a number. For complex numbers, returns the parts in turn.
 * @param {Elements} array
 * @param {string | null} dtype
 * @returns {(i: number) => number}
 */
const reader = (array, dtype) => {
  if (dtype === "bfloat16") return (i) => bfloat(Number(array[i]));
  if (array instanceof Uint16Array && (dtype === "float16" || dtype === "complex32")) return (i) => half(array[i]);
  return (i) => Number(array[i]);
};

const BINS = 48;
const SIDE = 128; // of the heat map
const PART = 1 << 23; // elements between which a call may be cancelled

/** Calls `each` with all numbers below `count`.
 * @param {number} count
 * @param {AbortSignal} signal
 * @param {((done: number) => void) | undefined} progress
 * @param {(i: number) => void} each
 */
const forAll = async (count, signal, progress, each) => {
  for (let from = 0; from < count; from += PART) {
    const to = Math.min(from + PART, count);
    for (let i = from; i < to; ++i) each(i);
    progress?.(to);
    await new Promise((resolve) => setTimeout(resolve)); // lets messages arrive
    signal.throwIfAborted();
  }
};

/** Calls `progress` with the number of elements counted so far, each twice.
 * @param {(i: number) => number} at
 * @param {number} count
 * @param {AbortSignal} signal
 * @param {(done: number) => void} progress
 */
const statisticsOf = async (at, count, signal, progress) => {
  /** @type {Statistics} */
  const seen = { finite: 0, zeros: 0, nans: 0, infinities: 0, minimum: Infinity, maximum: -Infinity, mean: 0, deviation: 0, histogram: [] };
  let squares = 0;
  await forAll(count, signal, progress, (i) => {
    const value = at(i);
    if (Number.isNaN(value)) ++seen.nans;
    else if (!Number.isFinite(value)) ++seen.infinities;
    else {
      ++seen.finite;
      if (value === 0) ++seen.zeros;
      if (value < seen.minimum) seen.minimum = value;
      if (value > seen.maximum) seen.maximum = value;
      const step = value - seen.mean;
      seen.mean += step / seen.finite;
      squares += step * (value - seen.mean);
    }
  });
  if (seen.finite === 0) return seen;
  seen.deviation = Math.sqrt(squares / seen.finite);
  seen.histogram = new Array(BINS).fill(0);
  const width = (seen.maximum - seen.minimum) / BINS || 1;
  const again = (/** @type {number} */ done) => progress(count + done);
  await forAll(count, signal, again, (i) => {
    const value = at(i);
    if (Number.isFinite(value)) ++seen.histogram[Math.min(Math.floor((value - seen.minimum) / width), BINS - 1)];
  });
  return seen;
};

/** Returns the first matrix of the tensor with at most SIDE rows and columns, each a mean.
 * @param {(i: number) => number} at
 * @param {number[]} shape
 */
const heatOf = (at, shape) => {
  const [rows, columns] = shape.length < 2 ? [1, shape[0] ?? 1] : shape.slice(-2);
  const [height, width] = [Math.min(rows, SIDE), Math.min(columns, SIDE)];
  const cells = new Float32Array(height * width);
  const counts = new Uint32Array(height * width);
  for (let i = 0; i < rows; ++i) {
    for (let j = 0; j < columns; ++j) {
      const cell = Math.floor((i * height) / rows) * width + Math.floor((j * width) / columns);
      const value = at(i * columns + j);
      if (!Number.isFinite(value)) continue;
      cells[cell] += value;
      ++counts[cell];
    }
  }
  return { rows, columns, height, width, cells: cells.map((sum, i) => (counts[i] ? sum / counts[i] : NaN)) };
};

/** @type {{ file: number, name: string, layout: TensorInfo, array: Elements } | null} The tensor that was read last. */
let last = null;

/**
 * @param {number} number
 * @param {string} name
 * @param {AbortSignal} signal
 * @param {TensorOptions["progress"]} [progress]
 */
const tensorOf = async (number, name, signal, progress) => {
  if (last?.file === number && last.name === name) return last;
  const file = fileOf(number);
  const layout = file.layout(name);
  const array = await file.tensor(name, { signal, progress });
  last = { file: number, name, layout, array };
  return last;
};

// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
/** @type {{ [dtype: string]: string }} */
const NPY = { bool: "|b1", int8: "|i1", uint16: "<u2", int16: "<i2", uint32: "<u4", int32: "<i4", uint64: "<u8", int64: "<i8" };
Object.assign(NPY, { float16: "<f2", bfloat16: "<f4", float32: "<f4", float64: "<f8", complex64: "<c8", complex128: "<c16" });

/** Returns a NumPy file. Values that NumPy lacks are widened (bfloat16) or their bytes (float8).
 * @param {TensorInfo} given
 * @param {Elements} array
 */
const npyOf = ({ dtype, shape }, array) => {
  const data = dtype === "bfloat16" ? Float32Array.from(/** @type {Uint16Array} */ (array), bfloat) : array;
  const header = `{'descr': '${NPY[dtype ?? ""] ?? "|u1"}', 'fortran_order': False, 'shape': (${(shape ?? []).map((size) => `${size},`).join("")}), }`;
  const size = Math.ceil((header.length + 11) / 64) * 64 - 10;
  return new Blob([
    new Uint8Array([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, size & 255, size >> 8]),
    header.padEnd(size - 1) + "\n",
    /** @type {BlobPart} */ (data),
  ]);
};

export const calls = {
  /** @type {Call<WasmSource, void>} */
  init: async (wasm) => {
    await init(wasm);
  },
  /** @type {Call<{ number: number, source: File | string, title: string, model?: string }, { page: string } | { models: string[] }>} */
  open: async ({ number, source, title, model }, signal, progress) => {
    const counting = await counted(source, (done) => progress(`reading ${title}: ${sizeText(done)}`));
    const file = await open(counting, { model, signal, newerFields: "skip" });
    const { models } = file;
    if (model === undefined && models.length > 1) {
      file.close();
      return { models };
    }
    files.set(number, file);
    return { page: file._page(title) };
  },
  /** @type {Call<{ source: File | string }, Finding[]>} */
  scan: ({ source }, signal) => scan(source, { signal }),
  /** @type {Call<{ number: number }, string>} */
  costs: async ({ number }) => fileOf(number)._pageCosts(),
  /** @type {Call<{ number: number }, Finding[]>} */
  check: async ({ number }, signal) => {
    const file = fileOf(number);
    return [...(await file.scan({ signal })), ...file.verify()];
  },
  /** @type {Call<{ number: number, name: string }, TensorInfo & Statistics & { count: number, heat: ReturnType<typeof heatOf> }>} */
  tensor: async ({ number, name }, signal, progress) => {
    const { layout, array } = await tensorOf(number, name, signal, (done, total) =>
      progress(`reading: ${sizeText(done)} of ${sizeText(total)}`),
    );
    const at = reader(array, layout.dtype);
    const counted = (/** @type {number} */ done) => progress(`counting: ${Math.floor((50 * done) / array.length)}%`);
    const statistics = await statisticsOf(at, array.length, signal, counted);
    return { ...layout, count: array.length, ...statistics, heat: heatOf(at, layout.shape ?? []) };
  },
  /** @type {Call<{ number: number, name: string }, Blob>} */
  npy: async ({ number, name }, signal) => {
    const { layout, array } = await tensorOf(number, name, signal);
    return npyOf(layout, array);
  },
  /** @type {Call<{ number: number, name: string, from: number, count: number }, number[]>} */
  values: async ({ number, name, from, count }, signal) => {
    const { layout, array } = await tensorOf(number, name, signal);
    const at = reader(array, layout.dtype);
    return Array.from({ length: Math.max(Math.min(count, array.length - from), 0) }, (_, i) => at(from + i));
  },
  /** @type {Call<{ a: number, b: number }, string>} */
  differences: async ({ a, b }) => _pageDifferences(fileOf(a), fileOf(b)),
  /** `largest`: null if the types differ.
   * @type {Call<{ a: number, b: number }, { name: string, largest: number | null }[]>}
   */
  weightDifferences: async ({ a, b }, signal, progress) => {
    const [one, other] = [fileOf(a), fileOf(b)];
    const others = new Set(other.keys());
    const both = one.keys().filter((name) => others.has(name));
    /** @type {{ name: string, largest: number | null }[]} */
    const rows = [];
    for (const [i, name] of both.entries()) {
      const [x, y] = [one.layout(name), other.layout(name)];
      progress(`comparing ${i} of ${both.length}`);
      if (x.dtype === null || x.dtype !== y.dtype || String(x.shape) !== String(y.shape)) {
        rows.push({ name, largest: null });
        continue;
      }
      const [before, after] = [await one.tensor(name, { signal }), await other.tensor(name, { signal })];
      const [atBefore, atAfter] = [reader(before, x.dtype), reader(after, x.dtype)];
      let largest = 0;
      await forAll(before.length, signal, undefined, (j) => {
        const difference = Math.abs(atAfter(j) - atBefore(j));
        if (difference > largest) largest = difference;
        else if (Number.isNaN(difference) && !Object.is(atAfter(j), atBefore(j))) largest = Infinity;
      });
      rows.push({ name, largest });
    }
    return rows.sort((p, q) => (q.largest ?? Infinity) - (p.largest ?? Infinity));
  },
  /** @type {Call<{ number: number }, void>} */
  close: async ({ number }) => {
    files.get(number)?.close();
    files.delete(number);
    last = null;
  },
};

// Each call brings a port for its answer, its progress, and the message that cancels it.
onmessage = async ({ data: { call, given }, ports: [port] }) => {
  const cancel = new AbortController();
  port.onmessage = () => cancel.abort();
  /** @type {Progress} */
  const progress = (text) => port.postMessage({ progress: text });
  try {
    /** @type {Call<any, unknown>} */
    const answer = calls[/** @type {keyof Calls} */ (call)];
    port.postMessage({ result: await answer(given, cancel.signal, progress) });
  } catch (error) {
    const { name, message, path, line, column, offset, reason } = /** @type {Fault} */ (error);
    port.postMessage({ error: { name, message, path, line, column, offset, reason } });
  }
};
