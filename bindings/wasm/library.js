// The compiled library. C structs passed by value are pointers here; returned ones are written to a pointer that comes first.

export class DataError extends Error {
  /**
   * @param {string} message
   * @param {Omit<Fault, "name" | "message">} given
   */
  constructor(message, { reason, path, line, column, offset }) {
    super(message);
    this.name = "DataError";
    Object.assign(this, { reason, path, line, column, offset });
  }
}

const ENOSYS = 52;
const DATA = 1; // a kind of error
/** @type {{ [kind: number]: new (message: string) => Error }} Of usage and of memory. */
const ERRORS = { 2: TypeError, 4: RangeError };
const SCRATCH = 64; // bytes: out pointer at 0, returned string at 8, string arguments from 16 on
const utf8 = new TextDecoder();
const encoder = new TextEncoder();

const isNode = typeof process === "object" && process.versions?.node !== undefined && process.type !== "renderer";

/** Hides imports of Node's modules from bundlers.
 * @param {string} name
 */
export const nodeModule = (name) => import(/* webpackIgnore: true */ /* @vite-ignore */ name);

/** @param {WasmSource} given */
async function compiled(given) {
  if (given instanceof WebAssembly.Module) return given;
  let source = await (given ?? new URL("./libpt2.wasm", import.meta.url));
  if (typeof source === "string") source = new URL(source, import.meta.url);
  if (source instanceof URL && source.protocol === "file:" && isNode) {
    source = await (await nodeModule("node:fs/promises")).readFile(source); // there, fetch() opens no files
  } else if (source instanceof URL) {
    source = await fetch(source);
  }
  if (typeof Response === "function" && source instanceof Response) {
    if (!source.ok) throw new Error(`cannot read ${source.url}: ${source.status} ${source.statusText}`);
    source = await source.arrayBuffer();
  }
  return WebAssembly.compile(/** @type {BufferSource} */ (source));
}

/** @returns {Promise<Crypto>} */
async function randomNumbers() {
  return globalThis.crypto ?? (await nodeModule("node:crypto")).webcrypto; // Node 18 has no global one
}

const MARK = `\ue000${String(Math.random()).slice(2)}:`; // in front of a number in a string, which no file can contain
const MARKED = new RegExp(`"${MARK}(-?[\\d.]+)"`, "g");

/** JSON.parse(), but integers that numbers do not hold are bigints, unless `numbers`.
 * @param {string} text
 * @param {boolean} [numbers]
 */
export function parsed(text, numbers) {
  if (numbers || !/[:,[]\s*-?\d{16,}\s*[,\]}]/.test(text)) return JSON.parse(text);
  /** @param {string} word */
  const isLarge = (word) => /^-?\d+$/.test(word) && !Number.isSafeInteger(Number(word));
  let isString = false;
  const marked = text.replace(/\\.|"|[-+.\deE]{16,}/g, (word) => {
    if (word === '"') isString = !isString;
    return !isString && isLarge(word) ? `"${MARK}${word}"` : word;
  });
  return JSON.parse(marked, (_, value) => (typeof value === "string" && value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value));
}

/** JSON.stringify(), but values come back as they were. 2**63, which is what JSON.parse() makes of 2**63 - 1, is written as that.
 * @param {unknown} object
 */
export function written(object) {
  /**
   * @param {string} _
   * @param {unknown} value
   */
  const exact = (_, value) => {
    if (typeof value === "bigint") return `${MARK}${value}`;
    if (typeof value !== "number") return value;
    if (!Number.isFinite(value)) return String(value);
    return Object.is(value, -0) ? `${MARK}-0.0` : value === 2 ** 63 ? `${MARK}9223372036854775807` : value;
  };
  return JSON.stringify(object, exact).replace(MARKED, "$1");
}

/**
 * The C functions: pointers are numbers, and 64-bit integers are bigints.
 * @typedef {{ memory: WebAssembly.Memory } & { [call: string]: any }} Calls
 */

export class Library {
  /** @param {WasmSource} source */
  static async load(source) {
    const [module, random] = await Promise.all([compiled(source), randomNumbers()]);
    /** @type {Library} */
    let library;
    // sources.js provides the bytes, so calls of the system fail.
    /** @type {{ [module: string]: { [name: string]: (...given: number[]) => number | void } }} */
    const imports = {};
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
      (imports[from] ??= {})[name] = () => (from === "env" ? -ENOSYS : ENOSYS);
    }
    imports.env.emscripten_notify_memory_growth = () => {};
    imports.env.getentropy = (at, size) => {
      random.getRandomValues(library.bytes(at, size));
      return 0;
    };
    imports.wasi_snapshot_preview1.proc_exit = () => {
      throw new Error("libpt2 ended unexpectedly");
    };
    /** @type {unknown} */
    const calls = (await WebAssembly.instantiate(module, imports)).exports;
    library = new Library(/** @type {Calls} */ (calls));
    return library;
  }

  /** @param {Calls} c */
  constructor(c) {
    this.c = c;
    c._initialize();
    this.scratch = c.malloc(SCRATCH);
  }

  /** Valid until memory grows.
   * @param {number} at
   * @param {number} size
   */
  bytes(at, size) {
    return new Uint8Array(this.c.memory.buffer, at >>> 0, size);
  }

  /** The pointer and the size in a string struct.
   * @param {number} at
   */
  span(at) {
    return new Uint32Array(this.c.memory.buffer, at >>> 0, 2);
  }

  /** @param {number} size */
  allocate(size) {
    const at = this.c.malloc(size) >>> 0;
    if (at === 0) throw new RangeError(`cannot allocate ${size} bytes`);
    return at;
  }

  /** Returns null if there is no string.
   * @param {string} getter
   * @param {...Given} handles
   */
  text(getter, ...handles) {
    this.c[getter](this.scratch + 8, ...handles);
    const [data, size] = this.span(this.scratch + 8);
    return data === 0 ? null : utf8.decode(this.bytes(data, size));
  }

  /** Calls `use` with a pointer to a string struct per text; undefined becomes no string.
   * @template T
   * @param {(string | undefined)[]} texts
   * @param {(...texts: number[]) => T} use
   */
  withTexts(texts, use) {
    const encoded = texts.map((text) => (text === undefined ? undefined : encoder.encode(text + "\0")));
    const block = this.allocate(encoded.reduce((sum, bytes) => sum + (bytes?.length ?? 0), 8 * texts.length));
    try {
      let at = block + 8 * texts.length;
      for (const [i, bytes] of encoded.entries()) {
        this.span(block + 8 * i).set(bytes ? [at, bytes.length - 1] : [0, 0]);
        if (bytes) this.bytes(at, bytes.length).set(bytes);
        at += bytes?.length ?? 0;
      }
      return use(...texts.map((_, i) => block + 8 * i));
    } finally {
      this.c.free(block);
    }
  }

  /** Calls `use` with a pointer to a copy of the numbers.
   * @template T
   * @param {Int32Array | BigInt64Array} numbers
   * @param {(at: number) => T} use
   */
  withNumbers(numbers, use) {
    const at = this.allocate(numbers.byteLength + 1);
    try {
      this.bytes(at, numbers.byteLength).set(new Uint8Array(numbers.buffer));
      return use(at);
    } finally {
      this.c.free(at);
    }
  }

  /** @param {number} error */
  check(error) {
    if (error === 0) return;
    const { c } = this;
    const kind = c.pt2_error_kind(error);
    /** @param {string | null} text */
    const inBraces = (text) => (text ?? "").replace(/(?<=; choose one with )model: .*$/, "{ $& }");
    const message = inBraces(this.text("pt2_error_message", error));
    const offset = Number(c.pt2_error_offset(error));
    const line = c.pt2_error_line(error) || undefined;
    const details = {
      reason: inBraces(this.text("pt2_error_reason", error)),
      path: this.text("pt2_error_path", error),
      line,
      column: line && c.pt2_error_column(error),
      offset: offset < 0 ? undefined : offset,
    };
    c.pt2_error_free(error);
    if (kind === DATA) throw new DataError(message, details);
    throw new (ERRORS[kind] ?? Error)(message);
  }

  /** The call writes the handle to its last argument.
   * @param {string} call
   * @param {...Given} given
   */
  made(call, ...given) {
    this.check(this.c[call](...given, this.scratch));
    return this.span(this.scratch)[0];
  }

  /** The call writes two numbers to its last arguments.
   * @param {string} call
   * @param {...Given} given
   */
  pair(call, ...given) {
    this.check(this.c[call](...given, this.scratch, this.scratch + 8));
    return Array.from(new BigInt64Array(this.c.memory.buffer, this.scratch, 2), Number);
  }

  /** The call writes bytes to its last argument; they are valid only for `use`.
   * @template T
   * @param {(bytes: Uint8Array<ArrayBuffer>) => T} use
   * @param {string} call
   * @param {...Given} given
   */
  given(use, call, ...given) {
    this.check(this.c[call](...given, this.scratch));
    const [data, size] = this.span(this.scratch);
    try {
      return use(this.bytes(data, size));
    } finally {
      this.span(this.scratch).set([data, size]);
      this.c.pt2_bytes_free(this.scratch);
    }
  }

  /**
   * @param {string} call
   * @param {...Given} given
   */
  json(call, ...given) {
    return JSON.parse(this.string(call, ...given));
  }

  /**
   * @param {string} call
   * @param {...Given} given
   */
  string(call, ...given) {
    return this.given((bytes) => utf8.decode(bytes), call, ...given);
  }
}
