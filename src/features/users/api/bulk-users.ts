import type { Static } from 'typebox'
import { levelOf } from '#contract/level-field.ts'
import { refuse } from '#contract/refusals.ts'
import type { Reader, Tx } from '#database/database.ts'
import { entitlementsRefusals } from '#features/entitlements/entitlements.refusals.ts'
import { secondsOf } from '#features/entitlements/entitlements.actions.ts'
import type { TimeRefusal } from '#features/entitlements/entitlements.rules.ts'
import { getLevel } from '#features/levels/levels.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { type CallContext, endpoint } from '#server/endpoint.ts'
import { usersBulkContract } from '../users-bulk.contract.ts'
import { lockUsers, stillMatches } from '../users.actions.ts'
import {
  actOn,
  type BulkAct,
  checkExpectedCount,
  distinctNames,
  isNoOp,
  missingNames,
  scanUsers,
  usersPerTransaction,
} from '../users.bulk.ts'
import type { UserFilter } from '../users.reads.ts'
import { usersBulkRefusals } from '../users.refusals.ts'

type Bulk = typeof usersBulkContract.bulkUsers
type Reply = Static<Bulk['reply']>

/** A whole filter may be a million rows: only failures are listed then. */
const maxListed = 1000

export const bulkUsers = endpoint(usersBulkContract.bulkUsers, {
  writeInBatches: async (context) => {
    const { services, body } = context
    const act = await parseAction(services.db.read, context)
    const scan = body.usernames ? undefined : await scanRequest(context)
    const report = newReport()
    for await (const names of scan ? namesOf(scan) : named(body.usernames)) {
      const outcomes = await services.db.write((tx) => actOnNames(tx, context, { act, names, filter: body.filter }))
      for (const outcome of outcomes) addResult(report, outcome)
    }
    return replyOf(context, report, scan?.next)
  },
  writeOnce: async (tx, context) => {
    const { usernames } = context.body
    if (!usernames) refuse(usersBulkRefusals, 'NAMES_NEEDED')
    const act = await parseAction(tx.db, context)
    const report = newReport()
    for (const outcome of await actOnNames(tx, context, { act, names: distinctNames(usernames) })) {
      addResult(report, outcome)
    }
    return replyOf(context, report)
  },
})

/** Those who were named, or of a filter those whom it still means. */
async function actOnNames(
  tx: Tx,
  context: CallContext<Bulk>,
  { act, names, filter }: { act: BulkAct; names: readonly string[]; filter?: UserFilter | undefined },
): Promise<Outcome[]> {
  const dryRun = context.body.dryRun === true
  const held = await lockUsers(tx, act.appId, names)
  const users = filter && !context.body.usernames ? await stillMatches(tx, act, held, filter) : held
  const found = await actOn(tx, act, users, dryRun)
  if (!dryRun) await recordAudit(tx, context, { act: `user.bulk-${act.action}`, target: `${users.length} users` })
  return [
    ...users.map((user) => ({
      username: user.username,
      code: found.get(user.id),
      already: isNoOp(act.action, user),
    })),
    ...missingNames(names, users).map((username) => ({ ...missing, username })),
  ]
}

type Report = Omit<Reply, 'success' | 'message' | 'dryRun' | 'next'>

interface Outcome {
  username: string
  code: TimeRefusal | 'USER_NOT_FOUND' | undefined
  already: boolean
}

const missing = { code: 'USER_NOT_FOUND', already: false } as const

const newReport = (): Report => ({
  done: 0,
  failed: 0,
  skipped: { notFound: 0, withoutSubscription: 0, expired: 0, lifetime: 0 },
  results: [],
})

function replyOf({ body }: CallContext<Bulk>, report: Report, next: number | null = null) {
  const { done, failed } = report
  const dryRun = body.dryRun === true
  const message = dryRun ? `${done} would be done, ${failed} skipped` : `${done} done, ${failed} failed`
  return { message, dryRun, next, ...report }
}

const skippedAs = {
  USER_NOT_FOUND: 'notFound',
  USER_SUBSCRIPTION_NOT_FOUND: 'withoutSubscription',
  SUBSCRIPTION_EXPIRED: 'expired',
  SUBSCRIPTION_NEVER_ENDS: 'lifetime',
} as const

function addResult(report: Report, { username, code, already }: Outcome): void {
  const ok = code === undefined
  if (ok) report.done += 1
  else {
    report.failed += 1
    report.skipped[skippedAs[code]] += 1
  }
  if (report.results.length >= maxListed) return
  report.results.push({ username, ok, changed: ok && !already, message: ok ? '' : usersBulkRefusals[code].message })
}

async function parseAction(db: Reader, { app, body, now }: CallContext<Bulk>): Promise<BulkAct> {
  const { action } = body
  const act = { appId: app.id, action, level: undefined, seconds: 0, withExpired: body.extendExpired === true, now }
  if (action !== 'extend' && action !== 'subtract') return act
  const level = levelOf(body)
  if (level === undefined && action === 'extend') refuse(entitlementsRefusals, 'SUBSCRIPTION_REQUIRED')
  if (level !== undefined) await getLevel(db, app.id, level)
  return { ...act, level, seconds: secondsOf(body) }
}

async function* named(usernames: readonly string[] = []): AsyncGenerator<string[]> {
  const names = distinctNames(usernames)
  for (let from = 0; from < names.length; from += usersPerTransaction)
    yield names.slice(from, from + usersPerTransaction)
}

/** The users of a filter that still means as many as the person saw. */
async function scanRequest({ services: { db }, app, body, now }: CallContext<Bulk>) {
  const { filter, expectedCount, after, dryRun } = body
  const goesOn = after !== undefined || dryRun === true
  if (!filter || (expectedCount === undefined && !goesOn)) refuse(usersBulkRefusals, 'NO_USERS_SELECTED')
  const choice = { appId: app.id, filter, now }
  if (expectedCount !== undefined && after === undefined) await checkExpectedCount(db, choice, expectedCount)
  return scanUsers(db, choice, body)
}

async function* namesOf(scan: ReturnType<typeof scanUsers>): AsyncGenerator<string[]> {
  for await (const users of scan.batches()) yield users.map(({ username }) => username)
}
