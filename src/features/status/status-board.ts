import { isMeasured, type MeasuredState, type StatusPart, statusParts } from '#contract/status-parts.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import type { PartStatus, StatusProbe, StatusProbes } from '#server/status/status-probe.ts'
import { TookTooLong, withinTime } from '#server/process/within-time.ts'
import { recordMinutes } from './status.actions.ts'
import { isWorse } from './status.rules.ts'
import type { StatusMinutesTable } from './status.table.ts'

export interface PlatformStatus {
  /** Time of measurement, epoch seconds. */
  at: number
  parts: readonly (PartStatus & { part: StatusPart })[]
}

const maxProbeMs = 3000
/** Maximum age of a cached status in seconds: the page refreshes every 30. */
const maxAgeSeconds = 30
/** Limit of minutes kept in memory while the database is unavailable: two days; older ones are dropped. */
const maxUnwritten = 2 * 1440 * statusParts.length

const boards = new WeakMap<Services, StatusBoard>()

export function openStatusBoard(services: Services, probes: StatusProbes): StatusBoard {
  const board = new StatusBoard(services, probes)
  boards.set(services, board)
  return board
}

export function statusBoard(services: Services): StatusBoard {
  const board = boards.get(services)
  if (!board) throw new Error('The status board is not open yet')
  return board
}

/** The platform's status as this process measures it, stored minute by minute. */
export class StatusBoard {
  readonly #services: Services
  readonly #probes: StatusProbes
  #latest: PlatformStatus | undefined
  #checking: Promise<PlatformStatus> | undefined
  #sampling: Promise<void> | undefined
  #writesFail = false
  /** Not yet in the database, keyed by minute and part. */
  readonly #unwritten = new Map<string, StatusMinutesTable>()
  /** The last state stored in the database, by part. */
  readonly #written = new Map<StatusPart, StatusMinutesTable>()

  constructor(services: Services, probes: StatusProbes) {
    this.#services = services
    this.#probes = probes
  }

  /** The status, at most 30 seconds old. Never throws: parts that cannot be read are `unknown`. */
  async current(): Promise<PlatformStatus> {
    const age = epochSeconds(this.#services) - (this.#latest?.at ?? -Infinity)
    return this.#latest && age >= 0 && age < maxAgeSeconds ? this.#latest : this.#check()
  }

  /** Measures and stores the current minute; keeps it in memory while the database is unavailable. */
  sample(): Promise<void> {
    this.#sampling ??= this.#sample().finally(() => (this.#sampling = undefined))
    return this.#sampling
  }

  /** Resolves when no sample is running. */
  async sampled(): Promise<void> {
    await this.#sampling
  }

  #check(): Promise<PlatformStatus> {
    this.#checking ??= this.#look().finally(() => (this.#checking = undefined))
    return this.#checking
  }

  async #look(): Promise<PlatformStatus> {
    const at = epochSeconds(this.#services)
    const parts = await Promise.all(
      statusParts.map(async (part) => {
        const probe = part === 'database' ? this.#database : this.#probes[part]
        return { part, ...(await statusOf(this.#services, probe)) }
      }),
    )
    return (this.#latest = { at, parts })
  }

  /** Whether the database responds, and whether the last write succeeded. */
  readonly #database: StatusProbe = async ({ db }) => {
    try {
      await withinTime(db.ping(), maxProbeMs - 500)
      return { state: this.#writesFail || db.writes.problem ? 'degraded' : 'ok' }
    } catch {
      return { state: 'down' }
    }
  }

  async #sample(): Promise<void> {
    const { at, parts } = await this.#check()
    const minute = Math.floor(at / 60)
    for (const { part, state } of parts) if (isMeasured(state)) this.#remember({ minute, part, state })
    try {
      await recordMinutes(this.#services, this.#unwritten.values())
      for (const each of this.#unwritten.values()) this.#written.set(each.part, each)
      this.#unwritten.clear()
      this.#writesFail = false
    } catch (error) {
      this.#services.log.warn({ err: error }, 'could not store the status')
      this.#writesFail = true
      const { state } = await statusOf(this.#services, this.#database)
      if (isMeasured(state)) this.#remember({ minute, part: 'database', state })
      const withDatabase = parts.map((each) => (each.part === 'database' ? { part: each.part, state } : each))
      this.#latest = { at, parts: withDatabase }
    }
  }

  #remember(measured: StatusMinutesTable): void {
    const { minute, part } = measured
    const written = this.#written.get(part)
    if (written?.minute === minute && !isWorse(measured.state, written.state)) return
    const key = `${minute} ${part}`
    const waiting: MeasuredState | undefined = this.#unwritten.get(key)?.state
    if (waiting && !isWorse(measured.state, waiting)) return
    this.#unwritten.set(key, measured)
    const [oldest] = this.#unwritten.keys()
    if (this.#unwritten.size > maxUnwritten && oldest) this.#unwritten.delete(oldest)
  }
}

async function statusOf(services: Services, probe: StatusProbe | undefined): Promise<PartStatus> {
  if (!probe) return { state: 'unknown' }
  try {
    return await withinTime(Promise.resolve(services).then(probe), maxProbeMs)
  } catch (error) {
    if (!(error instanceof TookTooLong)) services.log.debug({ err: error }, 'could not read a part of the status')
    return { state: 'unknown' }
  }
}
