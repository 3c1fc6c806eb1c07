import { onePerServer } from '#server/one-per-server.ts'
import type { Services } from '#server/services.ts'
import { addDownloads, insertEvents } from './downloads.writes.ts'

interface DownloadEvent {
  appId: string
  downloadId: string
  /** Epoch seconds. */
  at: number
  ip: string
  authenticated: boolean
}

const flushMs = 1000
const eventsPerTransaction = 500
const maxPending = 20_000

/** Counts downloads some time after they ended, many at once: a popular file is no queue at its row. */
export class DownloadCounts {
  readonly #services: Services
  #pending: DownloadEvent[] = []
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> = Promise.resolve()

  constructor(services: Services) {
    this.#services = services
  }

  record(event: DownloadEvent): void {
    if (this.#pending.length >= maxPending) return
    this.#pending.push(event)
    this.#timer ??= setTimeout(() => void this.flush(), flushMs).unref()
  }

  /** Resolves when everything that was recorded before is counted. Never throws: what failed is tried again. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write())
    return this.#flushing
  }

  async #write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const { db, log, ipData } = this.#services
    while (this.#pending.length > 0) {
      const events = this.#pending.splice(0, eventsPerTransaction)
      const rows = events.map(({ appId, downloadId, at, ip, authenticated }) => ({
        app_id: appId,
        download_id: downloadId,
        at,
        ip,
        country: ipData.countryOf(ip),
        authenticated: authenticated ? 1 : 0,
      }))
      try {
        await db.write(async (tx) => {
          const apps = await tx.db
            .selectFrom('apps')
            .select('id')
            .where('id', 'in', [...new Set(events.map(({ appId }) => appId))])
            .execute()
          const present = new Set(apps.map(({ id }) => id))
          const counted = rows.filter((row) => present.has(row.app_id))
          if (counted.length === 0) return
          await insertEvents(tx.db, counted)
          // In one order, so that two processes don't wait for each other.
          const files = [...new Set(counted.map((row) => row.download_id))].toSorted()
          for (const id of files) {
            const ofFile = counted.filter((row) => row.download_id === id)
            const authenticated = ofFile.filter((row) => row.authenticated === 1).length
            await addDownloads(tx.db, id, { total: ofFile.length, authenticated })
          }
        })
      } catch (error) {
        log.error({ err: error, events: events.length }, 'could not count downloads')
        this.#pending = [...events, ...this.#pending].slice(0, maxPending)
        this.#timer ??= setTimeout(() => void this.flush(), flushMs).unref()
        return
      }
    }
  }
}

export const downloadCounts = onePerServer((services) => new DownloadCounts(services))
