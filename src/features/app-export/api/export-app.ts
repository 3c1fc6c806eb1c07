import type { Database } from '#database/database.ts'
import { findOwnApp } from '#features/apps/apps.reads.ts'
import { appReply } from '#features/apps/apps.reply.ts'
import { listAfter } from '#features/users/users.reads.ts'
import { describeUsers } from '#features/users/users.reply.ts'
import type { AppScope } from '#server/audit/actors.ts'
import { recordAudit } from '#server/audit/audit.ts'
import { BatchedScan } from '#server/bulk/batched-scan.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { fileReply } from '#server/http/file-reply.ts'
import { appExportContract } from '../app-export.contract.ts'
import { scanTable } from '../app-export.reads.ts'
import { describerOf } from '../app-export.reply.ts'
import { type ExportedTable, exportedTables } from '../exported-tables.rules.ts'

const usersPerRead = 500

export const exportApp = endpoint(appExportContract.exportApp, {
  write: async (tx, context) => {
    await recordAudit(tx, context, { act: 'app.export', target: context.app.name })
    return {}
  },
  present: (_, { services: { db }, app, now }) =>
    fileReply({
      of: 'app',
      appName: app.name,
      format: 'json',
      now,
      download: true,
      batches: documentOf(db, app, now),
    }),
})

/**
 * The file in batches of rows. The app comes first, so that a read that fails immediately becomes an error reply
 * instead of a truncated file.
 */
async function* documentOf(db: Database, { id, ownerId }: AppScope, now: number): AsyncGenerator<string> {
  const app = await findOwnApp(db.reports, ownerId, id)
  if (!app) return
  const { activeSessions: _, ...described } = appReply(app, 0)
  yield `{\n"format": "signet-app",\n"version": 1,\n"exportedAt": ${now},\n"app": ${JSON.stringify(described)}`
  for (const [name, table] of Object.entries(exportedTables)) yield* listOf(name, rowsOf(db, table, id))
  yield* listOf('users', usersOf(db, id, now))
  yield '\n}\n'
}

async function* listOf(name: string, batches: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  yield `,\n"${name}": [`
  let isBegun = false
  for await (const rows of batches) {
    const lines = rows.map((row) => `\n${JSON.stringify(row)}`).join(',')
    yield isBegun ? `,${lines}` : lines
    isBegun = true
  }
  yield isBegun ? '\n]' : ']'
}

async function* rowsOf(db: Database, table: ExportedTable, appId: string): AsyncGenerator<readonly object[]> {
  const describe = describerOf(table)
  for await (const rows of scanTable(db, table, appId)) yield rows.map(describe)
}

async function* usersOf(db: Database, appId: string, now: number): AsyncGenerator<readonly object[]> {
  const choice = { appId, filter: {}, now }
  const all = new BatchedScan({}, usersPerRead, (afterId, limit) => listAfter(db, { ...choice, afterId, limit }))
  for await (const users of all.batches()) yield await describeUsers(db.reports, { appId, users, now })
}
