import type { Tx } from '#database/database.ts'
import { perServer, type Services } from '#server/services.ts'
import { addDownloads, deleteProgress, insertEvents, lockProgress, updateProgress } from './downloads.writes.ts'
import { addRange, type ByteRange, coversFile, readRanges, writeRanges } from './sent-ranges.ts'

/** A reply with a file or a range of it. */
interface SentPart {
  appId: string
  downloadId: string
  /** As the owner named it. */
  name: string
  /** Size of the whole file. */
  bytes: number
  sent: ByteRange
  /** Epoch seconds. */
  at: number
  ip: string
  /** The user of the program that downloads it; undefined for a public download. */
  username: string | undefined
}

const flushMs = 1000
const eventsPerTransaction = 500
const maxPending = 20_000
/** Anybody can cause them, and each is sent to the owner's server. */
export const publicEventsPerMinute = 60

/**
 * Counts downloads in batches some time after they ended, so that a popular file is not a hot row. A download is
 * counted when an address has received every byte of the file, in one or several replies, each within a day of the
 * previous one.
 */
export class DownloadCounts {
  readonly #services: Services
  #pending: SentPart[] = []
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> = Promise.resolve()

  constructor(services: Services) {
    this.#services = services
  }

  record(event: SentPart): void {
    if (this.#pending.length >= maxPending) return
    this.#pending.push(event)
    this.#timer ??= setTimeout(() => void this.flush(), flushMs).unref()
  }

  /** Resolves when everything recorded before is counted. Never throws: failures are retried. */
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
      try {
        await db.write(async (tx) => {
          const apps = await tx.db
            .selectFrom('apps')
            .select(['id', 'owner_id'])
            .where('id', 'in', [...new Set(events.map(({ appId }) => appId))])
            .where('deleted_at', 'is', null)
            .execute()
          const owners = new Map(apps.map(({ id, owner_id }) => [id, owner_id]))
          const finished = await finishedDownloads(
            tx,
            events.filter(({ appId }) => owners.has(appId)),
          )
          if (finished.length === 0) return
          const counted = finished.map(({ appId, downloadId, at, ip, username }) => ({
            app_id: appId,
            download_id: downloadId,
            at,
            ip,
            country: ipData.countryOf(ip),
            authenticated: username === undefined ? 0 : 1,
          }))
          await insertEvents(tx.db, counted)
          // In a fixed order, to prevent deadlocks.
          const files = [...new Set(counted.map((row) => row.download_id))].toSorted()
          for (const id of files) {
            const ofFile = counted.filter((row) => row.download_id === id)
            const authenticated = ofFile.filter((row) => row.authenticated === 1).length
            await addDownloads(tx.db, id, { total: ofFile.length, authenticated })
          }
          for (const part of finished) this.#announce(tx, owners.get(part.appId) ?? '', part)
        })
      } catch (error) {
        log.error({ err: error, events: events.length }, 'could not count downloads')
        this.#pending = [...events, ...this.#pending].slice(0, maxPending)
        this.#timer ??= setTimeout(() => void this.flush(), flushMs).unref()
        return
      }
    }
  }

  /** Tells webhooks of a complete download; public ones only within a limit. */
  #announce(tx: Tx, ownerId: string, { appId, downloadId, name, at, ip, username }: SentPart): void {
    const { rateLimits, clock, ipData } = this.#services
    const limit = { purpose: 'announced public downloads', subject: appId, max: publicEventsPerMinute, seconds: 60 }
    if (username === undefined && rateLimits.count(limit, clock()) !== undefined) return
    const user = username === undefined ? {} : { username }
    const details = { downloadId, authenticated: username !== undefined, ...user, ip, country: ipData.countryOf(ip) }
    tx.emit({ type: 'file.download', appId, ownerId, at, target: name, details })
  }
}

/** Addresses that have received the last missing byte of their file. Rows and files are locked in a fixed order. */
async function finishedDownloads(tx: Tx, parts: readonly SentPart[]): Promise<SentPart[]> {
  const finished: SentPart[] = []
  const byFile = Object.groupBy(parts, ({ downloadId }) => downloadId)
  for (const downloadId of Object.keys(byFile).toSorted()) {
    const ofFile = (byFile[downloadId] ?? []).toSorted((a, b) => (a.ip < b.ip ? -1 : a.ip > b.ip ? 1 : 0))
    const whole = ofFile.filter(({ sent, bytes }) => coversFile([sent], bytes))
    const [first] = whole
    if (first) {
      const ips = [...new Set(whole.map(({ ip }) => ip))]
      await deleteProgress(tx.db, { appId: first.appId, downloadId }, ips)
    }
    finished.push(...whole)
    for (const part of ofFile) if (!whole.includes(part) && (await isFinishedBy(tx, part))) finished.push(part)
  }
  return finished
}

async function isFinishedBy(tx: Tx, { appId, downloadId, ip, at, bytes, sent }: SentPart): Promise<boolean> {
  const key = { appId, downloadId, ip, at }
  const ranges = addRange(readRanges(await lockProgress(tx.db, key)), sent)
  const isFinished = coversFile(ranges, bytes)
  if (isFinished) await deleteProgress(tx.db, key, [ip])
  else await updateProgress(tx.db, { ...key, sent: writeRanges(ranges) })
  return isFinished
}

export const downloadCounts = perServer((services) => new DownloadCounts(services))
