import { randomInt, randomUUID } from 'node:crypto'
import type { Generated, Transaction } from 'kysely'
import type { Tx } from '#database/database.ts'
import { locking } from '#database/row-lock.ts'
import type { Schema } from '#database/schema.ts'
import type { Services } from './services.ts'

/** Work that goes on after the reply: an outbox, filled in the transaction that causes it (DESIGN §2, R-WHK-07). */

export interface JobLanesTable {
  kind: string
  lane: string
  /** When its next job is due or, with a lease, when that runs out. Epoch seconds. */
  next_at: number
  lease: string
  last_run: number
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
  payload: unknown
  /** Epoch seconds; at once when in the past. */
  dueAt: number
}

export interface Job<P = unknown> {
  id: number
  lane: string
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
}

export interface JobHandler<P = unknown> {
  /** How many lanes run at once in this process. */
  concurrency: number
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
  const ordered = jobs.toSorted((a, b) => compare(a.kind, b.kind) || compare(a.lane, b.lane))
  for (const { kind, lane, payload, dueAt } of ordered) {
    // PostgreSQL locks the row even where it changes nothing: whoever ends a job of the lane waits, and sees this one.
    await tx.db
      .insertInto('job_lanes')
      .values({ kind, lane, next_at: dueAt, lease: '', last_run: 0 })
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

const insertJob = (tx: Tx, { kind, lane, payload, dueAt }: NewJob, now: number) =>
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

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

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

/** Orders lanes that are due in the same second; no time that anything else depends on. */
const microseconds = (): number => Math.round((performance.timeOrigin + performance.now()) * 1000)

const pollMs = 5000
const minPauseSeconds = 5
const maxPauseSeconds = 3600
const maxErrorLength = 500

/** The pause before the next attempt, in seconds: doubles each time, ±20 % so that many don't come back together. */
export function pauseAfter(attempt: number, random: number): number {
  const pause = Math.min(maxPauseSeconds, minPauseSeconds * 2 ** (attempt - 1))
  return Math.round(pause * (0.8 + 0.4 * random))
}

interface Claim {
  kind: string
  lane: string
  lease: string
  id: number
  attempt: number
  payload: string
  createdAt: number
}

/** Runs what is due, in this process; several processes share the work by leases. */
export class JobRunner {
  readonly #services: Services
  readonly #handlers: ReadonlyMap<string, JobHandler>
  readonly #running = new Map<string, Set<Promise<void>>>()
  readonly #wakes = new Map<string, Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  constructor(services: Services, handlers: Readonly<Record<string, JobHandler>>) {
    this.#services = services
    this.#handlers = new Map(Object.entries(handlers))
    services.db.events.on('jobs', (kind) => {
      for (const each of kind === '*' ? this.#handlers.keys() : [kind]) this.#wake(each)
    })
  }

  async start(): Promise<void> {
    const now = this.#now()
    await this.#services.db.write(async (tx) => {
      for (const [kind, { everySeconds }] of this.#handlers) {
        if (everySeconds === undefined) continue
        const job: NewJob = { kind, lane: '', payload: null, dueAt: now + everySeconds }
        // Of processes that start together one finds no lane.
        const added = await tx.db
          .insertInto('job_lanes')
          .values({ kind, lane: job.lane, next_at: job.dueAt, lease: '', last_run: 0 })
          .onConflict((conflict) => conflict.columns(['kind', 'lane']).doNothing())
          .executeTakeFirst()
        if (Number(added.numInsertedOrUpdatedRows ?? 0) > 0) await insertJob(tx, job, now)
      }
    })
    this.#timer = setInterval(() => this.#wakeAll(), pollMs).unref()
    this.#wakeAll()
  }

  /** Resolves when nothing that is due now waits or runs any more; for tests, whose clock stands still. */
  async idle(): Promise<void> {
    this.#wakeAll()
    for (;;) {
      const busy = [...this.#wakes.values(), ...[...this.#running.values()].flatMap((set) => [...set])]
      if (busy.length === 0) return
      await Promise.allSettled(busy)
    }
  }

  /** Takes nothing new and waits for what runs. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.idle()
  }

  #now(): number {
    return Math.floor(this.#services.clock() / 1000)
  }

  #wakeAll(): void {
    for (const kind of this.#handlers.keys()) this.#wake(kind)
  }

  /** One search for work per kind at a time; a wake that comes meanwhile searches once more afterwards. */
  #wake(kind: string): void {
    const handler = this.#handlers.get(kind)
    if (!handler || this.#stopped) return
    const search: Promise<void> = (this.#wakes.get(kind) ?? Promise.resolve())
      .then(() => this.#takeWhatIsDue(kind, handler))
      .catch((error: unknown) => this.#services.log.error({ err: error, kind }, 'could not look for jobs'))
      .finally(() => {
        if (this.#wakes.get(kind) === search) this.#wakes.delete(kind)
      })
    this.#wakes.set(kind, search)
  }

  async #takeWhatIsDue(kind: string, handler: JobHandler): Promise<void> {
    const running = this.#running.get(kind) ?? new Set()
    this.#running.set(kind, running)
    while (!this.#stopped && running.size < handler.concurrency) {
      // Without a lane that is due there is nothing to write.
      if (!(await this.#dueLane(this.#services.db.read, kind))) return
      const claim = await this.#services.db.write((tx) => this.#claim(tx, kind, handler))
      if (claim === 'none') return
      if (claim === 'nothing') continue
      const run = this.#run(handler, claim).finally(() => {
        running.delete(run)
        this.#wake(kind)
      })
      running.add(run)
    }
  }

  #dueLane(db: Transaction<Schema> | Services['db']['read'], kind: string) {
    const now = this.#now()
    return db
      .selectFrom('job_lanes')
      .select(['lane'])
      .where('kind', '=', kind)
      .where('next_at', '<=', now)
      .orderBy('next_at')
      .orderBy('last_run')
      .limit(1)
      .executeTakeFirst()
  }

  /** Takes the lane that waits longest: `none` when there is none, `nothing` when another process was quicker. */
  async #claim(
    tx: Tx,
    kind: string,
    { leaseSeconds, maxAttempts, everySeconds }: JobHandler,
  ): Promise<Claim | 'none' | 'nothing'> {
    const now = this.#now()
    const due = await this.#dueLane(tx.db, kind)
    if (!due) return 'none'
    const lease = randomUUID()
    const taken = await tx.db
      .updateTable('job_lanes')
      .set({ lease, next_at: now + leaseSeconds })
      .where('kind', '=', kind)
      .where('lane', '=', due.lane)
      .where('next_at', '<=', now)
      .executeTakeFirst()
    if (Number(taken.numUpdatedRows) === 0) return 'nothing'
    const job = await tx.db
      .selectFrom('jobs')
      .select(['id', 'attempts', 'payload', 'created_at', 'due_at'])
      .where('kind', '=', kind)
      .where('lane', '=', due.lane)
      .where('failed_at', 'is', null)
      .orderBy('due_at')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (!job || Number(job.due_at) > now) {
      await this.#freeLane(tx, kind, due.lane)
      return 'nothing'
    }
    const attempt = job.attempts + 1
    if (attempt > maxAttempts && everySeconds === undefined) {
      // Its last attempt never came to an end: perhaps it is what ended the process.
      await tx.db
        .updateTable('jobs')
        .set({ failed_at: now, error: 'no attempt came to an end' })
        .where('id', '=', job.id)
        .execute()
      await this.#freeLane(tx, kind, due.lane)
      return 'nothing'
    }
    await tx.db.updateTable('jobs').set({ attempts: attempt }).where('id', '=', job.id).execute()
    return {
      kind,
      lane: due.lane,
      lease,
      id: Number(job.id),
      attempt,
      payload: job.payload,
      createdAt: Number(job.created_at),
    }
  }

  async #run(handler: JobHandler, claim: Claim): Promise<void> {
    const { db, log } = this.#services
    const { kind, id, attempt } = claim
    let finished = false
    const finish = async (tx: Tx) => {
      await this.#leaseOf(tx, claim)
      await this.#end(tx, handler, claim, undefined)
      tx.afterCommit(() => (finished = true))
    }
    const job: Job = {
      id,
      lane: claim.lane,
      payload: JSON.parse(claim.payload) as unknown,
      attempt,
      createdAt: claim.createdAt,
      finish,
    }
    try {
      const again = await handler.run(this.#services, job).catch((error: unknown): RunAgain => {
        log.error({ err: error, kind, job: id, attempt }, 'a job failed')
        return { nextAt: this.#now() + pauseAfter(attempt, randomInt(1000) / 1000), error: String(error) }
      })
      this.#services.figures.jobRuns.add({ kind, outcome: again?.error === undefined ? 'done' : 'failed' })
      if (finished) return
      await db.write(async (tx) => {
        await this.#leaseOf(tx, claim)
        await this.#end(tx, handler, claim, again ?? undefined)
      })
    } catch (error) {
      // The lease runs out, and the job is done again.
      log.error({ err: error, kind, job: id }, 'could not end a job')
    }
  }

  async #leaseOf(tx: Tx, { kind, lane, lease }: Claim): Promise<void> {
    const query = tx.db.selectFrom('job_lanes').select('lease').where('kind', '=', kind).where('lane', '=', lane)
    const row = await locking(tx.db, query).executeTakeFirst()
    if (row?.lease !== lease) throw new LeaseLost(`${kind} ${lane} was taken over`)
  }

  async #end(tx: Tx, handler: JobHandler, { kind, lane, id, attempt }: Claim, again: RunAgain | undefined) {
    const now = this.#now()
    const repeats = handler.everySeconds !== undefined
    const error = again?.error?.slice(0, maxErrorLength) ?? null
    const next = again?.nextAt ?? (repeats ? now + (handler.everySeconds as number) : undefined)
    const row = tx.db.updateTable('jobs').where('id', '=', id)
    if (next === undefined) await tx.db.deleteFrom('jobs').where('id', '=', id).execute()
    else if (error !== null && (again?.isLast || attempt >= handler.maxAttempts) && !repeats) {
      await row.set({ failed_at: now, error }).execute()
      tx.afterCommit(() => this.#services.log.error({ kind, job: id, attempt, error }, 'a job was set aside'))
    } else await row.set({ due_at: next, error, attempts: error === null ? 0 : attempt }).execute()
    await this.#freeLane(tx, kind, lane)
  }

  /** The lane's row is locked by now, so nothing can be added to it meanwhile unseen. */
  async #freeLane(tx: Tx, kind: string, lane: string): Promise<void> {
    const { next } = await tx.db
      .selectFrom('jobs')
      .select((select) => select.fn.min('due_at').as('next'))
      .where('kind', '=', kind)
      .where('lane', '=', lane)
      .where('failed_at', 'is', null)
      .executeTakeFirstOrThrow()
    const here = <Q extends { where(column: 'kind' | 'lane', operator: '=', value: string): Q }>(query: Q): Q =>
      query.where('kind', '=', kind).where('lane', '=', lane)
    if (next === null) await here(tx.db.deleteFrom('job_lanes')).execute()
    // Not before now: a lane with much to do goes to the end of the line.
    else {
      const set = { lease: '', next_at: Math.max(Number(next), this.#now()), last_run: microseconds() }
      await here(tx.db.updateTable('job_lanes').set(set)).execute()
    }
  }
}
