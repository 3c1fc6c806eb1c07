import { sql } from 'kysely'
import type { Reader } from '#database/database.ts'

/** Amount of waiting work, for the metrics and the status page. */

const maxCounted = 10_000

export interface WaitingJobs {
  kind: string
  /** Counted up to 10,000. */
  waiting: number
  /** Jobs that failed their last attempt, counted up to 10,000. */
  failed: number
}

/** By kind; reads many rows. */
export async function countJobs(reports: Reader): Promise<WaitingJobs[]> {
  const { rows } = await sql<WaitingJobs>`
    select kind, sum(waiting) as waiting, sum(failed) as failed from (
      select kind, 1 as waiting, 0 as failed from (select kind from jobs where failed_at is null limit ${maxCounted}) as a
      union all
      select kind, 0, 1 from (select kind from jobs where failed_at is not null limit ${maxCounted}) as b
    ) as counted group by kind`.execute(reports)
  return rows.map(({ kind, waiting, failed }) => ({ kind, waiting: Number(waiting), failed: Number(failed) }))
}

/** Failed attempts of a job of the lane that will be retried; 0 if there is none. */
export async function failedAttempts(db: Reader, kind: string, lane: string): Promise<number> {
  const rows = await db
    .selectFrom('jobs')
    .select('attempts')
    .where('kind', '=', kind)
    .where('lane', '=', lane)
    .where('failed_at', 'is', null)
    .orderBy('due_at')
    .orderBy('id')
    .limit(10)
    .execute()
  return Math.max(0, ...rows.map(({ attempts }) => attempts))
}

export interface OverdueLanes {
  kind: string
  /** Counted up to 1,000. */
  lanes: number
  /** Seconds for which the oldest of them has been due. */
  oldestSeconds: number
}

/** Lanes with a due job that no process runs, by kind. `now` in epoch seconds. */
export const overdueLanes = (db: Reader, kinds: readonly string[], now: number): Promise<OverdueLanes[]> =>
  Promise.all(
    kinds.map(async (kind) => {
      const due = db
        .selectFrom('job_lanes')
        .select('next_at')
        .where('kind', '=', kind)
        .where('next_at', '<=', now)
        .orderBy('next_at')
        .limit(1000)
      const rows = await due.execute()
      return { kind, lanes: rows.length, oldestSeconds: rows[0] ? now - Number(rows[0].next_at) : 0 }
    }),
  )
