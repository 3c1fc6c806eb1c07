import { createHash } from 'node:crypto'
import type { Tx } from '#database/database.ts'
import { clientErrors } from '#features/client-api/client-api.errors.ts'
import type { LogsTable } from '#features/logs/logs.table.ts'

const hour = 3600
const days = 30
const rowsPerStatement = 100
const sessionSeconds = hour

/** Networks for documentation, each in a country of customers. */
const places = [
  ['203.0.113.', 'BR'],
  ['198.51.100.', 'US'],
  ['192.0.2.', 'DE'],
  ['203.0.113.1', 'PT'],
  ['198.51.100.1', 'MX'],
] as const

/** One start in nine is rejected, for the reasons that owners see most. */
const rejections = ['LICENSE_BANNED', 'HWID_MISMATCH', 'SUBSCRIPTION_EXPIRED', 'VERSION_OUTDATED'] as const

interface Customer {
  id: number
  username: string
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url')

/**
 * What the programs of an app did in the last 30 days, more each day, until a moment ago; and the sessions of those who
 * run it now.
 */
export async function seedActivity({ db: trx }: Tx, appId: string, now: number): Promise<void> {
  const customers = await trx
    .selectFrom('users')
    .select(['id', 'username'])
    .where('app_id', '=', appId)
    .orderBy('id', 'desc')
    .limit(60)
    .execute()
  if (customers.length === 0) return
  const logs = logsOf(appId, customers, now)
  for (let at = 0; at < logs.length; at += rowsPerStatement) {
    await trx
      .insertInto('logs')
      .values(logs.slice(at, at + rowsPerStatement))
      .execute()
  }
  await trx
    .updateTable('apps')
    .set({ last_init_at: now - 60 })
    .where('id', '=', appId)
    .execute()
  const running = customers.slice(0, Math.ceil(customers.length / 4))
  await trx
    .insertInto('client_sessions')
    .values(running.map((customer, index) => sessionOf(appId, customer, { index, now })))
    .execute()
}

type NewLog = Omit<LogsTable, 'id' | 'machine_hash' | 'request'> & { machine_hash: string }

function logsOf(appId: string, customers: readonly Customer[], now: number): NewLog[] {
  const logs: NewLog[] = []
  for (let day = days - 1; day >= 0; day--) {
    const starts = Math.ceil((customers.length / 3) * (1 - day / (days * 1.5)))
    for (let start = 0; start < starts; start++) {
      const number = day * 31 + start * 7
      const customer = customers[number % customers.length] as Customer
      const lastHours = Math.round(((starts - start) / starts) * 20 * hour)
      const at = now - day * 24 * hour - lastHours + ((number * 977) % hour)
      logs.push(logOf(appId, customer, { number, at }))
    }
  }
  return logs.toSorted((one, other) => one.at - other.at)
}

function logOf(appId: string, { id, username }: Customer, { number, at }: { number: number; at: number }): NewLog {
  const code = number % 9 === 4 ? rejections[number % rejections.length] : undefined
  const [network, country] = places[id % places.length] ?? places[0]
  const isKey = username.includes('-')
  return {
    app_id: appId,
    at,
    call: isKey ? 'license' : 'login',
    code: code ?? '',
    message: code === undefined ? '' : clientErrors[code].message,
    username,
    license: isKey ? username : '',
    hwid_hash: digest(`hwid ${id}`),
    machine_hash: digest(`machine ${id}`),
    ip: `${network}${(id * 13) % 90}`,
    country,
    session: '',
  }
}

function sessionOf(appId: string, { id }: Customer, { index, now }: { index: number; now: number }) {
  const heartbeat = now - index
  return {
    app_id: appId,
    token_hash: digest(`session ${appId} ${id}`),
    handle: digest(`handle ${appId} ${id}`).slice(0, 36),
    user_id: id,
    license_id: null,
    ip: `${(places[id % places.length] ?? places[0])[0]}${(id * 13) % 90}`,
    hwid_hash: digest(`hwid ${id}`),
    created_at: heartbeat - index * 7 * 60,
    last_heartbeat_at: heartbeat,
    expires_at: heartbeat + sessionSeconds,
    ended_code: null,
  }
}
