import { countAll } from '#database/count-all.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { storedCountry } from '#contract/country-filter.ts'
import { searchedCodes } from '#contract/fields.ts'
import { valuesOf } from '#contract/list-field.ts'
import type { SortBy } from '#contract/sort-field.ts'
import type { Database, Reader } from '#database/database.ts'
import { throwIfAborted } from '#database/report-queue.ts'
import { containsText } from '#database/search-source.ts'
import {
  activeCalls,
  callsShowing,
  type customerFilters,
  customerRejections,
  defaultRetentionDays,
  type LogBucket,
} from './logs.rules.ts'
import { fingerprintIn, fingerprintLength } from '#features/users/user-list.rules.ts'
import { usernameKey } from '#features/users/users.rules.ts'
import type { LogsTable } from './logs.table.ts'

export type Log = Selectable<LogsTable>

export interface LogFilter {
  search?: string | undefined
  /** Error codes, and calls that succeeded, whose localized texts match the search in the caller's language. */
  searchCodes?: string | undefined
  /** Several are separated by commas. */
  call?: string | undefined
  /** Error code; several are separated by commas. */
  code?: string | undefined
  customers?: (typeof customerFilters)[number] | undefined
  rejected?: boolean | undefined
  credential?: string | undefined
  ip?: string | undefined
  /** Country code, or `unknownCountry`. */
  country?: string | undefined
  hwid?: string | undefined
  /** First and last second, epoch seconds. */
  from?: number | undefined
  until?: number | undefined
}

/** Selects rows of one app. */
export interface LogChoice extends LogFilter {
  appId: string
  /** Hash of the search text, in case it is a complete hardware ID. */
  searchedHash?: string | undefined
  /** The request ID in the search text. */
  searchedRequest?: string | undefined
  /** Hash of the hardware ID in the filter. */
  hwidHash?: string | undefined
}

export function filterLogs(db: Reader, choice: LogChoice) {
  const { appId, call, code, rejected, from, until, country, searchedHash, searchedRequest, hwidHash } = choice
  const [search, credential, ip, hwid] = [choice.search, choice.credential, choice.ip, choice.hwid].map(
    (text) => text?.trim() ?? '',
  ) as [string, string, string, string]
  let query = db.selectFrom('logs').where('app_id', '=', appId)
  if (call) query = query.where('call', 'in', valuesOf(call))
  if (code) query = query.where('code', 'in', valuesOf(code))
  if (choice.customers === 'rejected') {
    query = query
      .where('code', 'in', [...customerRejections])
      .where((where) => where.or([where('username', '<>', ''), where('license', '<>', '')]))
  }
  if (choice.customers === 'signed-in') {
    query = query
      .where('code', '=', '')
      .where('call', 'in', [...activeCalls])
      .where('username', '<>', '')
  }
  if (rejected !== undefined) query = query.where('code', rejected ? '<>' : '=', '')
  if (from !== undefined) query = query.where('at', '>=', from)
  if (until !== undefined) query = query.where('at', '<=', until)
  if (country) query = query.where('country', '=', storedCountry(country))
  if (ip !== '') query = query.where('ip', '=', ip)
  if (credential !== '') {
    query = query.where((where) => where.or([where('username', '=', credential), where('license', '=', credential)]))
  }
  const device = sql<string>`substr(hwid_hash, 1, cast(${fingerprintLength} as integer))`
  if (hwid !== '') {
    const fingerprint = fingerprintIn(hwid) ?? hwid
    query = query.where((where) => where.or([where('hwid_hash', '=', hwidHash ?? ''), where(device, '=', fingerprint)]))
  }
  if (search !== '') {
    const shown = sql`message || ' ' || username || ' ' || license || ' ' || ip || ' ' || call || ' ' || code || ' ' || ${device}`
    const fingerprint = fingerprintIn(search)
    const id = /^\d{1,15}$/.test(search) ? Number(search) : 0
    // For successful calls, the list shows a text instead of the call name.
    const codes = searchedCodes(choice.searchCodes)
    const calls = [...callsShowing(search), ...codes]
    query = query.where((where) =>
      where.or([
        containsText(shown, search),
        where('id', '=', id),
        where('hwid_hash', '=', searchedHash ?? 'none'),
        ...(fingerprint === undefined ? [] : [where(device, '=', fingerprint)]),
        ...(searchedRequest === undefined ? [] : [where('request', '=', searchedRequest)]),
        ...(codes.length > 0 ? [where('code', 'in', codes)] : []),
        ...(calls.length > 0
          ? [where.and([where('call', 'in', calls), where('code', '=', ''), where('message', '=', '')])]
          : []),
      ]),
    )
  }
  return query
}

export const countLogs = (db: Reader, choice: LogChoice): Promise<number> => countAll(filterLogs(db, choice))

/**
 * How many rows an app has, and the ID of the one that was stored last; null if there is none. One statement: they are of
 * the same moment, and read from one index.
 */
export async function countAppLogs(db: Reader, appId: string): Promise<{ all: number; newestId: number | null }> {
  const { n, newest } = await filterLogs(db, { appId })
    .select(({ fn }) => [fn.countAll<number>().as('n'), fn.max('id').as('newest')])
    .executeTakeFirstOrThrow()
  return { all: Number(n), newestId: newest === null ? null : Number(newest) }
}

/** Distinct customers of the newest `max` matching rows, which have a username or else a license. */
export async function countCustomers(db: Reader, choice: LogChoice, max: number): Promise<number> {
  const newest = filterLogs(db, choice)
    .select(['username', 'license'])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(max)
  const rows = await db
    .selectFrom(newest.as('entry'))
    .select(sql<string>`case when username <> '' then username else license end`.as('customer'))
    .distinct()
    .execute()
  if (choice.customers === 'rejected') return rows.length
  return new Set(rows.map(({ customer }) => usernameKey(customer))).size
}

/** Position among ascending times of the last one that is not after `at`; `at` lies between the first and the last. */
function bucketAt(at: RawBuilder<number>, edges: readonly number[], first = 0): RawBuilder<number> {
  if (edges.length <= 2) return sql`cast(${first} as integer)`
  const half = Math.floor(edges.length / 2)
  const [lower, upper] = [bucketAt(at, edges.slice(0, half + 1), first), bucketAt(at, edges.slice(half), first + half)]
  return sql`case when ${at} < ${edges[half]} then ${lower} else ${upper} end`
}

/**
 * Counts matching rows by result in the buckets between `edges` (ascending epoch seconds, at least two), the newest `max`
 * at most. If there are more, `countedFrom` is the time of the oldest counted one.
 */
export async function countInBuckets(
  db: Reader,
  choice: LogChoice,
  { edges, max }: { edges: readonly number[]; max: number },
) {
  const end = edges.at(-1) ?? 0
  const newest = filterLogs(db, choice)
    .select(['at', 'code', bucketAt(sql`at`, edges).as('bucket')])
    .where('at', '>=', edges[0] ?? 0)
    .where('at', '<', end)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(max + 1)
  const rows = await db
    .selectFrom(newest.as('entry'))
    .select(({ fn }) => [
      'bucket',
      fn.countAll<number>().as('all'),
      fn.countAll<number>().filterWhere('code', '<>', '').as('rejected'),
      fn.min<number>('at').as('oldest'),
    ])
    .groupBy('bucket')
    .execute()
  const found = new Map(rows.map((row) => [Number(row.bucket), row]))
  const buckets = edges.slice(1).map((to, at): LogBucket => {
    const { all = 0, rejected = 0 } = found.get(at) ?? {}
    return { from: edges[at] ?? to, to, allowed: Number(all) - Number(rejected), rejected: Number(rejected) }
  })
  const counted = rows.reduce((sum, { all }) => sum + Number(all), 0)
  const oldest = rows.reduce((first, row) => Math.min(first, Number(row.oldest)), end)
  return { buckets, countedFrom: counted > max ? oldest : null }
}

/** Time of the oldest row of an app, epoch seconds; null if there is none. */
export async function findOldest(db: Reader, appId: string): Promise<number | null> {
  const query = db.selectFrom('logs').select('at').where('app_id', '=', appId).orderBy('at').orderBy('id').limit(1)
  const row = await query.executeTakeFirst()
  return row ? Number(row.at) : null
}

interface LogPage {
  offset: number
  limit: number
  /** Newest first by default. */
  sort?: SortBy<'date'> | undefined
}

export const listLogs = (db: Reader, { sort = '-date', ...choice }: LogChoice & LogPage): Promise<Log[]> =>
  filterLogs(db, choice)
    .selectAll()
    .orderBy('at', sort === 'date' ? 'asc' : 'desc')
    .orderBy('id', sort === 'date' ? 'asc' : 'desc')
    .limit(choice.limit)
    .offset(choice.offset)
    .execute()

/** The position of an entry in the order of the log. */
export type LogPosition = Omit<RowPosition, 'appId'>

/** The next entries after a position, oldest first. */
export const listLogsAfter = (
  db: Reader,
  choice: LogChoice,
  { after, limit }: { after: LogPosition; limit: number },
): Promise<Log[]> =>
  filterLogs(db, choice)
    .selectAll()
    .where(sql<boolean>`(at, id) > (${after.at}, ${after.id})`)
    .orderBy('at')
    .orderBy('id')
    .limit(limit)
    .execute()

const maxActivity = 100

/** The latest activity of a user's programs, newest first. */
export const listUserActivity = (db: Reader, appId: string, username: string) =>
  db
    .selectFrom('logs')
    .select(['at', 'call', 'code', 'ip', 'country', 'hwid_hash', 'license'])
    .where('app_id', '=', appId)
    .where('username', '=', username)
    .where('username', '<>', '')
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxActivity)
    .execute()

/** The newest rows of an app since `since` (epoch seconds), newest first. */
export const listNewestLogs = (
  db: Reader,
  { appId, since, limit }: { appId: string; since: number; limit: number },
): Promise<Log[]> =>
  db
    .selectFrom('logs')
    .selectAll()
    .where('app_id', '=', appId)
    .where('at', '>=', since)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** All matching rows, oldest first, in batches of `limit`; stops when the caller stops reading. */
export async function* scanLogs(db: Database, choice: LogChoice, limit: number): AsyncGenerator<readonly Log[]> {
  let query = filterLogs(db.reports, choice)
  for (;;) {
    throwIfAborted()
    const rows = await query.selectAll().orderBy('at').orderBy('id').limit(limit).execute()
    const last = rows.at(-1)
    if (!last) return
    yield rows
    query = filterLogs(db.reports, choice).where(sql<boolean>`(at, id) > (${last.at}, ${last.id})`)
  }
}

/** The IDs of all matching rows, oldest first, in batches of `limit`; rows stored later than `newestId` are left out. */
export async function* scanLogIds(
  db: Database,
  { newestId, ...choice }: LogChoice & { newestId?: number | undefined },
  limit: number,
): AsyncGenerator<readonly number[]> {
  for await (const rows of scanLogs(db, choice, limit)) {
    const ids = rows.map(({ id }) => Number(id))
    yield newestId === undefined ? ids : ids.filter((id) => id <= newestId)
  }
}

/** Those of these rows that exist, oldest first. */
export const listLogsById = (db: Reader, appId: string, ids: readonly number[]): Promise<Log[]> =>
  db
    .selectFrom('logs')
    .selectAll()
    .where('app_id', '=', appId)
    .where('id', 'in', [...ids])
    .orderBy('at')
    .orderBy('id')
    .execute()

/** In days. */
export async function findRetention(db: Reader, appId: string): Promise<number> {
  const row = await db.selectFrom('log_retention').select('days').where('app_id', '=', appId).executeTakeFirst()
  return row?.days ?? defaultRetentionDays
}

export interface ExpiredLogs {
  appId: string
  /** Rows older than this are deleted. Epoch seconds. */
  before: number
}

/** The next apps after an ID that have rows past their retention period, sorted by ID. */
export async function listExpired(db: Reader, { after, limit, now }: { after: string; limit: number; now: number }) {
  const before = sql<number>`cast(${now} as bigint) - coalesce(retention.days, cast(${defaultRetentionDays} as integer)) * 86400`
  const rows = await db
    .selectFrom('apps as app')
    .leftJoin('log_retention as retention', 'retention.app_id', 'app.id')
    .select(['app.id', before.as('before')])
    .where('app.id', '>', after)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('logs')
          .select(sql<number>`1`.as('one'))
          .whereRef('logs.app_id', '=', 'app.id')
          .where('logs.at', '<', before),
      ),
    )
    .orderBy('app.id')
    .limit(limit)
    .execute()
  return rows.map((row): ExpiredLogs => ({ appId: row.id, before: Number(row.before) }))
}

/** The next apps after an ID that have rows, optionally only those from before a time (epoch seconds), sorted by ID. */
export async function listAppsWithLogs(
  db: Reader,
  { after, before, limit }: { after: string; before?: number; limit: number },
): Promise<string[]> {
  const apps = db
    .selectFrom('apps as app')
    .select('app.id')
    .where('app.id', '>', after)
    .where(({ exists, selectFrom }) => {
      const rows = selectFrom('logs')
        .select(sql<number>`1`.as('one'))
        .whereRef('logs.app_id', '=', 'app.id')
      return exists(before === undefined ? rows : rows.where('logs.at', '<', before))
    })
  return (await apps.orderBy('app.id').limit(limit).execute()).map(({ id }) => id)
}

/** The newest row of an app beyond the `max` newest ones; undefined if the app has no more than `max`. */
export async function findExcess(db: Reader, appId: string, max: number): Promise<RowPosition | undefined> {
  const row = await db
    .selectFrom('logs')
    .select(['at', 'id'])
    .where('app_id', '=', appId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .offset(max)
    .limit(1)
    .executeTakeFirst()
  return row && { appId, at: Number(row.at), id: Number(row.id) }
}

export interface RowPosition {
  appId: string
  at: number
  id: number
}

const naming = sql<boolean>`(ip <> '' or hwid_hash <> '' or machine_hash <> '')`

/** The next rows of an app after a position that are from before a time and contain an IP address or a machine. */
export async function listNaming(
  db: Reader,
  { appId, at, id }: RowPosition,
  { before, limit }: { before: number; limit: number },
): Promise<RowPosition[]> {
  const rows = await db
    .selectFrom('logs')
    .select(['at', 'id'])
    .where('app_id', '=', appId)
    .where(sql<boolean>`(at, id) > (${at}, ${id})`)
    .where('at', '<', before)
    .where(naming)
    .orderBy('at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ appId, at: Number(row.at), id: Number(row.id) }))
}
