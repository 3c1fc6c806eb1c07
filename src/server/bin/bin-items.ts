import { randomInt, randomUUID } from 'node:crypto'
import { type Generated, sql } from 'kysely'
import { binRetentionSeconds, type StoredBinKind } from '#contract/bin.ts'
import type { Database, Tx } from '#database/database.ts'
import { deleteInBatches } from '#database/delete-rows.ts'
import type { AppContext, AuditContext } from '../audit/audit.ts'

/** Deleted rows, which can be restored for 30 days (BIN-01). */

interface BinItemsTable {
  id: Generated<number>
  app_id: string
  kind: StoredBinKind
  /** ID of the deleted row; a random number if that ID is a text. */
  row_id: number
  /** ID of the deleted row if it is a text. */
  row_key: Generated<string | null>
  /** Size of a file in the store. */
  bytes: Generated<number>
  name: string
  /** The same for everything that one action deleted. */
  operation_id: string
  deleted_at: number
  deleted_by_type: AuditContext['actor']['type']
  /** Name of the actor at that time. */
  deleted_by: string
  content: string
}

declare module '#database/schema.ts' {
  interface Schema {
    bin_items: BinItemsTable
  }
}

/** A deleted row with everything that belonged to it. */
export interface DeletedRow<C> {
  id: number
  /** ID of the deleted row if it is a text. */
  key?: string
  /** Size of a file in the store. */
  bytes?: number
  name: string
  content: C
}

/** `row_id` of an item whose row has a text as its ID. */
export const newRowNumber = (): number => randomInt(2 ** 48 - 1)

/** Identifies the items of one deletion, so that they are restored together. */
export const newDeletion = (): string => randomUUID()

const rowsPerInsert = 250

/** Puts rows into the bin in the transaction that deletes them. */
export async function putInBin<C extends object>(
  tx: Tx,
  { app, actor, now }: AppContext,
  { kind, operation, rows }: { kind: StoredBinKind; operation: string; rows: readonly DeletedRow<C>[] },
): Promise<void> {
  const deletion = {
    app_id: app.id,
    kind,
    operation_id: operation,
    deleted_at: now,
    deleted_by_type: actor.type,
    deleted_by: actorName(actor),
  }
  for (let from = 0; from < rows.length; from += rowsPerInsert) {
    const values = rows.slice(from, from + rowsPerInsert).map(({ id, key = null, bytes = 0, name, content }) => ({
      ...deletion,
      row_id: id,
      row_key: key,
      bytes,
      name,
      content: JSON.stringify(content),
    }))
    await tx.db.insertInto('bin_items').values(values).execute()
  }
}

function actorName(actor: AppContext['actor']): string {
  if ('username' in actor) return actor.username
  return 'name' in actor ? actor.name : ''
}

/** Deletes expired items. */
export const emptyOldBin = (db: Pick<Database, 'write'>, now: number): Promise<void> =>
  deleteInBatches(db, 'bin_items', sql`deleted_at <= ${now - binRetentionSeconds} order by deleted_at`)
