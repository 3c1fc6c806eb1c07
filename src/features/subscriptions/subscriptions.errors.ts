import { levelsErrors } from '#features/levels/levels.errors.ts'

export const subscriptionsErrors = {
  ...levelsErrors,
  SUBSCRIPTION_IN_USE: {
    status: 409,
    message:
      'This subscription is used by {licenses, plural, one {# license} other {# licenses}} and {users, plural, one {# user} other {# users}}',
  },
  NO_SUBSCRIPTIONS_SELECTED: { status: 400, message: 'No subscriptions selected' },
} as const
