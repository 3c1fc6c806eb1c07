import { type ApiCall, apiCall } from '#web/api-call/api-call.ts'
import { call } from '#web/call.ts'
import { CallFailed } from '#web/call-failed.ts'
import type { CallInput } from '#web/call-types.ts'
import { type BulkTarget, targetCount } from './bulk-licenses.ts'

export const keysPerCall = 1000

type AddTimeBody = NonNullable<CallInput<'POST /add_time_licenses'>['body']>

interface AddTime {
  appId: string
  target: BulkTarget
  time: Pick<AddTimeBody, 'duration' | 'expiryUnit'>
  /** The same for the same body: a second press after a failure goes on where the first one stopped. */
  attemptKey: (body: AddTimeBody) => string
}

export async function addTimeToLicenses({ appId, target, time, attemptKey }: AddTime) {
  const keys = 'keys' in target ? target.keys : await keysOf(appId, target)
  const sum = { updated: 0, skipped: 0 }
  for (let from = 0; from < keys.length; from += keysPerCall) {
    const body = { licenses: keys.slice(from, from + keysPerCall), ...time }
    const { updated, skipped } = await call('POST /add_time_licenses', {
      body,
      appId,
      idempotencyKey: attemptKey(body),
    })
    sum.updated += updated
    sum.skipped += skipped
  }
  return sum
}

/** The keys of a filter are not known before the button asks for them. */
export function addTimeCalls({ appId, target, time }: Omit<AddTime, 'attemptKey'>): ApiCall[] {
  const keys = 'keys' in target ? target.keys : ['<license key>']
  const calls: ApiCall[] = []
  for (let from = 0; from < keys.length; from += keysPerCall) {
    const body = { licenses: keys.slice(from, from + keysPerCall), ...time }
    calls.push(apiCall('POST /add_time_licenses', { body, appId, idempotencyKey: true }))
  }
  return calls
}

/** The call takes keys only, so those of a filter are asked for first. */
async function keysOf(appId: string, target: Extract<BulkTarget, { count: number }>): Promise<string[]> {
  const { content } = await call('GET /export_licenses', { query: { ...target.filter, format: 'txt' }, appId })
  const keys = content.split('\n').filter((line) => line !== '')
  if (keys.length !== targetCount(target)) {
    const message = `The list has changed: ${keys.length} licenses match now. Please check again.`
    throw new CallFailed(409, { code: 'SELECTION_CHANGED', message })
  }
  return keys
}
