import type { Transaction } from '#database/database.ts'
import { type Person, rowsOf, type SignInTables } from './sign-in-tables.ts'

/** False if the hash has changed since it was read. */
export async function replacePasswordHash(
  trx: Transaction,
  tables: SignInTables,
  { id, password_hash }: Pick<Person, 'id' | 'password_hash'>,
  hash: string,
): Promise<boolean> {
  const { db, people } = rowsOf(trx, tables)
  const result = await db
    .updateTable(people)
    .set({ password_hash: hash })
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

export async function updatePerson(
  trx: Transaction,
  tables: SignInTables,
  id: string,
  change: Partial<Person>,
): Promise<void> {
  const { db, people } = rowsOf(trx, tables)
  await db.updateTable(people).set(change).where('id', '=', id).execute()
}
