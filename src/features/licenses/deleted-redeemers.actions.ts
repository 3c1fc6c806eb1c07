import type { Tx } from '#database/database.ts'
import type { KeptTime } from '#features/entitlements/kept-time.rules.ts'
import { hasShare } from '#features/entitlements/license-shares.rules.ts'
import { userClock } from '#features/entitlements/entitlements.rules.ts'
import type { LicensedChange } from '#features/entitlements/licensed-time.actions.ts'
import type { DeletedUser } from '#features/users/deleted-users.actions.ts'
import { changeItemsOfRows, lockItemsOfRows } from '#server/bin/bin-contents.ts'
import type { License } from './licenses.reads.ts'

// The users of redeemed licenses may lie in the bin, with the time that the licenses gave them.

const redeemersOf = (licenses: readonly Pick<License, 'used_by_user_id'>[], except: readonly { id: number }[]) => {
  const others = new Set(except.map(({ id }) => Number(id)))
  return [...new Set(licenses.flatMap(({ used_by_user_id: id }) => (id === null ? [] : [Number(id)])))].filter(
    (id) => !others.has(id),
  )
}

/** Locks those who are in the bin; returns the IDs of all who aren't among the existing ones. */
export async function lockDeletedRedeemers(
  tx: Tx,
  appId: string,
  licenses: readonly Pick<License, 'used_by_user_id'>[],
  existing: readonly { id: number }[],
): Promise<number[]> {
  const rowIds = redeemersOf(licenses, existing)
  if (rowIds.length > 0) await lockItemsOfRows(tx.db, { appId, kind: 'user', rowIds })
  return rowIds
}

interface ChangedLicense {
  license: number
  clock: number
  level: number
  isBanned: boolean
}

/** Changes what these licenses gave to users who are in the bin. */
export async function changeKeptTime(
  tx: Tx,
  { appId, licenses, users, now }: LicensedChange<License>,
  change: <R extends KeptTime>(rows: readonly R[], license: ChangedLicense) => R[],
): Promise<void> {
  const rowIds = redeemersOf(licenses, users)
  await changeItemsOfRows<DeletedUser>(tx, { appId, kind: 'user', rowIds }, (id, content) => {
    const clock = userClock(content.user, now)
    const own = licenses.filter(({ used_by_user_id: user }) => Number(user) === id)
    return {
      ...content,
      subscriptions: own.reduce(
        (rows, { id: license, level, banned }) =>
          change(rows, { license: Number(license), clock, level, isBanned: banned === 1 }),
        content.subscriptions,
      ),
    }
  })
}

/** What these licenses gave to users who are in the bin, by license. */
export async function keptTimes(tx: Tx, appId: string, licenses: readonly License[]): Promise<Map<number, KeptTime>> {
  const rowIds = redeemersOf(licenses, [])
  if (rowIds.length === 0) return new Map()
  const items = await lockItemsOfRows(tx.db, { appId, kind: 'user', rowIds })
  const byUser = Map.groupBy(items, ({ row_id: user }) => Number(user))
  return new Map(
    licenses.flatMap(({ id, level: own, used_by_user_id: user }) => {
      const ofUser = (byUser.get(Number(user)) ?? []).flatMap(
        ({ content }) => (JSON.parse(content) as DeletedUser).subscriptions,
      )
      // One that was used up before the user was granted time again has no share, and gets one with time of its own.
      const row = ofUser.find((each) => hasShare(each, Number(id))) ?? ofUser.find((each) => each.level === own)
      if (!row) return []
      const { level, expires_at, license_id, shares } = row
      return [[id, { level, expires_at, license_id, shares }]]
    }),
  )
}

/** Whether the user of this license is in the bin, and has the level from elsewhere. */
export async function hasLevelInBin(tx: Tx, license: License, level: number): Promise<boolean> {
  const { app_id: appId, id, used_by_user_id: user } = license
  if (user === null) return false
  const items = await lockItemsOfRows(tx.db, { appId, kind: 'user', rowIds: [user] })
  return items.some(({ content }) => {
    const { subscriptions } = JSON.parse(content) as DeletedUser
    const isGranted = subscriptions.some((row) => hasShare(row, Number(id)) && row.level !== level)
    return isGranted && subscriptions.some((row) => row.level === level)
  })
}
