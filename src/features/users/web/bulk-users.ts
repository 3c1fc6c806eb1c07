import { type ApiCall, apiCall } from '#web/api-call/api-call.ts'
import { call } from '#web/call.ts'
import type { CallInput, CallReply } from '#web/call-types.ts'
import { ResumableBatches, batchAfter } from '#web/resumable-batches.ts'
import type { UserFilter } from './user-list.ts'

export type BulkBody = NonNullable<CallInput<'POST /users/bulk'>['body']>
export type BulkReply = CallReply<'POST /users/bulk'>

/** Names, or everyone a filter means: `count` is what the person saw, the server refuses when it no longer holds. */
export type UserTarget = { usernames: readonly string[] } | { filter: UserFilter; count: number }

export const targetCount = (target: UserTarget) => ('usernames' in target ? target.usernames.length : target.count)

const namesPerCall = 250

export type UserAct = Omit<BulkBody, 'usernames' | 'filter' | 'expectedCount'>

/** A bulk act under way, or stopped half-way by a failure. */
export type UserBatches = ResumableBatches<BulkBody, BulkReply>

function bodiesOf(target: UserTarget, act: UserAct): BulkBody[] {
  if (!('usernames' in target)) return [{ ...act, filter: target.filter, expectedCount: target.count }]
  const bodies: BulkBody[] = []
  for (let from = 0; from < target.usernames.length; from += namesPerCall) {
    bodies.push({ ...act, usernames: target.usernames.slice(from, from + namesPerCall) })
  }
  return bodies
}

/** What the button does, each piece of a filter left to the server. */
export const bulkUserCalls = (target: UserTarget, act: UserAct): ApiCall[] =>
  bodiesOf(target, act).map((body) => apiCall('POST /users/bulk', { body }))

const send = (body: BulkBody, key?: string) =>
  call('POST /users/bulk', { body, ...(body.usernames && key && { idempotencyKey: key }) })

interface Running {
  batches?: UserBatches
  /** How many rows were looked at. */
  onProgress?: (rows: number) => void
}

export async function actOnUsers(target: UserTarget, act: UserAct, running: Running = {}): Promise<BulkReply> {
  const { batches = new ResumableBatches(), onProgress } = running
  const bodies = bodiesOf(target, act)
  const [whole] = bodies as [BulkBody]
  const next = (replies: readonly BulkReply[]) => {
    if ('usernames' in target) return bodies[replies.length]
    const batch = batchAfter(replies)
    return batch && { ...whole, ...batch }
  }
  const replies = await batches.run(next, send, () => onProgress?.(rowsOf(batches.replies)))
  return replies.reduce(sumOf)
}

/** The names that an act on a whole filter has come to. */
export interface NameScan {
  readonly found: string[][]
  after?: number | null
}

/**
 * Adds or takes time. That may happen to nobody twice, so everybody is named, also of a filter: a named
 * piece whose answer was lost is not done again.
 */
export async function changeTimeOfUsers(
  target: UserTarget,
  act: UserAct,
  { batches, scan, onProgress }: Required<Running> & { scan: NameScan },
): Promise<BulkReply> {
  if ('usernames' in target) return actOnUsers(target, act, { batches, onProgress })
  const namesAt = async (index: number): Promise<string[] | undefined> => {
    while (scan.found.length <= index && scan.after !== null) {
      const { after } = scan
      const filter = { filter: target.filter, expectedCount: target.count }
      const seen = await send({ ...act, ...filter, dryRun: true, maxRows: namesPerCall, ...(after && { after }) })
      scan.after = seen.next
      if (seen.results.length > 0) scan.found.push(seen.results.map(({ username }) => username))
    }
    return scan.found[index]
  }
  const next = async (replies: readonly BulkReply[]) => {
    const usernames = await namesAt(replies.length)
    return usernames && { ...act, usernames }
  }
  const replies = await batches.run(next, send, () => onProgress(rowsOf(batches.replies)))
  return replies.reduce(sumOf, nothingDone)
}

const rowsOf = (replies: readonly BulkReply[]) => replies.reduce((rows, { done, failed }) => rows + done + failed, 0)

const nothingDone: BulkReply = {
  success: true,
  dryRun: false,
  next: null,
  done: 0,
  failed: 0,
  skipped: { notFound: 0, withoutSubscription: 0, expired: 0, lifetime: 0 },
  results: [],
}

/** More than anybody reads, and too many to take back. */
const maxKept = 10_000

function sumOf(one: BulkReply, other: BulkReply): BulkReply {
  const skipped = { ...one.skipped }
  for (const reason of Object.keys(skipped) as (keyof typeof skipped)[]) skipped[reason] += other.skipped[reason]
  return {
    ...one,
    done: one.done + other.done,
    failed: one.failed + other.failed,
    skipped,
    results: [...one.results, ...other.results].slice(0, maxKept),
  }
}
