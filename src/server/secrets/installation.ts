import { randomUUID } from 'node:crypto'
import type { Database, Reader } from '#database/database.ts'

/** A single row that identifies this database. Backups and moves to another engine keep it. */
export interface InstallationTable {
  only_row: 1
  id: string
  /** Null until a server with a master key has opened the database. */
  master_key_check: string | null
}

declare module '#database/schema.ts' {
  interface Schema {
    installation: InstallationTable
  }
}

export interface Installation {
  id: string
  masterKeyCheck: string | null
}

/** Creates the row in a database without one; of two processes that start together, the first succeeds. */
export async function readInstallation(db: Database): Promise<Installation> {
  return (await findInstallation(db.read)) ?? (await createInstallation(db))
}

/** Undefined until a server of this version has opened the database. */
export async function findInstallation(db: Reader): Promise<Installation | undefined> {
  return db
    .selectFrom('installation')
    .select(['id', 'master_key_check as masterKeyCheck'])
    .where('only_row', '=', 1)
    .executeTakeFirst()
}

async function createInstallation(db: Database): Promise<Installation> {
  return db.write(async (tx) => {
    await tx.db
      .insertInto('installation')
      .values({ only_row: 1, id: randomUUID(), master_key_check: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return getInstallation(tx.db)
  })
}

async function getInstallation(db: Reader): Promise<Installation> {
  const installation = await findInstallation(db)
  if (!installation) throw new Error('The installation has no row')
  return installation
}

/** Stores the first check value of a database; returns the valid one, which may have been stored by another server. */
export async function recordMasterKeyCheck(db: Database, checkValue: string): Promise<string | null> {
  return db.write(async (tx) => {
    await tx.db
      .updateTable('installation')
      .set({ master_key_check: checkValue })
      .where('master_key_check', 'is', null)
      .execute()
    return (await getInstallation(tx.db)).masterKeyCheck
  })
}
