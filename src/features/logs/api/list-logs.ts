import { pageCount, wholeListPage } from '#contract/fields.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { activityLog } from '../logs.actions.ts'
import { logsContract } from '../logs.contract.ts'
import { choiceOf } from '../log-choice.ts'
import {
  countAppLogs,
  countCustomers,
  countLogs,
  findOldest,
  findRetention,
  listLogs as readLogs,
} from '../logs.reads.ts'
import { maxCustomerLogs } from '../logs.rules.ts'
import { logReply } from '../logs.reply.ts'

export const listLogs = endpoint(logsContract.listLogs, {
  read: async ({ services, app, query }) => {
    const { page: _page, limit: _limit, sort, ...filter } = query
    const { page, limit } = wholeListPage(query)
    // Makes a call that was rejected just now visible.
    await activityLog(services).flush()
    const { reports } = services.db
    const choice = await choiceOf(services, app, filter)
    // First: a row that is stored meanwhile may be counted below, but is not taken for one that was seen.
    const { all, newestId } = await countAppLogs(reports, app.id)
    const isFiltered = Object.values(filter).some((value) => value !== undefined && value !== '')
    const total = isFiltered ? await countLogs(reports, choice) : all
    const logs = await readLogs(reports, { ...choice, limit, offset: (page - 1) * limit, sort })
    const retentionDays = await findRetention(services.db.read, app.id)
    const oldestAt = await findOldest(reports, app.id)
    const totalPages = pageCount(total, limit)
    const customers = filter.customers
      ? { count: await countCustomers(reports, choice, maxCustomerLogs), isMore: total > maxCustomerLogs }
      : null
    const maxEntries = services.config.logEntriesPerApp
    const counts = { total, totalPages, limit, customers, all }
    return { logs: logs.map(logReply), ...counts, newestId, oldestAt, retentionDays, maxEntries }
  },
})
