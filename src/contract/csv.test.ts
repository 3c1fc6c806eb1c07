import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cellsOf, formulasIn } from '#testing/spreadsheet.ts'
import { csvLine, textLine, valueOfCell } from './csv.ts'

const tricky = fc.constantFrom(
  '=',
  '+',
  '-',
  '@',
  '\t',
  '\r',
  '\n',
  '\r\n',
  '"',
  '""',
  ',',
  ';',
  '|',
  ' ',
  "'",
  '＝1',
  '=H(1)',
  'x',
)
const names = fc.oneof(
  { weight: 3, arbitrary: fc.array(tricky, { maxLength: 9 }).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme' }) },
)
const rows = fc.array(fc.array(names, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 })
const runs = { numRuns: 3000 }

test('no cell of a CSV file starts a formula, wherever a spreadsheet splits the text (R-INP-03)', () => {
  fc.assert(
    fc.property(rows, (values) => {
      expect(formulasIn(values.map(csvLine).join(''))).toEqual([])
    }),
    runs,
  )
})

test('no cell of a text file starts a formula, wherever a spreadsheet splits the text (R-INP-03)', () => {
  const line = names.filter((name) => !/[\r\n]/.test(name))
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), (values) => {
      expect(formulasIn(values.map(textLine).join(''), '\n')).toEqual([])
    }),
    runs,
  )
})

test('every field reads back as written, and as itself without the apostrophes that guard it', () => {
  // Apostrophes are what is added, so names have none of their own here.
  const plain = (rows: string[][]) => rows.map((row) => row.map((value) => value.replaceAll("'", '')))
  fc.assert(
    fc.property(rows, (values) => {
      const read = cellsOf(values.map(csvLine).join(''), ',').slice(0, -1)
      expect(plain(read)).toEqual(plain(values))
      expect(read.map((row) => row.map(valueOfCell))).toEqual(values)
    }),
    runs,
  )
})

test('a megabyte of what could start a formula is written and read in time', () => {
  for (const part of ["'", '\t', '\r', '=', ' ', ';"', ",'="]) {
    const value = part.repeat(1_000_000 / part.length)
    const [[cell = ''] = []] = cellsOf(csvLine([value, 'x']), ',')
    expect(valueOfCell(cell) === value, part).toBe(true)
  }
})

test('ordinary names stay unchanged', () => {
  const ordinary = ['ann', 'a-b', 'Ação não é açaí', '5 - 3', 'me@example.com', 'x=1', 'one; two, three', 'ABCD-EFGH']
  expect(cellsOf(csvLine(ordinary), ',')[0]).toEqual(ordinary)
  expect(ordinary.map(textLine)).toEqual(ordinary.map((name) => `${name}\n`))
})

test.each([
  [['plain', 'two words'], 'plain,two words\r\n'],
  [['a,b', 'say "hi"'], '"a,b","say ""hi"""\r\n'],
  [['=HYPERLINK("http://evil")'], '"\'=HYPERLINK(""http://evil"")"\r\n'],
  [['x;=HYPERLINK(1)'], "x;'=HYPERLINK(1)\r\n"],
  [['x\t=1', 'x;"=1'], 'x\t\'=1,"x;""\'=1"\r\n'],
  [['-5', '5-3'], "'-5,5-3\r\n"],
  [['line one\nline two'], '"line one\nline two"\r\n'],
  [['line one\r\n\r\n-2'], '"line one\r\n\r\n\'-2"\r\n'],
  [['ends;', 'ends,'], 'ends;,"ends,\'"\r\n'],
  [['', ''], ',\r\n'],
])('%j is written as %j', (values, line) => expect(csvLine(values)).toBe(line))
