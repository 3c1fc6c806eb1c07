import type { ListOf } from '#contract/list-field.ts'
import { type ExportColumn, exportedRows, exportedTime } from '#server/http/exported-rows.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { fileReply } from '#server/http/file-reply.ts'
import type { Services } from '#server/services.ts'
import { auditContract } from '../audit.contract.ts'
import { type AuditChoice, scanAudit } from '../audit.reads.ts'
import { auditReply } from '../audit.reply.ts'
import type { AuditExportColumn } from '../audit.rules.ts'

const rowsPerRead = 200

export const exportAudit = endpoint(auditContract.exportAudit, {
  read: async ({ services, actor, query, now }) => {
    const { format = 'csv', download, columns: chosen, ...filter } = query
    const choice = { ...filter, ownerId: actor.id, isOwn: true, now }
    const batches = batchesOf(services, { choice, accountId: actor.id, format, chosen })
    return fileReply({ of: 'audit', appName: actor.username, format, now, download, batches })
  },
})

export const exportPlatformAudit = endpoint(auditContract.exportPlatformAudit, {
  read: async ({ services, actor, query, now }) => {
    const { format = 'csv', download, columns: chosen, ...filter } = query
    const choice = { ...filter, isOwn: false, now }
    const batches = batchesOf(services, { choice, accountId: actor.id, format, chosen })
    return fileReply({ of: 'audit', appName: 'platform', format, now, download, batches })
  },
})

type Entry = ReturnType<typeof auditReply>

const columns: Record<AuditExportColumn, ExportColumn<Entry>> = {
  date: { header: 'Date', text: ({ timestamp }) => exportedTime(timestamp), fields: ['timestamp'] },
  act: { header: 'Act', text: ({ act }) => act, fields: ['act'] },
  actorType: { header: 'Actor type', text: ({ actor }) => actor.type, fields: ['actor'] },
  actor: { header: 'Actor', text: ({ actor }) => actor.name || actor.id, fields: ['actor'] },
  owner: { header: 'Owner', text: ({ owner }) => owner.name || owner.id, fields: ['owner'] },
  app: { header: 'App', text: ({ app }) => (app ? app.name || app.id : ''), fields: ['app'] },
  target: { header: 'Target', text: ({ target }) => target, fields: ['target'] },
  details: { header: 'Details', text: ({ details }) => JSON.stringify(details), fields: ['details'] },
  ip: { header: 'IP', text: ({ ip }) => ip, fields: ['ip'] },
  request: { header: 'Request', text: ({ requestId }) => requestId, fields: ['requestId'] },
  place: { header: 'Place', text: ({ place }) => (place === null ? '' : String(place)), fields: ['place'] },
  hash: { header: 'Hash', text: ({ hash }) => hash ?? '', fields: ['hash'] },
}

interface Export {
  choice: AuditChoice
  accountId: string
  format: 'csv' | 'json'
  chosen: ListOf<AuditExportColumn> | undefined
}

const batchesOf = (services: Services, { choice, accountId, ...file }: Export): AsyncGenerator<string> =>
  exportedRows(entriesOf(services, { choice, accountId }), { ...file, columns })

async function* entriesOf(
  { db }: Services,
  { choice, accountId }: Pick<Export, 'choice' | 'accountId'>,
): AsyncGenerator<Entry[]> {
  for await (const rows of scanAudit(db, choice, rowsPerRead)) {
    yield rows.map((row) => auditReply(row, { accountId, isOwn: choice.isOwn }))
  }
}
