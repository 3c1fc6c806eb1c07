import type { Feature } from '#server/http/endpoint.ts'
import { followChanges } from './api/follow-changes.ts'
import { liveChanges, publishChanges } from './live-changes.ts'
import { liveContract } from './live.contract.ts'

/** Which lists of an app have changed, for those who have them open. */
export const live: Feature = {
  name: 'live',
  contract: liveContract,
  endpoints: [followChanges],
  start: async (services) => {
    const stop = services.db.onEvent(publishChanges)
    return async () => {
      stop()
      liveChanges(services).close()
    }
  },
}
