import { reject } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { listAppOwners } from '#features/apps/apps.reads.ts'
import { deliveryKind } from '#features/webhooks/webhook-events.ts'
import { type AccountContext, recordAudit } from '#server/audit/audit.ts'
import { deleteFailedJobs, type LockedJob, lockFailedJobs, requeueFailedJobs } from '#server/jobs/failed-jobs.ts'
import { failedJobErrors } from './admin.errors.ts'

async function lockNamed(tx: Tx, ids: readonly number[]): Promise<LockedJob[]> {
  const jobs = await lockFailedJobs(tx, ids)
  return jobs.length === 0 ? reject(failedJobErrors, 'JOB_NOT_FAILED') : jobs
}

/** Returns the number of jobs that run again. */
export async function retryFailedJobs(tx: Tx, context: AccountContext, ids: readonly number[]): Promise<number> {
  const jobs = await lockNamed(tx, ids)
  const appIds = jobs.map(appOfLane)
  const owners = await listAppOwners(tx.db, [...new Set(appIds.filter((id) => id !== undefined))])
  const again = jobs.map((job, at) => ({ ...job, owner: owners.get(appIds[at] ?? '') }))
  await requeueFailedJobs(tx, again, context.now)
  await record(tx, context, 'job.retry', jobs)
  return jobs.length
}

/** Returns the number of discarded jobs. */
export async function discardFailedJobs(tx: Tx, context: AccountContext, ids: readonly number[]): Promise<number> {
  const jobs = await lockNamed(tx, ids)
  await deleteFailedJobs(tx, jobs)
  await record(tx, context, 'job.discard', jobs)
  return jobs.length
}

/**
 * The app whose owner takes turns with others. A lane disappears with its last waiting job, and with it the owner; other
 * kinds of jobs have none.
 */
function appOfLane({ kind, payload }: LockedJob): string | undefined {
  if (kind !== deliveryKind) return undefined
  return (JSON.parse(payload) as { appId: string }).appId
}

/** Without payloads: they may contain secrets. */
async function record(
  tx: Tx,
  context: AccountContext,
  act: 'job.retry' | 'job.discard',
  jobs: readonly LockedJob[],
): Promise<void> {
  const kinds = [...Map.groupBy(jobs, ({ kind }) => kind)].map(([kind, { length }]) => [kind, length] as const)
  const details = { jobs: Object.fromEntries(kinds), ids: jobs.map(({ id }) => id), errors: errorsOf(jobs) }
  await recordAudit(tx, context, { act, target: kinds.map(([kind]) => kind).join(', '), details })
}

const maxErrors = 10

const errorsOf = (jobs: readonly LockedJob[]): string[] =>
  [...new Set(jobs.map(({ error }) => error ?? ''))].slice(0, maxErrors)
