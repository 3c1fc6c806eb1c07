import type { Database } from '#database/database.ts'
import { linesAfter, rowsAfter } from '#database/searched-rows.ts'
import { type FilterOf, type License, licensesSearch, matchingLicenses } from './licenses.reads.ts'

/** Batches of the licenses that match a filter, for reads of any number of them. */

interface Next {
  afterId: number
  limit: number
}

/** The given columns of the next licenses after `afterId`, oldest first; all by default. */
export const listAfter = async <C extends keyof License = keyof License>(
  db: Database,
  { afterId, limit, columns, ...choice }: FilterOf & Next & { columns?: readonly C[] },
): Promise<Pick<License, C>[]> =>
  rowsAfter(licensesSearch, await matchingLicenses(db, choice), { afterId, limit, ...(columns && { columns }) })

/** Only the keys of the next licenses after `afterId`. */
export const listKeysAfter = (db: Database, choice: FilterOf & Next): Promise<Pick<License, 'id' | 'license'>[]> =>
  listAfter(db, { ...choice, columns: ['id', 'license'] })

/** The keys of the next licenses after `afterId`, oldest first, a line for each; undefined if none are left. */
export const keyLinesAfter = async (db: Database, { afterId, limit, ...choice }: FilterOf & Next) =>
  linesAfter(db, { table: 'licenses', column: 'license' }, await matchingLicenses(db, choice), { afterId, limit })

/** IDs of the next licenses of a level after `afterId`, oldest first. */
export async function listLicenseIdsOfLevel(
  db: Database,
  { appId, level, afterId, limit, now }: { appId: string; level: number; afterId: number; limit: number; now: number },
): Promise<number[]> {
  return (await listKeysAfter(db, { appId, filter: { level }, now, afterId, limit })).map(({ id }) => id)
}
