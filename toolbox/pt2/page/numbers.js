// Numbers and errors as text.

const COUNT = new Intl.NumberFormat("en-US");

/** Formats a count with thousands separators; other text is unchanged.
 * @param {number | string} number
 */
export const grouped = (number) => (typeof number === "number" ? COUNT.format(number) : String(number));

/** Formats a float briefly.
 * @param {number | string} number
 */
export const shortNumber = (number) => (typeof number === "number" ? String(Number(number.toPrecision(6))) : String(number));

/** @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));
