import type { Feature } from '#server/http/endpoint.ts'

/** The levels that an app sells; the calls on them are the subscriptions feature. */
export const levels: Feature = {
  name: 'levels',
  contract: {},
  endpoints: [],
}
