import Papa from 'papaparse'

/** Where spreadsheets split a line: the list separator is the reader's, not the file's. English, German, pasted. */
export const listSeparators = [',', ';', '\t'] as const

/** What would run, or be taken for the cell after it. */
export const formulaStart = /^\s*[=+\-@＝＋－＠]|^[\t\r]/

/** The cells that a spreadsheet makes of a file. */
export const cellsOf = (text: string, separator: string, newline: '\r\n' | '\n' = '\r\n'): string[][] =>
  Papa.parse<string[]>(text, { delimiter: separator, newline }).data

/** The cells of a file that would run as a formula somewhere. */
export const formulasIn = (text: string, newline?: '\r\n' | '\n'): string[] =>
  listSeparators.flatMap((separator) =>
    cellsOf(text, separator, newline)
      .flat()
      .filter((cell) => formulaStart.test(cell)),
  )
