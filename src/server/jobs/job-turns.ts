import { sql } from 'kysely'
import type { Reader } from '#database/database.ts'
import type { OwnerShares } from './jobs.ts'

/** Fair scheduling: owners take turns, however many jobs and accounts one of them has. */

export interface DueLane {
  lane: string
  owner: string
}

const firstLanes = 100

/** Due lanes, longest waiting first. `now` in epoch seconds. */
const dueLanes = (db: Reader, kind: string, now: number) =>
  db
    .selectFrom('job_lanes')
    .select(['lane', 'owner'])
    .where('kind', '=', kind)
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .orderBy('last_run')

export const findDueLane = (db: Reader, kind: string, now: number): Promise<DueLane | undefined> =>
  dueLanes(db, kind, now).limit(1).executeTakeFirst()

/**
 * The longest-waiting lanes and, if there are more, the first lane of each owner, so that no owner waits behind the
 * many jobs of another.
 */
export async function listDueLanes(db: Reader, kind: string, now: number): Promise<DueLane[]> {
  const lanes = await dueLanes(db, kind, now).limit(firstLanes).execute()
  if (lanes.length < firstLanes) return lanes
  // Skips from owner to owner in the index, however many lanes each has.
  const { rows } = await sql<{ owner: string; lane: string | null }>`
    with recursive owners (owner) as (
      select (select min(owner) from job_lanes where kind = ${kind})
      union all
      select (select min(owner) from job_lanes where kind = ${kind} and owner > owners.owner)
      from owners where owners.owner is not null
    )
    select owners.owner as owner, (
      select lane from job_lanes
      where kind = ${kind} and owner = owners.owner and next_at <= ${now}
      order by next_at, last_run limit 1
    ) as lane
    from owners where owners.owner is not null`.execute(db)
  const listed = new Set(lanes.map(({ lane }) => lane))
  for (const { owner, lane } of rows) if (lane !== null && !listed.has(lane)) lanes.push({ owner, lane })
  return lanes
}

/** Minimum cost of a run in seconds, so that many short runs count as a turn, too. */
const leastCost = 0.1
const halfLifeMs = 60_000
const maxProven = 10_000

/**
 * The owners of one kind of job in this process. Next is the owner with the fewest running jobs and, among those, the
 * least recent running time.
 */
export class OwnerTurns {
  readonly #shares: OwnerShares
  readonly #running = new Map<string, number>()
  /** Recent running time in seconds. */
  readonly #used = new Map<string, number>()
  /** Owners whose last job succeeded, most recent last. */
  readonly #proven = new Set<string>()
  #halvedAt = performance.now()

  constructor(shares: OwnerShares) {
    this.#shares = shares
  }

  /** Removes the next lane from `lanes`; undefined if all their owners have reached their limit. */
  take(lanes: DueLane[]): DueLane | undefined {
    const isFull = this.#unproven() >= this.#shares.maxUnproven
    let best: { at: number; running: number; used: number } | undefined
    for (const [at, { owner }] of lanes.entries()) {
      const running = this.#running.get(owner) ?? 0
      const used = this.#used.get(owner) ?? 0
      if (running >= this.#shares.maxPerOwner || (isFull && !this.#proven.has(owner))) continue
      if (!best || running < best.running || (running === best.running && used < best.used))
        best = { at, running, used }
    }
    return best && lanes.splice(best.at, 1)[0]
  }

  /** Counts a run; returns the function that ends it. */
  begin(owner: string): (outcome: 'done' | 'failed' | 'postponed') => void {
    this.#halve()
    const started = performance.now()
    this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1)
    this.#charge(owner, leastCost)
    return (outcome) => {
      const left = (this.#running.get(owner) ?? 1) - 1
      if (left === 0) this.#running.delete(owner)
      else this.#running.set(owner, left)
      this.#charge(owner, (performance.now() - started) / 1000)
      if (outcome !== 'postponed') this.#proven.delete(owner)
      if (outcome !== 'done') return
      this.#proven.add(owner)
      for (const oldest of this.#proven) {
        if (this.#proven.size <= maxProven) break
        this.#proven.delete(oldest)
      }
    }
  }

  #unproven(): number {
    let sum = 0
    for (const [owner, running] of this.#running) if (!this.#proven.has(owner)) sum += running
    return sum
  }

  #charge(owner: string, seconds: number): void {
    this.#used.set(owner, (this.#used.get(owner) ?? 0) + seconds)
  }

  #halve(): void {
    if (performance.now() - this.#halvedAt < halfLifeMs) return
    this.#halvedAt = performance.now()
    for (const [owner, used] of this.#used) {
      if (used < leastCost) this.#used.delete(owner)
      else this.#used.set(owner, used / 2)
    }
  }
}
