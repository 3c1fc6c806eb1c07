import type { Tx } from '#database/database.ts'
import type { Services } from '../services.ts'

/** A job claimed by this process, with the lease of its lane. */
export interface Claim {
  kind: string
  lane: string
  owner: string
  lease: string
  id: number
  attempt: number
  payload: string
  createdAt: number
}

type OfLane = Pick<Claim, 'kind' | 'lane'>

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Order in which lanes are locked. */
export const byLane = (a: OfLane, b: OfLane): number => compare(a.kind, b.kind) || compare(a.lane, b.lane)

/** The running jobs, so that a stop that runs out of time can return them to the queue. */
export class Claims {
  readonly #services: Services
  readonly #running = new Set<Claim>()
  readonly #handedBack = new Set<Claim>()

  constructor(services: Services) {
    this.#services = services
    // Immediately: a job that fails because of the stop has not failed.
    services.stopSignal.addEventListener('abort', () => {
      for (const claim of this.#running) this.#handedBack.add(claim)
    })
  }

  add(claim: Claim): void {
    this.#running.add(claim)
  }

  delete(claim: Claim): void {
    this.#running.delete(claim)
  }

  /** Whether another process may run the job by now; results of this run must be discarded then. */
  isHandedBack(claim: Claim): boolean {
    return this.#handedBack.has(claim)
  }

  /**
   * Resolves when all jobs have ended or, once the stop has run out of time, when the rest is back in the queue. Never
   * rejects.
   */
  async endedOrHandedBack(ended: Promise<void>): Promise<void> {
    const { db, log, stopSignal } = this.#services
    const outOfTime = new Promise<void>((resolve) => {
      if (stopSignal.aborted) resolve()
      stopSignal.addEventListener('abort', () => resolve(), { once: true })
    })
    await Promise.race([ended, outOfTime])
    const claims = [...this.#handedBack].toSorted(byLane)
    if (claims.length === 0) return
    log.warn({ kinds: [...new Set(claims.map(({ kind }) => kind))], jobs: claims.length }, 'jobs are handed back')
    await db
      .write(async (tx) => {
        for (const claim of claims) await this.#handBack(tx, claim)
      })
      // Their leases expire.
      .catch((error: unknown) => log.error({ err: error }, 'could not hand jobs back'))
  }

  /** As if the job had never been claimed, unless it has finished meanwhile. */
  async #handBack({ db }: Tx, { kind, lane, lease, id }: Claim): Promise<void> {
    const freed = await db
      .updateTable('job_lanes')
      .set({ lease: '', next_at: Math.floor(this.#services.clock() / 1000) })
      .where('kind', '=', kind)
      .where('lane', '=', lane)
      .where('lease', '=', lease)
      .executeTakeFirst()
    if (Number(freed.numUpdatedRows) === 0) return
    const taken = db.updateTable('jobs').where('id', '=', id).where('attempts', '>', 0)
    await taken.set((update) => ({ attempts: update('attempts', '-', 1) })).execute()
  }
}
