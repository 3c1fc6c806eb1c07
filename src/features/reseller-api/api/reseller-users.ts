import { pageCount, wholeListPage } from '#contract/fields.ts'
import { endlessAccess, entitlementEnd } from '#features/entitlements/entitlements.rules.ts'
import { statusOf, type User } from '#features/users/users.reads.ts'
import { hwidFingerprint } from '#features/users/users.reply.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { resetOwnUserHwid } from '../reseller-api.actions.ts'
import { resellerApiContract } from '../reseller-api.contract.ts'
import { countOwnUsers, listOwnUsers } from '../reseller-api.reads.ts'

function accessOf(user: User, now: number) {
  const until = Number(user.access_until)
  const end = until === endlessAccess ? null : until
  const { expiry, time_left: timeLeft } = entitlementEnd(user, end, now)
  return {
    hasActiveSubscription: timeLeft !== 0,
    accessUntil: expiry === 0 ? null : expiry,
    timeLeft,
  }
}

export const listResellerUsers = endpoint(resellerApiContract.listUsers, {
  read: async ({ services: { db }, actor, app, query, now }) => {
    const { page, limit } = wholeListPage(query)
    const own = { appId: app.id, resellerId: actor.id, search: query.search, status: query.status, now }
    const total = await countOwnUsers(db, own)
    const rows = await listOwnUsers(db, { ...own, offset: (page - 1) * limit, limit, total })
    const users = rows.map((user) => ({
      username: user.username,
      email: user.email,
      hwid: hwidFingerprint(user),
      lastLoginDate: user.last_login_at,
      banned: user.banned === 1,
      paused: user.paused === 1,
      status: statusOf(user, now),
      ...accessOf(user, now),
    }))
    return { users, total, totalPages: pageCount(total, limit), limit }
  },
})

export const resetResellerUserHwid = endpoint(resellerApiContract.resetHwid, {
  write: async (tx, context) => {
    await resetOwnUserHwid(tx, context, context.params.u)
    return { code: 'HWID_RESET_OK' }
  },
})
