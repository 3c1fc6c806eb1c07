import type { Reader } from '#database/database.ts'
import { findBalance, readSpending } from '#features/credits/credits.reads.ts'
import { creditDaysLeft, isCreditLow } from '#features/credits/credits.rules.ts'
import { findAssignment } from '#features/resellers/resellers.reads.ts'
import { assignedAppsOf, historyReply } from '#features/resellers/resellers.reply.ts'
import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { resellerApiContract as contract } from '../reseller-api.contract.ts'
import { findLastSale, ownLicenseStats } from '../reseller-api.reads.ts'

export const ownOverviewCalls: readonly Endpoint[] = [
  endpoint(contract.apps, {
    read: async ({ services: { db }, actor }) => ({ apps: await ownApps(db.read, actor.id) }),
  }),
  endpoint(contract.dashboard, {
    read: async ({ services: { db }, actor }) => {
      const apps = await ownApps(db.read, actor.id)
      const stats = await ownLicenseStats(db.reports, { appIds: apps.map(({ appId }) => appId), resellerId: actor.id })
      const totalCredits = apps.reduce((sum, { credits }) => sum + credits, 0)
      return { dashboard: { apps, totalCredits, stats } }
    },
  }),
  endpoint(contract.credits, {
    read: async ({ services: { db }, actor, app, now }) => {
      const scope = { appId: app.id, resellerId: actor.id }
      const credits = await findBalance(db.read, scope)
      const assignment = await findAssignment(db.read, scope)
      const { allowedPlans = [], planCosts = {} } = assignment ?? {}
      const spending = await readSpending(db.reports, { ...scope, now })
      const daysLeft = creditDaysLeft(credits, spending)
      return {
        credits,
        totalCredits: credits,
        allowedPlans,
        planCosts,
        spentLast30Days: spending.spent,
        daysLeft,
        low: isCreditLow(credits, daysLeft),
      }
    },
  }),
  endpoint(contract.creditHistory, {
    read: ({ services: { db }, actor, app, query: { limit = 50, before } }) =>
      historyReply(db.reports, { resellerId: actor.id, apps: [app], limit, before }),
  }),
]

/** The apps of a reseller, each with what was sold there last. */
async function ownApps(db: Reader, resellerId: string) {
  const apps = (await assignedAppsOf(db, [resellerId]))(resellerId)
  return Promise.all(
    apps.map(async (app) => ({ ...app, lastSale: await findLastSale(db, { appId: app.appId, resellerId }) })),
  )
}
