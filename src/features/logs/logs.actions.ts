import type { Services } from '#server/services.ts'
import { insertLogs, type NewLog } from './logs.writes.ts'

/** What a program did: a call with its outcome. Whatever isn't known is left out. */
export interface Activity {
  appId: string
  /** Epoch seconds. */
  at: number
  call: string
  /** Why it was refused. */
  code?: string
  username?: string
  license?: string
  hwidHash?: string
  ip: string
  session?: string
}

const flushMs = 1000
const rowsPerTransaction = 500
const maxPending = 20_000

/**
 * Writes down what programs do, some time after the reply and many rows at once: it must cost a sign-in nothing. A
 * process that is killed loses its last second of activity; what a program writes itself goes another way.
 */
export class ActivityLog {
  readonly #services: Services
  #pending: NewLog[] = []
  #dropped = 0
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> = Promise.resolve()

  constructor(services: Services) {
    this.#services = services
  }

  record({ appId, at, call, code, username, license, hwidHash, ip, session }: Activity): void {
    // A flood costs rows, never memory; how many is in the log.
    if (this.#pending.length >= maxPending) {
      this.#dropped += 1
      return
    }
    this.#pending.push({
      app_id: appId,
      at,
      call,
      code: code ?? '',
      message: '',
      username: username ?? '',
      license: license ?? '',
      hwid_hash: hwidHash ?? '',
      ip,
      country: '',
      session: session ?? '',
    })
    this.#timer ??= setTimeout(() => void this.flush(), flushMs).unref()
  }

  /** Resolves when everything that was recorded before can be read. Never throws: what failed is tried again. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write())
    return this.#flushing
  }

  async #write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const { db, log } = this.#services
    if (this.#dropped > 0) log.warn({ rows: this.#dropped }, 'more activity than can be stored: some was dropped')
    this.#dropped = 0
    while (this.#pending.length > 0) {
      const rows = this.#pending.splice(0, rowsPerTransaction)
      try {
        await db.write(async (tx) => {
          await insertLogs(tx.db, rows)
          for (const appId of new Set(rows.map((row) => row.app_id))) tx.publish(`logs:${appId}`)
        })
      } catch (error) {
        log.error({ err: error, rows: rows.length }, 'could not store activity')
        this.#pending = [...rows, ...this.#pending].slice(0, maxPending)
        this.#timer ??= setTimeout(() => void this.flush(), flushMs).unref()
        return
      }
    }
  }
}

const activityLogs = new WeakMap<Services, ActivityLog>()

export function activityLog(services: Services): ActivityLog {
  const existing = activityLogs.get(services)
  if (existing) return existing
  const created = new ActivityLog(services)
  activityLogs.set(services, created)
  return created
}
