import { listEntitlementRows } from '#features/entitlements/entitlements.reads.ts'
import { userClock } from '#features/entitlements/entitlements.rules.ts'
import { type LicensedPart, partsOf } from '#features/entitlements/license-shares.rules.ts'
import { getUser } from '#features/users/users.actions.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { licensesContract } from '../licenses.contract.ts'
import { findLicensesById, type License } from '../licenses.reads.ts'

/** Of one subscription. */
const maxListed = 10

export const listTimeSources = endpoint(licensesContract.listTimeSources, {
  read: async ({ services: { db }, app, params, now }) => {
    const user = await getUser(db.read, app.id, params.username)
    const clock = userClock(user, now)
    const rows = await listEntitlementRows(db.read, app.id, [user.id])
    const levels = rows
      .toSorted((one, other) => one.level - other.level)
      .map((row) => ({ level: row.level, ...partsOf(row, clock) }))
      .map((row) => ({ ...row, listed: unusedFirst(row.licenses).slice(0, maxListed) }))
    const ids = levels.flatMap(({ listed }) => listed.map(({ license }) => license))
    const licenses = new Map((await findLicensesById(db.read, app.id, ids)).map((each) => [Number(each.id), each]))
    return {
      levels: levels.map(({ level, listed, licenses: all, byHand }) => ({
        level,
        licenses: listed.map((part) => sourceOf(part, licenses.get(part.license))),
        licenseCount: all.length,
        byHand: byHand === undefined ? null : { left: byHand },
      })),
    }
  },
})

const unusedFirst = (parts: readonly LicensedPart[]): LicensedPart[] =>
  parts.toSorted((one, other) => Number(one.left === 0) - Number(other.left === 0))

function sourceOf({ left }: LicensedPart, license: License | undefined) {
  const { used_at: usedAt = null, expires_at: end = null } = license ?? {}
  return {
    key: license?.license ?? null,
    banned: license?.banned === 1,
    given: license ? (end !== null && usedAt !== null ? end - usedAt : null) : left,
    left,
  }
}
