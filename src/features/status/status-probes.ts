import type { IpFileState } from '#server/network/ip-data.ts'
import { failedAttempts, overdueLanes } from '#server/jobs/job-metrics.ts'
import { mailIsOn } from '#server/mail/mail.ts'
import { epochSeconds } from '#server/services.ts'
import { findLastBackup } from '#server/status/backups.ts'
import { findProblems, integrityCheck, listChecks } from '#server/status/platform-checks.ts'
import type { StatusProbes } from '#server/status/status-probe.ts'
import { diskSpace, keyFileIsIntact } from '#server/status/storage.ts'
import { mailProbe } from './mail-probe.ts'
import {
  stateOfMail,
  stateOfCheck,
  stateOfErrors,
  stateOfLastBackup,
  stateOfLatency,
  stateOfQueue,
  storageProblem,
} from './status.rules.ts'

/** Probes of parts that belong to no other feature. */
export const commonProbes: StatusProbes = {
  api: ({ metrics, clock }) => {
    const { p95Ms } = metrics.requests.recent(clock())
    return { state: stateOfLatency(p95Ms), ...(p95Ms !== undefined && { metrics: { responseMs: Math.ceil(p95Ms) } }) }
  },
  errors: ({ metrics, clock }) => {
    const recent = metrics.requests.recent(clock())
    const errorRate = recent.requests === 0 ? undefined : recent.failed / recent.requests
    return { state: stateOfErrors(recent), ...(errorRate !== undefined && { metrics: { errorRate } }) }
  },
  queue: async (services) => {
    const overdue = await overdueLanes(services.db.read, services.jobKinds, epochSeconds(services))
    const overdueQueues = overdue.reduce((sum, { lanes }) => sum + lanes, 0)
    return {
      state: stateOfQueue(Math.max(0, ...overdue.map(({ oldestSeconds }) => oldestSeconds))),
      metrics: { overdueQueues },
    }
  },
  mail: async (services) => {
    if (!mailIsOn(services)) return { state: 'off' }
    const { failures } = mailProbe(services)
    const attempts = await failedAttempts(services.db.read, 'mail', 'mail')
    return {
      state: stateOfMail({ attempts, failures: failures ?? 0 }),
      ...(failures !== undefined && { metrics: { isReachable: failures === 0 } }),
    }
  },
  'ip-data': ({ ipData, config }) => {
    const { country, vpn } = ipData.status()
    const files: IpFileState[] = [country, vpn]
    if (files.every((file) => file === 'absent')) {
      const missing = config.ipData.named?.map((file) => `${file}-file` as const) ?? []
      return { state: 'off', ...(missing.length > 0 && { metrics: { missing } }) }
    }
    const state = files.includes('outdated') ? 'degraded' : 'ok'
    if (country === 'absent') return { state, metrics: { missing: ['country-file'] } }
    return vpn === 'absent' ? { state, metrics: { missing: ['vpn-file'] } } : { state }
  },
  backup: async (services) => {
    const last = await findLastBackup(services.db.read, epochSeconds(services))
    if (!last) return { state: 'unknown', metrics: { missing: ['backup'] } }
    return { state: stateOfLastBackup(epochSeconds(services) - last.takenAt), metrics: { lastAt: last.takenAt } }
  },
  storage: async (services) => {
    const { config, db } = services
    const isDamaged = (await findProblems(db.read, integrityCheck)) > 0
    const { freeBytes } = await diskSpace(services)
    const lowBytes = config.diskLowBytes
    const problem = storageProblem({ isDamaged, keyIsIntact: keyFileIsIntact(services), freeBytes, lowBytes })
    if (!problem) return { state: 'ok' }
    return { state: problem === 'DATA_DAMAGED' ? 'down' : 'degraded', metrics: { problem } }
  },
  ledger: async (services) => {
    const check = (await listChecks(services.db.read)).find(({ name }) => name === 'ledger')
    const state = stateOfCheck(check, epochSeconds(services))
    return { state, ...(check?.problems === 0 && { metrics: { lastAt: check.checkedAt } }) }
  },
}
