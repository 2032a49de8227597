import { nodeModule } from "./library.js";

const HEAD = 1 << 12; // of a file at a URL: the first request, which tells whether there are ranges
export const PART = 1 << 24; // bytes of one request
const AT_ONCE = 64; // requests
const MOST_COPIED = 0xf0000000;
const MOST_WHOLE = 1 << 29; // bytes of a file that is not an archive, or whose size is not known
export const TO = { OPEN: 0, SCAN: 1, READ: 2, LOCATE: 3 }; // as in pt2.h

/** Sources have `size`, `read(start, end, signal)` and `close()`.
 * @param {FileSource} given
 * @param {RequestInit} [request]
 * @param {AbortSignal} [signal]
 */
export async function sourceOf(given, request, signal) {
  const source = await until(signal, anySource(given, { ...request, ...(signal && { signal }) }));
  if (Number.isSafeInteger(source.size) && source.size >= 0) return source;
  source.close();
  throw new RangeError(`expected a source of at most 2^53 bytes, got ${source.size}`);
}

/**
 * @param {FileSource} given
 * @param {RequestInit} request
 * @returns {Promise<Source>}
 */
async function anySource(given, request) {
  if (typeof Blob === "function" && given instanceof Blob) return ofBlob(given);
  if (given instanceof ArrayBuffer) return ofBytes(new Uint8Array(given));
  if (ArrayBuffer.isView(given)) return ofBytes(new Uint8Array(given.buffer, given.byteOffset, given.byteLength));
  if (typeof given === "object" && "read" in given && typeof given.read === "function" && typeof given.size === "number") {
    return { size: given.size, read: given.read.bind(given), close: () => given.close?.() };
  }
  if (typeof given === "string" && !/^[a-z][a-z0-9+.-]+:/i.test(given)) {
    return typeof document === "object" || typeof importScripts === "function"
      ? ofUrl(new URL(given, location.href), request)
      : ofFile(given);
  }
  const url = typeof given === "string" ? new URL(given) : given;
  if (url instanceof URL) return url.protocol === "file:" ? ofFile(url) : ofUrl(url, request);
  throw new TypeError("expected a Blob, bytes, a path, a URL, or an object with `size` and `read(start, end)`");
}

/**
 * @param {...Uint8Array} parts
 * @returns {Source}
 */
function ofBytes(...parts) {
  /**
   * @param {number} start
   * @param {number} end
   */
  const read = async (start, end) => {
    let at = 0;
    const found = parts.map((part) => part.subarray(Math.max(0, start - at), Math.max(0, end - (at += part.length) + part.length)));
    return joined(found, end - start);
  };
  return { size: parts.reduce((sum, part) => sum + part.length, 0), read, close() {} };
}

/**
 * @param {Blob} blob
 * @returns {Source}
 */
function ofBlob(blob) {
  return { size: blob.size, read: async (start, end) => new Uint8Array(await blob.slice(start, end).arrayBuffer()), close() {} };
}

/**
 * @param {string | URL} path
 * @returns {Promise<Source>}
 */
async function ofFile(path) {
  const file = await (await nodeModule("node:fs/promises")).open(path);
  /**
   * @param {number} start
   * @param {number} end
   */
  const read = async (start, end) => {
    const bytes = new Uint8Array(end - start);
    let got = 0;
    while (got < bytes.length) {
      const { bytesRead } = await file.read(bytes, got, bytes.length - got, start + got);
      if (bytesRead === 0) break;
      got += bytesRead;
    }
    return bytes.subarray(0, got);
  };
  return { size: (await file.stat()).size, read, close: () => void file.close().catch(() => {}) };
}

/** The parts of the body, of `size` bytes or, if that is not known, of at most `most`: servers may send more, or compress.
 * @param {Response} response
 * @param {URL} url
 * @param {number | undefined} size
 * @param {number} most
 */
async function bodyOf(response, url, size, most) {
  /** @param {string} what */
  const fail = (what) => {
    throw new Error(`cannot read ${url}: ${what}`);
  };
  const reader = response.body?.getReader();
  /** @type {Uint8Array[]} */
  const parts = [];
  let got = 0;
  try {
    const coding = response.headers.get("Content-Encoding") ?? "identity";
    if (!/^(identity)?$/i.test(coding)) fail(`the server encodes it with ${coding}, although that was not asked for`);
    for (let part; reader && !(part = await reader.read()).done;) {
      got += part.value.length;
      if (got > most) fail(`expected at most ${most} bytes, got more`);
      parts.push(part.value);
    }
    if (got !== (size ?? got)) fail(`expected ${size} bytes, got ${got}`);
  } finally {
    reader?.cancel().catch(() => {});
  }
  return parts;
}

/**
 * @param {Uint8Array[]} parts
 * @param {number} size
 */
function joined(parts, size) {
  if (parts.length === 1) return parts[0];
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * @param {URL} url
 * @param {RequestInit} request
 * @returns {Promise<Source>}
 */
async function ofUrl(url, request) {
  /**
   * @param {string | undefined} range
   * @param {AbortSignal | null} [signal]
   */
  const get = async (range, signal = request.signal) => {
    const headers = new Headers(request.headers);
    headers.set("Accept-Encoding", "identity"); // browsers ignore this, but do the same for ranges
    if (range) headers.set("Range", `bytes=${range}`);
    const response = await fetch(url, { ...request, headers, signal });
    if (response.ok || response.status === 416) return response;
    response.body?.cancel();
    throw new Error(`cannot read ${url}: ${response.status} ${response.statusText}`);
  };
  /**
   * @param {Response} response
   * @param {number} start
   * @param {number} end
   * @param {string} total
   */
  const part = async (response, start, end, total) => {
    const [expected, given] = [`bytes ${start}-${end - 1}/${total}`, response.headers.get("Content-Range")];
    if (response.status === 206 && given === expected) return joined(await bodyOf(response, url, end - start, end - start), end - start);
    response.body?.cancel();
    throw new Error(`cannot read ${url}: asked for ${expected}, got ${response.status === 206 ? given : `status ${response.status}`}`);
  };
  const first = await get(`0-${HEAD - 1}`);
  const total = first.status === 206 && /\/(\d+)$/.exec(first.headers.get("Content-Range") ?? "")?.[1];
  if (!total) {
    // No support for ranges, or no size, as for an empty file.
    if (first.status !== 200) first.body?.cancel();
    const whole = first.status === 200 ? first : await get(first.status === 206 ? "0-" : undefined);
    const length = whole.headers.get("Content-Length");
    const size = length === null ? undefined : Number(length);
    if (size !== undefined && size > MOST_COPIED) {
      whole.body?.cancel();
      throw new RangeError(`cannot read ${url}: expected a server that supports ranges, or at most 3.75 GiB, got ${length} bytes`);
    }
    return ofBytes(...(await bodyOf(whole, url, size, size ?? MOST_WHOLE)));
  }
  const size = Number(total);
  const head = await part(first, 0, Math.min(HEAD, size), total);
  /** @type {Source["read"]} */
  const read = async (start, end, signal) => {
    if (end <= head.length) return head.subarray(start, end);
    return part(await get(`${start}-${end - 1}`, signal), start, end, total);
  };
  return { size, read, close() {} };
}

/** Waits no longer than until `signal` aborts.
 * @template T
 * @param {AbortSignal | undefined} signal
 * @param {Promise<T>} promise
 */
async function until(signal, promise) {
  if (!signal) return promise;
  promise.catch(() => {});
  signal.throwIfAborted();
  const settled = new AbortController();
  /** @type {Promise<never>} */
  const aborted = new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), settled));
  return Promise.race([promise, aborted]).finally(() => settled.abort());
}

/** The parts of a source that the library has; it says which it needs next. Files may be larger than its memory. */
export class Parts {
  /**
   * @param {Library} library
   * @param {Source} source
   */
  constructor(library, source) {
    this.library = library;
    this.source = source;
    this.handle = library.made("pt2_parts_new", BigInt(source.size));
  }

  /**
   * @param {number} purpose
   * @param {string} [record]
   * @returns {[number, number][]}
   */
  next(purpose, record) {
    if (this.handle === 0) throw new TypeError("the file was closed while it was read");
    return this.library.withTexts([record], (text) => this.library.json("pt2_parts_next", this.handle, purpose, text));
  }

  /** Reads what the library needs: what it asks for at once, in parallel.
   * @param {number} purpose
   * @param {AbortSignal} [signal]
   * @param {string} [record]
   */
  async fetch(purpose, signal, record) {
    for (let ranges; (ranges = this.next(purpose, record)).length > 0;) {
      const { size } = this.source;
      if (purpose === TO.OPEN && ranges[0][1] - ranges[0][0] > MOST_WHOLE) {
        throw new RangeError(`expected an archive, or a file of at most ${MOST_WHOLE} bytes, got ${size} bytes`);
      }
      const work = async () => {
        for (let range; (range = ranges.shift());) this.add(range[0], await this.read(...range, signal));
      };
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, ranges.length) }, work));
    }
  }

  /**
   * @param {number} start
   * @param {Uint8Array} bytes
   */
  add(start, bytes) {
    if (this.handle === 0) throw new TypeError("the file was closed while it was read");
    const at = this.library.made("pt2_parts_add", this.handle, BigInt(start), bytes.length);
    this.library.bytes(at, bytes.length).set(bytes);
  }

  /**
   * @param {number} start
   * @param {number} end
   * @param {AbortSignal | undefined} signal
   */
  async read(start, end, signal) {
    /** @type {Uint8Array[]} */
    const parts = [];
    /**
     * @param {string} what
     * @param {ErrorOptions} [options]
     * @returns {never}
     */
    const fail = (what, options) => {
      throw new Error(`cannot read bytes ${start} to ${end} of ${this.source.size}: ${what}`, options);
    };
    for (let at = start; at < end; at += parts[parts.length - 1].length) {
      signal?.throwIfAborted();
      const most = Math.min(end, at + PART);
      const bytes = await until(signal, (async () => this.source.read(at, most, signal))()).catch((error) =>
        signal?.aborted ? Promise.reject(error) : fail(error?.message ?? error, { cause: error }),
      );
      if (bytes?.length === 0) fail(`the source gave none from byte ${at} on`);
      if (!(bytes?.length <= most - at)) fail(`the source gave ${bytes?.length} bytes, but was asked for ${most - at}`);
      parts.push(bytes);
    }
    return joined(parts, end - start);
  }

  free() {
    this.library.c.pt2_parts_free(this.handle);
    this.handle = 0;
    this.source.close();
  }
}

/** @type {Uint32Array | undefined} */
let table;
/** @param {Uint8Array} bytes */
export function crc32(bytes) {
  table ??= Uint32Array.from({ length: 256 }, (_, i) => {
    for (let bit = 0; bit < 8; ++bit) i = i & 1 ? (i >>> 1) ^ 0xedb88320 : i >>> 1;
    return i;
  });
  let crc = -1;
  for (let i = 0; i < bytes.length; ++i) crc = table[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}
