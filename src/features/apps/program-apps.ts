import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { epochSeconds, perServer, type Services } from '#server/services.ts'
import { openBoxKey, openHwidPepper, openRootKey, openSigningKey, signingKeySeconds } from './app-keys.ts'
import { addSigningKey } from './app-keys.actions.ts'
import {
  type App,
  appNameKey,
  findAppOfProgram,
  findValidSigningKey,
  listReplacedKeys,
  type SigningKey,
} from './apps.reads.ts'
import { lockAppRow } from './apps.writes.ts'

/** An app as needed by the calls of its programs: settings and opened keys. */
export interface ProgramApp {
  row: App
  ownerBanned: boolean
  signingKey: KeyObject
  kid: string
  certificate: string
  /** The app's own key first, then those that programs in use still contain. */
  boxKeys: readonly KeyObject[]
  /** Creating the HMAC key costs more than using it, so it is created once. */
  hwidPepper: KeyObject
}

const ttlMs = 600_000
const maxCached = 5000

interface CachedApp {
  app: ProgramApp
  loadedAt: number
}

/** One key for an app, however its programs spell the name. */
export const programAppKey = (ownerId: string, name: string) => `${ownerId}/${appNameKey(name)}`

/** Stored instead of a hardware ID. */
export const hashHwid = ({ hwidPepper }: ProgramApp, hwid: string): string =>
  createHmac('sha256', hwidPepper).update(hwid).digest('base64url')

/** In-memory apps by the name their programs send; a write to an app or its owner drops the entry immediately. */
export class ProgramApps {
  readonly #services: Services
  /** By `programAppKey`. */
  readonly #cache = new Map<string, CachedApp>()
  readonly #loads = new Map<string, Promise<ProgramApp | null>>()
  #opened = 0

  constructor(services: Services) {
    this.#services = services
    services.db.events.on('app', (appId) => this.#drop(appId, ({ row }) => row.id === appId))
    services.db.events.on('account', (ownerId) => this.#drop(ownerId, ({ row }) => row.owner_id === ownerId))
  }

  /** Number of times the keys of an app were opened. */
  get opened(): number {
    return this.#opened
  }

  /** The app of a `programAppKey` if it is in memory. */
  cached(key: string): ProgramApp | undefined {
    const known = this.#cache.get(key)
    if (!known) return undefined
    const now = this.#services.clock()
    // An entry read in the future, by a clock that was set back since, is outdated, too.
    return known.loadedAt <= now && now - known.loadedAt < ttlMs ? known.app : undefined
  }

  /** Null if there is no such app. */
  async find(ownerId: string, name: string): Promise<ProgramApp | null> {
    const key = programAppKey(ownerId, name)
    const known = this.cached(key) ?? this.#loads.get(key)
    if (known) return known
    const load = this.#load(ownerId, name)
    this.#loads.set(key, load)
    try {
      const app = await load
      // A change during the load makes the next call load it again.
      if (app && this.#loads.get(key) === load) this.#store(key, app)
      return app
    } finally {
      if (this.#loads.get(key) === load) this.#loads.delete(key)
    }
  }

  #store(key: string, app: ProgramApp): void {
    this.#cache.delete(key)
    const [oldest] = this.#cache.size >= maxCached ? this.#cache.keys() : []
    if (oldest !== undefined) this.#cache.delete(oldest)
    this.#cache.set(key, { app, loadedAt: this.#services.clock() })
  }

  /** For apps being loaded, the ID is not known yet. */
  #drop(id: string, matches: (app: ProgramApp) => boolean): void {
    this.#loads.clear()
    if (id === '*') return this.#cache.clear()
    for (const [key, { app }] of this.#cache) if (matches(app)) this.#cache.delete(key)
  }

  async #load(ownerId: string, name: string): Promise<ProgramApp | null> {
    const { db, masterKey } = this.#services
    const row = await findAppOfProgram(db.read, ownerId, name)
    if (!row) return null
    const now = epochSeconds(this.#services)
    const key = await findValidSigningKey(db.read, row.id, now)
    const usable = isFresh(key, now) ? key : await this.#renew(row, now)
    const replaced = await listReplacedKeys(db.read, row.id)
    this.#opened += 1
    return {
      row,
      ownerBanned: row.owner_banned === 1,
      signingKey: openSigningKey(masterKey, usable),
      kid: usable.kid,
      certificate: usable.certificate,
      boxKeys: [row, ...replaced].map((keys) => openBoxKey(masterKey, row.id, keys)),
      hwidPepper: createSecretKey(openHwidPepper(masterKey, row)),
    }
  }

  /** Two processes may renew at the same time: the later one finds the other's key. */
  #renew({ id }: App, now: number): Promise<SigningKey> {
    const { db, masterKey } = this.#services
    return db.write(async (tx) => {
      // Read again under the lock: the root key may have been replaced meanwhile.
      const app = await lockAppRow(tx.db, id)
      const stored = await findValidSigningKey(tx.db, id, now)
      if (isFresh(stored, now)) return stored
      if (app) await addSigningKey(tx, app, { masterKey, rootKey: openRootKey(masterKey, app), now })
      const newest = await findValidSigningKey(tx.db, id, now)
      if (!newest) throw new Error(`The signing key of ${id} was not stored`)
      return newest
    })
  }
}

/** Whether at least half of the lifetime is left; otherwise, the key is renewed. */
const isFresh = (key: SigningKey | undefined, now: number): key is SigningKey =>
  key !== undefined && key.not_after - now > signingKeySeconds / 2

export const programApps = perServer((services) => new ProgramApps(services))
