import type { ExpressionBuilder } from 'kysely'
import type { Database, Reader } from '#database/database.ts'
import type { Schema } from '#database/schema.ts'
import type { SearchedRows } from '#database/search-source.ts'
import { countRows, rowsOfPage } from '#database/searched-rows.ts'
import { countLicensesOfResellers } from '#features/licenses/licenses.reads.ts'
import { licenseStats } from '#features/resellers/resellers.rules.ts'
import { findUsersById, type User, usersSearch } from '#features/users/users.reads.ts'

/** A reseller's own things in these apps (R-TEN-06). */
interface OwnIn {
  appId: string
  resellerId: string
}

const redeemers = (db: Reader, { appId, resellerId }: OwnIn) =>
  db
    .selectFrom('licenses')
    .where('licenses.app_id', '=', appId)
    .where('licenses.reseller_id', '=', resellerId)
    .where('licenses.used', '=', 1)
    .where('licenses.used_by_user_id', 'is not', null)

interface OwnUsers extends OwnIn {
  search?: string | undefined
}

/** Those of the users that a search finds. */
async function searchOwnUsers(db: Database, { search, ...own }: OwnUsers): Promise<SearchedRows<'users'>> {
  const found = await db.searched(usersSearch, { appId: own.appId, text: search })
  const isOwn = (where: ExpressionBuilder<Schema, 'users'>) =>
    where.exists(
      where
        .selectFrom('licenses')
        .select('licenses.id')
        .where('licenses.app_id', '=', own.appId)
        .where('licenses.reseller_id', '=', own.resellerId)
        .where('licenses.used', '=', 1)
        .whereRef('licenses.used_by_user_id', '=', 'users.id'),
    )
  return { ...found, query: found.query.where(isOwn) }
}

export async function countOwnUsers(db: Database, own: OwnUsers): Promise<number> {
  if (own.search?.trim()) return countRows(await searchOwnUsers(db, own))
  const { n } = await redeemers(db.reports, own)
    .select((select) => select.fn.count<number>('licenses.used_by_user_id').distinct().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** A page of the users who redeemed own licenses, newest first; without a search read by an index of the licenses. */
export async function listOwnUsers(
  db: Database,
  { offset, limit: pageSize, total, ...own }: OwnUsers & { offset: number; limit: number; total: number },
): Promise<User[]> {
  const { appId } = own
  if (own.search?.trim()) {
    const found = await searchOwnUsers(db, own)
    return rowsOfPage(db, { table: 'users', appId }, found, { offset, limit: pageSize, total })
  }
  const limit = Math.min(pageSize, Math.max(0, total - offset))
  if (limit === 0) return []
  const fromEnd = offset > total / 2
  const rows = await redeemers(db.reports, own)
    .select('licenses.used_by_user_id as id')
    .distinct()
    .orderBy('licenses.used_by_user_id', fromEnd ? 'asc' : 'desc')
    .limit(limit)
    .offset(fromEnd ? total - offset - limit : offset)
    .execute()
  const ids = rows.map(({ id }) => Number(id))
  const users = await findUsersById(db.reports, appId, ids)
  return users.toSorted((one, other) => other.id - one.id)
}

/** Whether this user redeemed an own license. */
export async function isOwnUser(db: Reader, own: OwnIn, userId: number): Promise<boolean> {
  const license = await redeemers(db, own)
    .where('licenses.used_by_user_id', '=', userId)
    .select('id')
    .limit(1)
    .execute()
  return license.length > 0
}

export async function ownLicenseStats(
  db: Reader,
  { appIds, resellerId }: { appIds: readonly string[]; resellerId: string },
): Promise<ReturnType<typeof licenseStats>> {
  const counts = await countLicensesOfResellers(db, { appIds, resellerIds: [resellerId] })
  const of = (used: boolean) => counts.find((each) => each.used === used)?.count ?? 0
  return licenseStats(of(true), of(false))
}
