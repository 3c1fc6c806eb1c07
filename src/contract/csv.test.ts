import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

/** Reads what RFC 4180 says, independently of how it was written. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  let field = ''
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string
    if (quoted && character === '"' && text[at + 1] === '"') field += text[++at] as string
    else if (character === '"') quoted = !quoted
    else if (!quoted && (character === ',' || (character === '\r' && text[at + 1] === '\n'))) {
      ;(rows.at(-1) as string[]).push(field)
      field = ''
      if (character === '\r') {
        at += 1
        rows.push([])
      }
    } else field += character
  }
  return rows.slice(0, -1)
}

const dangerous = /^[=+\-@\t\r]/

test('whatever stands in a field comes back, and no field starts a formula (R-INP-03)', () => {
  const tricky = fc.constantFrom(
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\tx',
    '\rx',
    '"',
    '""',
    ',',
    '\r\n',
    '\n',
    "'",
    '=cmd|"/c calc"!A1',
  )
  const fields = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), tricky), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(fc.array(fields, { minLength: 1, maxLength: 4 }), (rows) => {
      const read = readCsv(rows.map(csvLine).join(''))
      expect(read).toEqual(rows.map((row) => row.map((field) => (dangerous.test(field) ? `'${field}` : field))))
      for (const field of read.flat()) expect(field).not.toMatch(dangerous)
    }),
  )
})

test.each([
  [['plain', 'two words'], 'plain,two words\r\n'],
  [['a,b', 'say "hi"'], '"a,b","say ""hi"""\r\n'],
  [['=HYPERLINK("http://evil")'], '"\'=HYPERLINK(""http://evil"")"\r\n'],
  [['-5', '5-3'], "'-5,5-3\r\n"],
  [['line one\nline two'], '"line one\nline two"\r\n'],
  [['', ''], ',\r\n'],
])('%j is written as %j', (values, line) => expect(csvLine(values)).toBe(line))
