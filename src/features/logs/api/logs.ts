import { reject } from '#contract/errors.ts'
import { maxCounted } from '#contract/fields.ts'
import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { choiceOf } from '../log-choice.ts'
import { countByValue } from '../log-facets.reads.ts'
import { activityLog, deleteLog, deleteManyLogs, deleteMatchingLogs, setLogRetention } from '../logs.actions.ts'
import { logsContract as contract } from '../logs.contract.ts'
import { logsErrors } from '../logs.errors.ts'
import { countInBuckets, listLogsById } from '../logs.reads.ts'
import { logReply } from '../logs.reply.ts'
import { edgesOf, maxHistogramEntries } from '../logs.rules.ts'

export const logCalls: readonly Endpoint[] = [
  endpoint(contract.readLog, {
    read: async ({ services, app, params }) => {
      // A text that is not a number matches no row.
      const id = /^\d{1,15}$/.test(params.id) ? Number(params.id) : 0
      const [log] = await listLogsById(services.db.read, app.id, [id])
      return { log: logReply(log ?? reject(logsErrors, 'LOG_NOT_FOUND')) }
    },
  }),
  endpoint(contract.readLogFacets, {
    read: async ({ services, app, query }) => {
      await activityLog(services).flush()
      return { ...(await countByValue(services.db.reports, await choiceOf(services, app, query), maxCounted)) }
    },
  }),
  endpoint(contract.readLogHistogram, {
    read: async ({ services, app, query: { edges: list, ...filter } }) => {
      await activityLog(services).flush()
      const edges = edgesOf(list)
      if (edges.length < 2) return { buckets: [], countedFrom: null }
      const choice = await choiceOf(services, app, filter)
      return countInBuckets(services.db.reports, choice, { edges, max: maxHistogramEntries })
    },
  }),
  endpoint(contract.setLogRetention, {
    write: async (tx, context) => {
      const { days, before } = context.body
      await setLogRetention(tx, context, { days, before })
      return { code: 'LOG_RETENTION_OK', values: { days }, days }
    },
  }),
  endpoint(contract.deleteLog, {
    write: async (tx, context) => {
      await deleteLog(tx, context, context.body.logId)
      return { code: 'LOG_DELETE_OK' }
    },
  }),
  endpoint(contract.bulkDeleteLogs, {
    writeInBatches: async (context) => {
      const { logIds, filter, expectedCount, newestId } = context.body
      if (logIds ? logIds.length === 0 || filter : !filter) reject(logsErrors, 'NO_LOGS_SELECTED')
      const deleted = logIds
        ? await context.services.db.write((tx) => deleteManyLogs(tx, context, logIds))
        : await deleteMatchingLogs(context, { filter: filter ?? {}, expectedCount, newestId })
      return { code: 'LOGS_DELETE_OK', values: { deleted }, deleted }
    },
  }),
  endpoint(contract.deleteAllLogs, {
    writeInBatches: async (context) => {
      const deleted = await deleteMatchingLogs(context, { filter: {}, newestId: context.body.newestId })
      return { code: 'LOGS_DELETE_ALL_OK', deleted }
    },
  }),
]
