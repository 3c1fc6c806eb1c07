import { addressRetention } from '#server/jobs/address-retention.ts'
import { enqueueJobs, type JobHandler, lanesWithNewJob } from '#server/jobs/jobs.ts'
import { epochSeconds, perServer, type Services } from '#server/services.ts'
import { type Alert, appsNotSeen, listExpired, listNaming } from './alerts.reads.ts'
import { redactAlert, deleteExpired } from './alerts.writes.ts'
import { detect } from './detection.ts'
import { type Evidence, withoutAddresses } from './incidents.rules.ts'

const cleanupSeconds = 60

/** Apps with new activity. */
const activeIn = perServer(() => ({
  /** Of programs: published, so that every process knows them. */
  programs: new Set<string>(),
  /** Of people: only the process that they called knows them. */
  people: new Set<string>(),
}))

/** Message to the other processes after each round. */
const roundMessage = 'alerts-sweep'

/** Tracks apps with new activity. After a round in another process, adds those that only this one knows. */
export function listenForActivity(services: Services): () => Promise<void> {
  const { db, instances, log } = services
  const active = activeIn(services)
  db.events.on('logs', (appId) => {
    // Messages of other processes may be lost: the next round looks for what they would have said.
    if (appId === '*') hadRound.delete(services)
    else active.programs.add(appId)
  })
  const stop = db.onEvent(async (tx, { type, appId }) => {
    if (!type.startsWith('alert.')) tx.afterCommit(() => active.people.add(appId))
  })
  let adding: Promise<unknown> = Promise.resolve()
  instances.on(roundMessage, () => {
    active.programs.clear()
    adding = adding
      .then(() => enqueueDetection(services, [active.people]))
      .catch((error: unknown) => log.error({ err: error }, 'could not start the detection of alerts'))
  })
  return async () => {
    stop()
    await adding
  }
}

/** Every minute, in one process: detection for each app with new activity, in whichever process it was. */
export const alertCleanup: JobHandler = {
  concurrency: 1,
  leaseSeconds: 60,
  maxAttempts: 1,
  everySeconds: cleanupSeconds,
  async run(services) {
    const { programs, people } = activeIn(services)
    // The first one after a start includes what an earlier process left.
    const isFirst = !hadRound.has(services)
    // Before the read: the next round looks for what is lost meanwhile.
    hadRound.add(services)
    try {
      const left = new Set(isFirst ? await appsNotSeen(services.db.reports) : [])
      await enqueueDetection(services, [left, programs, people])
    } catch (error) {
      if (isFirst) hadRound.delete(services)
      throw error
    }
    services.instances.send(roundMessage, '')
    await services.instances.flush()
  },
}

const detectionKind = 'alerts'
const jobsPerTransaction = 100
const hadRound = new WeakSet<Services>()

/** Empties the sets, unless it fails. */
async function enqueueDetection({ db, clock }: Services, active: readonly Set<string>[]): Promise<void> {
  const taken = active.map((apps) => [...apps])
  for (const apps of active) apps.clear()
  const now = Math.floor(clock() / 1000)
  const jobs = [...new Set(taken.flat())].map((appId) => ({
    kind: detectionKind,
    lane: appId,
    payload: null,
    dueAt: now,
  }))
  try {
    for (let at = 0; at < jobs.length; at += jobsPerTransaction) {
      const some = jobs.slice(at, at + jobsPerTransaction)
      await db.write(async (tx) => {
        const waiting = await lanesWithNewJob(
          tx.db,
          detectionKind,
          some.map(({ lane }) => lane),
        )
        // Otherwise, jobs would pile up while detection takes longer than the time between two rounds.
        const missing = some.filter(({ lane }) => !waiting.has(lane))
        await enqueueJobs(tx, missing, now)
      })
    }
  } catch (error) {
    for (const [n, apps] of active.entries()) for (const appId of taken[n] ?? []) apps.add(appId)
    throw error
  }
}

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
