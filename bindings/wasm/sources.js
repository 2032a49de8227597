// Sources of files, and a copy of one in the library's memory, of which parts are fetched as they are needed.
import { nodeModule } from "./library.js";

const TAIL = 66_000; // where the end of a zip's directory is
const HEAD = 1 << 12; // tells the format
const SMALL = 1 << 17; // one request is faster than several
const LARGE = 1 << 20;
const PART = 1 << 24; // bytes of one request
const DATA = /(^|\/)(data\/(weights|constants|sample_inputs|aotinductor)|extra|extra_files)\/|(^|\/)serialized_/;
const WEIGHTS = /(^|\/)data\/(weights|constants)\/|(^|\/)serialized_/;

/** Returns an object with `size`, `read(start, end)` and `close()`. */
export async function sourceOf(given, request) {
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

async function ofUrl(url, request = {}) {
  const get = async (start, end) => {
    const headers = new Headers(request.headers);
    headers.set("Range", `bytes=${start}-${end - 1}`);
    const response = await fetch(url, { ...request, headers });
    if (!response.ok && response.status !== 416) throw new Error(`cannot read ${url}: ${response.status} ${response.statusText}`);
    return response;
  };
  const first = await get(0, HEAD);
  const total = first.status === 206 && /\/(\d+)$/.exec(first.headers.get("Content-Range") ?? "");
  if (!total) {
    // The server has no ranges, or says no size, as for an empty file.
    const whole = first.ok && first.status !== 206 ? first : await fetch(url, request);
    return ofBytes(new Uint8Array(await whole.arrayBuffer()));
  }
  const head = new Uint8Array(await first.arrayBuffer());
  const read = async (start, end) => {
    if (end <= head.length) return head.subarray(start, end);
    const response = await get(start, end);
    if (response.status !== 206) throw new Error(`cannot read ${url}: the server no longer gives ranges`);
    return new Uint8Array(await response.arrayBuffer());
  };
  return { size: Number(total[1]), read, close() {} };
}

/** A source in the library's memory. What was not fetched has any content, and takes no memory of the system. */
export class Copy {
  static async of(library, source) {
    const copy = new Copy();
    Object.assign(copy, { library, source, size: source.size, at: library.allocate(source.size + 1), fetched: [], records: [] });
    try {
      if (source.size <= SMALL || source.isInMemory) {
        await copy.fetch(0, source.size);
      } else {
        await copy.fetch(0, HEAD);
        await copy.fetch(source.size - TAIL, source.size);
      }
      copy.records = await copy.#directory(0, source.size);
      if (copy.records.length === 0) await copy.fetch(0, source.size);
    } catch (error) {
      library.c.free(copy.at);
      throw error;
    }
    return copy;
  }

  /** Fetches the bytes from `start` to `end`, but for those that are there. */
  async fetch(start, end, signal) {
    end = Math.min(end, this.size);
    for (const [from, to] of [...this.fetched, [end, end]]) {
      if (from > start) await this.#read(start, Math.min(from, end), signal);
      start = Math.max(start, to);
      if (start >= end) return;
    }
  }

  async #read(start, end, signal) {
    while (start < end) {
      signal?.throwIfAborted();
      const bytes = await this.source.read(start, Math.min(end, start + PART));
      if (bytes.length === 0) throw new Error(`the source has ${this.size} bytes, but gave none from byte ${start} on`);
      if (this.at === 0) throw new TypeError("the file was closed while it was read");
      this.library.bytes(this.at + start, bytes.length).set(bytes);
      this.#add(start, (start += bytes.length));
    }
  }

  #add(start, end) {
    const rest = this.fetched.filter(([from, to]) => {
      if (to < start || end < from) return true;
      [start, end] = [Math.min(start, from), Math.max(end, to)];
      return false;
    });
    this.fetched = [...rest, [start, end]].sort((a, b) => a[0] - b[0]);
  }

  /** Returns where the records of the zip between `begin` and `end` are; none if it is no zip that could be read in parts. */
  async #directory(begin, end) {
    const view = (at, size) => {
      if (at < begin || at + size > end) throw new RangeError("outside of the file");
      const bytes = this.library.bytes(this.at + at, size);
      return new DataView(bytes.buffer, bytes.byteOffset, size);
    };
    const wide = (bytes, at) => Number(bytes.getBigUint64(at, true));
    await this.fetch(Math.max(begin, end - TAIL), end);
    try {
      let last = end - 22;
      while (view(last, 4).getUint32(0, true) !== 0x06054b50) --last;
      let [size, offset] = [view(last, 22).getUint32(12, true), view(last, 22).getUint32(16, true)];
      if (last - 20 >= begin && view(last - 20, 4).getUint32(0, true) === 0x07064b50) {
        const record = begin + wide(view(last - 20, 20), 8);
        await this.fetch(record, record + 56);
        [size, offset] = [wide(view(record, 56), 40), wide(view(record, 56), 48)];
      }
      const first = begin + offset;
      await this.fetch(first, first + size);
      const records = [];
      for (let at = first; at < first + size; ) {
        const entry = view(at, 46);
        if (entry.getUint32(0, true) !== 0x02014b50) return [];
        const [nameSize, extraSize, commentSize] = [28, 30, 32].map((place) => entry.getUint16(place, true));
        const name = new TextDecoder().decode(view(at + 46, nameSize));
        const narrow = [24, 20, 42].map((place) => entry.getUint32(place, true)); // size, compressed size, offset
        const extra = view(at + 46 + nameSize, extraSize);
        for (let field = 0; field + 4 <= extraSize; field += 4 + extra.getUint16(field + 2, true)) {
          if (extra.getUint16(field, true) !== 1) continue;
          let next = field + 4;
          narrow.forEach((value, i) => {
            if (value !== 0xffffffff) return;
            narrow[i] = wide(extra, next);
            next += 8;
          });
        }
        records.push({ name, start: begin + narrow[2], size: narrow[1], isStored: entry.getUint16(10, true) === 0 });
        at += 46 + nameSize + extraSize + commentSize;
      }
      records.sort((a, b) => a.start - b.start);
      records.forEach((record, i) => (record.end = records[i + 1]?.start ?? first));
      return records;
    } catch (error) {
      if (error instanceof RangeError) return [];
      throw error;
    }
  }

  async #content(record) {
    await this.fetch(record.start, record.start + HEAD);
    const bytes = this.library.bytes(this.at + record.start, 30);
    const begin = record.start + 30 + bytes[26] + 256 * bytes[27] + bytes[28] + 256 * bytes[29];
    return [begin, begin + record.size];
  }

  /** Fetches all but tensors and samples, and what describes the tensors. */
  async fetchPrograms() {
    for (const record of this.records) {
      const { name, start, end } = record;
      const isProgram = name.endsWith("serialized_exported_program.json");
      if (isProgram || !DATA.test(name) || (WEIGHTS.test(name) && name.endsWith("_config.json"))) {
        await this.fetch(start, end);
      } else if (WEIGHTS.test(name) && (name.endsWith(".pt") || /(^|\/)serialized_/.test(name))) {
        await this.#fetchPickles(record);
      }
    }
  }

  /** Fetches of a file of torch.save(), which is a zip too, all but the tensors' data. */
  async #fetchPickles(record) {
    const [begin, end] = await this.#content(record);
    const inside = record.isStored && end - begin > SMALL ? await this.#directory(begin, end) : [];
    if (inside.length === 0) return this.fetch(record.start, record.end);
    for (const { name, start, end: next } of inside) {
      await this.fetch(start, /\/data\/[0-9]+$/.test(name) ? Math.min(start + HEAD, next) : next);
    }
  }

  /** Fetches a record, named without the archive's top folder. */
  async fetchRecord(wanted, signal) {
    for (const { name, start, end } of this.records) {
      if (name === wanted || name.endsWith(`/${wanted}`)) await this.fetch(start, end, signal);
    }
  }

  /** Fetches all that a scan reads. */
  async fetchScanned(signal) {
    const holes = [];
    for (const record of this.records) {
      if (record.size > LARGE && !record.name.endsWith(".json")) holes.push(await this.#content(record));
    }
    let at = 0;
    for (const [start, end] of holes) {
      await this.fetch(at, Math.max(at, start), signal);
      at = Math.max(at, end);
    }
    await this.fetch(at, this.size, signal);
    const tensors = this.library.json("pt2_parts_not_scanned", this.at, this.size);
    const isTensor = (start, end) => tensors.some(([offset, size]) => offset <= start && end <= offset + size);
    for (const [start, end] of holes) {
      if (!isTensor(start, end)) await this.fetch(start, end, signal);
    }
  }

  free() {
    this.library.c.free(this.at);
    this.at = 0;
    this.source.close();
  }
}
