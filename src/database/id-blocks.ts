import { type RawBuilder, sql } from 'kysely'
import type { Reader } from './database.ts'

/**
 * The rows of an app are counted by blocks of consecutive IDs, so that a page in the middle of a million rows is found
 * without passing the rows before it.
 */

const idsPerBlock = 131_072

/** Rows of counts in each block, so that parallel changes of an app don't wait for each other. */
const stripesPerBlock = 16

/** The stripe of an ID in a counts table: a column of its row, as SQL for triggers. */
export const stripeOf = (id: string): string =>
  `${id} / ${idsPerBlock} * ${stripesPerBlock} + ${id} % ${stripesPerBlock}`

/** Rows of an app that are counted by block: all, or those in one state. */
export interface BlockCounts {
  table: 'license_counts' | 'user_counts'
  appId: string
  state?: number | undefined
}

/** Rows that are passed one by one, because that costs no more than reading the counts. */
const passedWithoutCounts = 5_000

export interface IdBound {
  operator: '>' | '>=' | '<'
  id: number
}

/** Where to begin to read: only rows of these IDs, and how many of them to pass. */
export interface BlockStart {
  offset: number
  bound?: IdBound
}

/** The start of the block in which row number `offset` of the order by ID is, seen in the direction of the read. */
export async function startOfBlock(
  reports: Reader,
  counts: BlockCounts,
  { offset, isUpwards }: { offset: number; isUpwards: boolean },
): Promise<BlockStart> {
  if (offset < passedWithoutCounts) return { offset }
  const block: RawBuilder<number> = sql`stripe / ${sql.lit(stripesPerBlock)}`
  const rows = await reports
    .selectFrom(counts.table as 'license_counts')
    .select((select) => [block.as('block'), select.fn.sum<number>('count').as('n')])
    .where('app_id', '=', counts.appId)
    .$if(counts.state !== undefined, (query) => query.where('state', '=', counts.state as number))
    .groupBy(block)
    .orderBy(block, isUpwards ? 'asc' : 'desc')
    .execute()
  let left = offset
  for (const { block: at, n } of rows) {
    const count = Number(n)
    if (left < count) {
      const id = (isUpwards ? at : at + 1) * idsPerBlock
      return { offset: left, bound: { operator: isUpwards ? '>=' : '<', id } }
    }
    left -= count
  }
  return { offset }
}
