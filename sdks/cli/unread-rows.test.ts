import fc from 'fast-check'
import { expect, test } from 'vitest'
import { UnreadRows } from './src/unread-rows.ts'

/** A list that is read in pages, newest first, while rows are created and leave it. */

const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })
/** Before each page: how many rows are created, and where in the list some leave it. */
const change = fc.record({ created: fc.nat(30), gone: fc.array(place, { maxLength: 30 }) })

function readAll(size: number, changeAt: (call: number) => { created: number; gone: number[] } | undefined) {
  let newest = size
  let list = Array.from({ length: size }, (_, at) => size - at)
  const stayed = new Set(list)
  const unread = new UnreadRows()
  const read = new Set<number>()
  for (let calls = 1; ; calls++) {
    const page = unread.next()
    const rows = list.slice((page.page - 1) * page.limit, page.page * page.limit)
    for (const row of rows) read.add(row)
    if (unread.isLast(page, { total: list.length, rows: rows.length }))
      return { calls, missed: [...stayed].filter((row) => !read.has(row)) }
    const { created, gone } = changeAt(calls) ?? { created: 0, gone: [] }
    for (const at of gone) for (const row of list.splice(Math.floor(at * list.length), 1)) stayed.delete(row)
    list = [...Array.from({ length: created }, () => ++newest), ...list]
  }
}

test('every row that is there the whole time is read, whatever comes and goes between two pages', () => {
  fc.assert(
    fc.property(fc.nat(600), fc.array(change, { maxLength: 30 }), (size, changes) => {
      expect(readAll(size, (call) => changes[call - 1]).missed).toEqual([])
    }),
    { seed: 1, numRuns: 1000 },
  )
})

test('a list that changes between any two pages is read to its end', () => {
  const { calls, missed } = readAll(6000, () => ({ created: 0, gone: [0, 0, 0] }))
  expect(missed).toEqual([])
  expect(calls).toBeLessThan(70)
  expect(readAll(6000, () => undefined).calls).toBe(61)
})
