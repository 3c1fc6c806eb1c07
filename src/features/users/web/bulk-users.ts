import { type ApiCall, apiCall } from '#web/api-call/api-call.ts'
import { call } from '#web/call.ts'
import type { CallInput, CallReply } from '#web/call-types.ts'
import type { UserFilter } from './user-list.ts'

export type BulkBody = NonNullable<CallInput<'POST /users/bulk'>['body']>
export type BulkReply = CallReply<'POST /users/bulk'>

/** Names, or everyone a filter means: `count` is what the person saw, the server refuses when it no longer holds. */
export type UserTarget = { usernames: readonly string[] } | { filter: UserFilter; count: number }

export const targetCount = (target: UserTarget) => ('usernames' in target ? target.usernames.length : target.count)

const namesPerCall = 250

export type UserAct = Omit<BulkBody, 'usernames' | 'filter' | 'expectedCount'>

/** One call for a filter, some for names, so that there is progress to show. */
function bodiesOf(target: UserTarget, act: UserAct): BulkBody[] {
  if (!('usernames' in target)) return [{ ...act, filter: target.filter, expectedCount: target.count }]
  const bodies: BulkBody[] = []
  for (let from = 0; from < target.usernames.length; from += namesPerCall) {
    bodies.push({ ...act, usernames: target.usernames.slice(from, from + namesPerCall) })
  }
  return bodies
}

export const bulkUserCalls = (target: UserTarget, act: UserAct): ApiCall[] =>
  bodiesOf(target, act).map((body) => apiCall('POST /users/bulk', { body }))

export async function actOnUsers(
  target: UserTarget,
  act: UserAct,
  onProgress: (done: number) => void = () => {},
): Promise<BulkReply> {
  const replies: BulkReply[] = []
  for (const [index, body] of bodiesOf(target, act).entries()) {
    replies.push(await call('POST /users/bulk', { body }))
    onProgress(Math.min((index + 1) * namesPerCall, targetCount(target)))
  }
  return replies.reduce(sumOf)
}

function sumOf(one: BulkReply, other: BulkReply): BulkReply {
  const skipped = { ...one.skipped }
  for (const reason of Object.keys(skipped) as (keyof typeof skipped)[]) skipped[reason] += other.skipped[reason]
  return {
    ...one,
    done: one.done + other.done,
    failed: one.failed + other.failed,
    skipped,
    results: [...one.results, ...other.results],
  }
}
