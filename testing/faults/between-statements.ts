import type { Kysely, KyselyPlugin } from 'kysely'
import type { Schema } from '#database/schema.ts'

/** Reads with a handle during whose first statement somebody else acts: any further statement sees what was done. */
export function afterFirstStatement(db: Kysely<Schema>, change: () => Promise<unknown>): Kysely<Schema> {
  let done: Promise<unknown> | undefined
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await (done ??= change())
      return result
    },
  }
  return db.withPlugin(plugin)
}
