import { maxCounted } from '#contract/fields.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { choiceOf } from '../log-choice.ts'
import { countByValue } from '../log-facets.reads.ts'
import { activityLog } from '../logs.actions.ts'
import { logsContract } from '../logs.contract.ts'

export const readLogFacets = endpoint(logsContract.readLogFacets, {
  read: async ({ services, app, query }) => {
    await activityLog(services).flush()
    return { ...(await countByValue(services.db.reports, await choiceOf(services, app, query), maxCounted)) }
  },
})
