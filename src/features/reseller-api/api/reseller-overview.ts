import { findBalance, readSpending } from '#features/credits/credits.reads.ts'
import { creditDaysLeft, isCreditLow } from '#features/credits/credits.rules.ts'
import { findAssignment } from '#features/resellers/resellers.reads.ts'
import { assignedAppsOf, historyReply } from '#features/resellers/resellers.reply.ts'
import type { Reader } from '#database/database.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { resellerApiContract } from '../reseller-api.contract.ts'
import { findLastSale, ownLicenseStats } from '../reseller-api.reads.ts'

/** The apps of a reseller, each with what was sold there last. */
async function ownApps(db: Reader, resellerId: string) {
  const apps = (await assignedAppsOf(db, [resellerId]))(resellerId)
  return Promise.all(
    apps.map(async (app) => ({ ...app, lastSale: await findLastSale(db, { appId: app.appId, resellerId }) })),
  )
}

export const resellerApps = endpoint(resellerApiContract.apps, {
  read: async ({ services: { db }, actor }) => ({ apps: await ownApps(db.read, actor.id) }),
})

export const resellerDashboard = endpoint(resellerApiContract.dashboard, {
  read: async ({ services: { db }, actor }) => {
    const apps = await ownApps(db.read, actor.id)
    const stats = await ownLicenseStats(db.reports, { appIds: apps.map(({ appId }) => appId), resellerId: actor.id })
    const totalCredits = apps.reduce((sum, { credits }) => sum + credits, 0)
    return { dashboard: { apps, totalCredits, stats } }
  },
})

export const resellerCredits = endpoint(resellerApiContract.credits, {
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
})

export const resellerCreditHistory = endpoint(resellerApiContract.creditHistory, {
  read: ({ services: { db }, actor, app, query: { limit = 50, before } }) =>
    historyReply(db.reports, { resellerId: actor.id, apps: [app], limit, before }),
})
