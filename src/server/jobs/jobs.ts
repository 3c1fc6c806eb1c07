import type { Generated } from 'kysely'
import type { Reader, Tx } from '#database/database.ts'
import { locking } from '#database/row-lock.ts'
import { byLane } from './job-claims.ts'
import type { Services } from '../services.ts'

/** Work after the reply: an outbox, written in the transaction that causes the work. */

export interface JobLanesTable {
  kind: string
  lane: string
  /** When the next job is due or, while leased, when the lease expires, in epoch seconds. */
  next_at: number
  lease: string
  last_run: number
  /** The owner whose turn it uses; empty for kinds without turns. */
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
  /** Jobs of one lane run one after the other: for example, one lane per webhook receiver, or per app for scans. */
  lane: string
  /** The owner whose turn the lane uses, for kinds with `shares`. */
  owner?: string
  payload: unknown
  /** Epoch seconds; a past time means immediately. */
  dueAt: number
}

export interface Job<P = unknown> {
  id: number
  lane: string
  owner: string
  payload: P
  /** Starts at 1; attempts whose lease expired count, too. */
  attempt: number
  /** Epoch seconds. */
  createdAt: number
  /**
   * Completes the job in the transaction of its effects, so that they happen exactly once. Throws `LeaseLost` if
   * another process has taken over the job. Otherwise the job completes after `run`: at least once.
   */
  finish(tx: Tx): Promise<void>
}

/** Epoch seconds of the next attempt or, for a recurring job, of the next run. */
export interface RunAgain {
  nextAt: number
  /** Reason of the failure; absent after success, which resets the attempt counter. */
  error?: string
  /** Retrying would fail the same way: the job is set aside immediately. */
  isLast?: boolean
  /** Nothing was attempted: this does not count as an attempt, and the whole lane waits until `nextAt`. */
  pausesLane?: boolean
}

/** How owners share the job slots of a kind, separately in each process. */
export interface OwnerShares {
  /** Concurrent lanes per owner. */
  maxPerOwner: number
  /** Concurrent lanes of all owners together whose last job failed or who have not run one yet. */
  maxUnproven: number
}

export interface JobHandler<P = unknown> {
  /** Concurrent lanes in this process. */
  concurrency: number
  /** Whether owners take turns; otherwise the longest-waiting lane is next. */
  shares?: OwnerShares
  /** Lease in seconds, after which another process may take over the job. */
  leaseSeconds: number
  /** A thrown error is retried with increasing delays up to this many attempts; then the job is set aside. */
  maxAttempts: number
  /** The longest pause between two attempts, if it can be longer than after a thrown error. */
  maxPauseSeconds?: number
  /** Recurring job that exists once, created at start: seconds between two runs. */
  everySeconds?: number
  run(services: Services, job: Job<P>): Promise<RunAgain | void>
}

export class LeaseLost extends Error {}

/** Adds jobs that start after the commit. Lanes are locked in a fixed order, so that transactions cannot deadlock. */
export async function enqueueJobs(tx: Tx, jobs: readonly NewJob[], now: number): Promise<void> {
  const ordered = jobs.toSorted(byLane)
  for (const { kind, lane, owner, payload, dueAt } of ordered) {
    await openLane(tx, { kind, lane, owner, dueAt })
    await insertJob(tx, { kind, lane, payload, dueAt }, now)
  }
  for (const kind of new Set(jobs.map((job) => job.kind))) tx.publish(`jobs:${kind}`)
}

/** Makes a lane run by `dueAt`; it may have no jobs yet, or have been removed after its last one. */
export async function openLane(
  tx: Tx,
  { kind, lane, owner = '', dueAt }: Pick<NewJob, 'kind' | 'lane' | 'dueAt'> & { owner?: string | undefined },
): Promise<void> {
  // PostgreSQL locks the row even if nothing changes: a process that completes a job of the lane waits and then sees
  // the job that is added.
  await tx.db
    .insertInto('job_lanes')
    .values({ kind, lane, owner, next_at: dueAt, lease: '', last_run: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'lane'])
        .doUpdateSet({ next_at: dueAt })
        .where('job_lanes.next_at', '>', dueAt)
        // A running lease is kept: its holder finds the job when it completes.
        .where('job_lanes.lease', '=', ''),
    )
    .execute()
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

/** Those of these lanes with a job that no process has begun: it will find whatever is stored until now. */
export async function lanesWithNewJob(db: Reader, kind: string, lanes: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('jobs')
    .select('lane')
    .where('kind', '=', kind)
    .where('lane', 'in', [...lanes])
    .where('failed_at', 'is', null)
    .where('attempts', '=', 0)
    .execute()
  return new Set(rows.map(({ lane }) => lane))
}

const maxDropped = 1000

/**
 * Deletes the waiting jobs of a lane whose receiver was deleted; false if there may be more, for another transaction.
 */
export async function dropLane(tx: Tx, kind: string, lane: string): Promise<boolean> {
  // Locked first, as when a job is added or completed: otherwise, a job added meanwhile would be left without its lane.
  const row = tx.db.selectFrom('job_lanes').select('lane').where('kind', '=', kind).where('lane', '=', lane)
  if (!(await locking(tx.db, row).executeTakeFirst())) return true
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

/** ±20 %, so that retries do not coincide. */
const spread = (random: number): number => 0.8 + 0.4 * random

export const longestPauseSeconds = maxPauseSeconds * spread(1)

/** Delay before the next attempt in seconds: doubles each time. `random` is 0 to 1. */
export function pauseAfter(attempt: number, random: number): number {
  const pause = Math.min(maxPauseSeconds, minPauseSeconds * 2 ** (attempt - 1))
  return Math.round(pause * spread(random))
}
