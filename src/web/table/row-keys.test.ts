import { expect, test } from 'vitest'
import { nextRowKeys, type RowKeys } from './row-keys.ts'

const keysOf = (before: RowKeys, ...ids: string[]) => [...nextRowKeys(before, ids).values()]
const page = nextRowKeys(new Map(), ['a', 'b', 'c'])

test('rows that stay keep their keys, wherever they move, and others get new ones', () => {
  expect([...page.values()]).toEqual([0, 1, 2])
  expect(keysOf(page, 'c', 'new', 'a')).toEqual([2, 3, 0])
  expect(keysOf(page, 'b')).toEqual([1])
})

test('rows of another page take over the keys of all others', () => {
  expect(keysOf(page, 'd', 'e', 'f')).toEqual([0, 1, 2])
  expect(keysOf(page, 'd')).toEqual([0])
  expect(keysOf(page, 'd', 'e', 'f', 'g', 'h')).toEqual([0, 1, 2, 3, 4])
})

test('no two rows have the same key, whatever came before', () => {
  const some = nextRowKeys(nextRowKeys(page, ['b', 'new']), ['x', 'y', 'z'])
  expect(new Set(some.values()).size).toBe(3)
  expect(new Set(keysOf(some, 'x', 'p', 'q', 'z')).size).toBe(4)
  expect(keysOf(new Map())).toEqual([])
})
