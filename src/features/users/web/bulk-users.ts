import { call } from '#web/call.ts'
import type { CallInput, CallReply } from '#web/call-types.ts'
import type { UserFilter } from './user-list.ts'

export type BulkBody = NonNullable<CallInput<'POST /users/bulk'>['body']>
export type BulkReply = CallReply<'POST /users/bulk'>

/** Names, or everyone a filter means: `count` is what the person saw, the server refuses when it no longer holds. */
export type UserTarget = { usernames: readonly string[] } | { filter: UserFilter; count: number }

export const targetCount = (target: UserTarget) => ('usernames' in target ? target.usernames.length : target.count)

const namesPerCall = 250

/** One call for a filter, some for names, so that there is progress to show. */
export async function actOnUsers(
  target: UserTarget,
  act: Omit<BulkBody, 'usernames' | 'filter' | 'expectedCount'>,
  onProgress: (done: number) => void = () => {},
): Promise<BulkReply> {
  if (!('usernames' in target)) {
    return call('POST /users/bulk', { body: { ...act, filter: target.filter, expectedCount: target.count } })
  }
  const replies: BulkReply[] = []
  for (let from = 0; from < target.usernames.length; from += namesPerCall) {
    const usernames = target.usernames.slice(from, from + namesPerCall)
    replies.push(await call('POST /users/bulk', { body: { ...act, usernames } }))
    onProgress(Math.min(from + namesPerCall, target.usernames.length))
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
