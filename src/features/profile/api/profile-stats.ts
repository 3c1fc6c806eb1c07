import { getAccount } from '#features/accounts/accounts.actions.ts'
import { listOwnAppIds } from '#features/apps/apps.reads.ts'
import { countLicensesOfApps } from '#features/licenses/licenses.reads.ts'
import { countUsersOfApps } from '#features/users/users.reads.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { profileContract } from '../profile.contract.ts'

export const profileStats = endpoint(profileContract.profileStats, {
  read: async ({ services: { db }, actor }) => {
    const account = await getAccount(db.read, actor.id)
    const apps = await listOwnAppIds(db.read, actor.id)
    return {
      totalApps: apps.length,
      totalLicenses: sumOf(await countLicensesOfApps(db.reports, apps)),
      totalUsers: sumOf(await countUsersOfApps(db.reports, apps)),
      accountCreated: account.created_at,
    }
  },
})

const sumOf = (counts: Map<string, number>): number => [...counts.values()].reduce((sum, count) => sum + count, 0)
