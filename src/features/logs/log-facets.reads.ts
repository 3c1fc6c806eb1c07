import { type Facet, facetOf } from '#contract/facet-field.ts'
import type { Reader } from '#database/database.ts'
import { filterLogs, type LogChoice } from './logs.reads.ts'

/** How many entries of the log each value of a filter has. */

export interface LogFacets {
  results: Facet
  calls: Facet
  codes: Facet
}

/**
 * Counts the newest `max` entries. The values of a filter are counted without that filter itself, so that it says what
 * its other values would add; filters that are off share one read.
 */
export async function countByValue(db: Reader, choice: LogChoice, max: number): Promise<LogFacets> {
  const read = new Map<string, Promise<Counted>>()
  const without = (filter: 'rejected' | 'call' | 'code'): Promise<Counted> => {
    const isOn = choice[filter] !== undefined && choice[filter] !== ''
    const key = isOn ? filter : ''
    const counted = read.get(key) ?? countNewest(db, isOn ? { ...choice, [filter]: undefined } : choice, max)
    read.set(key, counted)
    return counted
  }
  const [results, calls, codes] = [await without('rejected'), await without('call'), await without('code')]
  const resultOf = (code: string) => (code === '' ? 'allowed' : 'rejected')
  return {
    results: facetOf(
      results.groups.map(({ code, count }) => ({ value: resultOf(code), count })),
      results.isMore,
    ),
    calls: facetOf(
      calls.groups.map(({ call, count }) => ({ value: call, count })),
      calls.isMore,
    ),
    codes: facetOf(
      codes.groups.filter(({ code }) => code !== '').map(({ code, count }) => ({ value: code, count })),
      codes.isMore,
    ),
  }
}

interface Counted {
  groups: { call: string; code: string; count: number }[]
  isMore: boolean
}

async function countNewest(db: Reader, choice: LogChoice, max: number): Promise<Counted> {
  const newest = filterLogs(db, choice).orderBy('at', 'desc').orderBy('id', 'desc')
  const rows = await db
    .selectFrom(newest.select(['call', 'code']).limit(max).as('entry'))
    .select(({ fn }) => ['call', 'code', fn.countAll<number>().as('n')])
    .groupBy(['call', 'code'])
    .execute()
  const groups = rows.map(({ call, code, n }) => ({ call, code, count: Number(n) }))
  const counted = groups.reduce((sum, { count }) => sum + count, 0)
  if (counted < max) return { groups, isMore: false }
  const next = await newest.select('id').offset(max).limit(1).executeTakeFirst()
  return { groups, isMore: next !== undefined }
}
