import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '#database/database.ts'
import { withoutIndex } from '#database/engine-differences.ts'
import { findUsersByName } from '#features/users/users.reads.ts'
import { usernameKey } from '#features/users/users.rules.ts'
import type { AlertType, Threshold } from './alerts.rules.ts'
import type { Observation } from './incidents.rules.ts'

/**
 * Log queries of detection. First, one statement per key column finds values in a slice of new rows that may exceed a
 * threshold. Then the rows of these values are read for the exact rule.
 */

export type LogKey = 'ip' | 'hwid_hash' | 'username' | 'license' | 'machine_hash' | 'owner_ip'

interface LogRow {
  key: string
  id: number
  app_id: string
  at: number
  code: string
  username: string
  license: string
  hwid_hash: string
  ip: string
  country: string
  app_name: string
  bound_hwid: string | null
}

/** Counts the rows of a group since a time (epoch seconds). */
type Count = (since: number) => RawBuilder<number>

const rows =
  (when: RawBuilder<boolean>): Count =>
  (since) =>
    sql`sum(case when l.at >= ${since} and ${when} then 1 else 0 end)`

const different =
  (what: RawBuilder<string>, when: RawBuilder<boolean>): Count =>
  (since) =>
    sql`count(distinct case when l.at >= ${since} and ${when} then ${what} end)`

export interface LogDetector {
  type: AlertType
  key: LogKey
  /** Upper bound computed by SQL, to find candidates. */
  count: Count
  /** Values a row counts for; empty if it is only evidence, undefined if it is ignored. */
  values: (row: LogRow, appId: string) => readonly string[] | undefined
  also?: (observations: readonly Observation[]) => boolean
}

/** Codes that imply valid credentials. */
const rightCredentials = [
  '',
  'HWID_MISMATCH',
  'LICENSE_BANNED',
  'USER_BANNED',
  'USER_PAUSED',
  'SUBSCRIPTION_EXPIRED',
  'SUBSCRIPTION_PAUSED',
]
const isRight = sql<boolean>`l.code in (${sql.join(rightCredentials)})`
const right = (row: LogRow) => rightCredentials.includes(row.code)
const wrongCredentials = ['LICENSE_NOT_FOUND', 'INVALID_CREDENTIALS', 'LICENSE_ALREADY_USED']
const isWrong = sql<boolean>`l.code in (${sql.join(wrongCredentials)})`
const filled = (text: string): string[] | undefined => (text === '' ? undefined : [text])
const went = (row: LogRow) => row.code === ''
const differentIps = (observations: readonly Observation[]) => new Set(observations.map(({ ip }) => ip)).size > 1

/** Whether there was a sign-in to another app of the owner. */
const elsewhere = (observations: readonly Observation[]) =>
  observations.some(({ app, code }) => app !== '' && code === '')

export const logDetectors: readonly LogDetector[] = [
  {
    type: 'IP_MULTI_KEY',
    key: 'ip',
    count: different(sql`l.username`, sql`l.username <> '' and ${isRight}`),
    values: (row) => (right(row) ? filled(row.username) : undefined),
  },
  {
    type: 'HWID_MULTI_KEY',
    key: 'hwid_hash',
    count: different(sql`l.username`, sql`l.username <> '' and ${isRight}`),
    values: (row) => (right(row) ? filled(row.username) : undefined),
  },
  {
    type: 'LOADER_HASH_MISMATCH',
    key: 'ip',
    count: rows(sql`l.code = 'HASH_MISMATCH'`),
    values: (row) => (row.code === 'HASH_MISMATCH' ? [String(row.id)] : undefined),
  },
  {
    type: 'HWID_CHANGED',
    key: 'username',
    // A rejected machine differs from the bound one, which may not be among the rows.
    count: (since) =>
      sql`${different(sql`l.hwid_hash`, sql`l.hwid_hash <> '' and l.code in ('', 'HWID_MISMATCH')`)(since)} +
        max(case when l.at >= ${since} and l.code = 'HWID_MISMATCH' then 1 else 0 end)`,
    values: (row) => {
      if (row.code === 'HWID_MISMATCH') return [...(filled(row.hwid_hash) ?? []), row.bound_hwid ?? 'bound']
      return went(row) ? filled(row.hwid_hash) : undefined
    },
  },
  {
    type: 'IP_CHANGED_COUNTRY',
    key: 'username',
    count: different(sql`l.country`, sql`l.code = '' and l.country <> ''`),
    values: (row) => (went(row) ? filled(row.country) : undefined),
  },
  {
    type: 'RAPID_IP_CHANGE',
    key: 'username',
    count: different(sql`l.ip`, sql`l.code = ''`),
    values: (row) => (went(row) ? filled(row.ip) : undefined),
  },
  {
    type: 'EXPIRED_STILL_TRYING',
    key: 'username',
    count: rows(sql`l.code = 'SUBSCRIPTION_EXPIRED'`),
    values: (row) => (row.code === 'SUBSCRIPTION_EXPIRED' ? [String(row.id)] : undefined),
  },
  {
    type: 'LICENSE_TRANSFER',
    key: 'license',
    count: different(sql`l.hwid_hash`, sql`l.code = '' and l.hwid_hash <> ''`),
    values: (row) => (went(row) ? filled(row.hwid_hash) : undefined),
    also: differentIps,
  },
  {
    type: 'CROSS_APP_NO_LICENSE',
    key: 'machine_hash',
    count: rows(isWrong),
    values: (row, appId) => {
      if (row.app_id !== appId) return went(row) ? [] : undefined
      return wrongCredentials.includes(row.code) ? [String(row.id)] : undefined
    },
    also: elsewhere,
  },
  {
    type: 'CROSS_APP_SAME_HWID',
    key: 'machine_hash',
    count: different(sql`l.app_id`, sql`l.code = ''`),
    values: (row) => (went(row) ? [row.app_id] : undefined),
  },
  {
    type: 'CROSS_APP_SAME_IP',
    key: 'owner_ip',
    count: different(sql`l.app_id`, sql`l.code = '' and l.username <> ''`),
    values: (row) => (went(row) && row.username !== '' ? [row.app_id] : undefined),
  },
]

export interface ScannedApp {
  id: string
  ownerId: string
}

/** Range of new rows in epoch seconds, both inclusive. */
export interface Slice {
  from: number
  to: number
}

const maxCandidates = 2000

const column = (key: LogKey): string => (key === 'owner_ip' ? 'ip' : key)

/** Rows of one key in this app, or in all apps of its owner, depending on the key. */
function rowsOf(key: LogKey, app: ScannedApp): RawBuilder<unknown> {
  if (key === 'machine_hash') {
    return sql`logs l cross join apps a where l.machine_hash = k.key and l.machine_hash <> ''
      and a.id = l.app_id and a.owner_id = ${app.ownerId} and a.deleted_at is null`
  }
  if (key === 'owner_ip') {
    return sql`apps a cross join logs l
      where a.owner_id = ${app.ownerId} and a.deleted_at is null and l.app_id = a.id and l.ip = k.key`
  }
  const own = sql.ref(`l.${column(key)}`)
  return sql`logs l where l.app_id = ${app.id} and ${own} = k.key and ${own} <> ''`
}

interface CandidateSearch {
  key: LogKey
  slice: Slice
  detectors: readonly (LogDetector & { limit: Threshold })[]
}

/** Values in the slice that may exceed the threshold of a detector. */
export async function findCandidates(db: Reader, app: ScannedApp, search: CandidateSearch): Promise<string[]> {
  const { key, slice, detectors } = search
  const longest = Math.max(...detectors.map(({ limit }) => limit.windowSeconds))
  const isOfOneApp = key !== 'machine_hash' && key !== 'owner_ip'
  // Reading all rows of the time once costs half of looking up each key, unless most of them are before the slice.
  const isWholeRead = isOfOneApp && slice.to - slice.from >= longest
  const keys = isWholeRead ? keysOfRead(db, app, search, longest) : keysLookedUp(app, search, longest)
  const enough = detectors.map(
    ({ count, limit }) => sql`${count(slice.from - limit.windowSeconds)} >= ${limit.threshold}`,
  )
  const found = await sql<{ key: string }>`
    ${keys} having max(l.at) >= ${slice.from} and (${sql.join(enough, sql` or `)})
    limit ${maxCandidates}`.execute(db)
  return found.rows.map((row) => row.key)
}

/** The rows of the slice and of the window before it, all read, by key. */
function keysOfRead(db: Reader, app: ScannedApp, { key, slice }: CandidateSearch, longest: number) {
  const own = withoutIndex<string>(db, `l.${column(key)}`)
  return sql`
    select ${own} as key from logs l
    where l.app_id = ${app.id} and l.at >= ${slice.from - longest} and l.at <= ${slice.to} and ${own} <> ''
    group by ${own}`
}

/** The same rows of the keys in the slice, each looked up. */
function keysLookedUp(app: ScannedApp, { key, slice }: CandidateSearch, longest: number) {
  const own = sql.ref(`s.${column(key)}`)
  return sql`
    select k.key as key from (
      select distinct ${own} as key from logs s
      where s.app_id = ${app.id} and s.at >= ${slice.from} and s.at <= ${slice.to} and ${own} <> ''
    ) k cross join ${rowsOf(key, app)}
      and l.at >= ${slice.from - longest} and l.at <= ${slice.to}
    group by k.key`
}

const maxRowsOfKey = 1000

/** The newest rows of each of these keys, oldest first. */
export async function listRowsOfKeys(
  db: Reader,
  app: ScannedApp,
  { key, values, from, to }: Slice & { key: LogKey; values: readonly string[] },
): Promise<Map<string, LogRow[]>> {
  const keys = sql.join(values.map((value) => sql`(cast(${value} as text))`))
  const found = await sql<Omit<LogRow, 'bound_hwid'>>`
    select * from (
      select k.key, l.id, l.app_id, l.at, l.code, l.username, l.license, l.hwid_hash, l.ip, l.country,
        case when l.app_id = ${app.id} then '' else (select name from apps where id = l.app_id) end as app_name,
        row_number() over (partition by k.key order by l.at desc, l.id desc) as newest
      from (select column1 as key from (values ${keys}) as v) k cross join ${rowsOf(key, app)}
        and l.at >= ${from} and l.at <= ${to}
    ) as each_row where newest <= ${maxRowsOfKey} order by key, at, id`.execute(db)
  const rejected = key === 'username' ? found.rows.filter(({ code }) => code === 'HWID_MISMATCH') : []
  const names = new Set(rejected.map(({ username }) => usernameKey(username)))
  const users = await findUsersByName(db, app.id, [...names])
  const bound = new Map(users.map((user) => [user.username_key, user.hwid_hash]))
  const withBound = found.rows.map((row) => ({ ...row, bound_hwid: bound.get(usernameKey(row.username)) ?? null }))
  return Map.groupBy(withBound, (row) => row.key)
}

/** Names in a row; a rejected attempt identifies no user. */
function namesIn({ code, username, license }: LogRow): Pick<Observation, 'username' | 'license' | 'attempt'> {
  if (code === 'LICENSE_ALREADY_USED') return { username: '', license, attempt: username === license ? '' : username }
  if (code === 'LICENSE_NOT_FOUND') return { username: '', license: '', attempt: license || username }
  if (code === 'INVALID_CREDENTIALS') return { username: '', license: '', attempt: username }
  return { username, license, attempt: '' }
}

/** The observations of these rows. */
export const observationsOf = (
  found: readonly LogRow[],
  { values }: Pick<LogDetector, 'values'>,
  { key, appId }: { key: string; appId: string },
): Observation[] =>
  found.flatMap((row) => {
    const counted = values(row, appId)
    if (!counted) return []
    const { at, ip, hwid_hash, country, code, app_name } = row
    return [
      {
        key,
        at: Number(at),
        values: counted,
        ...namesIn(row),
        ip,
        hwid: hwid_hash,
        country,
        code,
        app: app_name ?? '',
      },
    ]
  })

/** Last second of the slice that starts at `from`, so that about `maxRows` rows are read at once. */
export async function endOfSlice(
  db: Reader,
  { appId, from, to, maxRows }: Slice & { appId: string; maxRows: number },
): Promise<number> {
  const row = await db
    .selectFrom('logs')
    .select('at')
    .where('app_id', '=', appId)
    .where('at', '>=', from)
    .where('at', '<=', to)
    .orderBy('at')
    .limit(1)
    .offset(maxRows)
    .executeTakeFirst()
  return row ? Math.max(from, Number(row.at)) : to
}
