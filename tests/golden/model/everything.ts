// everything 3.1, schema=sha256:0a589cfac88cb4bf29b173b273927cdc75bdb71c963ce5e18d43119542ff8ab8

/** Names that are macros or words of C++ in places. */
export enum Color {
  RED = 0,
  GREEN = 2,
  BLUE = -7,
  NULL = 8,
  EOF = 9,
  class = 10,
}

/** Every scalar, with a default and without; the doc is long enough that it has to be wrapped over more than one line of comment. */
export interface Scalars {
  flag: boolean;
  count: number;
  ratio: number | "NaN" | "Infinity" | "-Infinity";
  label: string;
  blob: string;
  nothing: [];
  anything: unknown;
  color: Color;
  flag_default?: boolean;
  count_default?: number;
  ratio_default?: number | "NaN" | "Infinity" | "-Infinity";
  whole_default?: number | "NaN" | "Infinity" | "-Infinity";
  label_default?: string;
  color_default?: Color;
  maybe: number | null;
  maybe_default?: Color | null;
}

export interface Containers {
  flags: Array<boolean>;
  blobs?: Array<string>;
  matrix: Array<Array<number | "NaN" | "Infinity" | "-Infinity">>;
  by_name: Record<string, Array<Record<string, number>>>;
  choices?: Array<Choice> | null;
  colors?: Record<string, Color>;
  units?: Array<[]>;
  values?: Array<unknown>;
}

export type Choice =
  | { nothing: [] }
  /** The union has a function of this name. */
  | { kind: number }
  | { get: string }
  | { int: string }
  | { blob: string }
  | { anything: unknown }
  | { color: Color }
  | { tree: Tree }
  | { flags: Array<boolean> }
  | { empty: Empty };

export interface Empty {
}

/** Field names that C++ or its headers have other plans for. */
export interface Awkward {
  class: number;
  namespace?: string | null;
  errno?: number;
  major?: number;
  minor?: number;
  stdin?: boolean;
  std?: string;
  schemagen?: string;
  Empty: Empty;
  in?: number;
  out?: number;
  value?: number;
  a?: number;
  b?: number;
  other?: number;
  fields?: number;
  kFields?: number;
  renamed?: number;
  assert?: number;
  linux?: number;
  /** @deprecated use `value` */
  old?: number | null;
}

export interface Tree {
  name: string;
  left?: Tree | null;
  right?: Tree | null;
  children?: Array<Tree>;
  named?: Record<string, Tree>;
  choice?: Choice | null;
}

export enum Level {
  LOW = "LOW",
  HIGH = "HIGH",
  class = "class",
}

export interface Keyed {
  level?: Level;
  levels?: Array<Level>;
  by_number?: Record<string, string>;
  by_color?: Record<string, Array<Record<string, Tree>>>;
  by_level?: Record<string, Level>;
}

/** Numbers of every size. */
export interface Numbers {
  tiny: number;
  short: number;
  medium: number;
  long: number;
  byte: number;
  word: number;
  half: number;
  whole: number;
  single: number | "NaN" | "Infinity" | "-Infinity";
  tiny_default?: number;
  byte_default?: number;
  half_default?: number;
  whole_default?: number;
  single_default?: number | "NaN" | "Infinity" | "-Infinity";
  infinite_default?: number | "NaN" | "Infinity" | "-Infinity";
  tinies?: Array<number>;
  bytes?: Array<number>;
  wholes?: Record<string, number>;
  pixels?: Record<string, Array<Array<number>>>;
  singles?: Array<number | "NaN" | "Infinity" | "-Infinity">;
  maybe?: Array<number> | null;
  number?: Number | null;
  number_default?: Number;
  by_tiny?: Record<string, string>;
  by_whole?: Record<string, Array<number>>;
}

export type Number =
  | { tiny: number }
  | { byte: number }
  | { whole: number }
  | { single: number | "NaN" | "Infinity" | "-Infinity" }
  | { bytes: Array<number> };

/** A default of every type that can have one. */
export interface Preset {
  flags?: Array<boolean>;
  counts?: Array<number>;
  ratios?: Array<number | "NaN" | "Infinity" | "-Infinity">;
  labels?: Array<string>;
  colors?: Array<Color>;
  matrix?: Array<Array<number | "NaN" | "Infinity" | "-Infinity">>;
  by_name?: Record<string, Array<Record<string, number>>>;
  style?: Style;
  styles?: Array<Style>;
  named?: Record<string, Style>;
  choice?: Choice;
  choices?: Array<Choice>;
  on_heap?: Style;
  tree?: Tree;
  empty?: Empty;
  levels?: Array<Level>;
}

export interface Style {
  color?: Color;
  width?: number | "NaN" | "Infinity" | "-Infinity";
  tags?: Array<string>;
  shadow?: Color | null;
}
