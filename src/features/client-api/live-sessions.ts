import type { Database } from '#database/database.ts'
import { storeHeartbeats } from '../session-store/session-store.actions.ts'
import { type ClientSession, findClientSession } from '../session-store/session-store.reads.ts'
import { findUserById, type User } from '#features/users/users.reads.ts'
import { type AccessEntitlement, isLicenseBanned, listAccessEntitlements } from './client-api.reads.ts'
import { SharedTexts } from './shared-texts.ts'

const flushMs = 5000
const maxSessions = 200_000
const rowsPerTransaction = 500
const idleSeconds = 900
const forgetEverySeconds = 60

type RejectionOfSession = 'USER_BANNED' | 'LICENSE_BANNED' | 'SESSION_ENDED'

/** What the calls of a running program need to know of its user. */
export type SessionUser = Pick<
  User,
  'id' | 'username' | 'email' | 'hwid_hash' | 'banned' | 'paused' | 'created_at' | 'last_login_at'
>

/** A program session with its signed-in user. */
export interface LiveSession {
  row: ClientSession
  user: SessionUser | undefined
  entitlements: AccessEntitlement[]
  /** The user is banned or deleted, or the license of the session is banned; the row may be updated later. */
  rejection: RejectionOfSession | undefined
  /** Epoch of the app when this was read; -1 if it must be read again. */
  epoch: number
  /** Has a heartbeat that is not stored yet. */
  dirty: boolean
  /** Epoch seconds of its last call. */
  usedAt: number
}

/** A session being loaded from the database. */
interface Load {
  appId: string
  epoch: number
  session: Promise<LiveSession | undefined>
}

/**
 * Cache of sessions, so that a heartbeat needs no query. Changes that affect access are published and make the session
 * reload on its next call; heartbeats are stored every few seconds.
 */
export class LiveSessions {
  readonly #db: Database
  readonly #sessions = new Map<string, LiveSession>()
  readonly #loads = new Map<string, Load>()
  readonly #epochs = new Map<string, number>()
  /** Addresses, countries, and names of levels, which many sessions have in common. */
  readonly #texts = new SharedTexts()
  /** Incremented when the sessions of all apps must be reloaded. */
  #globalEpoch = 0
  #forgotAt = 0
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> = Promise.resolve()
  readonly #onError: (error: unknown) => void

  constructor(db: Database, onError: (error: unknown) => void) {
    this.#db = db
    this.#onError = onError
    db.events.on('session', (hash) => (hash === '*' ? this.#globalEpoch++ : this.invalidate(hash)))
    db.events.on('access', (appId) =>
      appId === '*' ? this.#globalEpoch++ : this.#epochs.set(appId, (this.#epochs.get(appId) ?? 0) + 1),
    )
  }

  /**
   * The session of a token, reloaded if the access of any user of its app may have changed. With `signedIn`, a session
   * without a user is reloaded, too: another process may have signed it in. Immediate if it is in memory.
   */
  find(
    appId: string,
    tokenHash: string,
    { now, signedIn }: { now: number; signedIn: boolean },
  ): LiveSession | Promise<LiveSession | undefined> {
    this.#forgetIdle(now)
    const cached = this.#sessions.get(tokenHash)
    if (cached) cached.usedAt = now
    const epoch = this.#epoch(appId)
    const isCurrent = cached && cached.row.app_id === appId && cached.epoch === epoch && cached.row.expires_at > now
    if (isCurrent && (cached.user || !signedIn)) return cached
    // Parallel calls share one load.
    const running = this.#loads.get(tokenHash)
    if (running && running.appId === appId && running.epoch === epoch) return running.session
    const load: Load = { appId, epoch, session: Promise.resolve(undefined) }
    load.session = this.#load(load, tokenHash, now).finally(() => {
      if (this.#loads.get(tokenHash) === load) this.#loads.delete(tokenHash)
    })
    this.#loads.set(tokenHash, load)
    return load.session
  }

  /** Whether the session is in memory, so that its token is known to be real and looking it up is free. */
  isKnown(appId: string, tokenHash: string): boolean {
    return this.#sessions.get(tokenHash)?.row.app_id === appId
  }

  /** Adds a session that has just been started. */
  add(row: ClientSession): void {
    const live = {
      row,
      user: undefined,
      entitlements: [],
      rejection: undefined,
      epoch: this.#epoch(row.app_id),
      dirty: false,
      usedAt: Number(row.created_at),
    }
    if (this.#sessions.size < maxSessions) this.#sessions.set(row.token_hash, live)
  }

  async #load(load: Load, tokenHash: string, usedAt: number): Promise<LiveSession | undefined> {
    const { appId } = load
    // Its last heartbeat may be on the way to the table.
    await this.#flushing.catch(() => {})
    if (this.#sessions.get(tokenHash)?.dirty) await this.flush()
    const row = await findClientSession(this.#db.read, appId, tokenHash)
    if (!row) {
      // It may be a session of another app.
      if (this.#sessions.get(tokenHash)?.row.app_id === appId) this.#sessions.delete(tokenHash)
      return undefined
    }
    const user = row.user_id === null ? undefined : await findUserById(this.#db.read, appId, row.user_id)
    const entitlements = user ? await listAccessEntitlements(this.#db.read, appId, user.id) : []
    const rejection = await this.#callError(row, user)
    if (this.#sessions.size >= maxSessions) await this.#evictHalf()
    // May lack a change that was published during the load.
    const epoch = this.#loads.get(tokenHash) === load ? load.epoch : -1
    const live: LiveSession = {
      row: this.#compactRow(row, this.#sessions.get(tokenHash)?.row ?? { app_id: appId, token_hash: tokenHash }),
      user: user && compactUser(user, row),
      entitlements: entitlements.map((each) => this.#compactEntitlement(each)),
      rejection,
      epoch,
      dirty: false,
      usedAt,
    }
    this.#sessions.set(tokenHash, live)
    return live
  }

  /**
   * The same row in as few bytes as possible, because there are many: rows of the database share no texts. Those of the
   * `key` are used already, as keys of maps.
   */
  #compactRow(row: ClientSession, key: Pick<ClientSession, 'app_id' | 'token_hash'>): ClientSession {
    return {
      app_id: key.app_id,
      token_hash: key.token_hash,
      handle: row.handle,
      user_id: row.user_id,
      license_id: row.license_id,
      ip: this.#texts.shared(row.ip),
      country: this.#texts.shared(row.country),
      hwid_hash: row.hwid_hash,
      created_at: row.created_at,
      last_heartbeat_at: row.last_heartbeat_at,
      expires_at: row.expires_at,
      ended_code: row.ended_code,
    }
  }

  #compactEntitlement(entitlement: AccessEntitlement): AccessEntitlement {
    return {
      level: entitlement.level,
      name: this.#texts.shared(entitlement.name),
      expires_at: entitlement.expires_at,
      license_id: entitlement.license_id,
      level_active: entitlement.level_active,
      license_banned: entitlement.license_banned,
    }
  }

  async #callError(
    { app_id: appId, user_id: userId, license_id: license }: ClientSession,
    user: User | undefined,
  ): Promise<RejectionOfSession | undefined> {
    if (userId !== null && !user) return 'SESSION_ENDED'
    if (user?.banned === 1) return 'USER_BANNED'
    return license !== null && (await isLicenseBanned(this.#db.read, appId, license)) ? 'LICENSE_BANNED' : undefined
  }

  /** The row has changed: it is reloaded on the next call. Its nonces stay used. */
  invalidate(tokenHash: string): void {
    const cached = this.#sessions.get(tokenHash)
    if (cached) cached.epoch = -1
    this.#loads.delete(tokenHash)
  }

  recordHeartbeat(live: LiveSession, now: number, expiresAt: number): void {
    live.row.last_heartbeat_at = now
    live.row.expires_at = expiresAt
    live.dirty = true
    this.#flushLater()
  }

  /** Stores all heartbeats until now; one call after the other. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.catch(() => {}).then(() => this.#storeHeartbeats())
    return this.#flushing
  }

  #flushLater(): void {
    this.#timer ??= setTimeout(() => void this.flush().catch(this.#onError), flushMs).unref()
  }

  async #storeHeartbeats(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const unsaved = [...this.#sessions.values()].filter((live) => live.dirty)
    if (unsaved.length === 0) return
    for (const live of unsaved) live.dirty = false
    const rows = unsaved.map(({ row }) => ({ ...row }))
    try {
      for (let from = 0; from < rows.length; from += rowsPerTransaction) {
        await this.#db.write((tx) => storeHeartbeats(tx, rows.slice(from, from + rowsPerTransaction)))
      }
    } catch (error) {
      for (const live of unsaved) live.dirty = true
      this.#flushLater()
      throw error
    }
  }

  #epoch(appId: string): number {
    return this.#globalEpoch * 1e9 + (this.#epochs.get(appId) ?? 0)
  }

  /** Programs exit without notice, so idle sessions must be dropped. */
  #forgetIdle(now: number): void {
    if (Math.abs(now - this.#forgotAt) < forgetEverySeconds) return
    this.#forgotAt = now
    for (const [tokenHash, { usedAt, dirty }] of this.#sessions)
      if (now - usedAt > idleSeconds && !dirty) this.#sessions.delete(tokenHash)
  }

  async #evictHalf(): Promise<void> {
    await this.flush()
    let left = maxSessions / 2
    for (const [key, { dirty }] of this.#sessions) {
      if (left-- <= 0) return
      // A heartbeat since the flush is not stored yet.
      if (!dirty) this.#sessions.delete(key)
    }
  }
}

const compactUser = (user: User, row: ClientSession): SessionUser => ({
  id: user.id,
  username: user.username,
  email: user.email,
  hwid_hash: user.hwid_hash === row.hwid_hash ? row.hwid_hash : user.hwid_hash,
  banned: user.banned,
  paused: user.paused,
  created_at: user.created_at,
  last_login_at: user.last_login_at,
})
