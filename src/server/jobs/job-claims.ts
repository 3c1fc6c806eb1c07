import type { Tx } from '#database/database.ts'
import type { Services } from '../services.ts'

/** A job that this process has taken, with the lease of its lane. */
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

/** The order in which lanes are locked. */
export const byLane = (a: OfLane, b: OfLane): number => compare(a.kind, b.kind) || compare(a.lane, b.lane)

/** What runs now, so that a stop that can't wait for it can hand it back. */
export class Claims {
  readonly #services: Services
  readonly #running = new Set<Claim>()
  readonly #handedBack = new Set<Claim>()

  constructor(services: Services) {
    this.#services = services
    // At once: a job that fails because of the stop has not failed.
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

  /** Whether somebody else may run it by now: nothing may come of this run any more. */
  isHandedBack(claim: Claim): boolean {
    return this.#handedBack.has(claim)
  }

  /** Resolves when all have ended or, after the stop has run out of time, when the rest is handed back. Never rejects. */
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
      // Their leases run out.
      .catch((error: unknown) => log.error({ err: error }, 'could not hand jobs back'))
  }

  /** As if it had never been taken, unless it came to its end meanwhile. */
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
