import { selectedAppStore } from '#web/app-selection.ts'
import { call } from '#web/call.ts'
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

/** One call for a filter, some for keys, so that there is progress to show. Keys that fail come back with a reason. */
export async function actOnLicenses(options: BulkOptions): Promise<BulkOutcome> {
  const { action, target, flags, failure, onProgress, appId = selectedAppStore.get()?.appId } = options
  if (!('keys' in target)) {
    const body = { action, ...flags, filter: target.filter, expectedCount: target.count }
    return outcomeOf(await call('POST /licenses/bulk', { body, appId }))
  }
  const all: BulkOutcome = { done: 0, changed: [], failures: [] }
  for (let from = 0; from < target.keys.length; from += keysPerCall) {
    const licenses = target.keys.slice(from, from + keysPerCall)
    try {
      const outcome = outcomeOf(await call('POST /licenses/bulk', { body: { action, ...flags, licenses }, appId }))
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
