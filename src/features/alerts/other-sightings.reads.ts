import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '#database/database.ts'
import type { AlertType, Threshold } from './alerts.rules.ts'
import type { Sighting } from './findings.rules.ts'
import type { ScannedApp } from './log-sightings.reads.ts'

/**
 * What detection reads of sessions, licenses and the audit: all sightings of those keys that reach the threshold in the
 * whole time, by key and oldest first. Resellers are known by the licenses they made and by the audit of their acts.
 */
export interface StoredDetector {
  type: AlertType
  list: (db: Reader, app: ScannedApp, span: Span) => Promise<Sighting[]>
}

interface Span {
  limit: Threshold
  /** Epoch seconds: what is older was looked at before, or is too old. */
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
}

const asSighting = ({ key, at, value, username, license, ip, hwid, code }: Row): Sighting => ({
  key,
  at: Number(at),
  values: [value],
  username: username ?? '',
  license: license ?? '',
  ip: ip ?? '',
  hwid: hwid ?? '',
  code: code ?? '',
  country: '',
  app: '',
})

/** `rows`: a select of `Row`; only keys with enough different values are read. */
async function sightingsOf(db: Reader, rows: RawBuilder<Row>, threshold: number): Promise<Sighting[]> {
  const found = await sql<Row>`
    with seen as (${rows}),
      often as (select key from seen group by key having count(distinct value) >= ${threshold})
    select seen.* from seen where key in (select key from often) order by key, at limit ${maxRows}`.execute(db)
  return found.rows.map(asSighting)
}

const simultaneousSessions: StoredDetector['list'] = (db, app, { limit, now }) =>
  sightingsOf(
    db,
    sql<Row>`
      select u.username as key, s.created_at as at, coalesce(s.hwid_hash, '') || ' ' || s.ip as value,
        u.username, '' as license, s.ip, s.hwid_hash as hwid, '' as code
      from client_sessions s join users u on u.app_id = s.app_id and u.id = s.user_id
      where s.app_id = ${app.id} and s.user_id is not null and s.ended_code is null and s.expires_at > ${now}`,
    limit.threshold,
  )

/** Licenses that were redeemed, by whatever `key` says, with the address their user came from. */
const redeemed =
  (key: Raw, where: Raw): StoredDetector['list'] =>
  (db, app, { limit, since }) =>
    sightingsOf(
      db,
      sql<Row>`
        select ${key} as key, l.used_at as at, l.license as value, u.username, l.license, u.ip,
          u.hwid_hash as hwid, '' as code
        from licenses l join users u on u.app_id = l.app_id and u.id = l.used_by_user_id
        where l.app_id = ${app.id} and l.used_at is not null and l.used_at >= ${since} and ${where}`,
      limit.threshold,
    )

/** A reseller is called by the name that stands on the licenses. */
const reseller = sql`coalesce(l.generated_by, l.reseller_id)`

const made: StoredDetector['list'] = (db, app, { limit, since }) =>
  sightingsOf(
    db,
    sql<Row>`
      select ${reseller} as key, l.created_at as at, l.license as value, '' as username, l.license, '' as ip,
        '' as hwid, '' as code
      from licenses l
      where l.app_id = ${app.id} and l.reseller_id is not null and l.created_at >= ${since}`,
    limit.threshold,
  )

/** Acts of resellers in the audit; an act on many rows names their number and counts as often. */
const acts =
  (where: Raw): StoredDetector['list'] =>
  async (db, app, { limit, since }) => {
    const found = await sql<Row>`
      select a.actor_id as key, a.at, a.target as value, '' as username, '' as license, a.ip, '' as hwid, a.act as code,
        a.id as id
      from audit a
      where a.app_id = ${app.id} and a.actor_type = 'reseller' and a.at >= ${since} and (${where})
      order by a.actor_id, a.at, a.id limit ${maxRows}`.execute(db)
    return (found.rows as (Row & { id: number })[]).map((row) => {
      const [, many = '1'] = /^(\d{1,6}) \w+$/.exec(row.value) ?? []
      const values = Array.from({ length: Math.min(Number(many), limit.threshold * 10) }, (_, at) => `${row.id} ${at}`)
      return { ...asSighting(row), values, username: many === '1' ? row.value : '' }
    })
  }

export const storedDetectors: readonly StoredDetector[] = [
  { type: 'SIMULTANEOUS_SESSIONS', list: simultaneousSessions },
  { type: 'LICENSE_RAPID_ACTIVATION', list: redeemed(sql`u.ip`, sql`u.ip <> ''`) },
  {
    type: 'RESELLER_SAME_IP_LICENSES',
    list: redeemed(sql`${reseller} || ' ' || u.ip`, sql`l.reseller_id is not null and u.ip <> ''`),
  },
  // Money that was taken back shows as licenses which the owner bans after they were used.
  { type: 'RESELLER_CHARGEBACK_PATTERN', list: redeemed(reseller, sql`l.reseller_id is not null and l.banned = 1`) },
  { type: 'RESELLER_LICENSE_PATTERN', list: made },
  { type: 'RESELLER_MASS_RESET_HWID', list: acts(sql`a.act like '%reset-hwid%' or a.act like '%reset_hwid%'`) },
  // Each deletion gives credits back.
  { type: 'RESELLER_CREDIT_ABUSE', list: acts(sql`a.act like '%license%delete%' or a.act like '%delete%license%'`) },
]
