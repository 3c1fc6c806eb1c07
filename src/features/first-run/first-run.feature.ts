import type { Feature } from '#server/http/endpoint.ts'

/** Screens that lead from a new app to its first running program; their calls are in other features. */
export const firstRun: Feature = {
  name: 'first-run',
  contract: {},
  endpoints: [],
}
