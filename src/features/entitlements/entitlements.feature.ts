import type { Feature } from '#server/http/endpoint.ts'

/** Entitlements of users: levels with an end time. */
export const entitlements: Feature = {
  name: 'entitlements',
  contract: {},
  endpoints: [],
  appTables: ['user_subscriptions'],
}
