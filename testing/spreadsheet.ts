import Papa from 'papaparse'

/**
 * The separators of spreadsheets: the list separator depends on the reader, not on the file. English, German, pasted.
 */
export const listSeparators = [',', ';', '\t'] as const

/** Text that would run as a formula, or be read as the next cell. */
export const formulaStart = /^\s*[=+\-@＝＋－＠]|^[\t\r]/

/** The cells a spreadsheet reads from a file. */
export const cellsOf = (text: string, separator: string, newline: '\r\n' | '\n' = '\r\n'): string[][] =>
  Papa.parse<string[]>(text, { delimiter: separator, newline }).data

/** The cells of a file that would run as a formula in some spreadsheet. */
export const formulasIn = (text: string, newline?: '\r\n' | '\n'): string[] =>
  listSeparators.flatMap((separator) =>
    cellsOf(text, separator, newline)
      .flat()
      .filter((cell) => formulaStart.test(cell)),
  )
