import type { ExportedProgram } from "./schema.js";
export * from "./schema.js";

/** Anything with bytes from `start` to `end`, of which there are `size`. */
export interface Source {
  readonly size: number;
  read(start: number, end: number): Promise<Uint8Array>;
  close?(): void;
}

export interface OpenOptions {
  /** The model, if an archive has several. */
  model?: string;
  /** What to do with fields that a newer torch wrote: refuse all, skip those that are empty (the default), or skip all. */
  newerFields?: "refuse" | "skip-empty" | "skip";
  /** For URLs: what fetch() gets, such as headers. */
  request?: RequestInit;
  signal?: AbortSignal;
}

/** A typed array of a tensor's elements. float16 is a Float16Array where there is one; it and bfloat16 are else the bits, as are
 * float8 types. Complex numbers are pairs. */
export type Elements =
  | Float32Array | Float64Array | Int8Array | Int16Array | Int32Array | BigInt64Array
  | Uint8Array | Uint16Array | Uint32Array | BigUint64Array;

export interface TensorInfo {
  name: string;
  kind: "parameter" | "buffer" | "constant" | "object";
  /** As torch calls it: float32. Null, as what follows, for objects that are no tensors. */
  dtype: string | null;
  shape: number[] | null;
  /** In elements. */
  strides: number[] | null;
  device: string | null;
  /** Of all elements. */
  bytes: number | null;
  /** In the archive, without its top folder. */
  record: string;
}

export interface TensorOptions {
  /** The first element and the one after the last, in row-major order; all by default. */
  range?: [number, number];
  /** Called while a large tensor is read, with numbers of bytes. */
  progress?: (done: number, total: number) => void;
  signal?: AbortSignal;
}

export interface Finding {
  rule: string;
  level: "error" | "warning" | "note";
  message: string;
}
/** Where a program breaks a rule. */
export interface ProgramFinding extends Finding {
  path: string;
}
/** Where a file has what could run code. Empty: the file itself. */
export interface FileFinding extends Finding {
  record: string;
  what: string;
  offset: number | null;
}

export interface Difference {
  kind: string;
  path: string;
  [key: string]: unknown;
}

/** An open file. */
export declare class ProgramFile {
  private constructor();
  /** The names of the models in an archive. */
  readonly models: string[];
  /** The program. Throws DataError if it breaks the schema. */
  readonly program: ExportedProgram;
  /** The names of the weights and constants; none outside of archives. */
  keys(): string[];
  /** What is known of a tensor without its data. Throws RangeError if there is none of that name. */
  layout(name: string): TensorInfo;
  /** Reads a tensor: its elements, row-major, in this machine's byte order. */
  tensor(name: string, options?: TensorOptions): Promise<Elements>;
  /** Finds everything that could run code when torch loads the file. Reads all but raw tensors, and runs nothing. */
  scan(options?: { signal?: AbortSignal }): Promise<FileFinding[]>;
  /** Checks the program by the rules of torch, and the tables of weights. */
  verify(): ProgramFinding[];
  /** Frees memory and closes the source. Without it, that happens some time after the file is no longer used. */
  close(): void;
}

/** Opens a file of any kind: reads its directory and its programs, but no weights. `source`: a Blob, bytes, a path (in Node), a
 * URL, of which ranges are requested, or an object with `size` and `read`. Throws DataError if it is neither an archive nor a
 * program. */
export declare function open(
  source: Blob | ArrayBuffer | ArrayBufferView | string | URL | Source,
  options?: OpenOptions,
): Promise<ProgramFile>;

/** Loads the WebAssembly, which open() does too, so that the functions below work without it. `wasm`: where it is, or what it is,
 * if not beside this module. */
export declare function init(wasm?: string | URL | Response | BufferSource | WebAssembly.Module | PromiseLike<Response>): Promise<void>;

/** An open file, or its program or any other. */
export type Program = ProgramFile | ExportedProgram;

/** Returns "sha256:" and 64 digits, the same for programs that compute the same with the same nodes, whatever the names. */
export declare function hash(program: Program): string;
export declare function diff(a: Program, b: Program): unknown;
/** Returns parameters, bytes and multiply-adds, for these sizes of the program's symbols. */
export declare function stats(
  program: Program,
  sizes?: { [symbol: string]: number | bigint },
  options?: { by?: "operator" | "module" | "node" },
): unknown;
export declare function verify(program: Program): ProgramFinding[];
/** Returns the properties of torch's ExportGraphSignature, under their names there. */
export declare function signature(program: Program): unknown;
/** Returns the graph as text. */
export declare function show(program: Program): string;

/** The file, or a program, breaks a rule of its format. */
export declare class DataError extends Error {
  /** What is wrong, without the place. */
  reason: string;
  /** In the program's JSON: graph_module.graph.nodes[3]. Empty: the whole file. */
  path: string;
  /** From 1, in the text that was read. */
  line?: number;
  column?: number;
  /** In bytes. */
  offset?: number;
}
