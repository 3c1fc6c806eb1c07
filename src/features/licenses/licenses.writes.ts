import { type Insertable, sql, type Updateable } from 'kysely'
import type { Transaction } from '#database/database.ts'
import { maxEpochSeconds } from '#contract/epoch-seconds.ts'
import { selectGivenRows } from '#database/engine-differences.ts'
import { preparedQuery } from '#database/prepared-query.ts'
import { locking } from '#database/row-lock.ts'
import { deleteRows } from '#database/delete-rows.ts'
import { valueById } from '#database/value-by-id.ts'
import { type License, licensesInAnyCase } from './licenses.reads.ts'
import { keyInAnyCase } from './licenses.rules.ts'
import type { LicensesTable } from './licenses.table.ts'

/** The license, locked until the transaction ends: it cannot be redeemed, changed or deleted meanwhile. */
export const lockLicenseRow = (trx: Transaction, appId: string, license: string): Promise<License | undefined> =>
  locking(
    trx,
    trx.selectFrom('licenses').selectAll().where('app_id', '=', appId).where('license', '=', license),
  ).executeTakeFirst()

/** Those of these licenses that exist, locked until the transaction ends. */
export const lockLicenseRows = (
  trx: Transaction,
  appId: string,
  choice: { names: readonly string[] } | { ids: readonly number[] },
): Promise<License[]> => {
  const all = trx.selectFrom('licenses').selectAll().where('app_id', '=', appId)
  const query =
    'names' in choice ? all.where('license', 'in', [...choice.names]) : all.where('id', 'in', [...choice.ids])
  return locking(trx, query.orderBy('id')).execute()
}

/** The licenses with these keys in any case, locked until the transaction ends. */
export const lockLicensesInAnyCase = (trx: Transaction, appId: string, keys: readonly string[]): Promise<License[]> =>
  locking(trx, licensesInAnyCase(trx, appId, keys).selectAll()).execute()

export type NewLicense = Insertable<LicensesTable>

const rowsPerInsert = 250

/** Those of the keys that are free in any case, each once. The row of the app is locked. */
async function freeKeys(trx: Transaction, appId: string, keys: readonly string[]): Promise<string[]> {
  const rows = await licensesInAnyCase(trx, appId, keys).select('license').execute()
  const taken = new Set(rows.map(({ license }) => keyInAnyCase(license)))
  return keys.filter((key) => {
    const isFree = !taken.has(keyInAnyCase(key))
    taken.add(keyInAnyCase(key))
    return isFree
  })
}

/**
 * Inserts licenses whose keys were found to be free in any case since the row of the app is locked, and returns those that
 * were inserted: a process of the previous version, which doesn't lock it, may have taken one.
 */
export async function insertLicenses(
  trx: Transaction,
  rows: readonly NewLicense[],
): Promise<{ id: number; license: string }[]> {
  const inserted: { id: number; license: string }[] = []
  for (let from = 0; from < rows.length; from += rowsPerInsert) {
    const some = await trx
      .insertInto('licenses')
      .values(rows.slice(from, from + rowsPerInsert))
      .onConflict((conflict) => conflict.columns(['app_id', 'license']).doNothing())
      .returning(['id', 'license'])
      .execute()
    inserted.push(...some)
  }
  return inserted
}

/**
 * Inserts licenses of an app whose row is locked, which differ only in their keys, and returns the keys that were inserted;
 * those that exist in any case are skipped. One statement with a few parameters: PostgreSQL parses and plans thousands of them for longer than it needs here.
 */
export async function insertKeys(
  trx: Transaction,
  keys: readonly string[],
  row: Omit<NewLicense, 'license'>,
): Promise<string[]> {
  const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)))
  const given = selectGivenRows(
    trx,
    { license: 'text' },
    (await freeKeys(trx, row.app_id, keys)).map((license) => [license]),
  )
  // `where true`, because SQLite would read `on conflict` as the condition of a join.
  const { rows } = await sql<{ license: string }>`
    insert into ${sql.table('licenses')} (license, ${columns})
    select given.license, ${sql.join(Object.values(row))} from (${given}) as given where true
    on conflict (app_id, license) do nothing returning license`.execute(trx)
  return rows.map(({ license }) => license)
}

/** Counts restored users again for the resellers whose licenses they redeemed. */
export async function recountRedeemers(trx: Transaction, appId: string, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return
  const redeemed = trx
    .selectFrom('licenses')
    .select((select) => [
      'app_id',
      select.ref('reseller_id').$notNull().as('reseller_id'),
      select.ref('used_by_user_id').$notNull().as('user_id'),
      select.fn.countAll<number>().as('licenses'),
    ])
    .where('app_id', '=', appId)
    .where('used_by_user_id', 'in', [...userIds])
    .where('used', '=', 1)
    .where('reseller_id', 'is not', null)
    .groupBy(['app_id', 'reseller_id', 'used_by_user_id'])
  await trx
    .insertInto('reseller_users')
    .columns(['app_id', 'reseller_id', 'user_id', 'licenses'])
    .expression(redeemed)
    .execute()
}

export async function updateLicenseRows(
  trx: Transaction,
  appId: string,
  ids: readonly number[],
  change: Updateable<LicensesTable>,
): Promise<void> {
  if (ids.length === 0) return
  await trx
    .updateTable('licenses')
    .set(change)
    .where('app_id', '=', appId)
    .where('id', 'in', [...ids])
    .execute()
}

/** Adds seconds to the duration of these licenses and, if they have been redeemed, to their expiry. */
export async function addSeconds(
  trx: Transaction,
  appId: string,
  ids: readonly number[],
  seconds: number,
  max: number,
) {
  if (ids.length === 0) return
  await trx
    .updateTable('licenses')
    .set({
      duration_seconds: sql<number>`case when duration_seconds + ${seconds} > ${max} then ${max} else duration_seconds + ${seconds} end`,
      expires_at: sql<number>`case when expires_at + ${seconds} > ${max} then ${max} else expires_at + ${seconds} end`,
    })
    .where('app_id', '=', appId)
    .where('id', 'in', [...ids])
    .execute()
}

export const deleteLicenseRows = (trx: Transaction, appId: string, values: readonly number[]): Promise<number> =>
  deleteRows(trx, 'licenses', appId, { column: 'id', values })

export interface LicenseClaim {
  appId: string
  license: string
  usedBy: string
  userId: number
  now: number
}

const claimRow = preparedQuery((db, claim: LicenseClaim) =>
  db
    .updateTable('licenses')
    .set({
      used: 1,
      used_by: claim.usedBy,
      used_by_user_id: claim.userId,
      used_at: claim.now,
      expires_at: sql<number | null>`case
        when duration_seconds = 0 then null
        when ${claim.now} + duration_seconds > ${maxEpochSeconds} then ${maxEpochSeconds}
        else ${claim.now} + duration_seconds end`,
    })
    .where('app_id', '=', claim.appId)
    .where('license', '=', claim.license)
    .where('used', '=', 0)
    .where('banned', '=', 0)
    .returningAll(),
)

/** Redeems an unused, unbanned license: exactly one of several concurrent callers gets the row (R-LIC-01). */
export async function claimLicense(trx: Transaction, claim: LicenseClaim): Promise<License | undefined> {
  return (await claimRow(trx, claim))[0]
}

/** Restores columns of these licenses to individual values. */
export async function restoreLicenseRows(
  trx: Transaction,
  appId: string,
  column: 'banned' | 'duration_seconds' | 'expires_at',
  values: ReadonlyMap<number, number | null>,
): Promise<void> {
  if (values.size === 0) return
  await trx
    .updateTable('licenses')
    .set({ [column]: valueById('id', values) })
    .where('app_id', '=', appId)
    .where('id', 'in', [...values.keys()])
    .execute()
}
