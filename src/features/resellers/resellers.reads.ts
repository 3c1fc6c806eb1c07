import { countAll } from '#database/count-all.ts'
import { type Expression, type Selectable, sql, type SqlBool } from 'kysely'
import { type ListOf, valuesOf } from '#contract/list-field.ts'
import type { SortBy } from '#contract/sort-field.ts'
import type { Reader } from '#database/database.ts'
import { containsText } from '#database/search-source.ts'
import { sortOrder, textOrder } from '#database/sort-order.ts'
import { nameKey } from '#features/accounts/accounts.reads.ts'
import { lowCredits } from '#features/credits/credits.rules.ts'
import type { ResellerAppsTable, ResellerDomainsTable, ResellersTable } from './resellers.table.ts'
import type { ResellerStatus } from './reseller-status.rules.ts'
import { type Level, listLevelsOfApps } from '#features/levels/levels.reads.ts'
import { existingLevels, type ResellerConfig } from './resellers.rules.ts'

export type Reseller = Selectable<ResellersTable>

/** Another owner's reseller is indistinguishable from one that does not exist. */
export const findOwnReseller = (db: Reader, ownerId: string, id: string): Promise<Reseller | undefined> =>
  db.selectFrom('resellers').selectAll().where('id', '=', id).where('owner_id', '=', ownerId).executeTakeFirst()

export const findOwnResellerByName = (db: Reader, ownerId: string, username: string): Promise<Reseller | undefined> =>
  db
    .selectFrom('resellers')
    .selectAll()
    .where('username_key', '=', nameKey(username))
    .where('owner_id', '=', ownerId)
    .executeTakeFirst()

export const findReseller = (db: Reader, id: string): Promise<Reseller | undefined> =>
  db.selectFrom('resellers').selectAll().where('id', '=', id).executeTakeFirst()

/** By username or email address. */
export const findResellerByLogin = (db: Reader, login: string): Promise<Reseller | undefined> =>
  db
    .selectFrom('resellers')
    .selectAll()
    .where((where) => where.or([where('username_key', '=', nameKey(login)), where('email_key', '=', nameKey(login))]))
    .executeTakeFirst()

export const findResellerByEmail = (db: Reader, email: string): Promise<Reseller | undefined> =>
  db.selectFrom('resellers').selectAll().where('email_key', '=', nameKey(email)).executeTakeFirst()

export const findResellerBySetup = (db: Reader, tokenHash: string): Promise<Reseller | undefined> =>
  db.selectFrom('resellers').selectAll().where('setup_token_hash', '=', tokenHash).executeTakeFirst()

export const findResellerByPendingEmail = (db: Reader, tokenHash: string): Promise<Reseller | undefined> =>
  db.selectFrom('resellers').selectAll().where('pending_email_token_hash', '=', tokenHash).executeTakeFirst()

/** A session with the reseller fields that the guard needs. */
export const findResellerSession = (db: Reader, idHash: string) =>
  db
    .selectFrom('reseller_sessions')
    .innerJoin('resellers', 'resellers.id', 'reseller_sessions.reseller_id')
    .innerJoin('accounts', 'accounts.id', 'resellers.owner_id')
    .selectAll('reseller_sessions')
    .select(['resellers.owner_id', 'resellers.username', 'resellers.banned', 'resellers.language'])
    .select('accounts.banned as owner_banned')
    .where('reseller_sessions.id_hash', '=', idHash)
    .executeTakeFirst()

export interface ResellerFilter {
  ownerId: string
  search?: string | undefined
  status?: ListOf<ResellerStatus> | undefined
  /** Sells this app. */
  assignedAppId?: string | undefined
  /** Has few credits in an assigned app. */
  credits?: 'low' | undefined
}

const isOfStatus = {
  active: sql<boolean>`(banned = 0 and password_hash is not null)`,
  invited: sql<boolean>`(banned = 0 and password_hash is null)`,
  banned: sql<boolean>`banned = 1`,
}

/** The apps that a reseller of the statement around it sells. */
const appsSold = (db: Reader) =>
  liveAssignments(db).where('reseller_apps.reseller_id', '=', sql.ref<string>('resellers.id'))

const appsWithFewCredits = (db: Reader) =>
  appsSold(db)
    .leftJoin('credit_accounts', (join) =>
      join
        .onRef('credit_accounts.app_id', '=', 'reseller_apps.app_id')
        .onRef('credit_accounts.reseller_id', '=', 'reseller_apps.reseller_id')
        .on('credit_accounts.kind', '=', 'balance'),
    )
    .where((where) => where(where.fn.coalesce('credit_accounts.balance', where.lit(0)), '<', lowCredits))

function ownResellers(db: Reader, { ownerId, search = '', status, assignedAppId, credits }: ResellerFilter) {
  const statuses = valuesOf(status)
  let query = db.selectFrom('resellers').where('owner_id', '=', ownerId)
  if (statuses.length > 0) query = query.where((where) => where.or(statuses.map((each) => isOfStatus[each])))
  if (credits) query = query.where((where) => where.exists(appsWithFewCredits(db)))
  if (assignedAppId !== undefined)
    query = query.where((where) => where.exists(appsSold(db).where('reseller_apps.app_id', '=', assignedAppId)))
  const text = search.trim()
  if (text === '') return query
  return query.where(containsText(sql`username || ' ' || coalesce(email, '')`, text))
}

export const countResellers = (db: Reader, filter: ResellerFilter): Promise<number> =>
  countAll(ownResellers(db, filter))

/** Number of an owner's resellers of each status, and of those with few credits. */
export async function countByStatus(
  db: Reader,
  ownerId: string,
): Promise<Record<ResellerStatus | 'total' | 'lowCredits', number>> {
  const row = await ownResellers(db, { ownerId })
    .select((select) => {
      const count = (condition: Expression<SqlBool>) => select.fn.countAll<number>().filterWhere(condition)
      return [
        select.fn.countAll<number>().as('total'),
        count(isOfStatus.active).as('active'),
        count(isOfStatus.invited).as('invited'),
        count(isOfStatus.banned).as('banned'),
        count(select.exists(appsWithFewCredits(db))).as('lowCredits'),
      ]
    })
    .executeTakeFirstOrThrow()
  return {
    total: Number(row.total),
    active: Number(row.active),
    invited: Number(row.invited),
    banned: Number(row.banned),
    lowCredits: Number(row.lowCredits),
  }
}

/** Number of resellers of each app of an owner that has some, the most first. */
export async function countByApp(
  db: Reader,
  ownerId: string,
  limit: number,
): Promise<{ appId: string; appName: string; count: number }[]> {
  const rows = await db
    .selectFrom('apps')
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .select((select) => [
      'id',
      'name',
      // Joined, PostgreSQL would read the assignments of all owners.
      select
        .selectFrom('reseller_apps')
        .whereRef('reseller_apps.app_id', '=', 'apps.id')
        .select((each) => each.fn.countAll<number>().as('n'))
        .as('n'),
    ])
    .orderBy('n', 'desc')
    .orderBy('name')
    .limit(limit)
    .execute()
  return rows
    .map(({ id, name, n }) => ({ appId: id, appName: name, count: Number(n) }))
    .filter(({ count }) => count > 0)
}

const sortColumns = (db: Reader) => ({
  username: textOrder(db, sql`username`),
  email: textOrder(db, sql`coalesce(email, '')`),
  created: 'created_at',
})

interface ResellerPage {
  offset: number
  limit: number
  /** Newest first by default. */
  sort?: SortBy<keyof ReturnType<typeof sortColumns>> | undefined
}

export const listResellers = (
  db: Reader,
  { offset, limit, sort = '-created', ...filter }: ResellerFilter & ResellerPage,
): Promise<Reseller[]> =>
  ownResellers(db, filter)
    .selectAll()
    .orderBy(...sortOrder(sortColumns(db), sort))
    .orderBy('id', sort === 'created' ? 'asc' : 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export interface Assignment extends ResellerConfig {
  appId: string
  appName: string
  resellerId: string
}

type AssignmentRow = Selectable<ResellerAppsTable> & { app_name: string }

const assignmentOf = (row: AssignmentRow, created: ReadonlyMap<number, number>): Assignment => ({
  appId: row.app_id,
  appName: row.app_name,
  resellerId: row.reseller_id,
  allowedPlans: JSON.parse(row.allowed_plans) as string[],
  planCosts: JSON.parse(row.plan_costs) as Record<string, number>,
  allowedLevels: existingLevels(JSON.parse(row.allowed_levels) as number[], {
    times: JSON.parse(row.allowed_level_times ?? '{}') as Record<string, number>,
    created,
  }),
})

async function assignmentsOf(db: Reader, rows: readonly AssignmentRow[]): Promise<Assignment[]> {
  const levels = await listLevelsOfApps(db, [...new Set(rows.map(({ app_id }) => app_id))])
  const byApp = Map.groupBy(levels, ({ app_id }) => app_id)
  return rows.map((row) => assignmentOf(row, createdTimes(byApp.get(row.app_id) ?? [])))
}

const createdTimes = (levels: readonly Level[]) =>
  new Map(levels.map(({ level, created_at }) => [level, Number(created_at)]))

const liveAssignments = (db: Reader) =>
  db
    .selectFrom('reseller_apps')
    .innerJoin('apps', 'apps.id', 'reseller_apps.app_id')
    .selectAll('reseller_apps')
    .select('apps.name as app_name')
    .where('apps.deleted_at', 'is', null)

/** The apps of these resellers, in order of assignment. */
export async function listAssignments(db: Reader, resellerIds: readonly string[]): Promise<Assignment[]> {
  if (resellerIds.length === 0) return []
  const rows = await liveAssignments(db)
    .where('reseller_apps.reseller_id', 'in', [...resellerIds])
    .orderBy('reseller_apps.created_at')
    .orderBy('reseller_apps.app_id')
    .execute()
  return assignmentsOf(db, rows)
}

export async function findAssignment(
  db: Reader,
  { appId, resellerId }: { appId: string; resellerId: string },
): Promise<Assignment | undefined> {
  const rows = await liveAssignments(db)
    .where('reseller_apps.app_id', '=', appId)
    .where('reseller_apps.reseller_id', '=', resellerId)
    .execute()
  return (await assignmentsOf(db, rows))[0]
}

/** IDs of resellers whose owner was deleted; for the `reports` connection. */
export async function listOrphans(db: Reader, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('resellers')
    .leftJoin('accounts', 'accounts.id', 'resellers.owner_id')
    .select('resellers.id')
    .where('accounts.id', 'is', null)
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export type ResellerDomain = Selectable<ResellerDomainsTable>

export const findDomain = (db: Reader, resellerId: string): Promise<ResellerDomain | undefined> =>
  db.selectFrom('reseller_domains').selectAll().where('reseller_id', '=', resellerId).executeTakeFirst()

const verifiedDomains = (db: Reader) =>
  db
    .selectFrom('reseller_domains')
    .innerJoin('resellers', 'resellers.id', 'reseller_domains.reseller_id')
    .selectAll('reseller_domains')
    .select(['resellers.owner_id', 'resellers.username', 'resellers.banned'])
    .where('reseller_domains.proved_at', 'is not', null)

/** A verified domain with its reseller. */
export type VerifiedDomain = ResellerDomain & Pick<Reseller, 'owner_id' | 'username' | 'banned'>

export const findVerifiedDomain = (db: Reader, domain: string): Promise<VerifiedDomain | undefined> =>
  verifiedDomains(db).where('reseller_domains.domain', '=', domain).executeTakeFirst()

export const findVerifiedDomainOf = (db: Reader, resellerId: string): Promise<VerifiedDomain | undefined> =>
  verifiedDomains(db).where('reseller_domains.reseller_id', '=', resellerId).executeTakeFirst()

/**
 * Verified domains not checked since `before` (epoch seconds), least recently checked first. A check after `now` is from
 * before the clock was set back.
 */
export const listUncheckedDomains = (
  db: Reader,
  { before, now, limit }: { before: number; now: number; limit: number },
): Promise<VerifiedDomain[]> =>
  verifiedDomains(db)
    .where(({ eb, or }) =>
      or([eb('reseller_domains.checked_at', '<=', before), eb('reseller_domains.checked_at', '>', now)]),
    )
    .orderBy('reseller_domains.checked_at')
    .limit(limit)
    .execute()
