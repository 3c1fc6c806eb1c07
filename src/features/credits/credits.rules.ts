/** Limits of credits, which are never negative. Runs in the server and the dashboard. */

/** Maximum per call. */
export const maxCredits = 1_000_000_000
/** Maximum balance per reseller and app, so that sums stay exact numbers. */
export const maxBalance = 1_000_000_000_000

/** Days over which the pace of spending is measured. */
export const paceDays = 30
/** Credits that last fewer days than this are low. */
export const lowCreditDays = 7
/** Fewer credits than this are low at any pace. */
export const lowCredits = 10

export interface Spending {
  /** Credits spent on licenses in the last `paceDays` days, less refunds. */
  spent: number
  /** Days measured: fewer than `paceDays` if the account is younger. */
  days: number
}

/** How many whole days a balance lasts at a pace; null without spending. */
export const creditDaysLeft = (balance: number, { spent, days }: Spending): number | null =>
  spent <= 0 ? null : Math.floor((balance * days) / spent)

export const isCreditLow = (balance: number, daysLeft: number | null): boolean =>
  balance < lowCredits || (daysLeft !== null && daysLeft < lowCreditDays)
