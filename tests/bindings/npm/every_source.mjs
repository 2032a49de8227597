// Prints a line of JSON per path on standard input: the hash, findings and tensors of the file through each kind of source. The argument is the
// address of a server of files. Node 18 has no global crypto.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { hash, open, scan } from "libpt2";

class Source {
  #bytes;
  constructor(bytes) {
    this.#bytes = bytes;
  }
  get size() {
    return this.#bytes.length;
  }
  async read(start, end) {
    return this.#bytes.subarray(start, end);
  }
}

async function describe(source) {
  const said = { hash: null, findings: [], tensors: {} };
  try {
    said.findings = (await scan(source)).map(({ rule, message }) => [rule, message]);
  } catch (error) {
    said.scan = error.name;
  }
  const file = await open(source, { newerFields: "skip" }).catch((error) => void (said.error = error.name));
  if (!file) return said;
  try {
    said.hash = hash(file);
  } catch (error) {
    said.error = error.name;
  }
  let names = [];
  try {
    names = file.keys();
  } catch (error) {
    said.keys = error.message;
  }
  for (const name of names) {
    said.tensors[name] = await file.tensor(name).then(
      (elements) => createHash("md5").update(new Uint8Array(elements.buffer)).digest("hex"),
      (error) => error.message,
    );
  }
  file.close();
  return said;
}

const [address] = process.argv.slice(2);
for await (const path of createInterface({ input: process.stdin })) {
  const bytes = readFileSync(path);
  const sources = { path, bytes, blob: new Blob([bytes]), object: new Source(bytes) };
  for (const way of ["ranges", "whole"]) sources[way] = `${address}${way}${path}`;
  const said = {};
  for (const [kind, source] of Object.entries(sources)) said[kind] = await describe(source);
  console.log(JSON.stringify(said));
}
