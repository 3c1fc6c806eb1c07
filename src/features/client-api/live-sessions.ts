import type { Database } from '#database/database.ts'
import { keepHeartbeats } from '#features/sessions/sessions.actions.ts'
import { type ClientSession, findClientSession } from '#features/sessions/sessions.reads.ts'
import { findUserById, type User } from '#features/users/users.reads.ts'
import { type AccessEntitlement, listAccessEntitlements } from './client-api.reads.ts'
import { RecentNonces } from './recent-nonces.ts'

/** The clock window is ±120 s, so no request can be replayed after four minutes. */
export const replayMs = 240_000
const flushMs = 5000
const maxKept = 200_000
const rowsPerTransaction = 500

/** A program's session as it stands, with whoever is signed in. */
export interface LiveSession {
  row: ClientSession
  user: User | undefined
  held: AccessEntitlement[]
  nonces: RecentNonces
  /** What was known of the app's access rules when this was read. */
  epoch: number
  /** Heard from since it was last written down. */
  dirty: boolean
}

/** A session that is being read. */
interface Load {
  appId: string
  epoch: number
  session: Promise<LiveSession | undefined>
}

/**
 * Sessions in memory: a heartbeat reads and writes none. Whatever changes somebody's access is
 * announced and read again on the next call; heartbeats are written down every few seconds.
 */
export class LiveSessions {
  readonly #db: Database
  readonly #sessions = new Map<string, LiveSession>()
  readonly #loads = new Map<string, Load>()
  readonly #epochs = new Map<string, number>()
  #everything = 0
  #timer: NodeJS.Timeout | undefined
  readonly #onError: (error: unknown) => void

  constructor(db: Database, onError: (error: unknown) => void) {
    this.#db = db
    this.#onError = onError
    db.events.on('session', (hash) => (hash === '*' ? this.#everything++ : this.#expireEntry(hash)))
    db.events.on('access', (appId) =>
      appId === '*' ? this.#everything++ : this.#epochs.set(appId, (this.#epochs.get(appId) ?? 0) + 1),
    )
  }

  /**
   * The session of a token, read again when anything about its app's users has changed. With `signedIn` one
   * that nobody is signed in to is read again too: it may have happened at another process.
   */
  async find(
    appId: string,
    tokenHash: string,
    { now, signedIn }: { now: number; signedIn: boolean },
  ): Promise<LiveSession | undefined> {
    const known = this.#sessions.get(tokenHash)
    const epoch = this.#epoch(appId)
    const isCurrent = known && known.row.app_id === appId && known.epoch === epoch && known.row.expires_at > now
    if (isCurrent && (known.user || !signedIn)) return known
    // Calls that come together share one reading: each on its own would count nonces for itself alone.
    const running = this.#loads.get(tokenHash)
    if (running && running.appId === appId && running.epoch === epoch) return running.session
    const load: Load = { appId, epoch, session: Promise.resolve(undefined) }
    load.session = this.#load(load, tokenHash).finally(() => {
      if (this.#loads.get(tokenHash) === load) this.#loads.delete(tokenHash)
    })
    this.#loads.set(tokenHash, load)
    return load.session
  }

  /** A session that has only just been started and that nobody else can know. */
  add(row: ClientSession): void {
    const nonces = new RecentNonces(replayMs)
    const live = { row, user: undefined, held: [], nonces, epoch: this.#epoch(row.app_id), dirty: false }
    if (this.#sessions.size < maxKept) this.#sessions.set(row.token_hash, live)
  }

  async #load(load: Load, tokenHash: string): Promise<LiveSession | undefined> {
    const { appId } = load
    if (this.#sessions.get(tokenHash)?.dirty) await this.flush()
    const row = await findClientSession(this.#db.read, appId, tokenHash)
    if (!row) {
      // Another app may have it: its nonces stay taken, whoever asks here.
      if (this.#sessions.get(tokenHash)?.row.app_id === appId) this.#sessions.delete(tokenHash)
      return undefined
    }
    const user = row.user_id === null ? undefined : await findUserById(this.#db.read, appId, row.user_id)
    const held = user ? await listAccessEntitlements(this.#db.read, appId, user.id) : []
    if (this.#sessions.size >= maxKept) await this.#forgetHalf()
    const nonces = this.#sessions.get(tokenHash)?.nonces ?? new RecentNonces(replayMs)
    // What was announced of it while it was being read may not be in it yet.
    const epoch = this.#loads.get(tokenHash) === load ? load.epoch : -1
    const live: LiveSession = { row, user, held, nonces, epoch, dirty: false }
    this.#sessions.set(tokenHash, live)
    return live
  }

  /** Drops what is known of a session after its row was changed; its nonces stay taken. */
  reread(tokenHash: string): void {
    this.#expireEntry(tokenHash)
  }

  recordHeartbeat(live: LiveSession, now: number, expiresAt: number): void {
    live.row.last_heartbeat_at = now
    live.row.expires_at = expiresAt
    live.dirty = true
    this.#timer ??= setTimeout(() => void this.flush().catch(this.#onError), flushMs).unref()
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const heard = [...this.#sessions.values()].filter((live) => live.dirty)
    if (heard.length === 0) return
    for (const live of heard) live.dirty = false
    const rows = heard.map(({ row }) => ({ ...row }))
    try {
      for (let from = 0; from < rows.length; from += rowsPerTransaction) {
        await this.#db.write((tx) => keepHeartbeats(tx, rows.slice(from, from + rowsPerTransaction)))
      }
    } catch (error) {
      for (const live of heard) live.dirty = true
      this.#timer ??= setTimeout(() => void this.flush().catch(this.#onError), flushMs).unref()
      throw error
    }
  }

  #epoch(appId: string): number {
    return this.#everything * 1e9 + (this.#epochs.get(appId) ?? 0)
  }

  #expireEntry(tokenHash: string): void {
    const known = this.#sessions.get(tokenHash)
    if (known) known.epoch = -1
    this.#loads.delete(tokenHash)
  }

  async #forgetHalf(): Promise<void> {
    await this.flush()
    let spare = maxKept / 2
    for (const key of this.#sessions.keys()) {
      if (spare-- <= 0) return
      this.#sessions.delete(key)
    }
  }
}
