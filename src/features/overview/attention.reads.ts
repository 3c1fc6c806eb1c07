import { countAll } from '#database/count-all.ts'
import { sql } from 'kysely'
import type { Reader } from '#database/database.ts'
import { expiringSeconds } from '#features/licenses/licenses.reads.ts'
import { customerRejections, maxCustomerLogs } from '#features/logs/logs.rules.ts'

export interface RejectedCustomers {
  /** Distinct customers, for all reasons. */
  customers: number
  /** More rows than were read. */
  isMore: boolean
  /** The reason of most of them, and how many it is. */
  code: string
  ofCode: number
  /** One of them: username, or the license key if it is unknown. */
  customer: string
}

interface NewestRows {
  appId: string
  /** Epoch seconds. */
  since: number
  /** How many of the newest rows are read. */
  max?: number
}

/** Customers rejected since a time for a reason that the owner can remove. */
export async function findRejected(
  db: Reader,
  { appId, since, max = maxCustomerLogs }: NewestRows,
): Promise<RejectedCustomers> {
  const { rows } = await sql<{ code: string; customers: number; customer: string | null; read_rows: number }>`
    with newest as materialized (
      select at, id, code, username, license from logs
      where app_id = ${appId} and at >= cast(${since} as bigint)
      order by at desc, id desc limit ${sql.lit(max + 1)}
    ), counted as (
      select code, username, license from newest order by at desc, id desc limit ${sql.lit(max)}
    ), rejected as materialized (
      select distinct code, case when username <> '' then username else license end as customer from counted
      where code in (${sql.join(customerRejections)}) and (username <> '' or license <> '')
    )
    select '' as code, count(distinct customer) as customers, '' as customer, (select count(*) from newest) as read_rows
    from rejected
    union all
    select code, count(*) as customers, min(customer) as customer, 0 as read_rows from rejected group by code
    order by 2 desc, 1`.execute(db)
  const all = rows.find(({ code }) => code === '')
  const most = rows.find(({ code }) => code !== '')
  return {
    customers: Number(all?.customers ?? 0),
    isMore: Number(all?.read_rows ?? 0) > max,
    code: most?.code ?? '',
    ofCode: Number(most?.customers ?? 0),
    customer: most?.customer ?? '',
  }
}

/** Licenses that expire within seven days of `now` (epoch seconds), except banned ones. */
export const countEnding = (db: Reader, appId: string, now: number): Promise<number> =>
  countAll(
    db
      .selectFrom('licenses')
      .where('app_id', '=', appId)
      .where('expires_at', '>', now)
      .where('expires_at', '<=', now + expiringSeconds)
      // As a literal, so that PostgreSQL can use the partial index in any plan.
      .where(sql<boolean>`banned = 0`),
  )
