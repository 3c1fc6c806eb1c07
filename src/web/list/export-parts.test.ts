import { expect, test } from 'vitest'
import { type ExportFormat, exportInParts } from './export-parts.ts'

const names = Array.from({ length: 2001 }, (_, at) => `row ${at}`)
const calls: number[] = []
const contents: Record<ExportFormat, (rows: string[]) => string> = {
  csv: (rows) => `Name,Notes\r\n${rows.map((row) => `${row},"two\r\nlines"\r\n`).join('')}`,
  json: (rows) => `[\n${rows.map((row) => JSON.stringify({ row })).join(',\n')}\n]\n`,
  txt: (rows) => rows.map((row) => `${row}\n`).join(''),
}

test.each(['csv', 'json', 'txt'] as const)(
  'more selected rows than one call exports are one %s file, the same as if one call had',
  async (format) => {
    calls.length = 0
    const file = await exportInParts(names, format, async (part) => {
      calls.push(part.length)
      return { content: contents[format](part) }
    })
    expect(file).toBe(contents[format](names))
    expect(calls).toEqual([1000, 1000, 1])
  },
)
