import type { Feature } from '#server/http/endpoint.ts'

/** The levels that an app sells; their API calls are in the subscriptions feature. */
export const levels: Feature = {
  name: 'levels',
  contract: {},
  endpoints: [],
}
