import type { Reader } from '#database/database.ts'
import { findAppOwner } from './apps.queries.ts'

/** Whose app it is. */
export const ownerOfApp = (db: Reader, appId: string): Promise<string | undefined> => findAppOwner(db, appId)
