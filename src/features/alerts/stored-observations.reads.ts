import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '#database/database.ts'
import type { AlertType, Threshold } from './alerts.rules.ts'
import type { Observation } from './incidents.rules.ts'
import type { ScannedApp } from './log-observations.reads.ts'
import type { AuditEvent } from '#contract/audit-events.ts'

/**
 * Detection queries over sessions, licenses and the audit log: all observations of the keys that reach the threshold in
 * the whole period, by key and oldest first. Resellers are found by the licenses they created and by their audit
 * events.
 */
export interface StoredDetector {
  type: AlertType
  /** Old activity can begin to count, so that all of it is read each time. */
  countsLater?: boolean
  list: (db: Reader, app: ScannedApp, span: Span) => Promise<Observation[]>
}

interface Span {
  limit: Threshold
  /** Epoch seconds: older activity has been scanned before, or is too old. */
  since: number
  now: number
}

type Raw = RawBuilder<unknown>

const maxRows = 20_000

interface Row {
  key: string
  at: number
  value: string
  username: string | null
  license: string | null
  ip: string | null
  hwid: string | null
  code: string | null
  reseller_id?: string | null
  reseller_name?: string | null
}

const asObservation = ({ key, at, value, username, license, ip, hwid, code, ...row }: Row): Observation => ({
  key,
  at: Number(at),
  values: [value],
  username: username ?? '',
  license: license ?? '',
  attempt: '',
  reseller: row.reseller_name ?? undefined,
  subject: row.reseller_id ?? undefined,
  ip: ip ?? '',
  hwid: hwid ?? '',
  code: code ?? '',
  country: '',
  app: '',
})

/** `rows` is a select of `Row`; only keys with enough distinct values are read. */
async function observationsOf(db: Reader, rows: RawBuilder<Row>, threshold: number): Promise<Observation[]> {
  const found = await sql<Row>`
    with seen as (${rows}),
      often as (select key from seen group by key having count(distinct value) >= ${threshold})
    select seen.* from seen where key in (select key from often) order by key, at limit ${maxRows}`.execute(db)
  return found.rows.map(asObservation)
}

const simultaneousSessions: StoredDetector['list'] = (db, app, { limit, now }) =>
  observationsOf(
    db,
    sql<Row>`
      select u.username as key, s.created_at as at, coalesce(s.hwid_hash, '') || ' ' || s.ip as value,
        u.username, '' as license, s.ip, s.hwid_hash as hwid, '' as code
      from client_sessions s join users u on u.app_id = s.app_id and u.id = s.user_id
      where s.app_id = ${app.id} and s.user_id is not null and s.ended_code is null and s.expires_at > ${now}`,
    limit.threshold,
  )

/** Joins the reseller, if it still exists. */
const resellerOf = (id: Raw) => sql`left join resellers r on r.id = ${id}`
const resellerColumns = (id: Raw) => sql`${id} as reseller_id, r.username as reseller_name`

/** Redeemed licenses, grouped by `key`, with the IP address of the user. */
const redeemed =
  (key: Raw, where: Raw, { ofResellers }: { ofResellers: boolean }): StoredDetector['list'] =>
  (db, app, { limit, since }) =>
    observationsOf(
      db,
      sql<Row>`
        select ${key} as key, l.used_at as at, l.license as value, u.username, l.license, u.ip,
          u.hwid_hash as hwid, '' as code, ${ofResellers ? resellerColumns(sql`l.reseller_id`) : noReseller}
        from licenses l join users u on u.app_id = l.app_id and u.id = l.used_by_user_id
          ${ofResellers ? resellerOf(sql`l.reseller_id`) : sql``}
        where l.app_id = ${app.id} and l.used_at is not null and l.used_at >= ${since} and ${where}`,
      limit.threshold,
    )

const noReseller = sql`null as reseller_id, null as reseller_name`

/** Groups licenses by reseller. */
const byReseller = sql`coalesce(l.generated_by, l.reseller_id)`

const made: StoredDetector['list'] = (db, app, { limit, since }) =>
  observationsOf(
    db,
    sql<Row>`
      select ${byReseller} as key, l.created_at as at, l.license as value, '' as username, l.license, '' as ip,
        '' as hwid, '' as code, ${resellerColumns(sql`l.reseller_id`)}
      from licenses l ${resellerOf(sql`l.reseller_id`)}
      where l.app_id = ${app.id} and l.reseller_id is not null and l.created_at >= ${since}`,
    limit.threshold,
  )

const hwidResets = ['user.reset-hwid', 'user.bulk-reset-hwid', 'user.reset-all-hwid'] as const satisfies AuditEvent[]
const licenseDeletions = [
  'license.delete',
  'license.bulk-delete',
  'license.delete-all',
  'license.delete-used',
  'license.delete-unused',
] as const satisfies AuditEvent[]

/** Events about one row. Its name can look like the target of a bulk action: `6 users`. */
const actsOnOne: readonly string[] = ['license.delete', 'user.reset-hwid'] satisfies AuditEvent[]

/** Audit events of resellers on users or licenses; a bulk action counts once per affected row. */
const auditEvents =
  (events: readonly AuditEvent[], on: 'username' | 'license'): StoredDetector['list'] =>
  async (db, app, { limit, since }) => {
    const found = await sql<Row>`
      select a.actor_id as key, a.at, a.target as value, '' as username, '' as license, a.ip, '' as hwid, a.act as code,
        ${resellerColumns(sql`a.actor_id`)}, a.id as id
      from audit a ${resellerOf(sql`a.actor_id`)}
      where a.app_id = ${app.id} and a.actor_type = 'reseller' and a.at >= ${since}
        and a.act in (${sql.join(events)})
      order by a.actor_id, a.at, a.id limit ${maxRows}`.execute(db)
    return (found.rows as (Row & { id: number })[]).map((row) => {
      const isOfOne = actsOnOne.includes(row.code ?? '')
      const count = isOfOne ? undefined : /^(\d{1,6}) \w+$/.exec(row.value)?.[1]
      const length = Math.min(Number(count ?? 1), limit.threshold * 10)
      const values = Array.from({ length }, (_, at) => `${row.id} ${at}`)
      return { ...asObservation(row), values, ...(count === undefined && { [on]: row.value }) }
    })
  }

export const storedDetectors: readonly StoredDetector[] = [
  { type: 'SIMULTANEOUS_SESSIONS', list: simultaneousSessions },
  { type: 'LICENSE_RAPID_ACTIVATION', list: redeemed(sql`u.ip`, sql`u.ip <> ''`, { ofResellers: false }) },
  {
    type: 'RESELLER_SAME_IP_LICENSES',
    list: redeemed(sql`${byReseller} || ' ' || u.ip`, sql`l.reseller_id is not null and u.ip <> ''`, {
      ofResellers: true,
    }),
  },
  // A chargeback is visible as a license that the owner bans, often long after it was used.
  {
    type: 'RESELLER_CHARGEBACK_PATTERN',
    countsLater: true,
    list: redeemed(byReseller, sql`l.reseller_id is not null and l.banned = 1`, { ofResellers: true }),
  },
  { type: 'RESELLER_LICENSE_PATTERN', list: made },
  {
    type: 'RESELLER_MASS_RESET_HWID',
    list: auditEvents(hwidResets, 'username'),
  },
  // Each deletion refunds credits.
  {
    type: 'RESELLER_CREDIT_ABUSE',
    list: auditEvents(licenseDeletions, 'license'),
  },
]
