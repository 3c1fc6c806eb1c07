import type { Database } from '#database/database.ts'

/** Causes an internal error in the server: a table is missing during `work`. */
export async function withoutTable<T>(db: Database, table: string, work: () => Promise<T>): Promise<T> {
  const rename = (from: string, to: string) =>
    db.write(async (tx) => void (await tx.db.schema.alterTable(from).renameTo(to).execute()))
  await rename(table, `${table}_away`)
  return work().finally(() => rename(`${table}_away`, table))
}
