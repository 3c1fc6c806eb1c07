/** Limits of credits, which are never negative. Runs in the server and the dashboard. */

/** Maximum per call. */
export const maxCredits = 1_000_000_000
/** Maximum balance per reseller and app, so that sums stay exact numbers. */
export const maxBalance = 1_000_000_000_000
