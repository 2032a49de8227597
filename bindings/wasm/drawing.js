// Pictures of programs, without a page.

import css from "../../toolbox/pt2/page/page.css";
import { drawingOf } from "../../toolbox/pt2/page/drawing.js";
import { _page } from "./program_file.js";

/** @import { DrawingOptions, Program } from "./index.js" */

/**
 * @param {Program} program
 * @param {DrawingOptions} [options]
 */
export const drawing = (program, options) => drawingOf(_page(program), css, options);
