import { describe, expect, test } from 'vitest'
import { type MergeInput, mergePage } from './live-merge.ts'

interface Row {
  id: string
  state: string
}
const rowsOf = (ids: string, state = 'old'): Row[] => [...ids].map((id) => ({ id, state }))

interface Given extends Partial<Omit<MergeInput<Row>, 'pages' | 'shown'>> {
  /** Pages of three rows as they are now. */
  now: Record<number, string>
  /** Number of the last page. */
  last?: number
}

/** The page that shows `shown` of a list in pages of three rows. */
function merged(shown: string, { now, last = Infinity, lookedUp = new Map(), ...more }: Given) {
  const result = mergePage({
    shown: rowsOf(shown),
    page: 1,
    endsInView: false,
    growth: 0,
    isNarrowed: false,
    pages: Object.entries(now).map(([number, ids]) => ({
      number: Number(number),
      rows: rowsOf(ids, 'new'),
      isLast: Number(number) === last,
    })),
    lookedUp,
    rowId: ({ id }) => id,
    ...more,
  })
  const { rows, gone, unknown, added } = result
  return {
    rows: rows.map(({ id, state }) => (state === 'old' ? id : id.toUpperCase())).join(''),
    gone: [...gone].join(''),
    unknown: unknown.join(''),
    added,
  }
}
const nothing = { gone: '', unknown: '', added: 0 }

describe('rows keep their order and place', () => {
  test('and are as they are now', () => {
    expect(merged('abc', { now: { 1: 'abc' } })).toEqual({ ...nothing, rows: 'ABC' })
  })

  test('also when new ones have moved them to the next page', () => {
    expect(merged('abc', { now: { 1: 'xya', 2: 'bcd' } })).toEqual({ ...nothing, rows: 'ABC', added: 2 })
  })

  test('also when deleted ones before them have moved them to the page before', () => {
    expect(merged('def', { page: 2, now: { 1: 'bcd', 2: 'efg' } })).toEqual({ ...nothing, rows: 'DEF' })
  })

  test('also when many new ones have moved them pages away', () => {
    const now = { 1: 'mno', 4: 'xya', 5: 'bcd' }
    expect(merged('abc', { growth: 11, now })).toEqual({ ...nothing, rows: 'ABC', added: 11 })
  })
})

describe('a deleted row is told', () => {
  test('between two others, and the row that moved up from the next page is not new', () => {
    expect(merged('abc', { now: { 1: 'acd' } })).toEqual({ ...nothing, rows: 'AbC', gone: 'b' })
  })

  test('at the top and at the end of the list', () => {
    expect(merged('abc', { now: { 1: 'bcd' } }).gone).toBe('a')
    expect(merged('abc', { now: { 1: 'ab' }, last: 1, endsInView: true })).toMatchObject({ gone: 'c', added: 0 })
    expect(merged('abc', { now: { 1: '' }, last: 1, growth: -3 })).toMatchObject({ gone: 'abc', added: 0 })
  })

  test('in spite of new ones', () => {
    const now = { 1: 'xya', 2: 'cde' }
    expect(merged('abc', { now })).toEqual({ ...nothing, rows: 'AbC', gone: 'b', added: 2 })
  })

  test('but not if it may be on a page that was not read', () => {
    expect(merged('abc', { now: { 1: 'xab' } })).toEqual({ ...nothing, rows: 'ABc', unknown: 'c', added: 1 })
    expect(merged('def', { page: 2, now: { 2: 'efg' } })).toEqual({ ...nothing, rows: 'dEF', unknown: 'd' })
    expect(merged('abc', { now: { 1: 'xya', 3: 'cde' } })).toMatchObject({ unknown: 'b' })
  })

  test('of a narrowed list only after it was looked up, because it may no longer match', () => {
    const now = { 1: 'ad' }
    expect(merged('abcd', { isNarrowed: true, now })).toMatchObject({ gone: '', unknown: 'bc' })
    const lookedUp = new Map([
      ['b', { id: 'b', state: 'changed' }],
      ['c', undefined],
    ])
    expect(merged('abcd', { isNarrowed: true, now, lookedUp })).toEqual({ ...nothing, rows: 'ABcD', gone: 'c' })
  })

  test('until it is there again', () => {
    const lookedUp = new Map([['b', undefined]])
    expect(merged('abc', { now: { 1: 'abc' }, lookedUp })).toMatchObject({ rows: 'ABC', gone: '' })
  })
})

describe('new rows are counted', () => {
  test('between others, and at the end of a list that ended in view', () => {
    expect(merged('abc', { now: { 1: 'axb', 2: 'c' }, last: 2, endsInView: true }).added).toBe(1)
    expect(merged('ab', { now: { 1: 'abx' }, last: 1, endsInView: true }).added).toBe(1)
    expect(merged('ab', { now: { 1: 'xya', 2: 'b' }, last: 2, endsInView: true }).added).toBe(2)
  })

  test('when none of those in view is near', () => {
    expect(merged('abc', { growth: 500, now: { 1: 'xyz' } })).toMatchObject({ added: 500, unknown: 'abc' })
    // The list stopped counting.
    expect(merged('abc', { growth: 0, now: { 1: 'xyz' } }).added).toBe(3)
  })

  test('but not those that moved up because all in view were deleted', () => {
    const lookedUp = new Map([...'abc'].map((id) => [id, undefined]))
    expect(merged('abc', { growth: -3, now: { 1: 'def' }, lookedUp })).toMatchObject({ gone: 'abc', added: 0 })
    expect(merged('abc', { growth: -1, now: { 1: 'xyd' }, lookedUp })).toMatchObject({ gone: 'abc', added: 2 })
  })

  test('and not on later pages, to which rows move from the page before', () => {
    expect(merged('def', { page: 2, growth: 2, now: { 2: 'bcd', 3: 'efg' } })).toEqual({ ...nothing, rows: 'DEF' })
    expect(merged('def', { page: 2, growth: 9, now: { 2: 'xyz' } }).added).toBe(0)
  })
})

describe('in a sorted list, rows move when they change', () => {
  test('one that is missing is looked up, because it may be elsewhere', () => {
    expect(merged('abc', { isSorted: true, now: { 1: 'acd' } })).toMatchObject({ gone: '', unknown: 'b' })
    const lookedUp = new Map([['b', { id: 'b', state: 'changed' }]])
    expect(merged('abc', { isSorted: true, now: { 1: 'acd' }, lookedUp })).toMatchObject({ rows: 'ABC', gone: '' })
  })

  test('one that came from elsewhere is not new', () => {
    expect(merged('abc', { isSorted: true, now: { 1: 'xab', 2: 'cde' } }).added).toBe(0)
    expect(merged('abc', { isSorted: true, growth: 1, now: { 1: 'xya', 2: 'bcd' } }).added).toBe(1)
    expect(merged('abc', { isSorted: true, growth: 2, now: { 1: 'xyz' } }).added).toBe(2)
  })
})
