import pg from 'pg'
import { forgetPlanOf, planNameOf } from '../prepared-texts.ts'
import { isReadOnlyServer } from '../unavailable.ts'
import { ServerClient } from './server-client.ts'

type Run = (query: unknown, ...rest: unknown[]) => Promise<unknown>

const run = pg.Client.prototype.query as unknown as Run

/** A cached plan that no longer matches: a newer process has changed the table. */
export const planIsOutdated = (error: unknown): boolean =>
  (error as { code?: string }).code === '0A000' && !isReadOnlyServer(error)

/** The connection is half open, or its server is no longer the primary: it must not be reused. */
const connectionIsUseless = (error: unknown): boolean =>
  isReadOnlyServer(error) || (error as Error).message === 'Query read timeout'

/**
 * Sends the statements of one turn of the event loop in one write: a write costs about as much as a statement. Runs the
 * texts of prepared queries as named statements: PostgreSQL parses and plans each once per connection. Closes a
 * connection that turns out to be broken, so that the pool opens a new one, and emits `useless`.
 */
export class PreparingClient extends ServerClient {
  #isCorked = false

  override query = ((query: unknown, ...rest: unknown[]) => {
    this.#corkUntilTurnEnds()
    const name = typeof query === 'string' ? planNameOf(query) : undefined
    const result = name === undefined ? run.call(this, query, ...rest) : this.#runPlanned(name, query as string, rest)
    // With a callback, there is no promise.
    if (result instanceof Promise) result.catch((error: unknown) => this.#endIfUseless(error))
    return result
  }) as unknown as pg.Client['query']

  #corkUntilTurnEnds(): void {
    if (this.#isCorked) return
    this.#isCorked = true
    const { stream } = this.connection
    stream.cork()
    process.nextTick(() => {
      this.#isCorked = false
      stream.uncork()
    })
  }

  #endIfUseless(error: unknown): void {
    if (!connectionIsUseless(error)) return
    this.servers.failed(this.server)
    this.connection.stream.destroy()
    this.emit('useless')
  }

  async #runPlanned(name: string, text: string, [values]: unknown[]): Promise<unknown> {
    try {
      return await run.call(this, { name, text, values })
    } catch (error) {
      if (!planIsOutdated(error)) throw error
      forgetPlanOf(text)
      // Inside a transaction, this fails as well, and the whole transaction is retried.
      return run.call(this, text, values).catch(() => {
        throw error
      })
    }
  }
}
