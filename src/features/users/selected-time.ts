import { durationSeconds } from '#contract/duration.ts'
import { refuse } from '#contract/refusals.ts'
import type { User } from './users.queries.ts'
import { usersRefusals } from './users.refusals.ts'
import { type TimeOutcome, timeProblem, type TimeUnit } from './users.rules.ts'

/** The seconds that a call asks for; refuses what is no time. */
export function secondsOf({ duration, unit }: { duration?: number | undefined; unit?: TimeUnit | undefined }): number {
  const problem = unit === undefined ? 'Please choose a unit of time' : timeProblem(duration, unit)
  if (problem) refuse(usersRefusals, 'USER_INVALID', { fill: { problem } })
  return durationSeconds(duration as number, unit as TimeUnit)
}

/** Whose time was changed, and whose was left alone for which reason. */
export function timeReport(users: readonly User[], outcomes: Map<number, TimeOutcome>, notFound: string[]) {
  const named = (outcome: TimeOutcome) =>
    users.filter(({ id }) => outcomes.get(id) === outcome).map(({ username }) => username)
  const usersWithoutSubscription = named('withoutSubscription')
  return {
    updated: named('changed').length,
    usersWithoutSubscription,
    usersWithoutSubscriptionCount: usersWithoutSubscription.length,
    expiredUsers: named('expired'),
    lifetimeUsers: named('lifetime'),
    notFound,
  }
}
