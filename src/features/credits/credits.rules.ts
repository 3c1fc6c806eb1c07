/** Bounds of credits (never negative). Runs in the server and the dashboard. */

/** In one call. */
export const maxCredits = 1_000_000_000
/** That one reseller can have of one app: sums of it stay exact numbers. */
export const maxBalance = 1_000_000_000_000
