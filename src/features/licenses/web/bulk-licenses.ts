import { selectedAppStore } from '#web/app-selection.ts'
import { type ApiCall, apiCall } from '#web/api-call/api-call.ts'
import { call } from '#web/call.ts'
import type { CallInput } from '#web/call-types.ts'
import { failureText } from '#web/errors.ts'
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

interface BulkOptions {
  action: BulkAction
  target: BulkTarget
  flags?: { deleteUsers: boolean; refundCredits: boolean }
  /** Of a key whose answer never came. */
  failure: string
  onProgress?: (done: number) => void
  appId?: string
}

const keysPerCall = 250

type BulkBody = NonNullable<CallInput<'POST /licenses/bulk'>['body']>
type BulkAct = Pick<BulkOptions, 'action' | 'target' | 'flags'>

/** One call for a filter, some for keys, so that there is progress to show. */
function bodiesOf({ action, target, flags }: BulkAct): [BulkBody, ...BulkBody[]] {
  if (!('keys' in target)) return [{ action, ...flags, filter: target.filter, expectedCount: target.count }]
  const body = (from: number) => ({ action, ...flags, licenses: target.keys.slice(from, from + keysPerCall) })
  const bodies: [BulkBody, ...BulkBody[]] = [body(0)]
  for (let from = keysPerCall; from < target.keys.length; from += keysPerCall) bodies.push(body(from))
  return bodies
}

export const bulkLicenseCalls = (act: BulkAct): ApiCall[] =>
  bodiesOf(act).map((body) => apiCall('POST /licenses/bulk', { body }))

/** Keys that fail come back with a reason. */
export async function actOnLicenses(options: BulkOptions): Promise<BulkOutcome> {
  const { target, failure, onProgress, appId = selectedAppStore.get()?.appId } = options
  const bodies = bodiesOf(options)
  if (!('keys' in target)) {
    const [body] = bodies
    return outcomeOf(await call('POST /licenses/bulk', { body, appId }))
  }
  const all: BulkOutcome = { done: 0, changed: [], failures: [] }
  for (const [index, body] of bodies.entries()) {
    const from = index * keysPerCall
    try {
      const outcome = outcomeOf(await call('POST /licenses/bulk', { body, appId }))
      all.done += outcome.done
      all.changed.push(...outcome.changed)
      all.failures.push(...outcome.failures)
    } catch (error) {
      // Nothing happened yet: that is a failure of the whole. Later ones are failures of the keys that are left.
      if (from === 0) throw error
      const message = failureText(error, failure)
      all.failures.push(...target.keys.slice(from).map((license) => ({ license, message })))
      break
    }
    onProgress?.(Math.min(from + keysPerCall, target.keys.length))
  }
  return all
}

interface BulkReply {
  done: number
  results: { license: string; ok: boolean; message: string }[]
}

function outcomeOf({ done, results }: BulkReply): BulkOutcome {
  return {
    done,
    changed: results.filter(({ ok }) => ok).map(({ license }) => license),
    failures: results.filter(({ ok }) => !ok),
  }
}
