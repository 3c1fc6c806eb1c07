import { t } from '@lingui/core/macro'
import { call } from '#web/api/call.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { notifyOutcome } from '#web/api/notify-outcome.ts'
import { queryClient } from '#web/api/query-client.ts'
import { accountKey } from '#web/api/query-keys.ts'
import { pagedList, unannouncedMs } from '#web/list/list-source.ts'
import { needsQuery } from './dashboard-data.ts'

export type FailedJob = CallReply<'GET /admin/jobs'>['jobs'][number]

export const failedJobList = pagedList({
  key: () => accountKey('admin', 'jobs'),
  call: 'GET /admin/jobs',
  rows: ({ jobs }) => jobs,
  rowId: ({ id }) => String(id),
  table: { filters: { kind: 'text' }, sorts: ['error', 'attempts', 'failed', 'created'] },
  filter: ({ search, filters: { kind } }) => ({ search: search || undefined, kind }),
  liveEveryMs: unannouncedMs,
})

export async function refreshFailedJobs(): Promise<void> {
  await Promise.all([failedJobList.refresh(), queryClient.invalidateQueries(needsQuery)])
}

/** A call takes this many jobs. */
const maxPerCall = 100

/** Returns the reply of the last call. */
async function inParts<R>(ids: readonly string[], send: (jobIds: number[]) => Promise<R>): Promise<R> {
  const jobIds = ids.slice(0, maxPerCall).map(Number)
  const reply = await send(jobIds)
  return ids.length > maxPerCall ? inParts(ids.slice(maxPerCall), send) : reply
}

export const discardJobs = (ids: readonly string[]) =>
  inParts(ids, (jobIds) => call('POST /admin/jobs/discard', { body: { jobIds } }))

export async function retryJobs(ids: readonly string[]): Promise<void> {
  const retry = (jobIds: number[]) => call('POST /admin/jobs/retry', { body: { jobIds } })
  await notifyOutcome(() => inParts(ids, retry), t`Failed to retry the jobs`)
  await refreshFailedJobs()
}
