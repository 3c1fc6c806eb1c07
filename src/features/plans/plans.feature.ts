import type { Feature } from '#server/endpoint.ts'

/** What an owner has bought, and what it allows. */
export const plans: Feature = {
  name: 'plans',
  contract: {},
  endpoints: [],
}
