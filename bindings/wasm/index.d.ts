import type { ExportedProgram, int } from "./schema.js";
export * from "./schema.js";

/** A file of `size` bytes; `read` excludes `end`. Whatever it throws is reported with the bytes that were asked for. */
export interface Source {
  readonly size: number;
  read(start: number, end: number, signal?: AbortSignal): Promise<Uint8Array>;
  close?(): void;
}

export interface OpenOptions {
  /** Which model of several. */
  model?: string;
  /** Fields that a newer torch wrote: refuse all, skip the empty ones (the default), or skip all. */
  newerFields?: "refuse" | "skip-empty" | "skip";
  /** Whether `program` has rounded numbers instead of bigints for integers above 2**53. Default: false. */
  numbers?: boolean;
  /** Passed to fetch(), e.g. headers. */
  request?: RequestInit;
  signal?: AbortSignal;
}

/**
 * A tensor's elements. float16 becomes Float16Array where that exists. Otherwise it, bfloat16 and the float8 types are bits. Complex
 * numbers are pairs.
 */
export type Elements =
  | Float32Array
  | Float64Array
  | Int8Array
  | Int16Array
  | Int32Array
  | BigInt64Array
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | BigUint64Array;

export interface TensorInfo {
  name: string;
  kind: "parameter" | "buffer" | "constant" | "object";
  /** torch's name, e.g. float32. For an object that is not a tensor, this and the rest, except `record`, are null. */
  dtype: string | null;
  shape: number[] | null;
  /** In elements. */
  strides: number[] | null;
  device: string | null;
  bytes: number | null;
  /** Without the archive's top-level folder. */
  record: string;
}

export interface TensorOptions {
  /** The first index and the one after the last, in row-major order. Default: all elements. RangeError if there are fewer. */
  range?: [number, number];
  /** Called with numbers of bytes while a large tensor is read. */
  progress?: (done: number, total: number) => void;
  signal?: AbortSignal;
}

export interface Finding {
  rule: string;
  level: "error" | "warning" | "note";
  message: string;
}
export interface ProgramFinding extends Finding {
  path: string;
}
/** Empty for the file itself. */
export interface FileFinding extends Finding {
  record: string;
  what: string;
  offset: number | null;
}

export interface Difference {
  kind: "added" | "removed" | "changed";
  part: string;
  where: string | null;
  before: string | null;
  after: string | null;
  details: string[];
  largest_absolute: number | null;
  largest_relative: number | null;
}

export interface Differences {
  same: boolean;
  differences: Difference[];
}

/** Numbers that depend on symbols are strings. */
export interface Stats {
  parameters: int;
  parameter_bytes: int;
  buffer_bytes: int;
  multiply_adds: int | string;
  not_counted: { [operator: string]: number };
  value_bytes: int | string;
  peak_bytes: int | null;
  by: { name: string; nodes: number; parameters: int; multiply_adds: int | string; bytes: int | string }[];
}

/** The properties of torch's ExportGraphSignature. */
export interface Signature {
  parameters: string[];
  buffers: string[];
  non_persistent_buffers: string[];
  lifted_tensor_constants: string[];
  lifted_custom_objs: string[];
  user_inputs: (string | int | boolean | null)[];
  user_outputs: (string | int | boolean | null)[];
  inputs_to_parameters: { [input: string]: string };
  inputs_to_buffers: { [input: string]: string };
  buffers_to_mutate: { [output: string]: string };
  parameters_to_mutate: { [output: string]: string };
  user_inputs_to_mutate: { [output: string]: string };
  inputs_to_lifted_tensor_constants: { [input: string]: string };
  inputs_to_lifted_custom_objs: { [input: string]: string };
  backward_signature: {
    gradients_to_parameters: { [output: string]: string };
    gradients_to_user_inputs: { [output: string]: string };
    loss_output: string;
  } | null;
  assertion_dep_token: null;
  input_tokens: string[];
  output_tokens: string[];
}

export declare class ProgramFile {
  private constructor();
  readonly models: string[];
  /** Throws DataError if it violates the schema. */
  readonly program: ExportedProgram;
  /** Returns the names of the weights and constants; none unless the file is an archive. */
  keys(): string[];
  /** Describes a tensor without reading its data. Throws RangeError for an unknown name. */
  layout(name: string): TensorInfo;
  /** Reads elements, row-major, in this machine's byte order. */
  tensor(name: string, options?: TensorOptions): Promise<Elements>;
  /** Does the same as scan() of a source. */
  scan(options?: { signal?: AbortSignal }): Promise<FileFinding[]>;
  /** Applies torch's rules, and checks the tables of weights. */
  verify(): ProgramFinding[];
  /** Frees memory and closes the source, which otherwise happens some time after the last use. */
  close(): void;
}

/** A Blob, bytes, a path (in Node), a URL, from which ranges are requested, or an object with `size` and `read`. */
export type FileSource = Blob | ArrayBuffer | ArrayBufferView | string | URL | Source;

/** Opens a file: reads its directory and programs, but no weights. Throws DataError unless the file is an archive or a program. */
export declare function open(source: FileSource, options?: OpenOptions): Promise<ProgramFile>;

/**
 * Finds everything that could run code when torch loads a file of any kind. Reads everything except raw tensors, and runs nothing. Throws
 * DataError unless torch is known to load such a file.
 */
export declare function scan(source: FileSource, options?: Pick<OpenOptions, "request" | "signal">): Promise<FileFinding[]>;

/**
 * Loads the WebAssembly for the functions below; open() does so, too. `wasm` is its location or contents, if it is not next to this module.
 */
export declare function init(wasm?: string | URL | Response | BufferSource | WebAssembly.Module | PromiseLike<Response>): Promise<void>;

export type Program = ProgramFile | ExportedProgram;

/** Returns "sha256:" and 64 digits, equal for programs that compute the same with the same nodes, whatever the names. */
export declare function hash(program: Program): string;
export declare function diff(a: Program, b: Program): Differences;
/** Returns parameters, bytes and multiply-adds, for these sizes of the program's symbols. */
export declare function stats(
  program: Program,
  sizes?: { [symbol: string]: number | bigint },
  options?: { by?: "operator" | "module" | "node" },
): Stats;
export declare function verify(program: Program): ProgramFinding[];
export declare function signature(program: Program): Signature;
export declare function show(program: Program): string;

export interface DrawingOptions {
  /** What to draw: a module or subgraph, by its name in the page. Default: the whole graph. RangeError if there is none of this name. */
  module?: string;
  /** What to unfold: all groups of so many levels, or groups by their names. Default: as many levels as have 40 boxes. */
  unfold?: number | string[];
  /** Default: "light". */
  theme?: "light" | "dark";
}
/** Returns the text of an SVG file with the graph that the page of `pt2 view` shows. Needs no page. */
export declare function drawing(program: Program, options?: DrawingOptions): string;

/** The file, or a program, violates a rule of its format. */
export declare class DataError extends Error {
  /** Without the place. */
  reason: string;
  /** In the program's JSON, e.g. graph_module.graph.nodes[3]. Empty for the whole file. */
  path: string;
  /** From 1. */
  line?: number;
  column?: number;
  /** In bytes. */
  offset?: number;
}
