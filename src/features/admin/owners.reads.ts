import { countAll } from '#database/count-all.ts'
import { type RawBuilder, sql } from 'kysely'
import { type ListOf, valuesOf } from '#contract/list-field.ts'
import type { SortBy } from '#contract/sort-field.ts'
import type { Reader } from '#database/database.ts'
import { exactOrder, sortOrder, textOrder } from '#database/sort-order.ts'
import { type Account, filterAccounts } from '#features/accounts/accounts.reads.ts'
import { bytesPerMb } from '#features/downloads/downloads.rules.ts'
import { freePlan, type PlanLimits, unlimitedPlan } from '#features/plans/plans.rules.ts'
import { type GrowthFilter, hasGrowth } from './growth.reads.ts'

/** Owners by plan, state, age, growth, and use of their plan. All of these read many rows: for `reports`. */

export const endingSeconds = 7 * 86_400
/** An owner who has used this share of a limit is near it. */
const nearPercent = 80

type OwnerState = keyof typeof isStatus

export interface OwnerFilter extends Partial<GrowthFilter> {
  search?: string | undefined
  /** Names of current plans, separated by commas. */
  planName?: string | undefined
  status?: ListOf<OwnerState> | undefined
  /** Registered at or after, and at or before: epoch seconds. */
  from?: number | undefined
  until?: number | undefined
  planEnds?: 'week' | undefined
  limits?: 'near' | undefined
}

/** The plan that an account has, or Free after its end; it may have been deleted. */
const boughtPlan = (account: string, now: number) => {
  const [plan, end] = [sql.ref(`${account}.plan`), sql.ref(`${account}.plan_expires_at`)]
  return sql<string>`(case when ${end} is null or ${end} > ${sql.lit(now)} then ${plan} else ${sql.lit(freePlan.name)} end)`
}

/** Whether this is the current plan, as `planInForce` decides: owners whose plan was deleted are on Free. */
function hasPlan(name: string, now: number): RawBuilder<boolean> {
  const bought = boughtPlan('accounts', now)
  const isBought = sql<boolean>`${bought} = ${name}`
  if (name === unlimitedPlan.name) return isBought
  if (name !== freePlan.name) return sql`(${isBought} and exists (select 1 from plans where plans.name = ${name}))`
  return sql`(${isBought} or (${bought} <> ${sql.lit(unlimitedPlan.name)}
    and not exists (select 1 from plans where plans.name = ${bought})))`
}

const isStatus = {
  banned: sql<boolean>`accounts.banned = 1`,
  admin: sql<boolean>`(accounts.banned = 0 and accounts.role = 'admin')`,
  active: sql<boolean>`(accounts.banned = 0 and accounts.role <> 'admin')`,
}

function filterOwners(db: Reader, filter: OwnerFilter, now: number) {
  const { search, planName, status, from, until, planEnds, limits, growth } = filter
  let query = filterAccounts(db, { search })
  const plans = valuesOf(planName)
  if (plans.length > 0) query = query.where(({ or }) => or(plans.map((name) => hasPlan(name, now))))
  if (status) query = query.where(({ or }) => or(valuesOf(status).map((state) => isStatus[state])))
  if (from !== undefined) query = query.where('created_at', '>=', from)
  if (until !== undefined) query = query.where('created_at', '<=', until)
  if (planEnds) query = query.where('plan_expires_at', '>', now).where('plan_expires_at', '<=', now + endingSeconds)
  if (limits) query = query.where(sql<boolean>`accounts.id in (${nearLimits(now)})`)
  if (growth) query = query.where(hasGrowth({ ...filter, growth }))
  return query
}

export const countOwners = (db: Reader, filter: OwnerFilter, now: number): Promise<number> =>
  countAll(filterOwners(db, filter, now))

export async function countByState(db: Reader): Promise<Record<OwnerState, number>> {
  const countIf = (state: OwnerState) => sql<number>`coalesce(sum(case when ${isStatus[state]} then 1 else 0 end), 0)`
  const { active, banned, admin } = await filterAccounts(db, {})
    .select([countIf('active').as('active'), countIf('banned').as('banned'), countIf('admin').as('admin')])
    .executeTakeFirstOrThrow()
  return { active: Number(active), banned: Number(banned), admin: Number(admin) }
}

interface OwnerPage {
  offset: number
  limit: number
  /** Newest first by default. */
  sort?: SortBy<'owner' | 'plan' | 'created'> | undefined
}

/** The name that the list shows for the current plan. */
function planTitle(now: number) {
  const bought = boughtPlan('accounts', now)
  const titleOf = (name: RawBuilder<unknown>) => sql`(select display_name from plans where plans.name = ${name})`
  return sql`case when ${bought} = ${sql.lit(unlimitedPlan.name)} then ${sql.lit(unlimitedPlan.displayName)}
    else coalesce(${titleOf(bought)}, ${titleOf(sql.lit(freePlan.name))}, ${sql.lit(freePlan.displayName)}) end`
}

const sortColumns = (db: Reader, now: number) => ({
  owner: exactOrder(db, sql`username_key`),
  plan: textOrder(db, planTitle(now)),
  created: 'created_at',
})

export const listOwners = (
  db: Reader,
  { offset, limit, sort = '-created', ...filter }: OwnerFilter & OwnerPage,
  now: number,
): Promise<Account[]> =>
  filterOwners(db, filter, now)
    .selectAll()
    .orderBy(...sortOrder(sortColumns(db, now), sort))
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()

/** Undefined for an account that is being deleted. */
export const findOwner = (db: Reader, id: string): Promise<Account | undefined> =>
  filterAccounts(db, {}).selectAll().where('id', '=', id).executeTakeFirst()

/** Epoch seconds of the latest sign-in to the dashboard; sessions end, but the audit keeps it. */
export async function lastSignInOf(db: Reader, ownerId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('audit')
    .select('at')
    .where('owner_id', '=', ownerId)
    .where('act', '=', 'account.login')
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && Number(row.at)
}

/** The limit in the current plan; if that was deleted, in Free. */
const limitOf = (column: string, limit: keyof PlanLimits) =>
  sql`coalesce(${sql.ref(`plan.${column}`)}, ${sql.ref(`free.${column}`)}, ${sql.lit(freePlan.limits[limit])})`

const isNear = (used: RawBuilder<unknown>, max: RawBuilder<unknown>) =>
  sql`(${max} > 0 and ${used} * 100 >= ${max} * ${sql.lit(nearPercent)})`

/** A plan with a single app is full with the first one, so that needs no attention. */
const isNearApps = (used: RawBuilder<unknown>) => {
  const max = limitOf('max_apps', 'apps')
  return sql`(${max} > 1 and ${isNear(used, max)})`
}

const ofApp = {
  users: sql`(select coalesce(sum(count), 0) from user_counts where app_id = app.id)`,
  licenses: sql`(select coalesce(sum(count), 0) from license_counts where app_id = app.id)`,
  variables: sql`(select count(*) from app_variables where app_id = app.id)`,
}

/** IDs of owners who are near a limit, in one of their apps or in all. */
function nearLimits(now: number) {
  const bought = boughtPlan('owner', now)
  const bytes = sql`(select coalesce(sum(size), 0) from downloads where owner_id = owner.id)`
  const apps = sql`(select count(*) from apps where owner_id = owner.id and deleted_at is null)`
  const inApp = [
    isNear(ofApp.users, limitOf('max_users_per_app', 'usersPerApp')),
    isNear(ofApp.licenses, limitOf('max_licenses_per_app', 'licensesPerApp')),
    isNear(ofApp.variables, limitOf('max_variables_per_app', 'variablesPerApp')),
  ]
  return sql`
    select owner.id from accounts owner
    left join plans plan on plan.name = ${bought}
    left join plans free on free.name = ${sql.lit(freePlan.name)}
    where ${bought} <> ${sql.lit(unlimitedPlan.name)} and (
      ${isNearApps(apps)}
      or ${isNear(bytes, sql`${limitOf('max_storage_mb', 'storageMb')} * ${sql.lit(bytesPerMb)}`)}
      or exists (select 1 from apps app where app.owner_id = owner.id and app.deleted_at is null
        and (${sql.join(inApp, sql` or `)})))`
}
