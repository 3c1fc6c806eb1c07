import pg from 'pg'
import { forgetPlanOf, planNameOf } from '../prepared-texts.ts'

type Run = (query: unknown, ...rest: unknown[]) => Promise<unknown>

const run = pg.Client.prototype.query as unknown as Run

/** A kept plan that no longer fits: a newer process has changed the table meanwhile. */
export const planIsOutdated = (error: unknown): boolean => (error as { code?: string }).code === '0A000'

/** Runs the texts of prepared queries as named statements: PostgreSQL parses and plans each once per connection. */
export class PreparingClient extends pg.Client {
  override query = ((query: unknown, ...rest: unknown[]) => {
    const name = typeof query === 'string' ? planNameOf(query) : undefined
    if (name === undefined) return run.call(this, query, ...rest)
    return this.#runPlanned(name, query as string, rest)
  }) as unknown as pg.Client['query']

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
