import { expect, test } from 'vitest'
import { HeldPages } from './held-pages.ts'
import type { ListRequest } from './list-request.ts'
import { cutPage } from './shown-page.ts'

interface Row {
  id: string
  users: number
}

/** Sorted by the number of users, most first. */
const page = (all: readonly Row[], request: ListRequest) =>
  cutPage(
    all.filter(({ id }) => id.includes(request.search)).toSorted((one, other) => other.users - one.users),
    request,
  )
const request = { search: '', page: 1, limit: 3, filters: {} } as unknown as ListRequest
const row = (id: string, users: number): Row => ({ id, users })
const newList = () => new HeldPages<Row>({ rowId: ({ id }) => id, page, query: () => ({ queryKey: ['rows'] }) })
const ids = (rows: readonly Row[]) => rows.map(({ id }) => id)

const before = [row('a', 9), row('b', 8), row('c', 7), row('d', 6)]
const hold = (list: HeldPages<Row>, data: readonly Row[], from: readonly Row[] = before, of = request) =>
  list.hold({ before: from, data, shown: list.page(from, of).rows, request: of })

test('rows that change stay at their places, deleted ones too, and new ones are counted', () => {
  const list = newList()
  const held = hold(list, [row('new', 20), row('a', 1), row('c', 30), row('d', 6)])
  expect(ids(held.rows)).toEqual(['a', 'b', 'c'])
  expect(held.rows[0]).toEqual(row('a', 1))
  expect([[...held.gone], held.added]).toEqual([['b'], 1])
  expect(list.page(held.data, request)).toMatchObject({ rows: held.rows, total: 4 })
  // All rows are as they are now.
  expect(ids(held.data)).toEqual(['new', 'a', 'c', 'd'])
})

test('further changes count from what was loaded, and a row that moves up from another page is not new', () => {
  const list = newList()
  const first = hold(list, [...before, row('new', 20)])
  const second = hold(list, [...before, row('new', 20), row('newer', 21)], first.data)
  expect([ids(second.rows), second.added]).toEqual([['a', 'b', 'c'], 2])
  const moved = hold(list, [row('a', 9), row('b', 8), row('c', 7), row('d', 60)])
  expect(moved.added).toBe(0)
})

test('another search, and what is loaded again, are arranged as they are now', () => {
  const list = newList()
  const { data } = hold(list, [...before, row('new', 20)])
  expect(ids(list.page(data, { ...request, search: 'n' }).rows)).toEqual(['new'])
  const loaded = list.share(data, structuredClone(data)) as Row[]
  expect(loaded).not.toBe(data)
  expect(loaded[0]).toBe(data[0])
  expect(ids(list.page(loaded, request).rows)).toEqual(['new', 'a', 'b'])
  const narrowed = { ...request, search: 'new' }
  expect(hold(list, [...data, row('new2', 1)], data, narrowed).added).toBe(1)
})

test('a held page is kept when it is stored, with unchanged rows as the same objects', () => {
  const list = newList()
  const held = hold(list, structuredClone([...before, row('new', 20)]))
  const stored = list.share(before, held.data) as Row[]
  const { rows } = list.page(stored, request)
  expect(ids(rows)).toEqual(['a', 'b', 'c'])
  expect(rows[0]).toBe(before[0])
})
