import { sql } from 'kysely'
import type { Database, Tx } from '#database/database.ts'
import { locking } from '#database/row-lock.ts'
import { type JobHandler, longestPauseSeconds } from './jobs.ts'

/** A clock that was ahead has stored times that are too late: of leases, of retries, and of recurring jobs (ADR 021). */

type Times = Pick<JobHandler, 'leaseSeconds' | 'everySeconds' | 'maxPauseSeconds'>

/** How long a job can wait, in seconds. */
const longestWait = ({ everySeconds, maxPauseSeconds }: Times): number =>
  everySeconds ?? maxPauseSeconds ?? longestPauseSeconds

/** Of a kind with more lanes, those that wait longest are corrected, as long as one waits too long. */
const lanesPerRead = 100

/** Brings the times of a kind of job that are later than possible back to the latest that is. `now` in epoch seconds. */
export async function correctTimes(db: Database, kind: string, times: Times, now: number): Promise<void> {
  for (let corrected = lanesPerRead; corrected === lanesPerRead;) {
    const lanes = await db.read
      .selectFrom('job_lanes')
      .select('lane')
      .where('kind', '=', kind)
      .where('next_at', '>', now + Math.min(times.leaseSeconds, longestWait(times)))
      .orderBy('next_at', 'desc')
      .limit(lanesPerRead)
      .execute()
    corrected = 0
    // One by one, so that no lane waits for the lock of another.
    for (const { lane } of lanes) if (await db.write((tx) => correctLane(tx, { kind, lane }, times, now))) corrected++
  }
}

/** Returns whether anything was too late. */
async function correctLane(
  { db }: Tx,
  { kind, lane }: { kind: string; lane: string },
  times: Times,
  now: number,
): Promise<boolean> {
  const query = db
    .selectFrom('job_lanes')
    .select(['lease', 'next_at'])
    .where('kind', '=', kind)
    .where('lane', '=', lane)
  const row = await locking(db, query).executeTakeFirst()
  if (!row) return false
  const waiting = db
    .updateTable('jobs')
    .where('kind', '=', kind)
    .where('lane', '=', lane)
    .where('failed_at', 'is', null)
  const moved = await waiting
    .set({ due_at: sql`due_at - created_at + ${now}`, created_at: now })
    .where('created_at', '>', now)
    .executeTakeFirst()
  const latest = now + longestWait(times)
  const capped = await waiting.set({ due_at: latest }).where('due_at', '>', latest).executeTakeFirst()
  const isLeased = row.lease !== ''
  const isLate = Number(row.next_at) > (isLeased ? now + times.leaseSeconds : latest)
  if (!isLate && Number(moved.numUpdatedRows + capped.numUpdatedRows) === 0) return false
  // The next claim of the lane finds out when its next job is due.
  const nextAt = isLeased ? Math.min(Number(row.next_at), now + times.leaseSeconds) : now
  await db.updateTable('job_lanes').set({ next_at: nextAt }).where('kind', '=', kind).where('lane', '=', lane).execute()
  return true
}
