import { usernameKey } from '#features/users/users.rules.ts'
import { signInCalls } from '#features/logs/logs.rules.ts'
import type { Tx } from '#database/database.ts'
import type { JobHandler } from '#server/jobs/jobs.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import { type CountedLog, lastLogId, listCounted, oldestHourBefore, readProgress } from './overview.reads.ts'
import { hourSeconds } from './overview.rules.ts'
import type { ActivityHoursTable, ActivityUsersTable } from './overview.table.ts'
import {
  addToHours,
  addUsers,
  advanceProgress,
  deleteHour,
  presentApps,
  setLastHours,
  setSeen,
} from './overview.writes.ts'

const everySeconds = 30
const rowsPerTransaction = 250
/** Batches per run, so that the lease does not expire. */
const maxBatches = 2000
/** How long hours are stored: longer than the longest period of the overview and the one before it. */
const storedHours = 190 * 24

/** Aggregates the log into hourly counts, in small transactions. Readers count the remaining rows themselves. */
export const activityJob: JobHandler = {
  concurrency: 1,
  leaseSeconds: 300,
  maxAttempts: 1,
  everySeconds,
  run: async (services) => {
    const now = epochSeconds(services)
    const isDone = await countActivity(services)
    await forgetOldHours(services, Math.floor(now / hourSeconds) - storedHours)
    return isDone ? undefined : { nextAt: now }
  },
}

/**
 * Counts up to the end of the log at the previous run: on PostgreSQL, a row can be committed after one with a higher
 * ID, but not that much later. Returns false if there is more to count.
 */
async function countActivity({ db }: Services): Promise<boolean> {
  const { counted_id, seen_id } = await readProgress(db.read)
  const end = Number(seen_id)
  let from = Number(counted_id)
  for (let batch = 0; from < end; batch += 1) {
    if (batch === maxBatches) return false
    const to = Math.min(from + rowsPerTransaction, end)
    const rows = await listCounted(db.read, { after: from, upTo: to })
    const isOurs = await db.write((tx) => countRows(tx, rows, { from, to }))
    // The lease expired and another process took over.
    if (!isOurs) return true
    from = to
  }
  const last = await lastLogId(db.read)
  if (last !== end) await db.write((tx) => setSeen(tx.db, last))
  return true
}

async function countRows(tx: Tx, rows: readonly CountedLog[], step: { from: number; to: number }): Promise<boolean> {
  if (!(await advanceProgress(tx.db, step))) return false
  if (rows.length === 0) return true
  const present = await presentApps(tx.db, [...new Set(rows.map(({ app_id }) => app_id))])
  const { hours, users } = activityOf(rows.filter(({ app_id }) => present.has(app_id)))
  if (hours.length > 0) await addToHours(tx.db, hours)
  if (users.length === 0) return true
  await addUsers(tx.db, users)
  // Sorted, so that a user's latest hour wins; PostgreSQL allows each row only once per statement.
  const last = new Map(users.toSorted((a, b) => a.hour - b.hour).map((user) => [userKey({ ...user, hour: 0 }), user]))
  await setLastHours(tx.db, [...last.values()])
  return true
}

const userKey = ({ app_id, hour, username_key }: ActivityUsersTable) => JSON.stringify([app_id, hour, username_key])

const isSignIn = (call: string): boolean => signInCalls.some((each) => each === call)

function activityOf(rows: readonly CountedLog[]): { hours: ActivityHoursTable[]; users: ActivityUsersTable[] } {
  const hours = new Map<string, ActivityHoursTable>()
  const users = new Map<string, ActivityUsersTable>()
  for (const { app_id, at, call, code, country, username } of rows) {
    const hour = Math.floor(Number(at) / hourSeconds)
    const isRejected = code !== ''
    if (isRejected || isSignIn(call)) {
      const metric = isRejected ? ('refusal' as const) : ('sign-in' as const)
      const label = isRejected ? code : country
      const key = JSON.stringify([app_id, hour, metric, label])
      const row = hours.get(key) ?? { app_id, hour, metric, label, count: 0 }
      row.count += 1
      hours.set(key, row)
    }
    if (isRejected || username === '') continue
    const user = { app_id, hour, username_key: usernameKey(username) }
    users.set(userKey(user), user)
  }
  return { hours: [...hours.values()], users: [...users.values()] }
}

async function forgetOldHours({ db }: Services, before: number): Promise<void> {
  for (const table of ['activity_hours', 'activity_users', 'activity_last'] as const) {
    for (let batch = 0; batch < maxBatches; batch += 1) {
      const oldest = await oldestHourBefore(db.read, table, before)
      if (!oldest) break
      await db.write((tx) => deleteHour(tx.db, oldest))
    }
  }
}
