import { countAll } from '#database/count-all.ts'
import { sql } from 'kysely'
import type { SortBy } from '#contract/sort-field.ts'
import type { Database, Reader, Tx } from '#database/database.ts'
import { locking } from '#database/row-lock.ts'
import { containsText } from '#database/search-source.ts'
import { sortOrder, textOrder } from '#database/sort-order.ts'
import { byLane } from './job-claims.ts'
import { openLane } from './jobs.ts'

/** Jobs that failed their last attempt: they stay until an administrator retries or discards them. */

export interface FailedJob {
  id: number
  kind: string
  attempts: number
  /** Reason of the last failure. */
  error: string
  failedAt: number
  createdAt: number
}

export interface FailedJobFilter {
  kind?: string | undefined
  /** Part of the error, or the ID. */
  search?: string | undefined
}

function failedJobs(db: Reader, { kind, search = '' }: FailedJobFilter) {
  let query = db.selectFrom('jobs').where('failed_at', 'is not', null)
  if (kind !== undefined) query = query.where('kind', '=', kind)
  const text = search.trim()
  if (text === '') return query
  return query.where(sql<boolean>`(cast(id as text) = ${text} or ${containsText(sql`coalesce(error, '')`, text)})`)
}

/** Counted up to `max`. Reads many rows. */
export const countFailedJobs = (reports: Reader, filter: FailedJobFilter, max: number): Promise<number> =>
  countAll(reports.selectFrom(failedJobs(reports, filter).select('id').limit(max).as('failed')))

/** The kinds of failed jobs. Reads many rows. */
export async function listFailedKinds(reports: Reader): Promise<string[]> {
  const rows = await failedJobs(reports, {}).select('kind').distinct().orderBy('kind').execute()
  return rows.map(({ kind }) => kind)
}

const sortColumns = (db: Reader) => ({
  error: textOrder(db, sql`coalesce(error, '')`),
  attempts: 'attempts',
  failed: 'failed_at',
  created: 'created_at',
})

interface FailedJobPage {
  offset: number
  limit: number
  /** The latest failure first by default. */
  sort?: SortBy<keyof ReturnType<typeof sortColumns>> | undefined
}

/** Reads many rows. */
export async function listFailedJobs(
  reports: Reader,
  { offset, limit, sort = '-failed', ...filter }: FailedJobFilter & FailedJobPage,
): Promise<FailedJob[]> {
  const rows = await failedJobs(reports, filter)
    .select(['id', 'kind', 'attempts', 'error', 'failed_at', 'created_at'])
    .orderBy(...sortOrder(sortColumns(reports), sort))
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
  return rows.map(({ id, kind, attempts, error, failed_at, created_at }) => ({
    id: Number(id),
    kind,
    attempts,
    error: error ?? '',
    failedAt: Number(failed_at),
    createdAt: Number(created_at),
  }))
}

export interface LockedJob {
  id: number
  kind: string
  lane: string
  attempts: number
  error: string | null
  payload: string
}

/** Locks the failed jobs with these IDs; those that are no longer failed are left out. */
export async function lockFailedJobs(tx: Tx, ids: readonly number[]): Promise<LockedJob[]> {
  const query = tx.db
    .selectFrom('jobs')
    .select(['id', 'kind', 'lane', 'attempts', 'error', 'payload'])
    .where('id', 'in', [...ids])
    .where('failed_at', 'is not', null)
    .orderBy('id')
  const rows = await locking(tx.db, query).execute()
  return rows.map((row) => ({ ...row, id: Number(row.id) }))
}

export async function deleteFailedJobs(tx: Tx, jobs: readonly LockedJob[]): Promise<void> {
  const ids = jobs.map(({ id }) => id)
  await tx.db.deleteFrom('jobs').where('id', 'in', ids).execute()
}

const rowsPerTransaction = 500

/** Deletes the failed jobs of a kind that were created before a time (epoch seconds). */
export async function deleteFailedJobsBefore(
  { reports, write }: Pick<Database, 'reports' | 'write'>,
  kind: string,
  before: number,
): Promise<void> {
  for (;;) {
    const old = failedJobs(reports, { kind }).select('id').where('created_at', '<', before)
    const ids = (await old.limit(rowsPerTransaction).execute()).map(({ id }) => Number(id))
    if (ids.length === 0) return
    await write(async (tx) => {
      // One that is retried meanwhile stays.
      const jobs = await lockFailedJobs(tx, ids)
      if (jobs.length > 0) await deleteFailedJobs(tx, jobs)
    })
  }
}

export interface RetriedJob extends LockedJob {
  /** The owner whose turn the lane uses, for kinds with `shares`. */
  owner?: string | undefined
}

/** Runs the jobs again, with as many attempts as new ones have. */
export async function requeueFailedJobs(tx: Tx, jobs: readonly RetriedJob[], now: number): Promise<void> {
  for (const { kind, lane, owner } of jobs.toSorted(byLane)) await openLane(tx, { kind, lane, owner, dueAt: now })
  const ids = jobs.map(({ id }) => id)
  const again = { failed_at: null, error: null, attempts: 0, due_at: now }
  await tx.db.updateTable('jobs').set(again).where('id', 'in', ids).execute()
  for (const kind of new Set(jobs.map((job) => job.kind))) tx.publish(`jobs:${kind}`)
}
