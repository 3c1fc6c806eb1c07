import { plural, t } from '@lingui/core/macro'
import { keepPreviousData, type QueryKey, queryOptions } from '@tanstack/react-query'
import { unitSeconds } from '#contract/duration.ts'
import { licenseSorts } from '#features/licenses/licenses.rules.ts'
import { plansForSale } from '#features/resellers/resellers.rules.ts'
import { readHistory } from '#features/resellers/web/history-file.ts'
import { transactionText } from '#features/resellers/web/transaction-text.ts'
import { type AssignedApp, assignedAppsQuery } from './assigned-apps.ts'
import { call } from '#web/api/call.ts'
import type { CallReply } from '#web/api/call-types.ts'
import type { ListRequest } from '#web/list/list-request.ts'
import { type SortValues, sortRows } from '#web/list/sort-rows.ts'
import { pagedList, unannouncedMs } from '#web/list/list-source.ts'
import { wholeList } from '#web/list/whole-list.ts'
import { queryClient } from '#web/api/query-client.ts'
import { appKey } from '#web/api/query-keys.ts'
import type { SelectOption } from '#web/ui/select-field.tsx'

export type OwnLicense = CallReply<'GET /reseller/licenses'>['licenses'][number]
export type OwnUser = CallReply<'GET /reseller/users'>['users'][number]
export type Transaction = CallReply<'GET /reseller/credits/history'>['history'][number]

/** Filters of both lists. */
const ownFilter = ({ search, filters: { status } }: ListRequest) => ({
  search: search.trim() || undefined,
  status: status === 'expiring' ? ('expiring' as const) : undefined,
})

const redeemedValues: Record<string, boolean> = { yes: true, no: false }

export const ownLicenseList = pagedList({
  table: { filters: { status: ['expiring'], redeemed: ['yes', 'no'] }, sorts: licenseSorts },
  filter: (request) => ({
    ...ownFilter(request),
    redeemed: redeemedValues[request.filters['redeemed'] ?? ''],
  }),
  key: () => appKey('reseller-licenses'),
  call: 'GET /reseller/licenses',
  rows: ({ licenses }) => licenses,
  rowId: ({ license }) => license,
  liveEveryMs: unannouncedMs,
})

export const ownUserList = pagedList({
  table: { filters: { status: ['expiring'] } },
  filter: ownFilter,
  key: () => appKey('reseller-users'),
  call: 'GET /reseller/users',
  rows: ({ users }) => users,
  rowId: ({ username }) => username,
  liveEveryMs: unannouncedMs,
})

/** Pages of 500 rows each; older rows are only in the export. */
const shownPages = 10

/** The history of the selected app, up to `maxPages` pages; all of it by default. */
export const readOwnHistory = (maxPages?: number, signal?: AbortSignal): Promise<Transaction[]> =>
  readHistory((query) => call('GET /reseller/credits/history', { query, signal }), maxPages)

const historySorts: SortValues<Transaction> = {
  description: (row) => transactionText(row),
  amount: ({ amount }) => amount,
  subscription: ({ subscriptionLevel }) => subscriptionLevel ?? 0,
  // Those of one second in the order in which they happened.
  time: ({ id }) => id,
}

export const creditHistory = wholeList<Transaction>({
  query: () => ({
    queryKey: appKey('credit-history'),
    queryFn: ({ signal }) => readOwnHistory(shownPages, signal),
  }),
  rowId: ({ id }) => String(id),
  table: { sorts: Object.keys(historySorts) },
  arrange: (all, { search, sort }) => {
    const text = search.trim().toLowerCase()
    const found = all.filter((row) => transactionText(row).toLowerCase().includes(text))
    return sortRows(found, sort, historySorts)
  },
})

export type PlanForSale = ReturnType<typeof plansForSale>[number]

/** Shown in place of the plans if none is for sale. */
export const noPlanText = ({ allowedPlans }: AssignedApp): string =>
  allowedPlans.length === 0
    ? t`Your administrator has not allowed any plan for this app yet.`
    : t`Your administrator has not set the cost of any plan of this app yet.`

/** Why nothing can be sold in the app; undefined if something can. */
export function notForSaleText(app: AssignedApp): string | undefined {
  if (plansForSale(app).length === 0) return noPlanText(app)
  return sellableLevels(app).length === 0 ? pausedLevelsText(app) : undefined
}

/** Undefined for an app without levels, which sells level 1. */
export function pausedLevelsText({ allowedSubscriptions, subscriptions }: AssignedApp): string | undefined {
  const levels = Object.keys(subscriptions).map(Number)
  const allowed =
    allowedSubscriptions.length === 0 ? levels : levels.filter((each) => allowedSubscriptions.includes(each))
  return allowed.length === 0 ? undefined : t`Your administrator has paused every subscription that you can sell.`
}

export const statsKey = (): QueryKey => appKey('reseller-stats')

/** How long these credits of the selected app last; asked again when they change. */
export const creditsQuery = (credits: number) =>
  queryOptions({
    queryKey: appKey('reseller-credits', credits),
    queryFn: ({ signal }) => call('GET /reseller/credits', { signal }),
    placeholderData: keepPreviousData,
  })

/** Notifies the browser's other tabs of credit changes. */
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('signet.credits-updated')
channel?.addEventListener('message', () => void refreshCredits())

const refreshCredits = () =>
  Promise.all([
    queryClient.invalidateQueries(assignedAppsQuery),
    queryClient.invalidateQueries({ queryKey: appKey('credit-history') }),
    queryClient.invalidateQueries({ queryKey: statsKey() }),
    ownLicenseList.refresh(),
  ])

/**
 * Call after any action that may have changed credits, even a failed one. The balance of its reply isn't shown: another
 * tab may have moved credits since, and a repeated call gets the reply of the first. Of the requests for the apps, which
 * follow each other, only the last one's reply is shown, so that the balance never goes back.
 */
export async function creditsMoved(): Promise<void> {
  channel?.postMessage(null)
  await refreshCredits()
}

/** The label of a plan in the dashboard. */
export const planText = ({ plan, cost }: PlanForSale): string => t`${plan} day(s) - ${cost} credit(s)`

/** "Level n", for subscriptions without a name. */
export const levelText = (level: number | null): string => (level === null ? '—' : t`Level ${level}`)

/** The app's name of a level, or its number if it has no name or no longer exists. */
export const levelName = (app: AssignedApp, level: number | null): string =>
  (level !== null && app.subscriptions[String(level)]?.name) || levelText(level)

/** Plans are whole days, but the owner may have changed the license's duration since. */
export function daysText(seconds: number): string {
  if (seconds === 0) return t`Lifetime`
  const days = Math.round((seconds / unitSeconds.days) * 10) / 10
  return plural(days, { one: '# day', other: '# days' })
}

/** Levels for sale: those the owner selected, or else all of the app, except paused ones. */
export function sellableLevels({ allowedSubscriptions, subscriptions }: AssignedApp): number[] {
  const all = Object.entries(subscriptions)
    .filter(([, { active }]) => active)
    .map(([level]) => Number(level))
  return allowedSubscriptions.length === 0 ? all : all.filter((level) => allowedSubscriptions.includes(level))
}

/** The plans that the credits cover. */
export const affordablePlans = (app: AssignedApp): PlanForSale[] =>
  plansForSale(app).filter(({ cost }) => cost <= app.credits)

/** The plan to start a sale with: that of the last sale, or the longest that the credits still cover; empty if open. */
function planToSell(app: AssignedApp): string {
  const plans = plansForSale(app)
  const last = plans.find(({ plan }) => plan === app.lastSale?.plan)
  const affordable = affordablePlans(app)
  if (last && last.cost > app.credits && affordable.length > 0) {
    return String(Math.max(...affordable.map(({ plan }) => Number(plan))))
  }
  return last?.plan ?? (plans.length === 1 ? plans[0]?.plan : undefined) ?? ''
}

/** What the form for a sale starts with: the given plan, or `planToSell`. */
export function saleStart(app: AssignedApp, givenPlan?: string): { plan: string; subscriptionLevel: number } {
  const { lastSale } = app
  const plans = plansForSale(app).map(({ plan }) => plan)
  const levels = sellableLevels(app)
  const wanted = givenPlan ?? planToSell(app)
  const level = lastSale && levels.includes(lastSale.subscriptionLevel) ? lastSale.subscriptionLevel : undefined
  return {
    plan: plans.includes(wanted) ? wanted : '',
    // Level 1 by default.
    subscriptionLevel: level ?? (levels.includes(1) ? 1 : (levels[0] ?? 1)),
  }
}

/** "Level n: Name", or the number alone for a level without a name. */
export function levelLine(app: AssignedApp, level: number): string {
  const name = levelName(app, level)
  return name === levelText(level) ? name : t`Level ${level}: ${name}`
}

/** With the chosen level, which may have been paused or taken away since: the form shows the level that it sends. */
export function levelOptions(app: AssignedApp, chosen = ''): SelectOption[] {
  const options = sellableLevels(app).map((level) => ({ value: String(level), label: levelLine(app, level) }))
  if (chosen === '' || options.some(({ value }) => value === chosen)) return options
  return [...options, { value: chosen, label: levelLine(app, Number(chosen)), disabled: true }]
}

/** With the chosen plan, as above. */
export function planOptions(app: AssignedApp, chosen = ''): SelectOption[] {
  const options = plansForSale(app).map((each) => ({
    value: each.plan,
    label: planText(each),
    disabled: each.cost > app.credits,
  }))
  if (chosen === '' || options.some(({ value }) => value === chosen)) return options
  return [...options, { value: chosen, label: daysText(Number(chosen) * unitSeconds.days), disabled: true }]
}
