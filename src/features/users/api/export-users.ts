import { csvLine } from '#contract/csv.ts'
import type { Database } from '#database/database.ts'
import { endpoint, type StreamedReply } from '#server/endpoint.ts'
import { type DescribedUser, describeUsers } from '../user-descriptions.actions.ts'
import { usersContract } from '../users.contract.ts'
import { type FilterOf, listAfter } from '../users-list.queries.ts'
import type { User } from '../users.queries.ts'
import { userStatus } from '../users.rules.ts'

type Format = 'csv' | 'txt' | 'json'

const rowsPerRead = 1000
const header = ['Username', 'Email', 'Status', 'Subscriptions', 'HWID', 'IP', 'Created', 'Last login']
const mediaTypes = { csv: 'text/csv', txt: 'text/plain', json: 'application/json' } as const

export const exportUsers = endpoint(usersContract.exportUsers, {
  read: async ({ services: { db }, app, query, now }): Promise<StreamedReply> => {
    const { search, status, level } = query
    const format = query.format ?? 'csv'
    const pieces = piecesOf(db, { appId: app.id, filter: { search, status, level }, now }, format)
    const day = new Date(now * 1000).toISOString().slice(0, 10)
    const filename = `users-${app.name.replaceAll(' ', '_')}-${day}.${format}`
    if (query.download) {
      const type = `${mediaTypes[format]}; charset=utf-8`
      const disposition = `attachment; filename="${filename}"`
      return { stream: pieces, headers: { 'content-type': type, 'content-disposition': disposition } }
    }
    const rest = `,"format":"${format}","filename":${JSON.stringify(filename)}}`
    return { stream: insideJson(pieces, rest), headers: { 'content-type': 'application/json; charset=utf-8' } }
  },
})

const frames: Record<Format, { begin: string; between: string; end: string }> = {
  csv: { begin: csvLine(header), between: '', end: '' },
  txt: { begin: '', between: '', end: '' },
  json: { begin: '[\n', between: ',\n', end: '\n]\n' },
}

/** The file, some rows at a time: a million users never stand in memory together. */
async function* piecesOf(db: Database, choice: FilterOf, format: Format): AsyncGenerator<string> {
  const { begin, between, end } = frames[format]
  yield begin
  let afterId = 0
  for (;;) {
    const users = await listAfter(db, { ...choice, afterId, limit: rowsPerRead })
    if (users.length === 0) break
    const described = await describeUsers(db.reports, { appId: choice.appId, users, now: choice.now })
    yield (afterId === 0 ? '' : between) + described.map(lines[format]).join(between)
    afterId = (users.at(-1) as User).id
  }
  yield end
}

/** Names are chosen by customers: what a spreadsheet would run as a formula is made inert (R-INP-03). */
const lines: Record<Format, (user: DescribedUser) => string> = {
  csv: csvRow,
  txt: ({ username }) => `${/^[=+\-@]/.test(username) ? "'" : ''}${username}\n`,
  json: (user) => JSON.stringify(user),
}

function csvRow(user: DescribedUser): string {
  const time = (seconds: number | null) => (seconds === null ? '' : new Date(seconds * 1000).toISOString())
  const held = Object.values(user.subscriptions)
  return csvLine([
    user.username,
    user.email,
    userStatus(user),
    held.map(({ name, expiry }) => `${name}: ${expiry === null ? 'Lifetime' : time(expiry)}`).join('; '),
    user.hwid,
    user.ip,
    time(user.creationDate),
    time(user.lastLoginDate),
  ])
}

/** The same file as the `content` of a JSON reply, without ever holding all of it. */
async function* insideJson(pieces: AsyncIterable<string>, rest: string): AsyncGenerator<string> {
  yield '{"success":true,"content":"'
  for await (const piece of pieces) yield JSON.stringify(piece).slice(1, -1)
  yield `"${rest}`
}
