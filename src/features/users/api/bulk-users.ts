import type { Static } from 'typebox'
import { refuse } from '#contract/refusals.ts'
import { existingLevel } from '#features/subscriptions/subscriptions.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { type CallContext, endpoint } from '#server/endpoint.ts'
import { actOn, type BulkAct, isAlready } from '../bulk-acts.ts'
import { levelOf } from '#contract/level-field.ts'
import { secondsOf } from '../selected-time.ts'
import { checkExpectedCount, distinctNames, filteredBatches, missingNames, usersPerUnit } from '../user-batches.ts'
import { heldUsers, stillMeant } from '../user-state.actions.ts'
import { usersBulkContract } from '../users-bulk.contract.ts'
import { userSubscriptionsRefusals, usersRefusals } from '../users.refusals.ts'
import { type TimeOutcome, timeOutcomeTexts } from '../users.rules.ts'

type Bulk = typeof usersBulkContract.bulkUsers
type Reply = Static<Bulk['reply']>

/** A whole filter may be a million rows: only failures are listed then. */
const mostListed = 1000

export const bulkUsers = endpoint(usersBulkContract.bulkUsers, {
  units: async (context) => {
    const { services, body } = context
    const act = await askedAct(context)
    const dryRun = body.dryRun === true
    const report: Report = {
      done: 0,
      failed: 0,
      skipped: { notFound: 0, withoutSubscription: 0, expired: 0, lifetime: 0 },
      results: [],
    }
    for await (const usernames of batches(context)) {
      const outcomes = await services.db.write(async (unit) => {
        const named = await heldUsers(unit, act.appId, usernames)
        const users = body.filter && !body.usernames ? await stillMeant(unit, act, named, body.filter) : named
        const found = await actOn(unit, act, users, dryRun)
        if (!dryRun)
          await recordAudit(unit, context, { act: `user.bulk-${act.action}`, target: `${users.length} users` })
        return [
          ...users.map((user) => ({
            username: user.username,
            outcome: found.get(user.id) ?? 'notFound',
            already: isAlready(act.action, user),
          })),
          ...missingNames(usernames, users).map((username) => ({ ...missing, username })),
        ]
      })
      for (const outcome of outcomes) note(report, outcome)
    }
    const { done, failed } = report
    return {
      message: dryRun ? `${done} would be done, ${failed} skipped` : `${done} done, ${failed} failed`,
      dryRun,
      ...report,
    }
  },
})

type Report = Omit<Reply, 'success' | 'message' | 'dryRun'>

interface Outcome {
  username: string
  outcome: TimeOutcome
  already: boolean
}

const missing = { outcome: 'notFound', already: false } as const

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

async function askedAct({ services: { db }, app, body, now }: CallContext<Bulk>): Promise<BulkAct> {
  const { action } = body
  const act = { appId: app.id, action, level: undefined, seconds: 0, withExpired: body.extendExpired === true, now }
  if (action !== 'extend' && action !== 'subtract') return act
  const level = levelOf(body)
  if (level === undefined && action === 'extend') refuse(userSubscriptionsRefusals, 'SUBSCRIPTION_REQUIRED')
  if (level !== undefined) await existingLevel(db.read, app.id, level)
  return { ...act, level, seconds: secondsOf(body) }
}

/** The users to act on, in pieces: those named, or those of a filter that still means as many as the person saw. */
async function* batches({ services: { db }, app, body, now }: CallContext<Bulk>): AsyncGenerator<string[]> {
  if (body.usernames) {
    const names = distinctNames(body.usernames)
    for (let from = 0; from < names.length; from += usersPerUnit) yield names.slice(from, from + usersPerUnit)
    return
  }
  const { filter, expectedCount } = body
  if (!filter || (expectedCount === undefined && body.dryRun !== true)) refuse(usersRefusals, 'NO_USERS_SELECTED')
  const choice = { appId: app.id, filter, now }
  if (expectedCount !== undefined) await checkExpectedCount(db, choice, expectedCount)
  for await (const users of filteredBatches(db, choice)) yield users.map(({ username }) => username)
}
