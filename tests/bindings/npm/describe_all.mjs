// Prints a line of JSON per path on standard input. Node 18 has no global crypto.
import { createInterface } from "node:readline";
import { webcrypto } from "node:crypto";
import * as api from "libpt2";
import { describe } from "./describe.js";

globalThis.crypto ??= webcrypto;
for await (const path of createInterface({ input: process.stdin })) console.log(JSON.stringify(await describe(api, path)));
