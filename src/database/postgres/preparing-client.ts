import pg from 'pg'
import { forgetPlanOf, planNameOf } from '../prepared-texts.ts'
import { serverOnlyReads } from '../unavailable.ts'
import { ServerClient } from './server-client.ts'

type Run = (query: unknown, ...rest: unknown[]) => Promise<unknown>

const run = pg.Client.prototype.query as unknown as Run

/** A kept plan that no longer fits: a newer process has changed the table meanwhile. */
export const planIsOutdated = (error: unknown): boolean =>
  (error as { code?: string }).code === '0A000' && !serverOnlyReads(error)

/** Half open, or to a server that another one has taken over from: the connection is of no more use. */
const connectionIsUseless = (error: unknown): boolean =>
  serverOnlyReads(error) || (error as Error).message === 'Query read timeout'

/**
 * Runs the texts of prepared queries as named statements: PostgreSQL parses and plans each once per connection. Ends
 * the connection when it turns out to be useless, so that the pool makes a new one, and emits `useless`.
 */
export class PreparingClient extends ServerClient {
  override query = ((query: unknown, ...rest: unknown[]) => {
    const name = typeof query === 'string' ? planNameOf(query) : undefined
    const result = name === undefined ? run.call(this, query, ...rest) : this.#runPlanned(name, query as string, rest)
    // With a callback there is no promise.
    if (result instanceof Promise) result.catch((error: unknown) => this.#endIfUseless(error))
    return result
  }) as unknown as pg.Client['query']

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
      // Inside a transaction this fails too, and the whole transaction is run again.
      return run.call(this, text, values).catch(() => {
        throw error
      })
    }
  }
}
