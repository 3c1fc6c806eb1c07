import { expect, test } from 'vitest'
import { maxBulkNames } from '#contract/bulk.ts'
import { deleteInParts, inParts, partsOf } from './in-parts.ts'

const names = Array.from({ length: 2001 }, (_, n) => `n${n}`)

test('more names than a call takes are sent in several, one after the other', async () => {
  const parts: string[][] = []
  const replies = await inParts(names, async (part) => parts.push(part))
  expect(parts.map(({ length }) => length)).toEqual([maxBulkNames, maxBulkNames, 1])
  expect(parts.flat()).toEqual(names)
  expect(replies).toEqual([1, 2, 3])
  expect(partsOf(['a', 'b', 'c'], 2)).toEqual([['a', 'b'], ['c']])
})

test('a deletion in parts reports all of them, and keeps every undo record', async () => {
  const send = async (part: string[]) => ({ code: 'OK', deleted: part.length, undoId: part[0] ?? null })
  expect(await deleteInParts(names, send)).toMatchObject({
    code: 'OK',
    values: { deleted: 2001 },
    undoIds: ['n0', 'n1000', 'n2000'],
  })
})
