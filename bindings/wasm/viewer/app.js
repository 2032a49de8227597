// viewer.html: opens files that are dropped, picked or named by ?url=, and shows each as `pt2 view` does.

import { showFindings } from "../../../toolbox/pt2/page/badge.js";
import { histogram } from "../../../toolbox/pt2/page/details.js";
import { showDifferences } from "../../../toolbox/pt2/page/differences.js";
import { button, contextOf, filePicker, html, takeDrops } from "../../../toolbox/pt2/page/elements.js";
import { Page, showProgram } from "../../../toolbox/pt2/page/main.js";
import { grouped, messageOf, shortNumber } from "../../../toolbox/pt2/page/numbers.js";
import { download } from "../../../toolbox/pt2/page/picture.js";
import { operatorCounts, readProgram } from "../../../toolbox/pt2/page/program.js";
import { folded, linkElement, list, table } from "../../../toolbox/pt2/page/tables.js";

const MOST_DATA = 16 << 20; // bytes of a file of data on nodes
const VALUES = 100; // on a page of them

/** @param {string} id */
const elementText = (id) => document.getElementById(id)?.textContent ?? "";

/** Returns the bytes of an element that contains base64 of gzip.
 * @param {string} id
 */
const unpacked = async (id) => {
  const packed = Uint8Array.from(atob(elementText(id).trim()), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
};

/** The worker that reads files. */
class Reader {
  constructor() {
    this.worker = new Worker(URL.createObjectURL(new Blob([elementText("worker")], { type: "text/javascript" })));
    const failed = new Promise((_, reject) => (this.worker.onerror = ({ message }) => reject(new Error(message))));
    this.ready = Promise.race([failed, unpacked("wasm").then((wasm) => this.call("init", wasm))]);
  }

  /** `work`: where to show the progress, and what cancels it.
   * @template {keyof Calls} K
   * @param {K} call
   * @param {Parameters<Calls[K]>[0]} given
   * @param {ReturnType<typeof workOf>} [work]
   * @returns {ReturnType<Calls[K]>}
   */
  call(call, given, work) {
    const { port1: port, port2: other } = new MessageChannel();
    work?.signal.addEventListener("abort", () => port.postMessage("cancel"));
    this.worker.postMessage({ call, given }, [other]);
    const answer = new Promise((resolve, reject) => {
      port.onmessage = ({ data: { result, error, progress } }) => {
        if (progress !== undefined) return work?.status.replaceChildren(progress);
        port.close();
        error ? reject(Object.assign(new Error(error.message), error)) : resolve(result);
      };
    });
    return /** @type {ReturnType<Calls[K]>} */ (answer);
  }
}

/** A text about work that takes long, and a button that cancels it.
 * @param {string} text
 */
const workOf = (text) => {
  const cancel = new AbortController();
  const status = html("p", { role: "status" }, text);
  return { signal: cancel.signal, status, elements: [status, button("Cancel", () => cancel.abort())] };
};

/** Returns advice about a file that cannot be opened.
 * @param {Fault} given
 */
const remedyOf = ({ name, message }) => {
  if (/newer|schema version/.test(message)) return "The file is from a newer torch than this viewer knows. Get a newer viewer.";
  if (/AOTInductor/.test(message)) return "There is no graph to show.";
  if (name === "DataError")
    return "The file is damaged, or not what torch.export.save() writes. Get it again, or save it again; pt2 check names every fault.";
  if (name === "TypeError" || name === "NetworkError")
    return "The address cannot be read: it must allow requests from other pages (CORS). Or download the file and drop it here.";
  return "";
};

/**
 * @param {string} file
 * @param {Fault} error
 */
const faultElement = (file, error) =>
  html(
    "section",
    { class: "fault-card", role: "alert" },
    html("h2", {}, `${file}: cannot be opened`),
    html("p", {}, error.message),
    error.path ? html("p", {}, "in ", html("code", {}, error.path)) : null,
    error.line ? html("p", {}, `line ${error.line}, column ${error.column}`) : null,
    html("p", { class: "hint" }, remedyOf(error)),
  );

/** Shows the work in `place`, which then has what `act` puts there or the error.
 * @param {Element} place
 * @param {string} text
 * @param {(work: ReturnType<typeof workOf>) => Promise<void>} act
 */
const cancellable = async (place, text, act) => {
  const start = [...place.children];
  const work = workOf(text);
  place.replaceChildren(...work.elements);
  try {
    await act(work);
  } catch (error) {
    place.replaceChildren(html("p", { class: "fault", role: "alert" }, work.signal.aborted ? "cancelled" : messageOf(error)), ...start);
  }
};

/** Draws numbers on a canvas: one color below zero, a second one above.
 * @param {Pick<TensorAnswer, "heat">} given
 */
const heatMap = ({ heat: { height, width, rows, columns, cells } }) => {
  const canvas = html("canvas", { width, height, role: "img", "aria-label": "heat map of the first matrix" });
  const context = contextOf(canvas);
  const image = context.createImageData(width, height);
  const most = cells.reduce((largest, value) => (Math.abs(value) > largest ? Math.abs(value) : largest), 0) || 1;
  cells.forEach((value, i) => {
    const share = Number.isNaN(value) ? 0 : Math.min(Math.abs(value) / most, 1);
    const color = Number.isNaN(value) ? [255, 0, 255] : value < 0 ? [40, 90, 200] : [217, 72, 15];
    color.forEach((part, channel) => (image.data[4 * i + channel] = Math.round(255 + (part - 255) * share)));
    image.data[4 * i + 3] = 255;
  });
  context.putImageData(image, 0, 0);
  const inCell = Math.ceil(rows / height) * Math.ceil(columns / width);
  const means = inCell > 1 ? `, each cell the mean of up to ${grouped(inCell)} elements` : "";
  const range = `from ${shortNumber(-most)} (blue) to ${shortNumber(most)} (red)`;
  const caption = `first ${grouped(rows)} \u00d7 ${grouped(columns)}${means}, ${range}`;
  return html("figure", { class: "heat" }, canvas, html("figcaption", {}, caption));
};

/** @typedef {Page["details"]} Details */

class Viewer {
  constructor() {
    this.reader = new Reader();
    /** @type {OpenFile[]} */
    this.files = [];
    this.count = 0;
    this.picker = filePicker({ multiple: true, "aria-label": "files to open" }, (files) => this.openAll(files));
    takeDrops((files) => this.openAll(files));
    this.showStart();
    const url = new URLSearchParams(location.search).get("url");
    if (url !== null) this.openProgram(new URL(url, location.href).href, url.slice(url.lastIndexOf("/") + 1));
  }

  // ---- Opening ----

  /** @param {...Node} elements */
  show(...elements) {
    Page.active = undefined;
    document.body.className = "";
    document.body.replaceChildren(this.picker, ...elements);
  }

  /** @param {...Node} above */
  showStart(...above) {
    document.title = "libpt2 viewer";
    const choose = button("choose one", () => this.picker.click());
    const heading = html("h1", {}, "Open a PyTorch program");
    const text = html("p", {}, "Drop a .pt2, .json or .pt2b file here, or ", choose, ".");
    const hint = html("p", { class: "hint" }, "The file stays on this computer: this page sends nothing.");
    this.show(html("main", { class: "start" }, ...above, heading, text, hint));
  }

  /** @param {File[]} files */
  async openAll(files) {
    for (const file of files) {
      if (Page.active && (await this.isData(file))) Page.active.openData(file);
      else await this.openProgram(file, file.name);
    }
  }

  /** Returns whether it is data on nodes rather than a program.
   * @param {File} file
   */
  async isData(file) {
    if (/\.csv$/i.test(file.name)) return true;
    if (!/\.json$/i.test(file.name) || file.size > MOST_DATA) return false;
    return !(await file.text()).includes('"graph_module"');
  }

  /** `model`: which of several.
   * @param {File | string} source
   * @param {string} file
   * @param {string} [model]
   */
  async openProgram(source, file, model) {
    const name = model === undefined ? file : `${file}: ${model}`;
    const number = ++this.count;
    const work = workOf(`reading ${name}`);
    const bar = html("div", { class: "reading" }, work.elements);
    document.body.append(bar);
    try {
      await this.reader.ready;
      const answer = await this.reader.call("open", { number, source, title: name, model }, work);
      if ("models" in answer) return void document.body.append(this.choiceOf(answer.models, source, file));
      const opened = { number, name, program: readProgram(JSON.parse(answer.page)) };
      this.files.push(opened);
      if (this.files.length === 1) this.showFile(opened);
      else if (this.files.length === 2) await this.showDifferences();
      else await this.showModels();
    } catch (thrown) {
      const error = /** @type {Fault} */ (thrown);
      if (this.files.length > 0) return document.body.append(this.note(faultElement(name, error)));
      const badge = html("section", { class: "badge", role: "status", hidden: true });
      this.showStart(faultElement(name, error), badge);
      if (!work.signal.aborted) await this.scan(source, badge, error.message);
    } finally {
      bar.remove();
    }
  }

  /** Says what a file that cannot be shown would run, besides the fault `known`.
   * @param {File | string} source
   * @param {HTMLElement} badge
   * @param {string} known
   */
  async scan(source, badge, known) {
    const fault = known.replace(/ \((line|byte) [^)]*\)$/, "");
    try {
      const all = await this.reader.call("scan", { source });
      const findings = all.filter(({ message }) => !message.endsWith(fault) && !fault.endsWith(message));
      if (findings.some(({ level }) => level !== "note")) showFindings({ badge }, findings);
    } catch {
      // not even a file that could be scanned: the fault above says why
    }
  }

  /** Offers the models of an archive.
   * @param {string[]} models
   * @param {File | string} source
   * @param {string} file
   */
  choiceOf(models, source, file) {
    const buttons = models.map((model) =>
      button(model, () => {
        choice.remove();
        this.openProgram(source, file, model);
      }),
    );
    const choice = this.note(html("section", {}, html("h2", {}, `${file} has ${models.length} models`), html("p", {}, buttons)));
    return choice;
  }

  /** @param {Element} element */
  note(element) {
    const dialog = html("dialog", { open: true, class: "above" }, element);
    dialog.append(button("Close", () => dialog.remove()));
    return dialog;
  }

  async close() {
    for (const { number } of this.files.splice(0)) await this.reader.call("close", { number });
    history.replaceState(null, "", location.pathname);
    this.showStart();
  }

  // ---- One file ----

  /** @param {OpenFile} file */
  showFile(file) {
    document.title = file.name;
    for (const { number } of this.files.filter((each) => each !== file)) this.reader.call("close", { number });
    this.files = [file];
    this.show();
    const page = showProgram(file.program);
    page.details.extra = (weight) => this.tensorElement(file, weight, page);
    this.addButtons(page);
    this.check(file, page);
    this.costsOf(file).then((costs) => page.details.costs.show(costs));
  }

  /** Returns what the program costs. The worker counts it once.
   * @param {OpenFile} file
   */
  costsOf(file) {
    return (file.costs ??= this.reader
      .call("costs", { number: file.number })
      .then(JSON.parse, (error) => ({ facts: [["note", error.message]], modules: [], sizes: [] })));
  }

  buttons() {
    const open = button("Open", () => this.picker.click(), { title: "open another file, to compare" });
    const close = button("Close", () => this.close());
    return [open, close];
  }

  /** @param {Page} page */
  addButtons(page) {
    page.element.querySelector("header")?.append(...this.buttons());
  }

  /**
   * @param {OpenFile} file
   * @param {Page} page
   */
  async check(file, page) {
    const { badge } = page;
    badge.hidden = false;
    badge.append("checking");
    try {
      showFindings(page, await this.reader.call("check", { number: file.number }));
    } catch (error) {
      badge.replaceChildren(faultElement("check", /** @type {Fault} */ (error)));
      badge.classList.add("bad");
    }
  }

  // ---- Weights ----

  /**
   * @param {OpenFile} file
   * @param {Weight} weight
   * @param {Page} page
   */
  tensorElement(file, weight, page) {
    if (weight.type === undefined) return null;
    const place = html("div", {});
    const read = () => this.readTensor(file, weight.name, place, page.details);
    place.append(button("Read the values", read));
    return place;
  }

  /**
   * @param {OpenFile} file
   * @param {string} name
   * @param {Element} place
   * @param {Details} details
   */
  readTensor(file, name, place, details) {
    return cancellable(place, "reading", async (work) => {
      const tensor = await this.reader.call("tensor", { number: file.number, name }, work);
      const rows = details.statistics(tensor);
      const values = html("div", {});
      const save = async () => download(await this.reader.call("npy", { number: file.number, name }), `${name}.npy`);
      const bars = tensor.histogram.length ? [histogram(tensor)] : [];
      place.replaceChildren(table(rows), ...bars, heatMap(tensor), values, button("Save as .npy", save));
      this.showValues(file, tensor, 0, values);
    });
  }

  /**
   * @param {OpenFile} file
   * @param {TensorAnswer} tensor
   * @param {number} from
   * @param {Element} place
   */
  async showValues(file, tensor, from, place) {
    const numbers = await this.reader.call("values", { number: file.number, name: tensor.name, from, count: VALUES });
    /**
     * @param {string} text
     * @param {number} to
     */
    const page = (text, to) => button(text, () => this.showValues(file, tensor, to, place), { disabled: to < 0 || to >= tensor.count });
    const range = ` ${grouped(from)} to ${grouped(from + numbers.length - 1)} of ${grouped(tensor.count)} `;
    const pages = html("p", {}, page("\u2190", from - VALUES), range, page("\u2192", from + VALUES));
    place.replaceChildren(pages, html("pre", { class: "values" }, numbers.map(shortNumber).join("  ")));
  }

  // ---- Two files ----

  async showDifferences() {
    const [a, b] = this.files;
    document.title = `${a.name} - ${b.name}`;
    const differences = JSON.parse(await this.reader.call("differences", { a: a.number, b: b.number }));
    this.show();
    const pages = showDifferences([a.program, b.program], differences);
    this.addButtons(pages[1]);
    pages.forEach(async ({ details }, i) => details.costs.show(await this.costsOf(this.files[i])));
    const heading = document.querySelector(".differences h1") ?? document.body;
    const graph = heading.textContent;
    /** @param {string} weights */
    const say = (weights) => void (heading.textContent = `graph: ${graph}; ${weights}`);
    say("weights: not compared yet");
    const place = html("section", { class: "weight-differences" });
    place.append(button("Compare the weights", () => this.compareWeights(a, b, place, pages, say)));
    document.querySelector("aside")?.append(place);
  }

  // ---- More files ----

  /** One column for each program. */
  async showModels() {
    document.title = `${this.files.length} programs`;
    const costs = await Promise.all(this.files.map((file) => this.costsOf(file)));
    const facts = this.files.map(({ program }, i) => new Map([...program.facts, ...costs[i].facts]));
    const names = [...new Set(facts.flatMap((each) => [...each.keys()]))];
    const operators = this.files.map(({ program }) => operatorCounts(program.root));
    const used = [...new Set(operators.flatMap((counts) => [...counts.keys()]))].sort();
    /** @param {OpenFile} file */
    const open = (file) => button(file.name, () => this.showFile(file));
    const bar = html("header", {}, this.buttons());
    const rows = [
      ...names.map((name) => [name, ...facts.map((each) => each.get(name) ?? "")]),
      ["nodes", ...this.files.map(({ program }) => grouped(program.nodes.filter(({ kind }) => kind === "operation").length))],
      ...used.map((name) => [html("code", {}, name), ...operators.map((counts) => grouped(counts.get(name) ?? 0))]),
    ];
    const cells = list(["", ...this.files.map(open)], rows, (row) => row);
    this.show(html("main", { class: "models" }, bar, cells));
  }

  /**
   * @param {OpenFile} a
   * @param {OpenFile} b
   * @param {Element} place
   * @param {Page[]} pages
   * @param {(weights: string) => void} say
   */
  compareWeights(a, b, place, pages, say) {
    return cancellable(place, "comparing", async (work) => {
      const rows = await this.reader.call("weightDifferences", { a: a.number, b: b.number }, work);
      const others = rows.filter(({ largest }) => largest !== 0);
      const most = others.reduce((most, { largest }) => Math.max(most, largest ?? 0), 0);
      const size = most > 0 ? `, by up to ${shortNumber(most)}` : "";
      const count =
        others.length > 0 ? `${others.length} of ${rows.length} weights differ${size}` : `none of ${rows.length} weights differs`;
      say(rows.length > 0 ? count : "no weight is in both files");
      /** @param {string} name */
      const show = (name) =>
        pages.forEach((page) => {
          const node = page.program.weightNodes.get(name);
          if (node) page.choose(node, true);
        });
      /** @param {string} name */
      const linked = (name) => {
        const node = a.program.weightNodes.get(name);
        return node ? linkElement(node, name, () => show(name)) : name;
      };
      /** @param {WeightDifference[]} some */
      const table = (some) =>
        list(["name", "largest"], some, ({ name, largest }) => [linked(name), largest === null ? "another type" : shortNumber(largest)]);
      const heading = html("h3", {}, "Weights by their largest difference");
      const equal = rows.filter(({ largest }) => largest === 0);
      const different = others.length > 0 ? table(others) : null;
      place.replaceChildren(html("section", {}, heading, different, folded("equal", equal.length, table(equal))));
    });
  }
}

new Viewer();
