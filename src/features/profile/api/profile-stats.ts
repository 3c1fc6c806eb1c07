import { accountById, signInAgain } from '#features/accounts/accounts.actions.ts'
import { appsOfOwner } from '#features/apps/owner-apps.actions.ts'
import { countLicensesByApp } from '#features/licenses/licenses.actions.ts'
import { countUsersByApp } from '#features/users/user-totals.actions.ts'
import { endpoint } from '#server/endpoint.ts'
import { profileContract } from '../profile.contract.ts'

export const profileStats = endpoint(profileContract.profileStats, {
  read: async ({ services: { db }, actor }) => {
    const account = (await accountById(db.read, actor.id)) ?? signInAgain()
    const apps = await appsOfOwner(db.read, actor.id)
    return {
      totalApps: apps.length,
      totalLicenses: sumOf(await countLicensesByApp(db.reports, apps)),
      totalUsers: sumOf(await countUsersByApp(db.reports, apps)),
      accountCreated: account.created_at,
    }
  },
})

const sumOf = (counts: Map<string, number>): number => [...counts.values()].reduce((sum, count) => sum + count, 0)
