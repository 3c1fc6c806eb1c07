import { addressRetention } from '#server/jobs/address-retention.ts'
import { enqueueJobs, type JobHandler } from '#server/jobs/jobs.ts'
import { epochSeconds, perServer, type Services } from '#server/services.ts'
import { type Alert, appsNotSeen, listExpired, listNaming } from './alerts.reads.ts'
import { redactAlert, deleteExpired } from './alerts.writes.ts'
import { detect } from './detection.ts'
import { type Evidence, withoutAddresses } from './incidents.rules.ts'

const cleanupSeconds = 60

/** Apps with new stored activity, per process. */
const activeIn = perServer(() => new Set<string>())

/** Tracks apps with new activity: program activity is published, actions of people are events of their transactions. */
export function listenForActivity(services: Services): () => void {
  const active = activeIn(services)
  services.db.events.on('logs', (appId) => {
    if (appId !== '*') active.add(appId)
  })
  return services.db.onEvent(async (tx, { type, appId }) => {
    if (!type.startsWith('alert.')) tx.afterCommit(() => active.add(appId))
  })
}

/**
 * Every minute: detection for each app with new activity. The first run after a start includes what an earlier process
 * left.
 */
export const alertCleanup: JobHandler = {
  concurrency: 1,
  leaseSeconds: 60,
  maxAttempts: 1,
  everySeconds: cleanupSeconds,
  async run(services) {
    const active = activeIn(services)
    const isFirst = !sweptBefore.has(services)
    const apps = new Set([...active, ...(isFirst ? await appsNotSeen(services.db.reports) : [])])
    if (apps.size > 0) {
      const now = epochSeconds(services)
      const jobs = [...apps].map((appId) => ({ kind: 'alerts', lane: appId, payload: null, dueAt: now }))
      for (let at = 0; at < jobs.length; at += jobsPerTransaction) {
        await services.db.write((tx) => enqueueJobs(tx, jobs.slice(at, at + jobsPerTransaction), now))
      }
    }
    for (const appId of apps) active.delete(appId)
    sweptBefore.add(services)
  },
}

const jobsPerTransaction = 100
const sweptBefore = new WeakSet<Services>()

/** Detection for one app, which is the partition key. */
export const alertDetection: JobHandler = {
  concurrency: 1,
  leaseSeconds: 300,
  maxAttempts: 3,
  async run(services, { lane }) {
    await detect(services, lane)
  },
}

const appsPerRead = 200
const alertsPerTransaction = 500

/** Every hour: deletes alerts past each app's retention, in batches. There is no audit row because nobody acted. */
export const alertRetention: JobHandler = {
  concurrency: 1,
  leaseSeconds: 3600,
  maxAttempts: 5,
  everySeconds: 3600,
  async run(services) {
    const { db } = services
    const now = epochSeconds(services)
    for (let after = ''; ;) {
      const apps = await listExpired(db.reports, { after, limit: appsPerRead, now })
      for (const expired of apps) {
        const batch = { ...expired, limit: alertsPerTransaction }
        while ((await db.write((tx) => deleteExpired(tx.db, batch))) === alertsPerTransaction);
      }
      if (apps.length < appsPerRead) return
      after = apps.at(-1)?.appId ?? ''
    }
  },
}

const redactedPerTransaction = 100

const redactEvidence = ({ type, evidence }: Alert): string =>
  JSON.stringify(withoutAddresses(type, JSON.parse(evidence) as Evidence))

export const alertAddresses = addressRetention(async ({ db }, before) => {
  let after = { appId: '', id: '' }
  for (;;) {
    const alerts = await listNaming(db.reports, { after, before, limit: redactedPerTransaction })
    const last = alerts.at(-1)
    if (!last) return
    await db.write(async (tx) => {
      for (const { app_id: appId, id } of alerts) {
        await redactAlert(tx.db, { appId, id }, { before, redactEvidence })
      }
    })
    after = { appId: last.app_id, id: last.id }
  }
})
