// What Node, workers and bundlers provide, and the messages of the viewer's worker.

declare const process: { versions?: { node?: string }; type?: string } | undefined;
declare const importScripts: (() => void) | undefined;
declare module "*.css" {
  const text: string;
  export default text;
}

type FileSource = import("./index.js").FileSource;
type OpenOptions = import("./index.js").OpenOptions;
type TensorOptions = import("./index.js").TensorOptions;
type TensorInfo = import("./index.js").TensorInfo;
type Elements = import("./index.js").Elements;
type Library = import("./library.js").Library;
type Source = Required<import("./index.js").Source>;
type WasmSource = Parameters<typeof import("./index.js").init>[0];
/** Numbers, and handles and pointers, which are numbers, too. */
type Given = number | bigint;
/** Where and why data are wrong. */
interface Fault {
  name?: string;
  message: string;
  reason?: string | null;
  path?: string | null;
  line?: number;
  column?: number;
  offset?: number;
}
/** Shows how far a call is. */
type Progress = (text: string) => void;

// ---- Messages ----

type Calls = typeof import("./viewer/worker.js").calls;
type Call<Given, Result> = (given: Given, signal: AbortSignal, progress: Progress) => Promise<Result>;

type TensorAnswer = Awaited<ReturnType<Calls["tensor"]>>;
type WeightDifference = Awaited<ReturnType<Calls["weightDifferences"]>>[number];
/** A file of the viewer. */
interface OpenFile {
  number: number;
  name: string;
  program: Program;
  costs?: Promise<CostData>;
}
