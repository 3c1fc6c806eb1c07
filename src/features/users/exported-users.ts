import { textLine } from '#contract/csv.ts'
import type { ListOf } from '#contract/list-field.ts'
import type { Database } from '#database/database.ts'
import { type Batches, type ExportColumn, exportedRows, exportedTime } from '#server/http/exported-rows.ts'
import type { User } from './users.reads.ts'
import { type DescribedUser, describeUsers } from './users.reply.ts'
import { type UserExportColumn, userStatus } from './user-list.rules.ts'

const columns: Record<UserExportColumn, ExportColumn<DescribedUser>> = {
  username: { header: 'Username', text: ({ username }) => username, fields: ['username'] },
  email: { header: 'Email', text: ({ email }) => email, fields: ['email'] },
  status: {
    header: 'Status',
    text: (user) => userStatus(user),
    fields: ['banned', 'paused', 'hasActiveSubscription'],
  },
  subscriptions: { header: 'Subscriptions', text: subscriptionsText, fields: ['subscriptions'] },
  hwid: { header: 'HWID', text: ({ hwid }) => hwid, fields: ['hwid'] },
  ip: { header: 'IP', text: ({ ip }) => ip, fields: ['ip'] },
  created: { header: 'Created', text: ({ creationDate }) => exportedTime(creationDate), fields: ['creationDate'] },
  lastLogin: {
    header: 'Last login',
    text: ({ lastLoginDate }) => exportedTime(lastLoginDate),
    fields: ['lastLoginDate'],
  },
}

interface Choice {
  format: 'csv' | 'json' | 'txt'
  chosen: ListOf<UserExportColumn> | undefined
  appId: string
  now: number
}

/** The text of a file of users. */
export const exportedUsers = (
  db: Database,
  batches: Batches<User>,
  { appId, now, ...choice }: Choice,
): AsyncGenerator<string> =>
  exportedRows(described(db, batches, { appId, now }), {
    ...choice,
    columns,
    line: ({ username }) => textLine(username),
  })

async function* described(
  db: Database,
  batches: Batches<User>,
  of: { appId: string; now: number },
): AsyncGenerator<DescribedUser[]> {
  for await (const users of batches) yield await describeUsers(db.reports, { ...of, users })
}

function subscriptionsText({ subscriptions }: DescribedUser): string {
  const all = Object.values(subscriptions)
  return all.map(({ name, expiry }) => `${name}: ${expiry === null ? 'Lifetime' : exportedTime(expiry)}`).join('; ')
}
