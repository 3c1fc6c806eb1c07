import { countAll } from '#database/count-all.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { searchedCodes } from '#contract/fields.ts'
import { type ListOf, valuesOf } from '#contract/list-field.ts'
import type { SortBy } from '#contract/sort-field.ts'
import type { Reader } from '#database/database.ts'
import { isPostgres, withoutIndex } from '#database/engine-differences.ts'
import { containsText } from '#database/search-source.ts'
import { defaultRetentionDays } from '#features/logs/logs.rules.ts'
import {
  type AlertSeverity,
  type AlertStatus,
  alertTitles,
  type AlertType,
  alertTypes,
  minResolvedDays,
  minUnreviewedDays,
  standardThreshold,
  type Threshold,
  typesOfPlaces,
} from './alerts.rules.ts'
import type { AlertsTable } from './alerts.table.ts'
import { evidenceFields } from './incidents.rules.ts'

export type Alert = Selectable<AlertsTable>

export interface AlertFilter {
  appId: string
  search?: string | undefined
  searchCodes?: string | undefined
  type?: ListOf<AlertType> | undefined
  severity?: ListOf<AlertSeverity> | undefined
  status?: ListOf<AlertStatus> | undefined
  /** Raised at or after, and at or before: epoch seconds. */
  from?: number | undefined
  until?: number | undefined
}

/** Digits and marks that JSON has between its texts, as in the end of an IPv6 address. */
const isBetweenTexts = (text: string): boolean => /^[-.\d[\]{},:]+$/.test(text) && /[[\]{},:]/.test(text)

/** Whether a value in the evidence contains the text, whatever is between the values. */
function isValue(db: Reader, text: string) {
  const values = isPostgres(db)
    ? sql`select item #>> '{}' as value from jsonb_path_query(cast(evidence as jsonb), 'strict $.**') as item
        where jsonb_typeof(item) in ('string', 'number')`
    : sql`select atom as value from json_tree(evidence) where atom is not null`
  return sql<boolean>`exists (select 1 from (${values}) as found where ${containsText(sql`found.value`, text)})`
}

/** Whether the row or its evidence contains the text: a user, license, reseller, IP address, machine or app. */
function showsText(db: Reader, text: string, codes: readonly string[]) {
  const words = text.toLowerCase()
  const types = alertTypes.filter((type) => alertTitles[type].toLowerCase().includes(words) || codes.includes(type))
  // The evidence is stored as JSON, so the text is escaped like JSON.
  const written = JSON.stringify(text).slice(1, -1)
  // Inside a value, the quote after the name would be escaped.
  const values = evidenceFields
    .filter((field) => field.toLowerCase().includes(words))
    .reduce((json, field) => sql`replace(${json}, ${`"${field}":`}, '')`, sql`evidence`)
  const isOfRow = (more: RawBuilder<unknown>) =>
    containsText(sql`type || ' ' || ip || ' ' || hwid_hash || ' ' || ${more}`, written)
  const shown = isBetweenTexts(text)
    ? sql<boolean>`(${isOfRow(sql`''`)} or (${isOfRow(values)} and ${isValue(db, text)}))`
    : isOfRow(values)
  return types.length === 0 ? shown : sql<boolean>`(${shown} or type in (${sql.join(types)}))`
}

function filterAlerts(db: Reader, filter: AlertFilter) {
  const { appId, search, searchCodes, type, severity, status, from, until } = filter
  let query = db.selectFrom('alerts').where('app_id', '=', appId)
  if (from !== undefined) query = query.where('created_at', '>=', from)
  if (until !== undefined) query = query.where('created_at', '<=', until)
  const text = search?.trim() ?? ''
  if (text !== '')
    query = query.where((where) => where.or([where('id', '=', text), showsText(db, text, searchedCodes(searchCodes))]))
  if (type) query = query.where('type', 'in', valuesOf(type))
  if (severity) query = query.where('severity', 'in', valuesOf(severity))
  const [only, ...others] = valuesOf(status)
  if (only === undefined) return query
  // Of several, the rows are checked in the order of the list; their index has them in that of the status.
  if (others.length > 0) return query.where(withoutIndex<AlertStatus>(db, 'alerts.status'), 'in', [only, ...others])
  return query.where('status', '=', only)
}

export const countAlerts = (db: Reader, filter: AlertFilter): Promise<number> => countAll(filterAlerts(db, filter))

export const findAlert = (db: Reader, { appId, id }: { appId: string; id: string }): Promise<Alert | undefined> =>
  db.selectFrom('alerts').selectAll().where('app_id', '=', appId).where('id', '=', id).executeTakeFirst()

interface AlertPage {
  offset: number
  limit: number
  /** Newest first by default. */
  sort?: SortBy<'time' | 'severity'> | undefined
}

/** The most severe has the highest number. */
const severityRank = sql<number>`case severity when 'CRITICAL' then 3 when 'HIGH' then 2 when 'MEDIUM' then 1 else 0 end`

/** Of equally severe alerts, the newest is the first. For `reports`: no index has the order of severities. */
export function listAlerts(db: Reader, filter: AlertFilter & AlertPage): Promise<Alert[]> {
  const { sort = '-time', limit, offset } = filter
  const all = filterAlerts(db, filter).selectAll()
  const bySeverity =
    sort === 'time' || sort === '-time' ? all : all.orderBy(severityRank, sort === 'severity' ? 'asc' : 'desc')
  return bySeverity
    .orderBy('created_at', sort === 'time' ? 'asc' : 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** Number of alerts by severity, status and type, created since `since` (epoch seconds). */
export const alertMetrics = (db: Reader, { appId, since }: { appId: string; since: number }) =>
  db
    .selectFrom('alerts')
    .select((select) => ['severity', 'status', 'type', select.fn.countAll<number>().as('n')] as const)
    .where('app_id', '=', appId)
    .where('created_at', '>=', since)
    .groupBy(['severity', 'status', 'type'])
    .execute()

const maxNewCount = 1000

/** Number of new alerts, at most 1000, which is enough for a badge. */
export async function countNewAlerts(db: Reader, appId: string): Promise<number> {
  const some = db
    .selectFrom('alerts')
    .select('id')
    .where('app_id', '=', appId)
    .where('status', '=', 'new')
    .orderBy('created_at')
    .limit(maxNewCount)
  return countAll(db.selectFrom(some.as('some')))
}

export async function thresholdsOf(db: Reader, appId: string): Promise<Map<AlertType, Threshold>> {
  const rows = await db.selectFrom('alert_thresholds').selectAll().where('app_id', '=', appId).execute()
  const own = new Map(rows.map((row) => [row.type, row]))
  return new Map(
    alertTypes.map((type) => {
      const row = own.get(type)
      if (!row) return [type, standardThreshold(type)]
      const { enabled, threshold, window_seconds } = row
      return [type, { enabled: enabled === 1, threshold, windowSeconds: Number(window_seconds) }]
    }),
  )
}

/** Epoch seconds up to which the app's activity was scanned; undefined if never. */
export async function seenUntil(db: Reader, appId: string): Promise<number | undefined> {
  const row = await db.selectFrom('alert_scans').select('seen_until').where('app_id', '=', appId).executeTakeFirst()
  return row && Number(row.seen_until)
}

/** Apps with activity of programs or people since it was last scanned. */
export async function appsNotSeen(db: Reader): Promise<string[]> {
  const seen = sql<number>`coalesce(scan.seen_until, 0)`
  const rows = await db
    .selectFrom('apps')
    .leftJoin('alert_scans as scan', 'scan.app_id', 'apps.id')
    .select('apps.id')
    .where('apps.deleted_at', 'is', null)
    .where(
      sql<boolean>`(apps.last_init_at > ${seen}
        or exists (select 1 from logs where logs.app_id = apps.id and logs.at >= ${seen})
        or exists (select 1 from audit where audit.app_id = apps.id and audit.at >= ${seen}
          and audit.act not like 'alert.%'))`,
    )
    .execute()
  return rows.map(({ id }) => id)
}

export interface ExpiredAlerts {
  appId: string
  /**
   * Epoch seconds. Resolved alerts are deleted if resolved before this time, new alerts if last detected before
   * `unreviewedBefore`.
   */
  resolvedBefore: number
  unreviewedBefore: number
}

/** The next apps after an ID that have expired alerts, sorted by ID. */
export async function listExpired(
  db: Reader,
  { after, limit, now }: { after: string; limit: number; now: number },
): Promise<ExpiredAlerts[]> {
  const days = sql<number>`coalesce(retention.days, cast(${defaultRetentionDays} as integer))`
  const before = (min: number) => {
    const minDays = sql<number>`cast(${min} as integer)`
    return sql<number>`cast(${now} as bigint) - 86400 * (case when ${days} > ${minDays} then ${days} else ${minDays} end)`
  }
  const [resolvedBefore, unreviewedBefore] = [before(minResolvedDays), before(minUnreviewedDays)]
  const rows = await db
    .selectFrom('apps as app')
    .leftJoin('log_retention as retention', 'retention.app_id', 'app.id')
    .select(['app.id', resolvedBefore.as('resolved_before'), unreviewedBefore.as('unreviewed_before')])
    .where('app.id', '>', after)
    .where(({ exists, or, selectFrom }) => {
      const ofApp = selectFrom('alerts')
        .select(sql<number>`1`.as('one'))
        .whereRef('alerts.app_id', '=', 'app.id')
      return or([
        exists(ofApp.where('alerts.resolved_at', '<', resolvedBefore)),
        exists(ofApp.where(sql<boolean>`alerts.status = 'new'`).where('alerts.last_at', '<', unreviewedBefore)),
      ])
    })
    .orderBy('app.id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    appId: row.id,
    resolvedBefore: Number(row.resolved_before),
    unreviewedBefore: Number(row.unreviewed_before),
  }))
}

/** Fingerprint of an alert about an address or a machine that has been redacted. */
export const redactedFingerprint = sql<string>`'blanked ' || id`

/**
 * The next alerts after an ID that were last detected before `before` (epoch seconds) and contain an address or a
 * machine: the first of each kind in the evidence is in the row.
 */
export const listNaming = (
  db: Reader,
  { after, before, limit }: { after: { appId: string; id: string }; before: number; limit: number },
): Promise<{ app_id: string; id: string }[]> =>
  db
    .selectFrom('alerts')
    .select(['app_id', 'id'])
    .where(sql<boolean>`(app_id, id) > (${after.appId}, ${after.id})`)
    .where('last_at', '<', before)
    .where(({ and, eb, or }) =>
      or([
        eb('ip', '<>', ''),
        eb('hwid_hash', '<>', ''),
        and([eb('type', 'in', typesOfPlaces), eb('fingerprint', '<>', redactedFingerprint)]),
      ]),
    )
    .orderBy('app_id')
    .orderBy('id')
    .limit(limit)
    .execute()
