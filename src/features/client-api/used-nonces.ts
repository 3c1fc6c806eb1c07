import { hash } from 'node:crypto'
import { reject } from '#contract/errors.ts'
import { atOnce } from '#database/at-once.ts'
import type { Database, Tx } from '#database/database.ts'
import { clientErrors } from './client-api.errors.ts'
import type { UsedNoncesTable } from './client-api.table.ts'
import { insertNonce } from './client-api.writes.ts'

/** Runs a transaction of a call that changes something; its request takes effect once, even across restarts. */
export type ClaimedWrite = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

export interface Nonce {
  /** Scope of the nonce, such as a session. */
  scope: string
  nonce: string
  /** Epoch milliseconds. */
  now: number
}

/** What is stored of a nonce. */
export const usedNonce = ({ scope, nonce, now }: Nonce): UsedNoncesTable => ({
  digest: hash('sha256', `${scope} ${nonce}`, 'base64url').slice(0, 22),
  at: now,
})

/**
 * Transactions of one request: the first one that commits claims the nonce, so that no process executes the request
 * again, now or after a restart (docs/decisions/024). A rejected request that changed nothing claims nothing.
 */
export function claimedWrite(db: Database, nonce: Nonce): ClaimedWrite {
  let isClaimed = false
  return async (work) => {
    if (isClaimed) return db.write(work)
    const result = await db.write(async (tx) => {
      const [, done] = await atOnce([claim(tx, usedNonce(nonce)), work(tx)])
      return done
    })
    isClaimed = true
    return result
  }
}

async function claim(tx: Tx, nonce: UsedNoncesTable): Promise<void> {
  if (!(await insertNonce(tx.db, nonce))) reject(clientErrors, 'NONCE_REUSED')
}
