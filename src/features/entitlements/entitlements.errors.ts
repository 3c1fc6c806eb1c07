/** Errors of the calls on a user's subscriptions. */
export const entitlementsErrors = {
  USER_SUBSCRIPTION_NOT_FOUND: { status: 404, message: 'The user does not have this subscription' },
  USER_SUBSCRIPTION_TAKEN: { status: 409, message: 'The user already has this subscription' },
  SUBSCRIPTION_EXPIRED: { status: 409, message: 'The subscription has expired' },
  SUBSCRIPTION_NEVER_ENDS: { status: 409, message: 'The subscription never ends' },
  SUBSCRIPTION_REQUIRED: { status: 400, message: 'Please select a subscription' },
  DURATION_REQUIRED: { status: 400, message: 'Please enter a duration' },
  DURATION_TOO_LONG: { status: 400, message: 'The duration can be at most 1000 years' },
  TIME_UNIT_REQUIRED: { status: 400, message: 'Please choose a unit of time' },
  GRANT_DAYS_RANGE: { status: 400, message: 'The duration can be 1 to 3650 days' },
} as const

/** Errors of changing when a subscription ends. */
export const entitlementEndErrors = {
  END_AMBIGUOUS: { status: 400, message: 'Send a duration or an expiry, not both' },
} as const
