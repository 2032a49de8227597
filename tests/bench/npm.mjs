// Compares reading a program with the npm package with JSON.parse() of the same text, which checks nothing.
// node tests/bench/npm.mjs PACKAGE_FOLDER PROGRAM.json [ROUNDS]
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const [folder, path, rounds = "30"] = process.argv.slice(2);
const { open } = await import(pathToFileURL(`${folder}/index.js`));
const bytes = await readFile(path);
const ratios = { load: [], program: [] };
let parsed;

const timed = (make) => {
  const start = performance.now();
  make();
  return performance.now() - start;
};

// Alternates, because only times of the same round are comparable.
for (let i = 0; i < Number(rounds) + 3; ++i) {
  const parse = timed(() => void (parsed = JSON.parse(new TextDecoder().decode(bytes))));
  const file = await open(bytes); // copies the bytes
  const load = timed(() => void file._programHandle());
  const program = timed(() => void file.program);
  file.close();
  if (i < 3) continue; // V8 compiles
  ratios.load.push(load / parse);
  ratios.program.push((load + program) / parse);
}
const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1].toFixed(2);
console.log(`${path}: ${bytes.length} bytes, ${parsed.graph_module.graph.nodes.length} nodes`);
console.log(`read and check: ${median(ratios.load)} times JSON.parse(); and as an object: ${median(ratios.program)} times`);
