import type { Static } from 'typebox'
import { refuse } from '#contract/refusals.ts'
import type { Reader, Unit } from '#database/database.ts'
import { existingLevel } from '#features/subscriptions/subscriptions.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { type CallContext, endpoint } from '#server/endpoint.ts'
import { actOn, type BulkAct, isAlready } from '../bulk-acts.ts'
import { levelOf } from '#contract/level-field.ts'
import { secondsOf } from '../selected-time.ts'
import { checkExpectedCount, distinctNames, missingNames, usersPerUnit, walkUsers } from '../user-batches.ts'
import { heldUsers, stillMeant } from '../user-state.actions.ts'
import { usersBulkContract } from '../users-bulk.contract.ts'
import { userSubscriptionsRefusals, usersRefusals } from '../users.refusals.ts'
import type { UserFilter } from '../users-list.queries.ts'
import { type TimeOutcome, timeOutcomeTexts } from '../users.rules.ts'

type Bulk = typeof usersBulkContract.bulkUsers
type Reply = Static<Bulk['reply']>

/** A whole filter may be a million rows: only failures are listed then. */
const mostListed = 1000

export const bulkUsers = endpoint(usersBulkContract.bulkUsers, {
  units: async (context) => {
    const { services, body } = context
    const act = await askedAct(services.db.read, context)
    const walk = body.usernames ? undefined : await askedWalk(context)
    const report = newReport()
    for await (const names of walk ? namesOf(walk) : named(body.usernames)) {
      const outcomes = await services.db.write((unit) => actOnNames(unit, context, { act, names, filter: body.filter }))
      for (const outcome of outcomes) note(report, outcome)
    }
    return replyOf(context, report, walk?.next)
  },
  unitOfKey: async (unit, context) => {
    const { usernames } = context.body
    if (!usernames) refuse(usersRefusals, 'NAMES_NEEDED')
    const act = await askedAct(unit.trx, context)
    const report = newReport()
    for (const outcome of await actOnNames(unit, context, { act, names: distinctNames(usernames) })) {
      note(report, outcome)
    }
    return replyOf(context, report)
  },
})

/** Those who were named, or of a filter those whom it still means. */
async function actOnNames(
  unit: Unit,
  context: CallContext<Bulk>,
  { act, names, filter }: { act: BulkAct; names: readonly string[]; filter?: UserFilter | undefined },
): Promise<Outcome[]> {
  const dryRun = context.body.dryRun === true
  const held = await heldUsers(unit, act.appId, names)
  const users = filter && !context.body.usernames ? await stillMeant(unit, act, held, filter) : held
  const found = await actOn(unit, act, users, dryRun)
  if (!dryRun) await recordAudit(unit, context, { act: `user.bulk-${act.action}`, target: `${users.length} users` })
  return [
    ...users.map((user) => ({
      username: user.username,
      outcome: found.get(user.id) ?? 'notFound',
      already: isAlready(act.action, user),
    })),
    ...missingNames(names, users).map((username) => ({ ...missing, username })),
  ]
}

type Report = Omit<Reply, 'success' | 'message' | 'dryRun' | 'next'>

interface Outcome {
  username: string
  outcome: TimeOutcome
  already: boolean
}

const missing = { outcome: 'notFound', already: false } as const

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

function note(report: Report, { username, outcome, already }: Outcome): void {
  const ok = outcome === 'changed'
  if (ok) report.done += 1
  else {
    report.failed += 1
    report.skipped[outcome] += 1
  }
  if (report.results.length >= mostListed) return
  report.results.push({ username, ok, changed: ok && !already, message: timeOutcomeTexts[outcome] })
}

async function askedAct(db: Reader, { app, body, now }: CallContext<Bulk>): Promise<BulkAct> {
  const { action } = body
  const act = { appId: app.id, action, level: undefined, seconds: 0, withExpired: body.extendExpired === true, now }
  if (action !== 'extend' && action !== 'subtract') return act
  const level = levelOf(body)
  if (level === undefined && action === 'extend') refuse(userSubscriptionsRefusals, 'SUBSCRIPTION_REQUIRED')
  if (level !== undefined) await existingLevel(db, app.id, level)
  return { ...act, level, seconds: secondsOf(body) }
}

async function* named(usernames: readonly string[] = []): AsyncGenerator<string[]> {
  const names = distinctNames(usernames)
  for (let from = 0; from < names.length; from += usersPerUnit) yield names.slice(from, from + usersPerUnit)
}

/** The users of a filter that still means as many as the person saw. */
async function askedWalk({ services: { db }, app, body, now }: CallContext<Bulk>) {
  const { filter, expectedCount, after, dryRun } = body
  const goesOn = after !== undefined || dryRun === true
  if (!filter || (expectedCount === undefined && !goesOn)) refuse(usersRefusals, 'NO_USERS_SELECTED')
  const choice = { appId: app.id, filter, now }
  if (expectedCount !== undefined && after === undefined) await checkExpectedCount(db, choice, expectedCount)
  return walkUsers(db, choice, body)
}

async function* namesOf(walk: ReturnType<typeof walkUsers>): AsyncGenerator<string[]> {
  for await (const users of walk.batches()) yield users.map(({ username }) => username)
}
