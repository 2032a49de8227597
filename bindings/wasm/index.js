// index.d.ts documents what is exported.
export { drawing } from "./drawing.js";
export { DataError } from "./library.js";
export { diff, hash, init, open, ProgramFile, scan, show, signature, stats, verify } from "./program_file.js";
export * from "./schema.js";
