import { csvLine } from '#contract/csv.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { fileReply } from '#server/http/file-reply.ts'
import type { Services } from '#server/services.ts'
import { auditContract } from '../audit.contract.ts'
import { type AuditChoice, scanAudit } from '../audit.reads.ts'
import { auditReply } from '../audit.reply.ts'

const rowsPerRead = 200

export const exportAudit = endpoint(auditContract.exportAudit, {
  read: async ({ services, actor, query, now }) => {
    const { format = 'csv', download, ...filter } = query
    const choice = { ...filter, ownerId: actor.id, isOwn: true, now }
    const batches = batchesOf(services, { choice, accountId: actor.id, format })
    return fileReply({ of: 'audit', appName: actor.username, format, now, download, batches })
  },
})

export const exportPlatformAudit = endpoint(auditContract.exportPlatformAudit, {
  read: async ({ services, actor, query, now }) => {
    const { format = 'csv', download, ...filter } = query
    const batches = batchesOf(services, { choice: { ...filter, isOwn: false, now }, accountId: actor.id, format })
    return fileReply({ of: 'audit', appName: 'platform', format, now, download, batches })
  },
})

type Entry = ReturnType<typeof auditReply>

const columns = [
  'Date',
  'Act',
  'Actor type',
  'Actor',
  'Owner',
  'App',
  'Target',
  'Details',
  'IP',
  'Request',
  'Place',
  'Hash',
]

const frames = {
  csv: { begin: csvLine(columns), between: '', end: '' },
  json: { begin: '[\n', between: ',\n', end: '\n]\n' },
}

const lines: Record<keyof typeof frames, (entry: Entry) => string> = {
  csv: ({ timestamp, act, actor, owner, app, target, details, ip, requestId, place, hash }) =>
    csvLine([
      new Date(timestamp * 1000).toISOString(),
      act,
      actor.type,
      actor.name || actor.id,
      owner.name || owner.id,
      app ? app.name || app.id : '',
      target,
      JSON.stringify(details),
      ip,
      requestId,
      place === null ? '' : String(place),
      hash ?? '',
    ]),
  json: (entry) => JSON.stringify(entry),
}

interface Export {
  choice: AuditChoice
  accountId: string
  format: keyof typeof frames
}

/** Begins with rows, so that a read that fails immediately becomes an error reply instead of a truncated file. */
async function* batchesOf({ db }: Services, { choice, accountId, format }: Export): AsyncGenerator<string> {
  const { begin, between, end } = frames[format]
  let isBegun = false
  for await (const rows of scanAudit(db, choice, rowsPerRead)) {
    const texts = rows.map((row) => lines[format](auditReply(row, { accountId, isOwn: choice.isOwn })))
    yield (isBegun ? between : begin) + texts.join(between)
    isBegun = true
  }
  yield isBegun ? end : begin + end
}
