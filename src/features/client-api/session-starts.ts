import { atOnce } from '#database/at-once.ts'
import type { Database } from '#database/database.ts'
import { databaseIsUnavailable } from '#database/unavailable.ts'
import { recordProgramStart } from '#features/apps/apps.actions.ts'
import type { ProgramApp } from '#features/apps/program-apps.ts'
import { startClientSessions } from '#features/session-store/session-store.actions.ts'
import type { StartedSession } from '#features/session-store/session-store.reads.ts'
import { insertNonces } from './client-api.writes.ts'
import { claimedWrite, type Nonce, usedNonce } from './used-nonces.ts'

export interface SessionStart {
  app: ProgramApp['row']
  session: StartedSession
  /** Claimed in the transaction of the session. */
  nonce: Nonce
}

interface Waiting extends SessionStart {
  resolve: () => void
  reject: (error: unknown) => void
}

const maxTogether = 100

/**
 * Stores the sessions of starting programs. Starts of one app that arrive while another transaction of them runs share
 * the next one, and its statements (docs/decisions/046); apps don't wait for each other.
 */
export class SessionStarts {
  readonly #db: Database
  /** By app, while a transaction of it runs or is about to. */
  readonly #waiting = new Map<string, Waiting[]>()

  constructor(db: Database) {
    this.#db = db
  }

  /** Resolves once the session is durable. Errors: `NONCE_REUSED`. */
  store(start: SessionStart): Promise<void> {
    const { id } = start.app
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(id)
      if (waiting) return void waiting.push({ ...start, resolve, reject })
      this.#waiting.set(id, [{ ...start, resolve, reject }])
      // After all requests that came in together have been handled.
      setImmediate(() => void this.#storeWaiting(id))
    })
  }

  async #storeWaiting(appId: string): Promise<void> {
    const waiting = this.#waiting.get(appId) ?? []
    while (waiting.length > 0) {
      const starts = waiting.splice(0, maxTogether)
      try {
        await this.#storeTogether(starts)
        for (const { resolve } of starts) resolve()
      } catch (error) {
        if (databaseIsUnavailable(error)) {
          for (const { reject } of [...starts, ...waiting.splice(0)]) reject(error)
        } else {
          await Promise.all(starts.map((start) => this.#storeAlone(start).then(start.resolve, start.reject)))
        }
      }
    }
    this.#waiting.delete(appId)
  }

  /** Fails for all of them if one fails, without saying which. */
  async #storeTogether(starts: readonly SessionStart[]): Promise<void> {
    const nonces = starts.map(({ nonce }) => usedNonce(nonce))
    await this.#db.write((tx) =>
      atOnce([
        insertNonces(tx.db, nonces).then((areNew) => {
          if (!areNew) throw new Error('One of the nonces is used')
        }),
        startClientSessions(
          tx,
          starts.map(({ session }) => session),
        ),
        ...starts.slice(-1).map(({ app, session }) => recordProgramStart(tx, app, session.created_at)),
      ]),
    )
  }

  async #storeAlone({ app, session, nonce }: SessionStart): Promise<void> {
    const write = claimedWrite(this.#db, nonce)
    await write((tx) => atOnce([startClientSessions(tx, [session]), recordProgramStart(tx, app, session.created_at)]))
  }
}
