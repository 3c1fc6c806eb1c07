import { randomInt, randomUUID } from 'node:crypto'
import type { Tx } from '#database/database.ts'
import { locking } from '#database/row-lock.ts'
import { type Claim, Claims } from './job-claims.ts'
import { correctTimes } from './corrected-times.ts'
import { type DueLane, findDueLane, listDueLanes, OwnerTurns } from './job-turns.ts'
import { insertJob, type Job, type JobHandler, LeaseLost, type NewJob, pauseAfter, type RunAgain } from './jobs.ts'
import { hasPassed } from '../clock/has-passed.ts'
import type { Services } from '../services.ts'

/** Orders lanes that are due in the same second; nothing else depends on it. */
const microseconds = (): number => Math.round((performance.timeOrigin + performance.now()) * 1000)

const pollMs = 5000
/** Another process may have stored times that are too late, too. */
const secondsPerCorrection = 3600
const maxErrorLength = 500

/** Runs due jobs in this process; several processes share the work with leases. */
export class JobRunner {
  readonly #services: Services
  readonly #handlers: ReadonlyMap<string, JobHandler>
  readonly #running = new Map<string, Set<Promise<void>>>()
  readonly #turns = new Map<string, OwnerTurns>()
  readonly #wakes = new Map<string, Promise<void>>()
  /** Kinds whose next search has not begun. */
  readonly #unsearched = new Set<string>()
  readonly #claims: Claims
  #timer: NodeJS.Timeout | undefined
  #stopped = false
  /** Epoch seconds. */
  #polledAt = 0
  #correctedAt = Number.NEGATIVE_INFINITY
  #correction = Promise.resolve()

  constructor(services: Services, handlers: Readonly<Record<string, JobHandler>>) {
    this.#services = services
    this.#claims = new Claims(services)
    this.#handlers = new Map(Object.entries(handlers))
    for (const [kind, { shares }] of this.#handlers) if (shares) this.#turns.set(kind, new OwnerTurns(shares))
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
        // Of processes that start together, one finds no lane.
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

  /** Resolves when no job that is due now is waiting or running; for tests, whose clock stands still. */
  async idle(): Promise<void> {
    this.#wakeAll()
    for (;;) {
      const busy = [...this.#wakes.values(), ...[...this.#running.values()].flatMap((set) => [...set])]
      if (busy.length === 0) return
      await Promise.allSettled(busy)
    }
  }

  /**
   * Claims no more jobs and waits for running ones until the stop runs out of time; the rest is returned to the queue
   * for another process.
   */
  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.#claims.endedOrHandedBack(this.idle())
  }

  #now(): number {
    return Math.floor(this.#services.clock() / 1000)
  }

  #wakeAll(): void {
    const now = this.#now()
    if (now < this.#polledAt || hasPassed(secondsPerCorrection, this.#correctedAt, now)) {
      this.#correctedAt = now
      this.#correction = this.#correctTimes(now)
    }
    this.#polledAt = now
    for (const kind of this.#handlers.keys()) this.#wake(kind)
  }

  /** Jobs wait neither longer than they can, nor for a lease that ends later than it can. Never throws. */
  async #correctTimes(now: number): Promise<void> {
    await this.#correction
    try {
      for (const [kind, handler] of this.#handlers) {
        if (!this.#stopped) await correctTimes(this.#services.db, kind, handler, now)
      }
    } catch (error) {
      this.#correctedAt = Number.NEGATIVE_INFINITY
      this.#services.log.error({ err: error }, 'could not correct the times of jobs')
    }
  }

  /** One search per kind at a time; a wake-up during a search causes one more search. */
  #wake(kind: string): void {
    const handler = this.#handlers.get(kind)
    if (!handler || this.#stopped || this.#unsearched.has(kind)) return
    this.#unsearched.add(kind)
    const search: Promise<void> = (this.#wakes.get(kind) ?? Promise.resolve())
      .then(() => this.#search(kind, handler))
      .catch((error: unknown) => this.#services.log.error({ err: error }, 'could not look for jobs'))
      .finally(() => {
        if (this.#wakes.get(kind) === search) this.#wakes.delete(kind)
      })
    this.#wakes.set(kind, search)
  }

  async #search(kind: string, handler: JobHandler): Promise<void> {
    let correction: Promise<void>
    do {
      correction = this.#correction
      await correction
      // Another one may have begun meanwhile.
    } while (correction !== this.#correction)
    this.#unsearched.delete(kind)
    await this.#takeWhatIsDue(kind, handler)
  }

  async #takeWhatIsDue(kind: string, handler: JobHandler): Promise<void> {
    const running = this.#running.get(kind) ?? new Set()
    this.#running.set(kind, running)
    while (!this.#stopped && running.size < handler.concurrency) {
      const lanes = await this.#dueLanes(kind)
      let taken = this.#takeLane(kind, lanes)
      // All due jobs belong to owners who have reached their limit.
      if (!taken) return
      for (; taken; taken = running.size < handler.concurrency ? this.#takeLane(kind, lanes) : undefined) {
        const lane = taken
        const claim = await this.#services.db.write((tx) => this.#claim(tx, kind, lane, handler))
        if (!claim) continue
        this.#claims.add(claim)
        const run = this.#run(handler, claim).finally(() => {
          running.delete(run)
          this.#claims.delete(claim)
          this.#wake(kind)
        })
        running.add(run)
      }
    }
  }

  /** Reads before it writes, because usually nothing is due. */
  async #dueLanes(kind: string): Promise<DueLane[]> {
    const { read } = this.#services.db
    if (this.#turns.has(kind)) return listDueLanes(read, kind, this.#now())
    const lane = await findDueLane(read, kind, this.#now())
    return lane ? [lane] : []
  }

  #takeLane(kind: string, lanes: DueLane[]): DueLane | undefined {
    const turns = this.#turns.get(kind)
    return turns ? turns.take(lanes) : lanes.shift()
  }

  /** Undefined if another process was faster or the lane has no work. */
  async #claim(
    tx: Tx,
    kind: string,
    due: DueLane,
    { leaseSeconds, maxAttempts, everySeconds }: JobHandler,
  ): Promise<Claim | undefined> {
    const now = this.#now()
    const lease = randomUUID()
    const taken = await tx.db
      .updateTable('job_lanes')
      .set({ lease, next_at: now + leaseSeconds })
      .where('kind', '=', kind)
      .where('lane', '=', due.lane)
      .where('next_at', '<=', now)
      .executeTakeFirst()
    if (Number(taken.numUpdatedRows) === 0) return undefined
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
      return undefined
    }
    const attempt = job.attempts + 1
    if (attempt > maxAttempts && everySeconds === undefined) {
      // The last attempt never finished: the job itself may have ended the process.
      await tx.db
        .updateTable('jobs')
        .set({ failed_at: now, error: 'no attempt came to an end' })
        .where('id', '=', job.id)
        .execute()
      await this.#freeLane(tx, kind, due.lane)
      return undefined
    }
    await tx.db.updateTable('jobs').set({ attempts: attempt }).where('id', '=', job.id).execute()
    return {
      kind,
      ...due,
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
    const endTurn = this.#turns.get(kind)?.begin(claim.owner)
    let finished = false
    let outcome: 'done' | 'failed' | 'postponed' = 'failed'
    const finish = async (tx: Tx) => {
      await this.#leaseOf(tx, claim)
      await this.#end(tx, handler, claim, undefined)
      tx.afterCommit(() => (finished = true))
    }
    const job: Job = {
      id,
      lane: claim.lane,
      owner: claim.owner,
      payload: JSON.parse(claim.payload) as unknown,
      attempt,
      createdAt: claim.createdAt,
      finish,
    }
    try {
      const again = await handler.run(this.#services, job).catch((error: unknown): RunAgain => {
        if (this.#claims.isHandedBack(claim)) return { nextAt: this.#now() }
        log.error({ err: error, kind, job: id, attempt }, 'a job failed')
        return { nextAt: this.#now() + pauseAfter(attempt, randomInt(1000) / 1000), error: String(error) }
      })
      if (this.#claims.isHandedBack(claim)) return
      outcome = again?.pausesLane ? 'postponed' : again?.error === undefined ? 'done' : 'failed'
      this.#services.metrics.jobRuns.add({ kind, outcome })
      if (finished) return
      await db.write(async (tx) => {
        await this.#leaseOf(tx, claim)
        await this.#end(tx, handler, claim, again ?? undefined)
      })
    } catch (error) {
      if (this.#claims.isHandedBack(claim)) return
      // The lease expires, and the job runs again.
      log.error({ err: error, kind, job: id }, 'could not record the end of a job')
    } finally {
      endTurn?.(outcome)
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
    if (again?.pausesLane) {
      await row.set({ attempts: attempt - 1 }).execute()
      return this.#freeLane(tx, kind, lane, again.nextAt)
    }
    if (next === undefined) await tx.db.deleteFrom('jobs').where('id', '=', id).execute()
    else if (error !== null && (again?.isLast || attempt >= handler.maxAttempts) && !repeats) {
      await row.set({ failed_at: now, error }).execute()
      tx.afterCommit(() => this.#services.log.error({ kind, job: id, attempt, error }, 'a job was set aside'))
    } else await row.set({ due_at: next, error, attempts: error === null ? 0 : attempt }).execute()
    await this.#freeLane(tx, kind, lane)
  }

  /** The row of the lane is locked, so no job can be added unnoticed. */
  async #freeLane(tx: Tx, kind: string, lane: string, notBefore = 0): Promise<void> {
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
    // Not earlier than now: a lane with much work goes to the end of the queue.
    else {
      const set = { lease: '', next_at: Math.max(Number(next), this.#now(), notBefore), last_run: microseconds() }
      await here(tx.db.updateTable('job_lanes').set(set)).execute()
    }
  }
}
