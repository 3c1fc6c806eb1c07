import { databaseBytes } from '#database/engine-differences.ts'
import { waitingSignatures } from '#protocol/group-signature.ts'
import { countJobs, overdueLanes, type WaitingJobs } from '../jobs/job-metrics.ts'
import type { Gauge } from './gauge.ts'
import { serverVersion } from '../process/server-version.ts'
import { epochSeconds, type Services } from '../services.ts'
import { findLastBackup } from './backups.ts'
import { listChecks } from './platform-checks.ts'
import { diskSpace, keyFileIsIntact } from './storage.ts'

/** Gauges that belong to no feature. */
export const platformGauges: readonly Gauge[] = [
  {
    name: 'signet_waiting_signatures',
    help: 'Replies to programs waiting to be signed',
    read: () => [{ value: waitingSignatures() }],
  },
  {
    name: 'signet_waiting_transactions',
    help: 'Transactions waiting for their turn or for a connection',
    read: ({ db }) => [{ value: db.waitingTransactions() }],
  },
  {
    name: 'signet_database_up',
    help: '1 if the database answers and notifications from other processes arrive',
    read: ({ db }) =>
      db.ping().then(
        () => [{ value: 1 }],
        () => [{ value: 0 }],
      ),
  },
  {
    name: 'signet_build_info',
    help: 'Always 1; the labels hold the version, the commit (if known to the build), the Node version and the database engine',
    labelNames: ['version', 'commit', 'node', 'engine'],
    read: ({ config, db }) => {
      const labels = {
        version: serverVersion,
        commit: config.commit ?? '',
        node: process.versions.node,
        engine: db.engine,
      }
      return [{ labels, value: 1 }]
    },
  },
  {
    name: 'signet_database_writable',
    help: '0 if the last write failed because the disk is full or broken; 1 after the next successful write',
    read: ({ db }) => [{ value: db.writes.problem ? 0 : 1 }],
  },
  {
    name: 'signet_database_bytes',
    help: 'Size of the database, in bytes',
    read: async ({ db }) => [{ value: await databaseBytes(db.read) }],
  },
  {
    name: 'signet_disk_free_bytes',
    help: 'Free space on the disk of DATA_DIR, in bytes',
    read: async (services) => [{ value: (await diskSpace(services)).freeBytes }],
  },
  {
    name: 'signet_disk_bytes',
    help: 'Size of the disk of DATA_DIR, in bytes',
    read: async (services) => [{ value: (await diskSpace(services)).bytes }],
  },
  {
    name: 'signet_master_key_file_ok',
    help: '1 if the master key file is readable and holds the key in use',
    read: (services) => [{ value: keyFileIsIntact(services) ? 1 : 0 }],
  },
  {
    name: 'signet_clock_refused_seconds',
    help: 'Size of a rejected jump of the system clock, in seconds; 0 if there is none',
    read: ({ time }) => [{ value: time.rejectedSeconds ?? 0 }],
  },
  {
    name: 'signet_jobs_waiting',
    help: 'Waiting and running jobs by kind, counted up to 10000 in total',
    labelNames: ['kind'],
    read: (services) => jobsOf(services, ({ waiting }) => waiting),
  },
  {
    name: 'signet_jobs_failed',
    help: 'Jobs that failed their last attempt, by kind, counted up to 10000 in total',
    labelNames: ['kind'],
    read: (services) => jobsOf(services, ({ failed }) => failed),
  },
  {
    name: 'signet_jobs_overdue_seconds',
    help: 'Time for which the oldest waiting job has been due, in seconds, by kind',
    labelNames: ['kind'],
    read: async (services) => {
      const overdue = await overdueLanes(services.db.read, services.jobKinds, epochSeconds(services))
      return overdue.map(({ kind, oldestSeconds }) => ({ labels: { kind }, value: oldestSeconds }))
    },
  },
  {
    name: 'signet_check_problems',
    help: "Problems found by the platform's self-checks, such as the ledger check; 0 if there are none",
    labelNames: ['check'],
    read: async ({ db }) =>
      (await listChecks(db.read)).map(({ name, problems }) => ({ labels: { check: name }, value: problems })),
  },
  {
    name: 'signet_check_age_seconds',
    help: "Time since the platform's self-checks last finished, in seconds",
    labelNames: ['check'],
    read: async (services) =>
      (await listChecks(services.db.read)).map(({ name, checkedAt }) => ({
        labels: { check: name },
        value: epochSeconds(services) - checkedAt,
      })),
  },
  {
    name: 'signet_last_backup_timestamp_seconds',
    help: 'Moment of the data in the last complete backup, in epoch seconds; absent until there is one',
    read: async (services) => {
      const last = await findLastBackup(services.db.read, epochSeconds(services))
      return last ? [{ value: last.takenAt }] : []
    },
  },
  {
    name: 'signet_backup_age_seconds',
    help: 'Age of the data in the last complete backup, in seconds; absent until there is one',
    read: async (services) => {
      const last = await findLastBackup(services.db.read, epochSeconds(services))
      return last ? [{ value: epochSeconds(services) - last.takenAt }] : []
    },
  },
]

/** A value for each kind of job, also for those without any: an alert on growth needs the value before. */
async function jobsOf({ db, jobKinds }: Services, valueOf: (jobs: WaitingJobs) => number) {
  const counted = new Map((await countJobs(db.reports)).map((each) => [each.kind, each]))
  return [...new Set([...jobKinds, ...counted.keys()])].map((kind) => {
    const jobs = counted.get(kind)
    return { labels: { kind }, value: jobs ? valueOf(jobs) : 0 }
  })
}
