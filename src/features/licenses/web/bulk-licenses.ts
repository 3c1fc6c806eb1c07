import { selectedAppStore } from '#web/app-selection.ts'
import { type ApiCall, apiCall } from '#web/api-call/api-call.ts'
import { call } from '#web/call.ts'
import type { CallInput, CallReply } from '#web/call-types.ts'
import { ResumableBatches, batchAfter } from '#web/resumable-batches.ts'
import type { LicenseFilter } from './license-list.ts'

export type BulkAction = 'ban' | 'unban' | 'delete'

/** Keys, or everything a filter means: `count` is what the person saw, the server refuses when it no longer holds. */
export type BulkTarget = { keys: readonly string[] } | { filter: LicenseFilter; count: number }

export const targetCount = (target: BulkTarget) => ('keys' in target ? target.keys.length : target.count)

export interface BulkOutcome {
  done: number
  /** The keys that were changed; a filter of more than a thousand doesn't name them all. */
  changed: string[]
  failures: { license: string; message: string }[]
}

type BulkBody = NonNullable<CallInput<'POST /licenses/bulk'>['body']>
type BulkReply = CallReply<'POST /licenses/bulk'>

/** A bulk act under way, or stopped half-way by a failure. */
export type LicenseBatches = ResumableBatches<BulkBody, BulkReply>

interface BulkOptions {
  action: BulkAction
  target: BulkTarget
  flags?: { deleteUsers: boolean; refundCredits: boolean }
  batches?: LicenseBatches
  /** How many licenses were looked at. */
  onProgress?: (licenses: number) => void
  appId?: string
}

const keysPerCall = 250

type BulkAct = Pick<BulkOptions, 'action' | 'target' | 'flags'>

function bodiesOf({ action, target, flags }: BulkAct): [BulkBody, ...BulkBody[]] {
  if (!('keys' in target)) return [{ action, ...flags, filter: target.filter, expectedCount: target.count }]
  const body = (from: number) => ({ action, ...flags, licenses: target.keys.slice(from, from + keysPerCall) })
  const bodies: [BulkBody, ...BulkBody[]] = [body(0)]
  for (let from = keysPerCall; from < target.keys.length; from += keysPerCall) bodies.push(body(from))
  return bodies
}

/** What the button does, each piece of a filter left to the server. */
export const bulkLicenseCalls = (act: BulkAct): ApiCall[] =>
  bodiesOf(act).map((body) => apiCall('POST /licenses/bulk', { body }))

/** Keys that fail come back with a reason; a failure of a call stops it, and `pieces` goes on from there. */
export async function actOnLicenses(options: BulkOptions): Promise<BulkOutcome> {
  const { target, onProgress, appId = selectedAppStore.get()?.appId, batches = new ResumableBatches() } = options
  const bodies = bodiesOf(options)
  const next = (replies: readonly BulkReply[]) => {
    if ('keys' in target) return bodies[replies.length]
    const batch = batchAfter(replies)
    return batch && { ...bodies[0], ...batch }
  }
  const replies = await batches.run(
    next,
    (body) => call('POST /licenses/bulk', { body, appId }),
    () => onProgress?.(batches.replies.reduce((sum, { done, failed }) => sum + done + failed, 0)),
  )
  const results = replies.flatMap((reply) => reply.results)
  return {
    done: replies.reduce((sum, { done }) => sum + done, 0),
    changed: results.filter(({ ok }) => ok).map(({ license }) => license),
    failures: results.filter(({ ok }) => !ok),
  }
}
