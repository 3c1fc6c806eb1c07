import { csvLine, textLine } from '#contract/csv.ts'
import type { Database } from '#database/database.ts'
import { BatchedScan } from '#server/bulk/batched-scan.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { fileReply } from '#server/http/file-reply.ts'
import { withMachine } from '../machines.ts'
import { usersContract } from '../users.contract.ts'
import { type FilterOf, listAfter } from '../users.reads.ts'
import { type DescribedUser, describeUsers } from '../users.reply.ts'
import { userStatus } from '../users.rules.ts'

type Format = 'csv' | 'txt' | 'json'

const rowsPerRead = 1000
const header = ['Username', 'Email', 'Status', 'Subscriptions', 'HWID', 'IP', 'Created', 'Last login']

export const exportUsers = endpoint(usersContract.exportUsers, {
  read: async ({ services, app, query, now }) => {
    const { format = 'csv', download, appName: _name, appId: _id, ...given } = query
    const filter = await withMachine(services, app, given)
    const batches = batchesOf(services.db, { appId: app.id, filter, now }, format)
    return fileReply({ of: 'users', appName: app.name, format, now, download, batches })
  },
})

const frames: Record<Format, { begin: string; between: string; end: string }> = {
  csv: { begin: csvLine(header), between: '', end: '' },
  txt: { begin: '', between: '', end: '' },
  json: { begin: '[\n', between: ',\n', end: '\n]\n' },
}

/**
 * The file in batches of rows, so that a million users are never in memory together. It begins with rows, not just the
 * header, so that a read that fails immediately becomes an error reply instead of a truncated file.
 */
async function* batchesOf(db: Database, choice: FilterOf, format: Format): AsyncGenerator<string> {
  const { begin, between, end } = frames[format]
  let isBegun = false
  const all = new BatchedScan({}, rowsPerRead, (afterId, limit) => listAfter(db, { ...choice, afterId, limit }))
  for await (const users of all.batches()) {
    const described = await describeUsers(db.reports, { appId: choice.appId, users, now: choice.now })
    yield (isBegun ? between : begin) + described.map(lines[format]).join(between)
    isBegun = true
  }
  yield isBegun ? end : begin + end
}

/** Usernames are chosen by customers, so text that a spreadsheet would execute as a formula is escaped (R-INP-03). */
const lines: Record<Format, (user: DescribedUser) => string> = {
  csv: csvRow,
  txt: ({ username }) => textLine(username),
  json: (user) => JSON.stringify(user),
}

function csvRow(user: DescribedUser): string {
  const time = (seconds: number | null) => (seconds === null ? '' : new Date(seconds * 1000).toISOString())
  const subscriptions = Object.values(user.subscriptions)
  return csvLine([
    user.username,
    user.email,
    userStatus(user),
    subscriptions.map(({ name, expiry }) => `${name}: ${expiry === null ? 'Lifetime' : time(expiry)}`).join('; '),
    user.hwid,
    user.ip,
    time(user.creationDate),
    time(user.lastLoginDate),
  ])
}
