import { describe, expect, test } from 'vitest'
import type { Column } from './column.ts'
import { arranged, moved } from './column-order.ts'

const column = (id: string, more: Partial<Column<object>> = {}): Column<object> => ({
  id,
  header: id,
  cell: () => id,
  ...more,
})
const columns = [
  column('name'),
  column('status'),
  column('level'),
  column('created'),
  column('open', { hideable: false }),
]
const ids = (order: string[]) => arranged(columns, order).map(({ id }) => id)

describe('arranged', () => {
  test('is the usual order when nothing was moved', () => {
    expect(ids([])).toEqual(['name', 'status', 'level', 'created', 'open'])
  })

  test('follows the order and leaves what cannot be moved where it is', () => {
    expect(ids(['created', 'level', 'status'])).toEqual(['name', 'created', 'level', 'status', 'open'])
    expect(ids(['open', 'created', 'name'])).toEqual(['name', 'status', 'level', 'created', 'open'])
  })

  test('puts a column that the order does not know behind its usual neighbour', () => {
    expect(ids(['created', 'status'])).toEqual(['name', 'created', 'status', 'level', 'open'])
    expect(ids(['created', 'level'])).toEqual(['name', 'status', 'created', 'level', 'open'])
  })

  test('passes over unknown and repeated ids', () => {
    expect(ids(['gone', 'level', 'level', 'status', 'created'])).toEqual(['name', 'level', 'status', 'created', 'open'])
  })
})

describe('moved', () => {
  test('moves one place either way and stops at both ends', () => {
    expect(moved(['a', 'b', 'c'], 'b', -1)).toEqual(['b', 'a', 'c'])
    expect(moved(['a', 'b', 'c'], 'b', 1)).toEqual(['a', 'c', 'b'])
    expect(moved(['a', 'b', 'c'], 'a', -1)).toEqual(['a', 'b', 'c'])
    expect(moved(['a', 'b', 'c'], 'c', 1)).toEqual(['a', 'b', 'c'])
    expect(moved(['a', 'b', 'c'], 'x', 1)).toEqual(['a', 'b', 'c'])
  })
})
