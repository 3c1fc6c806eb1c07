import type { Feature } from '#server/endpoint.ts'
import { activityLog } from './logs.actions.ts'

/** What programs did and wrote. */
export const logs: Feature = {
  name: 'logs',
  contract: {},
  endpoints: [],
  appTables: ['logs'],
  start: async (services) => () => activityLog(services).flush(),
}
