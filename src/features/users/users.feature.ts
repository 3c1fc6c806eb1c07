import type { Feature } from '#server/endpoint.ts'

/** End users of an app; so far the client API is their only way in. */
export const users: Feature = {
  name: 'users',
  contract: {},
  endpoints: [],
  appTables: ['user_subscriptions', 'users'],
}
