/**
 * Positions where a formula could start, whatever separator the reader uses: a spreadsheet whose list
 * separator is `;` or a tab splits cells differently, and honors quotes only at the start of such a cell. Excel treats
 * the full-width signs like the others in East Asian locales.
 */
const formulaStart = /(?=[=+\-@\t＝＋－＠]|\r(?!\n))(?<=(?:^|[,;|\t\r\n])[\s"]*)|^(?=\r)/g

/** A quoted value with this ending would let a cell begin at the end of the line. */
const openEnd = /[,;|\t\r\n]$/

/**
 * One line of a CSV file (RFC 4180). Values that a spreadsheet would run as a formula get a leading apostrophe.
 */
export function csvLine(values: readonly string[]): string {
  return `${values.map(csvField).join(',')}\r\n`
}

/** One value as a line of a text file, with the same protection against formulas. */
export function textLine(value: string): string {
  return `${inert(value)}\n`
}

function csvField(value: string): string {
  const text = inert(value)
  if (!/[",\r\n]/.test(text)) return text
  return `"${text.replaceAll('"', '""')}${openEnd.test(text) ? "'" : ''}"`
}

const inert = (value: string): string => value.replace(formulaStart, "'")
