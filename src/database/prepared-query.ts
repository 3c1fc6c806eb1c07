import type { Compilable, CompiledQuery } from 'kysely'
import type { Reader } from './database.ts'
import { directConnectionOf } from './direct-connection.ts'
import { keepPlanOf } from './prepared-texts.ts'

/** Placeholder for a value while a query is compiled. */
class Parameter {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/**
 * Builds a query once per kind of connection and then only binds values: on hot paths, building costs more than
 * running. `build` receives placeholders typed like the values, so it must not branch on them.
 */
export function preparedQuery<P extends object, R>(
  build: (db: Reader, values: P) => Compilable<R>,
): (db: Reader, values: P) => Promise<R[]> {
  const compiled = new WeakMap<object, CompiledQuery<R>>()
  const placeholders = new Proxy({}, { get: (_, name) => new Parameter(String(name)) }) as P

  return async (db, values) => {
    const { adapter } = db.getExecutor()
    let query: CompiledQuery<R> | undefined = compiled.get(adapter)
    if (!query) {
      query = build(db, placeholders).compile()
      compiled.set(adapter, query)
      keepPlanOf(query.sql)
    }
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Parameter ? (values as Record<string, unknown>)[parameter.name] : parameter,
    )
    const executor = directConnectionOf(db) ?? db
    const result = await executor.executeQuery<R>({ ...query, parameters })
    return result.rows
  }
}
