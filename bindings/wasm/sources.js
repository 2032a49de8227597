import { DataError, nodeModule } from "./library.js";

const TAIL = 66_000; // where the end of a zip's directory is
const HEAD = 1 << 12; // tells the format
const SMALL = 1 << 17; // one request is faster than several
const LARGE = 1 << 20;
const PART = 1 << 24; // bytes of one request
const AT_ONCE = 64; // requests
const MOST_COPIED = 0xf0000000;
const MOST_WHOLE = 1 << 29; // bytes of a file that is not an archive, or whose size is not known
const DATA = /(^|\/)(data\/(weights|constants|sample_inputs|aotinductor)|extra|extra_files)\/|(^|\/)serialized_/;
const CONFIG = /(^|\/)data\/(weights|constants)\/[^/]*_config\.json$/;
const WEIGHTS = /(^|\/)data\/(weights|constants)\/|(^|\/)serialized_/;

/** Sources have `size`, `read(start, end)` and `close()`. */
export async function sourceOf(given, request) {
  const source = await anySource(given, request);
  if (Number.isSafeInteger(source.size) && source.size >= 0) return source;
  source.close();
  throw new RangeError(`expected a source of at most 2^53 bytes, got ${source.size}`);
}

async function anySource(given, request) {
  if (typeof Blob === "function" && given instanceof Blob) return ofBlob(given);
  if (given instanceof ArrayBuffer) return ofBytes(new Uint8Array(given));
  if (ArrayBuffer.isView(given)) return ofBytes(new Uint8Array(given.buffer, given.byteOffset, given.byteLength));
  if (typeof given?.read === "function" && typeof given.size === "number") return { close() {}, ...given, read: given.read.bind(given) };
  if (typeof given === "string" && !/^[a-z][a-z0-9+.-]+:/i.test(given)) {
    return typeof document === "object" || typeof importScripts === "function" ? ofUrl(new URL(given, location.href), request) : ofFile(given);
  }
  if (typeof given === "string") given = new URL(given);
  if (given instanceof URL) return given.protocol === "file:" ? ofFile(given) : ofUrl(given, request);
  throw new TypeError("expected a Blob, bytes, a path, a URL, or an object with `size` and `read(start, end)`");
}

function ofBytes(bytes) {
  return { size: bytes.length, read: async (start, end) => bytes.subarray(start, end), close() {}, isInMemory: true };
}

function ofBlob(blob) {
  return { size: blob.size, read: async (start, end) => new Uint8Array(await blob.slice(start, end).arrayBuffer()), close() {} };
}

async function ofFile(path) {
  const file = await (await nodeModule("node:fs/promises")).open(path);
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

/** The body, of `size` bytes or, if that is not known, of at most `most`: servers may send more, or compress. */
async function bodyOf(response, url, size, most) {
  const fail = (what) => {
    throw new Error(`cannot read ${url}: ${what}`);
  };
  const reader = response.body?.getReader();
  const parts = [];
  let got = 0;
  try {
    const coding = response.headers.get("Content-Encoding") ?? "identity";
    if (!/^(identity)?$/i.test(coding)) fail(`the server encodes it with ${coding}, although that was not asked for`);
    for (let part; reader && !(part = await reader.read()).done; ) {
      got += part.value.length;
      if (got > most) fail(`expected at most ${most} bytes, got more`);
      parts.push(part.value);
    }
    if (got !== (size ?? got)) fail(`expected ${size} bytes, got ${got}`);
  } finally {
    reader?.cancel().catch(() => {});
  }
  return joined(parts, got);
}

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

async function ofUrl(url, request = {}) {
  const get = async (range) => {
    const headers = new Headers(request.headers);
    headers.set("Accept-Encoding", "identity"); // browsers ignore this, but do the same for ranges
    if (range) headers.set("Range", `bytes=${range}`);
    const response = await fetch(url, { ...request, headers });
    if (response.ok || response.status === 416) return response;
    response.body?.cancel();
    throw new Error(`cannot read ${url}: ${response.status} ${response.statusText}`);
  };
  const part = async (response, start, end, total) => {
    const [expected, given] = [`bytes ${start}-${end - 1}/${total}`, response.headers.get("Content-Range")];
    if (response.status === 206 && given === expected) return bodyOf(response, url, end - start, end - start);
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
    if (size > MOST_COPIED) {
      whole.body?.cancel();
      throw new RangeError(`cannot read ${url}: expected a server that supports ranges, or at most 3.75 GiB, got ${length} bytes`);
    }
    return ofBytes(await bodyOf(whole, url, size, size ?? MOST_WHOLE));
  }
  const size = Number(total);
  const head = await part(first, 0, Math.min(HEAD, size), total);
  const read = async (start, end) => {
    if (end <= head.length) return head.subarray(start, end);
    return part(await get(`${start}-${end - 1}`), start, end, total);
  };
  return { size, read, close() {} };
}

const ONES = 0xffffffff;
const wide = (bytes, at) => Number(bytes.getBigUint64(at, true));

/** Header fields that are all ones are in the ZIP64 field. */
function numbersOf(header, places, extra, extraSize) {
  const found = places.map((at) => ({ at, isWide: false, value: header.getUint32(at, true) }));
  for (let field = extra; field + 4 <= extra + extraSize; field += 4 + header.getUint16(field + 2, true)) {
    if (header.getUint16(field, true) !== 1) continue;
    let next = field + 4;
    for (const number of found) {
      if (number.value !== ONES) continue;
      Object.assign(number, { at: next, isWide: true, value: wide(header, next) });
      next += 8;
    }
  }
  return found;
}

/**
 * A source in the library's memory, fetched on demand. Missing parts have any content, and take no system memory. Large raw tensors are cut
 * out and read from the source itself: files may be larger than 32-bit memory.
 */
export class Copy {
  static async of(library, source, signal) {
    const copy = new Copy();
    Object.assign(copy, { library, source, size: source.size, at: 0, staged: [], fetched: [], records: [], cuts: [], byName: new Map() });
    const isSmall = source.size <= SMALL || source.isInMemory;
    try {
      if (!isSmall) {
        await copy.fetch(0, HEAD, signal);
        const zip = await copy.#directory(0, source.size);
        copy.records = zip.records;
        if (zip.records.length === 0 && source.size > MOST_WHOLE) {
          throw new RangeError(`expected an archive, or a file of at most ${MOST_WHOLE} bytes, got ${source.size} bytes`);
        }
        await copy.#fetchAll([...copy.#headers(), ...copy.#programs().map(({ start, end }) => [start, end])], signal);
        await copy.#cutTensors(signal);
        copy.#place();
        for (const change of zip.changes) change();
      } else {
        copy.#place();
        await copy.fetch(0, source.size, signal);
        copy.records = (await copy.#directory(0, source.size)).records;
      }
      if (copy.records.length === 0) await copy.fetch(0, source.size, signal);
    } catch (error) {
      library.c.free(copy.at);
      throw error;
    }
    for (const record of copy.records) {
      for (const name of new Set([record.name, record.name.slice(record.name.indexOf("/") + 1)])) copy.byName.set(name, record);
    }
    return copy;
  }

  /** Also writes what was fetched before. */
  #place() {
    const cut = this.cuts.reduce((sum, { start, end }) => sum + end - start, 0);
    this.copied = this.size - cut;
    if (this.copied > MOST_COPIED) throw new RangeError(`expected a file below 3.75 GiB without its tensors, got ${this.copied} bytes`);
    this.at = this.library.allocate(this.copied + 1);
    for (const [start, bytes] of this.staged.splice(0)) this.#write(start, bytes);
    for (const { start, end } of this.cuts) this.#add(start, end);
  }

  /** The offset in the copy. */
  #inCopy(offset) {
    return this.cuts.reduce((at, { start, end }) => at - Math.max(0, Math.min(offset, end) - start), offset);
  }

  #write(start, bytes) {
    const end = start + bytes.length;
    let from = start;
    for (const cut of [...this.cuts, { start: end, end }]) {
      const to = Math.min(cut.start, end);
      if (from < to) this.library.bytes(this.at + this.#inCopy(from), to - from).set(bytes.subarray(from - start, to - start));
      from = Math.max(from, Math.min(cut.end, end));
    }
  }

  /** Valid until memory grows. */
  #view(start, size) {
    if (start < 0 || start + size > this.size) throw new RangeError("outside of the file");
    if (this.at !== 0) {
      const bytes = this.library.bytes(this.at + this.#inCopy(start), size);
      return new DataView(bytes.buffer, bytes.byteOffset, size);
    }
    const found = this.staged.find(([from, bytes]) => from <= start && start + size <= from + bytes.length);
    if (!found) throw new RangeError("outside of what was fetched");
    const [from, bytes] = found;
    return new DataView(bytes.buffer, bytes.byteOffset + start - from, size);
  }

  /** Sets 4 bytes of the header at `start`, or 8 of its ZIP64 field. */
  #set(start, { at, isWide }, value) {
    const bytes = this.#view(start + at, isWide ? 8 : 4);
    isWide ? bytes.setBigUint64(0, BigInt(value), true) : bytes.setUint32(0, value, true);
  }

  async fetch(start, end, signal) {
    await this.#fetchAll([[start, end]], signal);
  }

  /** Fetches many at once. Ranges with little between them become one. */
  async #fetchAll(ranges, signal) {
    const merged = [];
    for (const [start, end] of ranges.sort((a, b) => a[0] - b[0])) {
      const last = merged.at(-1);
      if (last && start <= last[1] + SMALL) last[1] = Math.max(last[1], end);
      else merged.push([start, end]);
    }
    const missing = merged.flatMap(([start, end]) => [...this.#missing(start, Math.min(end, this.size))]);
    for (let i = 0; i < missing.length; i += AT_ONCE) {
      await Promise.all(missing.slice(i, i + AT_ONCE).map(([start, end]) => this.#read(start, end, signal)));
    }
  }

  /** The parts that were neither fetched nor cut out. */
  *#missing(start, end) {
    if (this.at === 0 && this.staged.some(([from, bytes]) => from <= start && end <= from + bytes.length)) return;
    for (const [from, to] of this.at === 0 ? [] : this.fetched) {
      if (from > start) yield [start, Math.min(from, end)];
      start = Math.max(start, to);
      if (start >= end) return;
    }
    if (start < end) yield [start, end];
  }

  async #read(start, end, signal) {
    const isStaged = this.at === 0;
    const bytes = isStaged ? await this.#from(start, end, signal) : undefined;
    if (isStaged) this.staged.push([start, bytes]);
    for (let at = start; !isStaged && at < end; at += PART) {
      const part = await this.#from(at, Math.min(end, at + PART), signal);
      if (this.at === 0) throw new TypeError("the file was closed while it was read");
      this.#write(at, part);
    }
    this.#add(start, end);
  }

  async #from(start, end, signal) {
    const parts = [];
    for (let at = start; at < end; at += parts.at(-1).length) {
      signal?.throwIfAborted();
      const bytes = await this.source.read(at, end);
      if (bytes.length === 0) throw new Error(`the source has ${this.size} bytes, but gave none from byte ${at} on`);
      if (!(bytes.length <= end - at)) throw new Error(`the source gave ${bytes.length} bytes, but was asked for ${end - at}`);
      parts.push(bytes);
    }
    return joined(parts, end - start);
  }

  #add(start, end) {
    const rest = this.fetched.filter(([from, to]) => {
      if (to < start || end < from) return true;
      [start, end] = [Math.min(start, from), Math.max(end, to)];
      return false;
    });
    this.fetched = [...rest, [start, end]].sort((a, b) => a[0] - b[0]);
  }

  /** The zip's records, or none unless it can be read in parts; and the changes that the cuts require. */
  async #directory(begin, end) {
    const none = { records: [], changes: [] };
    const tail = Math.max(begin, end - TAIL);
    await this.fetch(tail, end);
    try {
      if (this.#view(begin, 2).getUint16(0, true) !== 0x4b50) return none;
      const bytes = this.#view(tail, end - tail);
      let last = end - tail - 22;
      while (bytes.getUint32(last, true) !== 0x06054b50) --last;
      last += tail;
      const changes = [];
      const moves = (start, number) => changes.push(() => this.#set(start, number, this.#inCopy(begin + number.value) - begin));
      const ending = this.#view(last, 22);
      let [size, offset] = [ending.getUint32(12, true), ending.getUint32(16, true)];
      if (offset !== ONES) moves(last, { at: 16, isWide: false, value: offset });
      if (last - 20 >= begin && this.#view(last - 20, 4).getUint32(0, true) === 0x07064b50) {
        const record = begin + wide(this.#view(last - 20, 20), 8);
        moves(last - 20, { at: 8, isWide: true, value: record - begin });
        await this.fetch(record, record + 56);
        [size, offset] = [wide(this.#view(record, 56), 40), wide(this.#view(record, 56), 48)];
        moves(record, { at: 48, isWide: true, value: offset });
      }
      const first = begin + offset;
      await this.fetch(first, first + size);
      const records = [];
      const utf8 = new TextDecoder();
      for (let at = first; at < first + size; ) {
        const entry = this.#view(at, 46);
        if (entry.getUint32(0, true) !== 0x02014b50) return none;
        const [nameSize, extraSize, commentSize] = [28, 30, 32].map((place) => entry.getUint16(place, true));
        const header = this.#view(at, 46 + nameSize + extraSize);
        const name = utf8.decode(this.#view(at + 46, nameSize));
        const [full, packed, start] = numbersOf(header, [24, 20, 42], 46 + nameSize, extraSize);
        moves(at, start);
        const isStored = entry.getUint16(10, true) === 0 && full.value === packed.value;
        const crc = entry.getUint32(16, true);
        records.push({ name, start: begin + start.value, size: packed.value, isStored, crc, entry: at, sizes: [full, packed] });
        at += 46 + nameSize + extraSize + commentSize;
      }
      records.sort((a, b) => a.start - b.start);
      records.forEach((record, i) => (record.end = records[i + 1]?.start ?? first));
      return { records, changes };
    } catch (error) {
      if (error instanceof RangeError) return none;
      throw error;
    }
  }

  /** The ranges around large tensors: the sizes of one may be repeated before the header of the next. */
  #headers() {
    const large = this.records.filter(({ name, size, isStored }) => size > LARGE && isStored && WEIGHTS.test(name));
    return large.flatMap(({ start, end }) => [[start, Math.min(start + HEAD, end)], [Math.max(start, end - 24), end]]);
  }

  /** Large tensors are cut out if the archive's configs say that they are raw. */
  async #cutTensors(signal) {
    const raw = new Set();
    for (const record of this.records) {
      if (!record.isStored || !CONFIG.test(record.name)) continue;
      try {
        const [from, to] = await this.#content(record);
        if (to > record.end) return;
        const { config } = JSON.parse(new TextDecoder().decode(this.#view(from, to - from)));
        const folder = record.name.slice(0, record.name.lastIndexOf("/") + 1);
        for (const { path_name, use_pickle } of Object.values(config)) if (use_pickle === false) raw.add(folder + path_name);
      } catch {
        return; // the library reports the error
      }
    }
    for (const record of this.records) {
      if (record.size <= LARGE || record.size >= record.end - record.start || !record.isStored || !raw.has(record.name)) continue;
      const [start, end] = await this.#content(record);
      if (end > record.end) continue;
      const local = this.#view(record.start, start - record.start);
      const nameSize = local.getUint16(26, true);
      const sizes = numbersOf(local, [22, 18], 30 + nameSize, local.getUint16(28, true)).map((number) => ({ ...number, from: record.start }));
      sizes.push(...record.sizes.map((number) => ({ ...number, from: record.entry })));
      const rest = record.end - end;
      if (local.getUint16(6, true) & 8 && (rest >= 24 || rest >= 16)) {
        // The sizes are repeated after the data, in 4 or 8 bytes.
        await this.fetch(end, record.end, signal);
        const isWide = rest >= 24 && wide(this.#view(end, 24), 8) === record.size;
        const places = isWide ? [8, 16] : [8, 12];
        if (this.#view(end, 4).getUint32(0, true) !== 0x08074b50) continue;
        sizes.push(...places.map((at) => ({ at, isWide, value: record.size, from: end })));
      }
      record.cut = { start, end, name: record.name, sizes: sizes.filter((number) => number.value !== 0), crc: record.crc };
      this.cuts.push(record.cut);
    }
  }

  /** May be outside of the record. */
  async #content(record) {
    await this.fetch(record.start, Math.min(record.start + HEAD, record.end));
    const header = this.#view(record.start, 30);
    const begin = record.start + 30 + header.getUint16(26, true) + header.getUint16(28, true);
    await this.fetch(record.start, begin);
    return [begin, begin + record.size];
  }

  /** The records that describe the tensors, and all others except samples. */
  #programs() {
    return this.records.filter((record) => {
      const { name } = record;
      const isProgram = name.endsWith("serialized_exported_program.json");
      return isProgram || !DATA.test(name) || CONFIG.test(name) || (isPickle(record) && !isLargePickle(record));
    });
  }

  /** Fetches what describes the tensors in large pickles. */
  async fetchPickles(signal) {
    await Promise.all(this.records.filter(isLargePickle).map((record) => this.#fetchPickles(record, signal)));
  }

  /** Everything except tensor data from a torch.save file, which is also a zip. */
  async #fetchPickles(record, signal) {
    const [begin, end] = await this.#content(record);
    await this.fetch(begin, begin + HEAD, signal);
    const { records } = end > record.end ? { records: [] } : await this.#directory(begin, end);
    if (records.length === 0) return this.fetch(record.start, record.end, signal);
    const wanted = records.map(({ name, start, end: next }) => [start, /\/data\/[0-9]+$/.test(name) ? Math.min(start + HEAD, next) : next]);
    await this.#fetchAll(wanted, signal);
  }

  /** `wanted` is without the archive's top-level folder. */
  async fetchRecord(wanted, signal) {
    const record = this.byName.get(wanted);
    if (record) await this.fetch(record.start, record.end, signal);
  }

  cutOf(wanted) {
    return this.byName.get(wanted)?.cut;
  }

  /** Offsets count from the cut's start. Throws if everything is read and is damaged. */
  async readCut(cut, from, to, { progress, signal }) {
    signal?.throwIfAborted();
    if (from < 0 || to > cut.end - cut.start) throw new DataError(`'${cut.name}' is smaller than its tensor`, { path: "" });
    const bytes = new Uint8Array(to - from);
    for (let at = from; at < to; at += PART) {
      const end = Math.min(to, at + PART);
      bytes.set(await this.#from(cut.start + at, cut.start + end, signal), at - from);
      progress?.(end - from, to - from);
    }
    if (to - from === cut.end - cut.start && crc32(bytes) !== cut.crc) {
      throw new DataError(`CRC-32 mismatch in '${cut.name}': the data is damaged`, { path: "" });
    }
    return bytes;
  }

  /** Fetches what a scan reads. */
  async scanned(scan, signal) {
    await this.fetch(0, this.size, signal);
    const { library, at, copied } = this;
    const setSizes = (isCut) => {
      for (const { sizes } of this.cuts) {
        for (const number of sizes) this.#set(number.from, number, isCut ? 0 : number.value);
      }
    };
    setSizes(true);
    try {
      const unread = new Set(library.json("pt2_parts_not_scanned", at, copied).map(([offset]) => offset));
      if (this.cuts.every(({ end }) => unread.has(this.#inCopy(end)))) return scan(at, copied);
    } finally {
      setSizes(false);
    }
    const { source } = this;
    const whole = await Copy.of(library, { ...source, isInMemory: true, close() {} }, signal);
    try {
      return scan(whole.at, whole.copied);
    } finally {
      whole.free();
    }
  }

  free() {
    this.library.c.free(this.at);
    this.at = 0;
    this.source.close();
  }
}

const isPickle = ({ name }) => WEIGHTS.test(name) && (name.endsWith(".pt") || /(^|\/)serialized_/.test(name));
const isLargePickle = (record) => isPickle(record) && record.isStored && record.end - record.start > SMALL;

let table;
function crc32(bytes) {
  table ??= Uint32Array.from({ length: 256 }, (_, i) => {
    for (let bit = 0; bit < 8; ++bit) i = i & 1 ? (i >>> 1) ^ 0xedb88320 : i >>> 1;
    return i;
  });
  let crc = ONES;
  for (let i = 0; i < bytes.length; ++i) crc = table[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
  return (crc ^ ONES) >>> 0;
}
