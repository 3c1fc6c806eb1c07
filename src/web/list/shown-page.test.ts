import { describe, expect, test } from 'vitest'
import type { ListRequest } from './list-request.ts'
import { cutPage, mismatchOf, shownPage } from './shown-page.ts'

const first: ListRequest = { search: '', page: 1, limit: 10, sort: undefined, filters: {} }
const third = { ...first, page: 3 }
const isEmpty = ({ data }: { data: string[] }) => data.length === 0

describe('what a list shows', () => {
  test('is the answer to its request', () => {
    expect(shownPage(third, ['c'], { request: first, data: ['a'] }, isEmpty)).toEqual({ request: third, data: ['c'] })
  })

  test('without one it is the page before, which keeps its own number', () => {
    expect(shownPage(third, undefined, { request: first, data: ['a'] }, isEmpty)?.request.page).toBe(1)
  })

  test('is nothing at first, and not the emptiness of another search', () => {
    expect(shownPage(first, undefined, undefined, isEmpty)).toBeUndefined()
    expect(shownPage(first, undefined, { request: { ...first, search: 'x' }, data: [] }, isEmpty)).toBeUndefined()
  })
})

test.each([
  ['none', {}],
  ['page', { page: 3 }],
  ['page', { limit: 50 }],
  ['page', { sort: { id: 'name', descending: true } }],
  ['filter', { search: 'marta' }],
  ['filter', { filters: { status: 'used' } }],
  ['filter', { page: 3, filters: { status: 'used' } }],
])('rows differ by %s from those that %j asks for', (mismatch, change) => {
  expect(mismatchOf({ ...first, ...change }, first)).toBe(mismatch)
})

test('filters are compared by what they are, not by the order they stand in', () => {
  const one = { ...first, filters: { status: 'used', level: '1' } }
  expect(mismatchOf(one, { ...first, filters: { level: '1', status: 'used' } })).toBe('none')
})

test('a page is cut out of all rows, and all of them are counted', () => {
  const rows = ['a', 'b', 'c']
  expect(cutPage(rows, { ...first, limit: 2 })).toEqual({ rows: ['a', 'b'], total: 3 })
  expect(cutPage(rows, { ...first, limit: 2, page: 2 })).toEqual({ rows: ['c'], total: 3 })
  expect(cutPage(rows, { ...first, limit: 2, page: 3 })).toEqual({ rows: [], total: 3 })
})
