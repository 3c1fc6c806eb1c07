import type { Feature } from '#server/http/endpoint.ts'

/** What users are entitled to: levels, for a time. */
export const entitlements: Feature = {
  name: 'entitlements',
  contract: {},
  endpoints: [],
  appTables: ['user_subscriptions'],
}
