import { randomUUID } from 'node:crypto'
import { type Generated, sql } from 'kysely'
import { type BinKind, binRetentionSeconds } from '#contract/bin.ts'
import type { Database, Tx } from '#database/database.ts'
import { deleteInBatches } from '#database/delete-rows.ts'
import type { AppContext, AuditContext } from '../audit/audit.ts'

/** Deleted things, which can be restored for 30 days (BIN-01). */

interface BinItemsTable {
  id: Generated<number>
  app_id: string
  kind: BinKind
  /** ID that the deleted row had. */
  row_id: number
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
  name: string
  content: C
}

/** Identifies the items of one deletion, so that they are restored together. */
export const newDeletion = (): string => randomUUID()

const rowsPerInsert = 250

/** Puts rows into the bin in the transaction that deletes them. */
export async function putInBin<C extends object>(
  tx: Tx,
  { app, actor, now }: AppContext,
  { kind, operation, rows }: { kind: BinKind; operation: string; rows: readonly DeletedRow<C>[] },
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
    const values = rows.slice(from, from + rowsPerInsert).map(({ id, name, content }) => ({
      ...deletion,
      row_id: id,
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

/** Removes items for good whose time is over. */
export const emptyOldBin = (db: Pick<Database, 'write'>, now: number): Promise<void> =>
  deleteInBatches(db, 'bin_items', sql`deleted_at <= ${now - binRetentionSeconds} order by deleted_at`)
