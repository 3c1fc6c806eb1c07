import { setImmediate } from 'node:timers/promises'
import { csvLine } from '#contract/csv.ts'
import { type ListOf, valuesOf } from '#contract/list-field.ts'

/** Rows as they are read; selected rows are one batch. */
export type Batches<Row> = AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>

export interface ExportColumn<Row> {
  /** In the first line of a CSV file. */
  header: string
  /** In a CSV file. */
  text: (row: Row) => string
  /** What a JSON file has of each row if this column is chosen. */
  fields: readonly (keyof Row)[]
}

interface ExportChoice<Row, Id extends string> {
  format: 'csv' | 'json' | 'txt'
  /** In the order of the file. */
  columns: Record<Id, ExportColumn<Row>>
  /** All columns, and in JSON all fields, by default. */
  chosen: ListOf<Id> | undefined
  /** Of a text file. */
  line?: (row: Row) => string
}

/**
 * The text of a file in batches of rows, so that a million rows are never in memory together. It begins with rows, not
 * just the header, so that a read that fails immediately becomes an error reply instead of a truncated file. CSV is
 * protected against formulas (R-INP-03).
 */
export async function* exportedRows<Row extends object, Id extends string>(
  batches: Batches<Row>,
  choice: ExportChoice<Row, Id>,
): AsyncGenerator<string> {
  const { begin, between, end, line } = frameOf(choice)
  let isBegun = false
  for await (const rows of batches) {
    // A batch that is in memory at once would otherwise be followed by the next one before anybody else's request.
    if (isBegun) await setImmediate()
    yield (isBegun ? between : begin) + rows.map(line).join(between)
    isBegun = true
  }
  yield isBegun ? end : begin + end
}

interface Frame<Row> {
  begin: string
  between: string
  end: string
  line: (row: Row) => string
}

function frameOf<Row extends object, Id extends string>(choice: ExportChoice<Row, Id>): Frame<Row> {
  const { format, columns, chosen, line = () => '' } = choice
  if (format === 'txt') return { begin: '', between: '', end: '', line }
  const ids = valuesOf(chosen)
  const all = Object.keys(columns) as Id[]
  const some = (ids.length === 0 ? all : all.filter((id) => ids.includes(id))).map((id) => columns[id])
  if (format === 'csv') {
    const begin = csvLine(some.map(({ header }) => header))
    return { begin, between: '', end: '', line: (row) => csvLine(some.map(({ text }) => text(row))) }
  }
  const fields = ids.length === 0 ? undefined : [...new Set(some.flatMap((column) => column.fields))]
  const jsonLine = (row: Row) =>
    JSON.stringify(fields ? Object.fromEntries(fields.map((field) => [field, row[field]])) : row)
  return { begin: '[\n', between: ',\n', end: '\n]\n', line: jsonLine }
}

/** A time in a CSV file; empty if there is none. */
export const exportedTime = (seconds: number | null): string =>
  seconds === null ? '' : new Date(seconds * 1000).toISOString()
