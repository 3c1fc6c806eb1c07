import { endpoint } from '#server/http/endpoint.ts'
import { choiceOf } from '../log-choice.ts'
import { activityLog } from '../logs.actions.ts'
import { logsContract } from '../logs.contract.ts'
import { countInBuckets } from '../logs.reads.ts'
import { edgesOf, maxHistogramEntries } from '../logs.rules.ts'

export const readLogHistogram = endpoint(logsContract.readLogHistogram, {
  read: async ({ services, app, query: { edges: list, ...filter } }) => {
    await activityLog(services).flush()
    const edges = edgesOf(list)
    if (edges.length < 2) return { buckets: [], countedFrom: null }
    const choice = await choiceOf(services, app, filter)
    return countInBuckets(services.db.reports, choice, { edges, max: maxHistogramEntries })
  },
})
