import manifest from '../../../package.json' with { type: 'json' }
import { waitingSignatures } from '#protocol/group-signature.ts'
import { countJobs, overdueLanes } from '../jobs/job-metrics.ts'
import type { Gauge } from './gauge.ts'
import { epochSeconds } from '../services.ts'
import { findLastBackup } from '../status/backups.ts'
import { listChecks } from '../status/platform-checks.ts'
import { databaseBytes, diskSpace, keyFileIsIntact } from '../status/storage.ts'

const { version } = manifest

/** What belongs to no feature. */
export const platformGauges: readonly Gauge[] = [
  {
    name: 'signet_waiting_signatures',
    help: 'Replies to programs that wait for their signature',
    read: () => [{ value: waitingSignatures() }],
  },
  {
    name: 'signet_waiting_transactions',
    help: 'Transactions that wait for their turn, or for a connection',
    read: ({ db }) => [{ value: db.waitingTransactions() }],
  },
  {
    name: 'signet_database_up',
    help: '1 when the database answers and changes of other processes are heard',
    read: ({ db }) =>
      db.ping().then(
        () => [{ value: 1 }],
        () => [{ value: 0 }],
      ),
  },
  {
    name: 'signet_build_info',
    help: '1; what runs: version, commit where the build knows it, Node and the database engine',
    labelNames: ['version', 'commit', 'node', 'engine'],
    read: ({ config, db }) => {
      const labels = { version, commit: config.commit ?? '', node: process.versions.node, engine: db.engine }
      return [{ labels, value: 1 }]
    },
  },
  {
    name: 'signet_database_writable',
    help: '0 after a write that failed because the disk is full or broken, until one succeeds',
    read: ({ db }) => [{ value: db.writes.problem ? 0 : 1 }],
  },
  {
    name: 'signet_database_bytes',
    help: 'Size of the database',
    read: async ({ db }) => [{ value: await databaseBytes(db) }],
  },
  {
    name: 'signet_disk_free_bytes',
    help: 'Free space on the disk with DATA_DIR',
    read: async (services) => [{ value: (await diskSpace(services)).freeBytes }],
  },
  {
    name: 'signet_disk_bytes',
    help: 'Size of the disk with DATA_DIR',
    read: async (services) => [{ value: (await diskSpace(services)).bytes }],
  },
  {
    name: 'signet_master_key_file_ok',
    help: '1 while the file of the master key can be read and holds the key in use',
    read: (services) => [{ value: keyFileIsIntact(services) ? 1 : 0 }],
  },
  {
    name: 'signet_clock_refused_seconds',
    help: "How far the machine's clock has jumped without being believed",
    read: ({ time }) => [{ value: time.rejectedSeconds ?? 0 }],
  },
  {
    name: 'signet_jobs_waiting',
    help: 'Jobs that wait or run, by kind, up to 10000 in all',
    labelNames: ['kind'],
    read: async ({ db }) =>
      (await countJobs(db.reports)).map(({ kind, waiting }) => ({ labels: { kind }, value: waiting })),
  },
  {
    name: 'signet_jobs_failed',
    help: 'Jobs that were set aside after their last attempt, by kind, up to 10000 in all',
    labelNames: ['kind'],
    read: async ({ db }) =>
      (await countJobs(db.reports)).map(({ kind, failed }) => ({ labels: { kind }, value: failed })),
  },
  {
    name: 'signet_jobs_overdue_seconds',
    help: 'Since when the oldest job is due that nobody runs, by kind',
    labelNames: ['kind'],
    read: async (services) => {
      const overdue = await overdueLanes(services.db.read, services.jobKinds, epochSeconds(services))
      return overdue.map(({ kind, oldestSeconds }) => ({ labels: { kind }, value: oldestSeconds }))
    },
  },
  {
    name: 'signet_check_problems',
    help: "What the platform's own checks found, such as that of the ledger; 0 is well",
    labelNames: ['check'],
    read: async ({ db }) =>
      (await listChecks(db.read)).map(({ name, problems }) => ({ labels: { check: name }, value: problems })),
  },
  {
    name: 'signet_check_age_seconds',
    help: "Since when the platform's own checks have last ended",
    labelNames: ['check'],
    read: async (services) =>
      (await listChecks(services.db.read)).map(({ name, checkedAt }) => ({
        labels: { check: name },
        value: epochSeconds(services) - checkedAt,
      })),
  },
  {
    name: 'signet_last_backup_timestamp_seconds',
    help: 'When the last backup was whole, epoch seconds; without one there is no figure',
    read: async ({ db }) => {
      const last = await findLastBackup(db.read)
      return last ? [{ value: last.finishedAt }] : []
    },
  },
  {
    name: 'signet_backup_age_seconds',
    help: 'Since when the last backup is whole; without one there is no figure',
    read: async (services) => {
      const last = await findLastBackup(services.db.read)
      return last ? [{ value: epochSeconds(services) - last.finishedAt }] : []
    },
  },
]
