import { type ExportColumn, exportedRows, exportedTime } from '#server/http/exported-rows.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { fileReply } from '#server/http/file-reply.ts'
import type { Services } from '#server/services.ts'
import { activityLog } from '../logs.actions.ts'
import { logsContract } from '../logs.contract.ts'
import { choiceOf } from '../log-choice.ts'
import { listLogsById, type LogChoice, scanLogs } from '../logs.reads.ts'
import { logReply } from '../logs.reply.ts'
import type { LogExportColumn } from '../logs.rules.ts'

const rowsPerRead = 200

export const exportLogs = endpoint(logsContract.exportLogs, {
  read: async ({ services, app, query, now }) => {
    const { format = 'csv', download, columns: chosen, ...filter } = query
    await activityLog(services).flush()
    const entries = entriesOf(services, await choiceOf(services, app, filter))
    const batches = exportedRows(entries, { format, columns, chosen })
    return fileReply({ of: 'logs', appName: app.name, format, now, download, batches })
  },
})

export const exportSelectedLogs = endpoint(logsContract.exportSelectedLogs, {
  read: async ({ services: { db }, app, body, now }) => {
    const { format = 'csv', columns: chosen, logIds } = body
    const rows = await listLogsById(db.read, app.id, logIds)
    const batches = exportedRows([rows.map(logReply)], { format, columns, chosen })
    return fileReply({ of: 'logs', appName: app.name, format, now, download: false, batches })
  },
})

type Entry = ReturnType<typeof logReply>

const columns: Record<LogExportColumn, ExportColumn<Entry>> = {
  date: { header: 'Date', text: ({ timestamp }) => exportedTime(timestamp), fields: ['timestamp'] },
  data: { header: 'Log Data', text: ({ message }) => message, fields: ['message'] },
  credential: { header: 'Credential', text: ({ credential }) => credential, fields: ['credential'] },
  device: { header: 'Device', text: ({ device }) => device, fields: ['device'] },
  call: { header: 'Call', text: ({ call }) => call, fields: ['call'] },
  code: { header: 'Code', text: ({ code }) => code, fields: ['code'] },
  license: { header: 'License', text: ({ license }) => license, fields: ['license'] },
  ip: { header: 'IP', text: ({ ip }) => ip, fields: ['ip'] },
  country: { header: 'Country', text: ({ country }) => country, fields: ['country'] },
  session: { header: 'Session', text: ({ session }) => session, fields: ['session'] },
  requestId: { header: 'Request ID', text: ({ requestId }) => requestId, fields: ['requestId'] },
}

async function* entriesOf({ db }: Services, choice: LogChoice): AsyncGenerator<Entry[]> {
  for await (const rows of scanLogs(db, choice, rowsPerRead)) yield rows.map(logReply)
}
