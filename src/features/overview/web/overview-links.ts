import { unknownCountry } from '#contract/country-filter.ts'
import { signInCalls } from '#features/logs/logs.rules.ts'
import { rejectionTexts } from '#features/logs/web/rejection-texts.ts'
import type { TimeSpan } from '#web/charts/span-text.ts'
import { paths } from '#web/navigation/paths.ts'
import { nowSeconds } from '#web/time/clock.ts'
import { type LimitName, startOfMinute } from '../overview.rules.ts'
import type { AttentionReply } from './overview-data.ts'
import { timeSpanParam } from '#web/time/time-range.ts'

type BrokenWebhooks = AttentionReply['webhooks']

/** A list with a filter. */
export interface ListAddress {
  to: string
  search: Record<string, string>
}

/** A period, and the time zone of its days. */
export interface Period {
  period: TimeSpan
  timeZone: string
}

/** The period as lists take it: its days, or its hours. */
const spanParam = ({ period, timeZone }: Period) => timeSpanParam(period, timeZone, nowSeconds())

/** Codes without a text of their own are found by search only. */
const isFiltered = (code: string): boolean => Object.hasOwn(rejectionTexts, code)

/** Rejected calls of a period, for one reason or for all. */
export const rejectionsAddress = (of: Period, code?: string): ListAddress => ({
  to: paths.logs(),
  search: {
    'f.result': 'refused',
    ...(code && (isFiltered(code) ? { 'f.code': code } : { q: code })),
    'f.days': spanParam(of),
  },
})

/** Customers who were rejected in the last 24 hours for a reason that the owner can remove. */
export const rejectedCustomersAddress = (): ListAddress => ({
  to: paths.logs(),
  search: { 'f.customers': 'rejected', 'f.days': '1' },
})

/** Sign-ins of a period, from one country or from all. */
export const signInsAddress = (of: Period, country?: string): ListAddress => ({
  to: paths.logs(),
  search: {
    'f.result': 'allowed',
    'f.call': signInCalls.join(','),
    ...(country !== undefined && { 'f.country': country || unknownCountry }),
    'f.days': spanParam(of),
  },
})

/**
 * Users who signed in during a period. The users have only their last sign-in, so those of a period that has ended are
 * the ones of its sign-ins in the log.
 */
export const activeUsersAddress = (of: Period): ListAddress =>
  of.period.to > nowSeconds() ? { to: paths.users(), search: { 'f.lastLogin': spanParam(of) } } : signedInAddress(of)

/** The sign-ins of all users of a period, also of those deleted since; the log counts the users. */
export const signedInAddress = (of: Period): ListAddress => ({
  to: paths.logs(),
  search: { 'f.customers': 'signed-in', 'f.days': spanParam(of) },
})

export const newUsersAddress = (of: Period): ListAddress => ({
  to: paths.users(),
  search: { 'f.created': spanParam(of) },
})

export const redeemedAddress = (of: Period): ListAddress => ({
  to: paths.licenses(),
  search: { 'f.redeemed': spanParam(of) },
})

/** Licenses, other than banned ones, that expire in the rest of a period from `at` (epoch seconds) on. */
export const expiringAddress = ({ period: { to }, timeZone }: Period, at: number): ListAddress => ({
  to: paths.licenses(),
  search: { 'f.status': 'used', 'f.expires': spanParam({ period: { from: startOfMinute(at), to }, timeZone }) },
})

export const licensesAddress = (): ListAddress => ({ to: paths.licenses(), search: {} })
export const usersAddress = (): ListAddress => ({ to: paths.users(), search: {} })
export const sessionsAddress = (): ListAddress => ({ to: paths.sessions(), search: {} })

export const whyAddress = (customer: string): ListAddress => ({ to: paths.why(), search: { q: customer } })

/** Licenses that expire within 7 days. */
export const expiringSoonAddress = (): ListAddress => ({ to: paths.licenses(), search: { 'f.status': 'expiring' } })

export const newAlertsAddress = (): ListAddress => ({ to: paths.alerts(), search: { 'f.status': 'new' } })

/** The webhook with this ID, or those that don't get through. */
export const webhooksAddress = ({ webhookId, failing, stopped }: BrokenWebhooks): ListAddress => ({
  to: paths.webhooks(),
  search:
    webhookId === ''
      ? { 'f.status': [failing > 0 && 'failing', stopped > 0 && 'stopped'].filter(Boolean).join(',') }
      : { q: webhookId },
})

/** What the plan limits. */
export const limitAddress = (limit: LimitName): ListAddress => ({
  to: {
    licenses: paths.licenses(),
    users: paths.users(),
    variables: paths.variables(),
    storage: paths.downloads(),
    apps: paths.manageApps(),
  }[limit],
  search: {},
})

export const plansAddress = (): ListAddress => ({ to: paths.profile(), search: { dialog: 'upgrade' } })
