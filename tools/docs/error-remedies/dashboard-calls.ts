import type { DashboardCall, DashboardOnlyError, Remedy } from '../error-codes.ts'

/** A code that only calls of the dashboard answer. */
export interface DashboardRemedy extends Remedy {
  calls: readonly DashboardCall[] | 'any call'
}

export type DashboardRemedies = Partial<Record<DashboardOnlyError, DashboardRemedy>>

type DashboardCalls = readonly DashboardCall[]

/** Codes of one pattern differ only in their subject. */
export const notFound = (calls: DashboardCalls, what: string, screen: string): DashboardRemedy => ({
  calls,
  cause: `There is no such ${what} in your account: it was deleted, or the screen is out of date.`,
  remedy: `Reload **${screen}** and choose the ${what} there.`,
})

export const noneSelected = (calls: DashboardCalls, what: string): DashboardRemedy => ({
  calls,
  cause: `The call names no ${what}, and no filter that selects some.`,
  remedy: `Select at least one row. In a call, send either the names or IDs of the ${what}, or a filter.`,
})

export const missing = (calls: DashboardCalls, field: string): DashboardRemedy => ({
  calls,
  cause: `${field} is empty.`,
  remedy: 'Fill in the field.',
})

export const tooLong = (calls: DashboardCalls, field: string): DashboardRemedy => ({
  calls,
  cause: `${field} has more characters than the message allows.`,
  remedy: 'Shorten the text.',
})

export const invisible = (calls: DashboardCalls, field: string): DashboardRemedy => ({
  calls,
  cause: `${field} contains invisible characters, such as line ends or zero-width spaces, or has none that are visible.`,
  remedy: 'Type the text instead of pasting it.',
})

export const taken = (calls: DashboardCalls, what: string): DashboardRemedy => ({
  calls,
  cause: `${what} already has this name.`,
  remedy: 'Choose another name.',
})

export const outside = (calls: DashboardCalls, what: string): DashboardRemedy => ({
  calls,
  cause: `${what} is not a whole number in the range of the message.`,
  remedy: 'Enter a number in that range.',
})
