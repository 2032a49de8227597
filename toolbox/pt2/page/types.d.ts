// The types of the page's data, and of what is made of it, for all modules of this folder.

type Box = import("./program.js").Box;
type Costs = import("./cost.js").Costs;
type Folding = import("./folding.js").Folding;
type LinkedPages = import("./linked_pages.js").LinkedPages;
type Page = import("./main.js").Page;
type Scene = import("./scene.js").Scene;

// ---- The data in the page, from toolbox/pt2/report/page_data.h. Strings and boxes are numbers: their places in tables. ----

interface Weight {
  name: string;
  kind: string;
  record: string;
  type?: string;
  bytes: number;
  error?: string;
}
interface Statistics extends Record<"finite" | "zeros" | "nans" | "infinities" | "minimum" | "maximum" | "mean" | "deviation", number> {
  histogram: number[];
}
interface PageData {
  title: string;
  strings: string[];
  facts: [string, string][];
  inputs: number[][];
  outputs: number[][];
  ranges: string[];
  guards: string[];
  values: [name: number, type: number, producer: number][];
  groups: [kind: number, name: number, type: number, parent: number][];
  nodes: NodeData[];
  weights: (Omit<Weight, "name"> & Partial<Statistics> & { name: number })[];
}
type NodeData = [
  kind: number,
  name: number,
  label: number,
  target: number,
  parent: number,
  given: ArgumentData[number][],
  outputs: number[],
  subgraphs: number[],
  metadata: number[],
];
type ArgumentData = [name: number, text: number, isDefault: number, values: number[]];

type Cost = number | TermData[];
/** A coefficient, then pairs of a size and its power. */
type TermData = [number, ...(string | number)[]];
interface CostData {
  facts: [string, string][];
  modules: [name: string, type: string, multiplyAdds: Cost, bytes: Cost][];
  sizes: [string, number][];
}
interface Finding {
  rule: string;
  level: string;
  message: string;
  record?: string | null;
  path?: string;
}
interface Difference {
  kind: "added" | "removed" | "changed";
  part: string;
  where: string | null;
  before: string | null;
  after: string | null;
  details: string[];
  at_before: string | null;
  at_after: string | null;
}

// ---- The program ----

interface Value {
  name: string;
  type: string;
  producer: NodeBox | null;
  users: NodeBox[];
}
interface Argument {
  name: string;
  text: string;
  isDefault: boolean;
  values: Value[];
}
/** What is hidden unless a switch shows it. */
type Role = "" | "weights" | "sizes";
type Group = Box;
type NodeBox = Box;
type Port = Box;
interface Arrow {
  from: Box;
  to: Box;
  values: Set<Value>;
}
type Program = ReturnType<typeof import("./program.js").readProgram>;

// ---- The picture ----

interface Point {
  x: number;
  y: number;
}
interface Size {
  width: number;
  height: number;
}
type Place = Point & Size;
type Font = "name" | "more" | "label";
type Measure = (text: string, font: Font) => number;
/** A box, or the place where an arrow passes a row. Around x: `left` and `right`. */
interface Spot extends Point {
  left: number;
  right: number;
  height: number;
  row: number;
  up: Spot[];
  down: Spot[];
  isBox?: boolean;
  isLabel?: boolean;
  isLoose?: boolean;
  isMain?: boolean;
}
interface ArrowLayout extends Point {
  arrow: Arrow;
  points: Point[];
  text: string;
  textWidth: number;
  isShared?: boolean;
}
type BoxLayout = Place & { box: Box };
interface Layout extends Size {
  boxes: BoxLayout[];
  arrows: ArrowLayout[];
  /** Where the main path is. */
  axis: number;
}
type Listener = (event: any) => unknown;
type Attributes = { [name: string]: string | number | boolean | Listener | undefined };
interface Shape {
  tag: keyof SVGElementTagNameMap;
  classes: Set<string>;
  attributes: Attributes;
  children: (Shape | string)[];
  /** A color that the reader's data give. */
  fill?: string;
  /** What a click chooses. */
  box?: Box | null;
  element?: Element;
}
/** Chooses a box, or nothing. */
type Choose = (box: Box | null) => void;
type Content = Node | string | null | undefined | (Node | string | null | undefined)[];
type Declarations = Record<string, string>;

// ---- What Debian's dagre provides ----

declare const dagre: { graphlib: { Graph: new (options?: { multigraph: boolean }) => DagreGraph }; layout(graph: DagreGraph): void };
interface DagreGraph {
  setGraph(options: { [name: string]: string | number }): void;
  graph(): Partial<Size>;
  setNode(id: string | number, size: Size & { axis?: number }): void;
  node(id: string | number): Place & { axis?: number };
  setEdge(from: string | number, to: string | number, label: object, name?: string): void;
  edge(from: string | number, to: string | number, name?: string): Point & Size & { points: Point[] };
}
