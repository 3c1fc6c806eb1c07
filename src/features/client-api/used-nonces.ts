import { hash } from 'node:crypto'
import type { Database } from '#database/database.ts'
import { deleteNoncesBefore, insertNonces } from './client-api.writes.ts'
import type { RecentNonces } from './recent-nonces.ts'

const maxCleared = 1000

interface Claim {
  digest: string
  resolve: (isNew: boolean) => void
  reject: (error: unknown) => void
}

interface Nonce {
  /** Where it counts once, such as a session. */
  scope: string
  nonce: string
  /** Epoch milliseconds. */
  now: number
}

const maxClaims = 500

/**
 * What one process has answered, no other answers again (R-CLI-03). While there are others, nonces are claimed in the
 * database as well: those of parallel requests in one statement, so that many cost little more than one.
 */
export class UsedNonces {
  readonly #db: Database
  readonly #ttlMs: number
  #pending: Claim[] = []
  #isClaiming = false
  #clearedAt = 0

  constructor(db: Database, ttlMs: number) {
    this.#db = db
    this.#ttlMs = ttlMs
  }

  /** False when it was taken before, here (`own`) or by another process. */
  async take(own: RecentNonces, { scope, nonce, now }: Nonce): Promise<boolean> {
    if (!own.take(nonce, now)) return false
    if (!this.#db.hasPeers) return true
    const digest = hash('sha256', `${scope} ${nonce}`, 'base64url').slice(0, 22)
    return new Promise((resolve, reject) => {
      this.#pending.push({ digest, resolve, reject })
      if (!this.#isClaiming) void this.#claim(now)
    })
  }

  async #claim(now: number): Promise<void> {
    this.#isClaiming = true
    while (this.#pending.length > 0) {
      const claims = this.#pending.splice(0, maxClaims)
      const digests = claims.map(({ digest }) => digest)
      try {
        const fresh = await this.#db.write(async ({ db }) => {
          await this.#clear(db, now)
          return insertNonces(db, digests, now)
        })
        for (const { digest, resolve } of claims) resolve(fresh.has(digest))
      } catch (error) {
        for (const { reject } of claims) reject(error)
      }
    }
    this.#isClaiming = false
  }

  /** Once a while what is too old to be replayed goes. */
  async #clear(db: Parameters<typeof deleteNoncesBefore>[0], now: number): Promise<void> {
    if (now - this.#clearedAt < this.#ttlMs) return
    const removed = await deleteNoncesBefore(db, now - 2 * this.#ttlMs, maxCleared)
    // More go with the next claim.
    if (removed < maxCleared) this.#clearedAt = now
  }
}
