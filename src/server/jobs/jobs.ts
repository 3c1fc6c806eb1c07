import type { Generated } from 'kysely'
import type { Tx } from '#database/database.ts'
import { byLane } from './job-claims.ts'
import type { Services } from '../services.ts'

/** Work that goes on after the reply: an outbox, filled in the transaction that causes it (R-WHK-07). */

export interface JobLanesTable {
  kind: string
  lane: string
  /** When its next job is due or, with a lease, when that runs out. Epoch seconds. */
  next_at: number
  lease: string
  last_run: number
  /** Whose turn it takes; empty where owners take none. */
  owner: Generated<string>
}

export interface JobsTable {
  id: Generated<number>
  kind: string
  lane: string
  due_at: number
  attempts: number
  payload: string
  error: string | null
  failed_at: number | null
  created_at: number
}

declare module '#database/schema.ts' {
  interface Schema {
    job_lanes: JobLanesTable
    jobs: JobsTable
  }
}

export interface NewJob {
  kind: string
  /** Jobs of one lane run one after the other: the receiver of a webhook, the app of a scan. */
  lane: string
  /** Whose turn the lane takes, for kinds with `shares`. */
  owner?: string
  payload: unknown
  /** Epoch seconds; at once when in the past. */
  dueAt: number
}

export interface Job<P = unknown> {
  id: number
  lane: string
  owner: string
  payload: P
  /** Counts from 1; a lease that ran out counts too. */
  attempt: number
  /** Epoch seconds. */
  createdAt: number
  /**
   * Ends the job in the transaction of its effects, so that they happen once. Throws `LeaseLost` when
   * another process has taken the job over. Without it the job ends after `run`: at least once.
   */
  finish(tx: Tx): Promise<void>
}

/** Epoch seconds of the next attempt or, for a job that repeats, of the next run. */
export interface RunAgain {
  nextAt: number
  /** Why it failed; a run that went well says nothing, and its attempts count from the start again. */
  error?: string
  /** Another attempt would fail the same way: the job is set aside at once. */
  isLast?: boolean
  /** Nothing was tried: this is no attempt, and the whole lane waits until `nextAt`. */
  pausesLane?: boolean
}

/** How owners share what this process runs of a kind; each process has its own shares. */
export interface OwnerShares {
  /** Lanes of one owner at once. */
  maxPerOwner: number
  /** Lanes at once of all owners together whose last job failed, or who have run none yet. */
  maxUnproven: number
}

export interface JobHandler<P = unknown> {
  /** How many lanes run at once in this process. */
  concurrency: number
  /** Owners take turns; without it the lane that waits longest is next. */
  shares?: OwnerShares
  /** After this long, in seconds, another process may take the job over. */
  leaseSeconds: number
  /** A throw is tried again with growing pauses until this many attempts; then the job is set aside. */
  maxAttempts: number
  /** Exists once, from the start of the server on: seconds between two runs. */
  everySeconds?: number
  run(services: Services, job: Job<P>): Promise<RunAgain | void>
}

export class LeaseLost extends Error {}

/** Adds jobs that start after the commit. Lanes are locked in order, so that two transactions never wait for each other. */
export async function enqueueJobs(tx: Tx, jobs: readonly NewJob[], now: number): Promise<void> {
  const ordered = jobs.toSorted(byLane)
  for (const { kind, lane, owner = '', payload, dueAt } of ordered) {
    // PostgreSQL locks the row even where it changes nothing: whoever ends a job of the lane waits, and sees this one.
    await tx.db
      .insertInto('job_lanes')
      .values({ kind, lane, owner, next_at: dueAt, lease: '', last_run: 0 })
      .onConflict((conflict) =>
        conflict
          .columns(['kind', 'lane'])
          .doUpdateSet({ next_at: dueAt })
          .where('job_lanes.next_at', '>', dueAt)
          // A lease that runs stands: whoever ends it finds this job.
          .where('job_lanes.lease', '=', ''),
      )
      .execute()
    await insertJob(tx, { kind, lane, payload, dueAt }, now)
  }
  for (const kind of new Set(jobs.map((job) => job.kind))) tx.publish(`jobs:${kind}`)
}

export const insertJob = (tx: Tx, { kind, lane, payload, dueAt }: NewJob, now: number) =>
  tx.db
    .insertInto('jobs')
    .values({
      kind,
      lane,
      due_at: dueAt,
      attempts: 0,
      payload: JSON.stringify(payload),
      error: null,
      failed_at: null,
      created_at: now,
    })
    .execute()

const maxDropped = 1000

/** Drops what waits in a lane, whose receiver is gone; false when there may be more, for another transaction. */
export async function dropLane(tx: Tx, kind: string, lane: string): Promise<boolean> {
  const waiting = tx.db
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', kind)
    .where('lane', '=', lane)
    .where('failed_at', 'is', null)
    .limit(maxDropped)
  const { numDeletedRows } = await tx.db.deleteFrom('jobs').where('id', 'in', waiting).executeTakeFirstOrThrow()
  if (Number(numDeletedRows) === maxDropped) return false
  await tx.db.deleteFrom('job_lanes').where('kind', '=', kind).where('lane', '=', lane).execute()
  return true
}

const minPauseSeconds = 5
const maxPauseSeconds = 3600

/** The pause before the next attempt, in seconds: doubles each time, ±20 % so that many don't come back together. */
export function pauseAfter(attempt: number, random: number): number {
  const pause = Math.min(maxPauseSeconds, minPauseSeconds * 2 ** (attempt - 1))
  return Math.round(pause * (0.8 + 0.4 * random))
}
