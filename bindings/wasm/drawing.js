// Pictures of programs, without a page.

import css from "../../toolbox/pt2/page/page.css";
import { drawingOf } from "../../toolbox/pt2/page/drawing.js";
import { _page } from "./program_file.js";

export const drawing = (program, options) => drawingOf(_page(program), css, options);
