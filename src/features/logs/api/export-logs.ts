import { csvLine } from '#contract/csv.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { fileReply } from '#server/http/file-reply.ts'
import type { Services } from '#server/services.ts'
import { activityLog } from '../logs.actions.ts'
import { logsContract } from '../logs.contract.ts'
import { choiceOf } from '../log-choice.ts'
import { type Log, type LogChoice, scanLogs } from '../logs.reads.ts'
import { logReply } from '../logs.reply.ts'

const rowsPerRead = 200

export const exportLogs = endpoint(logsContract.exportLogs, {
  read: async ({ services, app, query, now }) => {
    const { format = 'csv', download, ...filter } = query
    await activityLog(services).flush()
    const batches = batchesOf(services, await choiceOf(services, app, filter), format)
    return fileReply({ of: 'logs', appName: app.name, format, now, download, batches })
  },
})

const columns = [
  'Date',
  'Log Data',
  'Credential',
  'Device',
  'Call',
  'Code',
  'License',
  'IP',
  'Country',
  'Session',
  'Request ID',
]

const frames = {
  csv: { begin: csvLine(columns), between: '', end: '' },
  json: { begin: '[\n', between: ',\n', end: '\n]\n' },
}

const lines: Record<keyof typeof frames, (log: Log) => string> = {
  csv: (log) => {
    const { timestamp, message, credential, device, call, code, license, ip, country, session, requestId } =
      logReply(log)
    const date = new Date(timestamp * 1000).toISOString()
    return csvLine([date, message, credential, device, call, code, license, ip, country, session, requestId])
  },
  json: (log) => JSON.stringify(logReply(log)),
}

/** Yields rows first, so that an early read error becomes an error response instead of a truncated file. */
async function* batchesOf({ db }: Services, choice: LogChoice, format: keyof typeof frames): AsyncGenerator<string> {
  const { begin, between, end } = frames[format]
  let isBegun = false
  for await (const rows of scanLogs(db, choice, rowsPerRead)) {
    yield (isBegun ? between : begin) + rows.map(lines[format]).join(between)
    isBegun = true
  }
  yield isBegun ? end : begin + end
}
