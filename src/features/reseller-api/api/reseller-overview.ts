import { findBalance } from '#features/credits/credits.reads.ts'
import { findAssignment } from '#features/resellers/resellers.reads.ts'
import { assignedAppsOf, historyReply } from '#features/resellers/resellers.reply.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { resellerApiContract } from '../reseller-api.contract.ts'
import { ownLicenseStats } from '../reseller-api.reads.ts'

export const resellerApps = endpoint(resellerApiContract.apps, {
  read: async ({ services: { db }, actor }) => ({ apps: (await assignedAppsOf(db.read, [actor.id]))(actor.id) }),
})

export const resellerDashboard = endpoint(resellerApiContract.dashboard, {
  read: async ({ services: { db }, actor }) => {
    const apps = (await assignedAppsOf(db.read, [actor.id]))(actor.id)
    const stats = await ownLicenseStats(db.reports, { appIds: apps.map(({ appId }) => appId), resellerId: actor.id })
    const totalCredits = apps.reduce((sum, { credits }) => sum + credits, 0)
    return { dashboard: { apps, totalCredits, stats } }
  },
})

export const resellerCredits = endpoint(resellerApiContract.credits, {
  read: async ({ services: { db }, actor, app }) => {
    const scope = { appId: app.id, resellerId: actor.id }
    const credits = await findBalance(db.read, scope)
    const assignment = await findAssignment(db.read, scope)
    const { allowedPlans = [], planCosts = {} } = assignment ?? {}
    return { credits, totalCredits: credits, allowedPlans, planCosts }
  },
})

export const resellerCreditHistory = endpoint(resellerApiContract.creditHistory, {
  read: ({ services: { db }, actor, app, query: { limit = 50, before } }) =>
    historyReply(db.reports, { resellerId: actor.id, apps: [app], limit, before }),
})
