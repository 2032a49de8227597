// Numbers as text.

const COUNT = new Intl.NumberFormat("en-US");

/** Formats a count with thousands separators; other text is unchanged. */
export const grouped = (number) => (typeof number === "number" ? COUNT.format(number) : String(number));

/** Formats a float briefly. */
export const shortNumber = (number) => (typeof number === "number" ? String(Number(number.toPrecision(6))) : String(number));
