import { sql } from 'kysely'
import type { Database, Reader, Tx } from '#database/database.ts'
import { locking } from '#database/row-lock.ts'
import { type JobHandler, longestPauseSeconds } from './jobs.ts'

/** A clock that was ahead has stored times that are too late: of leases, of retries, and of recurring jobs (ADR 021). */

type Times = Pick<JobHandler, 'leaseSeconds' | 'everySeconds' | 'maxPauseSeconds'>

/** How long a job can wait, in seconds. */
const longestWait = ({ everySeconds, maxPauseSeconds }: Times): number =>
  everySeconds ?? maxPauseSeconds ?? longestPauseSeconds

/** Few enough for other calls to run between two reads. */
const lanesPerRead = 100

/** Brings the times of a kind of job that are later than possible back to the latest that is. `now` in epoch seconds. */
export async function correctTimes(db: Database, kind: string, times: Times, now: number): Promise<void> {
  // What is due earlier soon runs by itself.
  const earliest = now + Math.min(times.leaseSeconds, longestWait(times))
  for (let after: string | undefined; ;) {
    const lanes = await listLanesAfter(db.read, kind, after)
    const waiting = lanes.filter(({ next_at }) => Number(next_at) > earliest)
    const ofFuture = await listLanesWithLaterJobs(db.read, {
      kind,
      lanes: waiting.map(({ lane }) => lane),
      earliest,
      now,
    })
    for (const { lane, lease, next_at } of waiting) {
      // One by one, so that no lane waits for the lock of another.
      if (ofFuture.has(lane) || Number(next_at) > latestOf(lease, times, now))
        await db.write((tx) => correctLane(tx, { kind, lane }, times, now))
    }
    if (lanes.length < lanesPerRead) return
    after = lanes.at(-1)?.lane
  }
}

/** When a lane is due at the latest: its lease has expired, or its job has waited as long as it can. */
const latestOf = (lease: string, times: Times, now: number): number =>
  now + (lease === '' ? longestWait(times) : times.leaseSeconds)

/** The next lanes of a kind by name. */
function listLanesAfter(db: Reader, kind: string, after: string | undefined) {
  const lanes = db.selectFrom('job_lanes').select(['lane', 'lease', 'next_at']).where('kind', '=', kind)
  // The lane of a recurring job has an empty name.
  const next = after === undefined ? lanes : lanes.where('lane', '>', after)
  return next.orderBy('lane').limit(lanesPerRead).execute()
}

/** Those of these lanes with a waiting job that was added later than now. */
async function listLanesWithLaterJobs(
  db: Reader,
  { kind, lanes, earliest, now }: { kind: string; lanes: readonly string[]; earliest: number; now: number },
): Promise<Set<string>> {
  if (lanes.length === 0) return new Set()
  const rows = await db
    .selectFrom('jobs')
    .select('lane')
    .distinct()
    .where('kind', '=', kind)
    .where('lane', 'in', [...lanes])
    .where('failed_at', 'is', null)
    .where('due_at', '>', earliest)
    .where('created_at', '>', now)
    .execute()
  return new Set(rows.map(({ lane }) => lane))
}

async function correctLane(
  { db }: Tx,
  { kind, lane }: { kind: string; lane: string },
  times: Times,
  now: number,
): Promise<void> {
  const query = db
    .selectFrom('job_lanes')
    .select(['lease', 'next_at'])
    .where('kind', '=', kind)
    .where('lane', '=', lane)
  const row = await locking(db, query).executeTakeFirst()
  if (!row) return
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
  const isLate = Number(row.next_at) > latestOf(row.lease, times, now)
  if (!isLate && Number(moved.numUpdatedRows + capped.numUpdatedRows) === 0) return
  // The next claim of the lane finds out when its next job is due.
  const nextAt = isLeased ? Math.min(Number(row.next_at), now + times.leaseSeconds) : now
  await db.updateTable('job_lanes').set({ next_at: nextAt }).where('kind', '=', kind).where('lane', '=', lane).execute()
}
