import { pageCount } from '#contract/fields.ts'
import { activityLog } from '#features/logs/logs.actions.ts'
import { countLogs, listLogs, listLogsAfter, type LogPosition } from '#features/logs/logs.reads.ts'
import { logReply } from '#features/logs/logs.reply.ts'
import { type CallContext, type Endpoint, endpoint } from '#server/http/endpoint.ts'
import { sellerLogsContract as contract } from '../seller-logs.contract.ts'

/** Entries are stored some seconds after their events, by several processes and in any order. */
const settledAfterSeconds = 5
/** Above the ID of any entry. */
const lastId = 999_999_999_999_999

export const logCalls: readonly Endpoint[] = [
  endpoint(contract.listLogs, {
    read: async ({ services, app, query }) => {
      const { page = 1, limit = 10, ...filter } = query
      // Makes a call that was rejected just now visible.
      await activityLog(services).flush()
      const { reports } = services.db
      const choice = { ...filter, appId: app.id }
      const total = await countLogs(reports, choice)
      const logs = await listLogs(reports, { ...choice, limit, offset: (page - 1) * limit })
      return { logs: logs.map(logReply), total, totalPages: pageCount(total, limit) }
    },
  }),
  endpoint(contract.followLogs, {
    read: async (context) => {
      const { services, query, now } = context
      await activityLog(services).flush()
      const settled = { at: now - settledAfterSeconds, id: lastId }
      const { limit = 100 } = query
      const after = positionOf(query.after)
      const logs = (await settledLogs(context, { after, settledUntil: settled.at, limit })).map(logReply)
      const last = logs.at(-1)
      // With fewer entries, everything until then has been read.
      const end = after && last && logs.length === limit ? { at: last.timestamp, id: last.id } : settled
      return { logs, next: textOf(after && isAfter(after, end) ? after : end) }
    },
  }),
]

/** The entries after a position, or else the newest ones; oldest first. */
async function settledLogs(
  { services: { db }, app, query }: CallContext<typeof contract.followLogs>,
  { after, settledUntil, limit }: { after: LogPosition | undefined; settledUntil: number; limit: number },
) {
  const { after: _after, limit: _limit, ...filter } = query
  const choice = { ...filter, appId: app.id, until: Math.min(filter.until ?? settledUntil, settledUntil) }
  if (after) return listLogsAfter(db.reports, choice, { after, limit })
  return (await listLogs(db.reports, { ...choice, limit, offset: 0 })).toReversed()
}

const textOf = ({ at, id }: LogPosition): string => `${at}-${id}`

function positionOf(text: string | undefined): LogPosition | undefined {
  const [at, id] = text?.split('-').map(Number) ?? []
  return at === undefined || id === undefined ? undefined : { at, id }
}

const isAfter = (one: LogPosition, other: LogPosition): boolean =>
  one.at > other.at || (one.at === other.at && one.id > other.id)
