import type { Reader } from '#database/database.ts'
import { countLicensesOfResellers } from '#features/licenses/licenses.reads.ts'
import { licenseStats } from '#features/resellers/resellers.rules.ts'
import type { User } from '#features/users/users.reads.ts'

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

/** The users who redeemed own licenses, newest first: for `reports`. */
export const listOwnUsers = (
  db: Reader,
  { offset, limit, ...own }: OwnIn & { offset: number; limit: number },
): Promise<User[]> =>
  db
    .selectFrom('users')
    .selectAll()
    .where('app_id', '=', own.appId)
    .where('id', 'in', redeemers(db, own).select('licenses.used_by_user_id'))
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export async function countOwnUsers(db: Reader, own: OwnIn): Promise<number> {
  const { n } = await redeemers(db, own)
    .select((select) => select.fn.count<number>('licenses.used_by_user_id').distinct().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
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
