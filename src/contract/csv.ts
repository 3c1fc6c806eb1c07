/**
 * Positions where a formula could start, whatever separator the reader uses: a spreadsheet whose list
 * separator is `;` or a tab splits cells differently, and honors quotes only at the start of such a cell. Excel treats
 * the full-width signs like the others in East Asian locales. Apostrophes before the formula count as part of it, so
 * that exactly one is added, and `valueOfCell` can take it away again.
 */
const formulaStart = /(?<!')(?='*(?:[=+\-@\t＝＋－＠]|\r(?!\n)))(?<=(?:^|[,;|\t\r\n])[\s"]*?)|^(?='*\r)/g

const guardedStart = /(?<!')'(?='*(?:[=+\-@\t＝＋－＠]|\r(?!\n)))(?<=(?:^|[,;|\t\r\n])[\s"]*?')|^'(?='*\r)/g

/** A quoted value with this ending would let a cell begin at the end of the line. */
const openEnd = /[,;|\t\r\n]'*$/

const guardedEnd = /'$(?<=[,;|\t\r\n]'+)/

const needsQuotes = (text: string): boolean => /[",\r\n]/.test(text)

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
  if (!needsQuotes(text)) return text
  return `"${text.replaceAll('"', '""')}${openEnd.test(text) ? "'" : ''}"`
}

const inert = (value: string): string => value.replace(formulaStart, "'")

/** The value that `csvLine` wrote as this cell. */
export function valueOfCell(cell: string): string {
  const text = needsQuotes(cell) ? cell.replace(guardedEnd, '') : cell
  return text.replace(guardedStart, '')
}
