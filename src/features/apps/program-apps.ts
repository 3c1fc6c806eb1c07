import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { onePerServer } from '#server/one-per-server.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import {
  newSigningKey,
  openBoxKey,
  openHwidPepper,
  openRootKey,
  openSigningKey,
  signingKeySeconds,
} from './app-keys.ts'
import { type App, findAppOfProgram, findHighestSerial, findValidSigningKey, type SigningKey } from './apps.reads.ts'
import { insertSigningKey, lockAppRow } from './apps.writes.ts'

/** An app as its programs' calls need it: settings and opened keys. */
export interface ProgramApp {
  row: App
  ownerBanned: boolean
  signingKey: KeyObject
  kid: string
  certificate: string
  boxKey: KeyObject
  /** Keyed once: making the key costs more than using it. */
  hwidPepper: KeyObject
}

const ttlMs = 600_000
const maxCached = 5000

interface CachedApp {
  app: Promise<ProgramApp | null>
  loadedAt: number
}

/** What is stored instead of a hardware id (R-CLI-08). */
export const hashHwid = ({ hwidPepper }: ProgramApp, hwid: string): string =>
  createHmac('sha256', hwidPepper).update(hwid).digest('base64url')

/** Apps by the name their programs send, in memory; a write to an app or its owner drops it at once (DESIGN §2). */
export class ProgramApps {
  readonly #services: Services
  readonly #cache = new Map<string, CachedApp>()

  constructor(services: Services) {
    this.#services = services
    // Any change drops all: writes to apps are rare and a reload costs one read.
    services.db.events.on('app', () => this.#cache.clear())
    services.db.events.on('account', () => this.#cache.clear())
  }

  /** Null when there is no such app. */
  find(ownerId: string, name: string): Promise<ProgramApp | null> {
    const key = `${ownerId}/${name}`
    const known = this.#cache.get(key)
    const now = this.#services.clock()
    // What was read in the future, by a clock that was set back since, is out of date too.
    if (known && known.loadedAt <= now && now - known.loadedAt < ttlMs) return known.app
    const app = this.#load(ownerId, name).then((found) => {
      if (!found) this.#cache.delete(key)
      return found
    })
    app.catch(() => this.#cache.delete(key))
    if (this.#cache.size >= maxCached) this.#cache.clear()
    this.#cache.set(key, { app, loadedAt: now })
    return app
  }

  async #load(ownerId: string, name: string): Promise<ProgramApp | null> {
    const { db, masterKey } = this.#services
    const row = await findAppOfProgram(db.read, ownerId, name)
    if (!row) return null
    const now = epochSeconds(this.#services)
    const key = await findValidSigningKey(db.read, row.id, now)
    const usable = isFresh(key, now) ? key : await this.#renew(row, now)
    return {
      row,
      ownerBanned: row.owner_banned === 1,
      signingKey: openSigningKey(masterKey, usable),
      kid: usable.kid,
      certificate: usable.certificate,
      boxKey: openBoxKey(masterKey, row),
      hwidPepper: createSecretKey(openHwidPepper(masterKey, row)),
    }
  }

  /** Two processes may renew together: the later one finds the key of the other. */
  #renew(app: App, now: number): Promise<SigningKey> {
    const { db, masterKey } = this.#services
    const rootKey = openRootKey(masterKey, app)
    return db.write(async (tx) => {
      await lockAppRow(tx.db, app.id)
      const stored = await findValidSigningKey(tx.db, app.id, now)
      if (isFresh(stored, now)) return stored
      const serial = (await findHighestSerial(tx.db, app.id)) + 1
      await insertSigningKey(tx.db, newSigningKey(masterKey, { appId: app.id, rootKey, serial, now }))
      const newest = await findValidSigningKey(tx.db, app.id, now)
      if (!newest) throw new Error(`The signing key of ${app.id} was not stored`)
      return newest
    })
  }
}

/** Whether programs get it, or the next one in time before it ends. */
const isFresh = (key: SigningKey | undefined, now: number): key is SigningKey =>
  key !== undefined && key.not_after - now > signingKeySeconds / 2

export const programApps = onePerServer((services) => new ProgramApps(services))
