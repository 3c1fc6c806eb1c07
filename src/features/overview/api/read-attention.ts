import type { Database } from '#database/database.ts'
import { countNewAlerts } from '#features/alerts/alerts.reads.ts'
import { countOwnApps, findOwnApp } from '#features/apps/apps.reads.ts'
import { storageQuota } from '#features/downloads/downloads.reads.ts'
import { countLicensesOfApps } from '#features/licenses/licenses.reads.ts'
import { planOfAccount } from '#features/plans/plans.reads.ts'
import { countUsersOfApps } from '#features/users/users.reads.ts'
import { countVariablesOfApps } from '#features/variables/variables.reads.ts'
import { listWebhooksOfApp, type Webhook } from '#features/webhooks/webhooks.reads.ts'
import { webhookStatus } from '#features/webhooks/webhooks.rules.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { countEnding, findRejected } from '../attention.reads.ts'
import { overviewContract } from '../overview.contract.ts'
import { countByHour } from '../overview.reads.ts'
import { hourSeconds, nearLimits, pastSpans, type UsedLimit, wholeOf } from '../overview.rules.ts'

export const readAttention = endpoint(overviewContract.readAttention, {
  read: async ({ services: { db }, actor, app, now }) => {
    const rejected = await findRejected(db.reports, { appId: app.id, since: now - 24 * hourSeconds })
    const { displayName, limits } = await usedLimits(db, { appId: app.id, ownerId: actor.id, now })
    return {
      at: now,
      webhooks: await brokenWebhooks(db, app.id),
      alerts: await countNewAlerts(db.read, app.id),
      rejected: { ...rejected, customer: rejected.ofCode === 1 ? rejected.customer : '' },
      outdated: {
        ...(await outdatedStarts(db, app.id, now)),
        version: (await findOwnApp(db.read, actor.id, app.id))?.version ?? '',
      },
      expiring: await countEnding(db.reports, app.id, now),
      plan: displayName,
      limits: nearLimits(limits),
    }
  },
})

async function brokenWebhooks(db: Database, appId: string) {
  const all = await listWebhooksOfApp(db.read, appId)
  const statusOf = ({ stopped_at: stoppedAt, failing_since: failingSince }: Webhook) =>
    webhookStatus({ stoppedAt, failingSince })
  const stopped = all.filter((webhook) => statusOf(webhook) === 'stopped')
  const failing = all.filter((webhook) => statusOf(webhook) === 'failing')
  const [only, ...others] = [...stopped, ...failing]
  const webhookId = others.length === 0 ? (only?.id ?? '') : ''
  return { failing: failing.length, stopped: stopped.length, webhookId }
}

/** Rejected because of their version in the last 24 hours, as the overview has them: the current one is the last. */
async function outdatedStarts(db: Database, appId: string, now: number) {
  const { first, last } = wholeOf(pastSpans(1, 'UTC', now))
  const counts = await countByHour(db.reports, { appId, first, last })
  const starts = counts.reduce((sum, { label, count }) => sum + (label === 'VERSION_OUTDATED' ? count : 0), 0)
  return { starts, from: first * hourSeconds, to: last * hourSeconds }
}

interface LimitsOf {
  appId: string
  ownerId: string
  now: number
}

/** What the app uses of the plan, and the account of its apps and storage. */
async function usedLimits(db: Database, { appId, ownerId, now }: LimitsOf) {
  const { displayName, limits: max } = await planOfAccount(db.read, ownerId, now)
  const quota = await storageQuota(db.reports, { ownerId }, { now, maxFileBytes: 0 })
  const of = (counts: Map<string, number>) => counts.get(appId) ?? 0
  const limits: UsedLimit[] = [
    { limit: 'licenses', used: of(await countLicensesOfApps(db.reports, [appId])), max: max.licensesPerApp },
    { limit: 'users', used: of(await countUsersOfApps(db.reports, [appId])), max: max.usersPerApp },
    { limit: 'variables', used: of(await countVariablesOfApps(db.reports, [appId])), max: max.variablesPerApp },
    { limit: 'storage', used: quota.usedBytes, max: quota.storageBytes },
    { limit: 'apps', used: await countOwnApps(db.read, ownerId), max: max.apps },
  ]
  return { displayName, limits }
}
