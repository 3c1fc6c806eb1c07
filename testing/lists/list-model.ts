import fc from 'fast-check'
import { expect } from 'vitest'
import type { OwnedApp } from '../people/people.ts'
import type { TestApp } from '../start-test-app.ts'
import type { Found } from './random-texts.ts'

/** A list call next to a plain filter, sort, and page over the rows that were created. */

export type Value = string | number

export interface Order<R> {
  by: (row: R) => Value[]
  descending: boolean
}

interface ShownPage {
  ids: string[]
  total: number
  totalPages: number
}

export interface ListModel<R, F extends object> {
  rows: readonly R[]
  idOf: (row: R) => string
  /** Any filter, without the search. */
  filters: fc.Arbitrary<F>
  searches: fc.Arbitrary<string>
  matches: (row: R, filter: F) => boolean
  found: (row: R, search: string) => Found
  sorts: Record<string, (row: R) => Value[]>
  defaultOrder: (filter: F) => Order<R>
  /** How rows with equal values are sorted. */
  tie: (order: { sort: string | undefined; descending: boolean }) => Order<R>
  read: (query: object) => Promise<ShownPage>
  /** The IDs of the rows in a file with this filter. */
  exported?: (filter: object) => Promise<string[]>
  /** How many rows an action on this filter would take. */
  counted?: (filter: object) => Promise<number>
}

/** Where lists are filled; `sample` returns many rows, the same for the same seed. */
export interface Scene {
  app: TestApp
  owner: OwnedApp
  now: number
  sample: <T>(rows: fc.Arbitrary<T>) => T[]
}

export const day = 86_400
export const week = 7 * day

/** Seconds at which something ends, or begins to, and those beside them. */
export const edgesAround = (now: number): number[] =>
  [-day, 0, week].flatMap((distance) => [-1, 0, 1].map((second) => now + distance + second))

export const someTime = (now: number) => fc.constantFrom(0, ...edgesAround(now), now - 3 * week, 253_402_300_799)

/** Mostly left out. */
export const perhaps = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })

/** Some of the values, separated by commas. */
export const someOf = (values: readonly string[]) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 }).map((each) => each.join(','))

export const isOneOf = (list: string | undefined, value: string): boolean =>
  list === undefined || list.split(',').includes(value)

export const isBetween = (at: number | null, from: number | undefined, until: number | undefined): boolean =>
  (from === undefined && until === undefined) || (at !== null && at >= (from ?? 0) && at <= (until ?? Infinity))

function compare(one: readonly Value[], other: readonly Value[]): number {
  const at = one.findIndex((value, index) => value !== other[index])
  const [first, second] = [one[at] ?? 0, other[at] ?? 0]
  if (typeof first === 'string') return Buffer.compare(Buffer.from(first), Buffer.from(String(second)))
  return first - Number(second) || 0
}

const given = (query: object) => Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))

export interface ListQuery<F> {
  filter: F
  search: string | undefined
  sort: string | undefined
  limit: number
  page: number
}

export function queriesOf<R, F extends object>({ filters, searches, sorts }: ListModel<R, F>) {
  const both = Object.keys(sorts).flatMap((sort) => [sort, `-${sort}`])
  return fc.record<ListQuery<F>>({
    filter: filters,
    search: fc.option(searches, { nil: undefined, freq: 1 }),
    sort: fc.option(fc.constantFrom(...both), { nil: undefined }),
    limit: fc.constantFrom(1, 2, 3, 7, 10, 100),
    page: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.constantFrom(50, 9_999_999)),
  })
}

export async function expectAsModel<R, F extends object>(list: ListModel<R, F>, asked: ListQuery<F>): Promise<void> {
  const { filter, search, sort, limit, page } = asked
  const query = given({ ...filter, search, sort })
  const whole = await list.read({ ...query, limit: 100 })
  const shown = [...whole.ids]
  for (let next = 2; next <= whole.totalPages; next++)
    shown.push(...(await list.read({ ...query, limit: 100, page: next })).ids)
  const isListed = (row: R) => {
    const found = search === undefined ? 'yes' : list.found(row, search)
    return list.matches(row, filter) && (found === 'yes' || (found === 'maybe' && shown.includes(list.idOf(row))))
  }
  const ids = inOrder(list, list.rows.filter(isListed), { filter, sort }).map(list.idOf)
  expect({ ids: shown, total: whole.total }).toEqual({ ids, total: ids.length })
  const totalPages = Math.max(1, Math.ceil(ids.length / limit))
  const expected = { ids: ids.slice((page - 1) * limit, page * limit), total: ids.length, totalPages }
  expect(await list.read({ ...query, limit, page })).toEqual(expected)
  const narrowed = given({ ...filter, search })
  if (list.exported) expect((await list.exported(narrowed)).toSorted()).toEqual(ids.toSorted())
  if (list.counted) expect(await list.counted(narrowed)).toBe(ids.length)
}

function inOrder<R, F extends object>(
  list: ListModel<R, F>,
  rows: readonly R[],
  { filter, sort }: { filter: F; sort: string | undefined },
): R[] {
  const { sorts, defaultOrder, tie } = list
  const chosen = sort === undefined ? undefined : sorts[sort.replace(/^-/, '')]
  const order = chosen ? { by: chosen, descending: sort?.startsWith('-') === true } : defaultOrder(filter)
  const tieOrder = tie({ sort, descending: order.descending })
  const byOrder = ({ by, descending }: Order<R>, one: R, other: R) =>
    compare(by(one), by(other)) * (descending ? -1 : 1)
  return rows.toSorted((one, other) => byOrder(order, one, other) || byOrder(tieOrder, one, other))
}
