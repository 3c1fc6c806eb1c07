/**
 * Where a formula could start, whatever the reader splits cells at (R-INP-03): a spreadsheet whose list separator is
 * `;` or a tab sees cells that we never wrote, and quotes only count for it where such a cell begins. The full-width
 * signs are what Excel takes for the others in East Asian locales.
 */
const formulaStart = /(?=[=+\-@\t＝＋－＠]|\r(?!\n))(?<=(?:^|[,;|\t\r\n])[\s"]*)|^(?=\r)/g

/** A quoted value that ends so would let the line's end begin a cell. */
const openEnd = /[,;|\t\r\n]$/

/** One line of a CSV file (RFC 4180). What a spreadsheet would run as a formula gets an apostrophe (R-INP-03). */
export function csvLine(values: readonly string[]): string {
  return `${values.map(csvField).join(',')}\r\n`
}

/** One value as a line of a text file, as inert as a cell. */
export function textLine(value: string): string {
  return `${inert(value)}\n`
}

function csvField(value: string): string {
  const text = inert(value)
  if (!/[",\r\n]/.test(text)) return text
  return `"${text.replaceAll('"', '""')}${openEnd.test(text) ? "'" : ''}"`
}

const inert = (value: string): string => value.replace(formulaStart, "'")
