import { countAll } from '#database/count-all.ts'
import { type Selectable, sql } from 'kysely'
import type { Reader } from '#database/database.ts'
import { containsText } from '#database/search-source.ts'
import type { AccountsTable } from './accounts.table.ts'

export type Account = Selectable<AccountsTable>

/** Names and addresses are case-insensitive. */
export const nameKey = (name: string): string => name.trim().toLowerCase()

export const findAccount = (db: Reader, id: string): Promise<Account | undefined> =>
  db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst()

export const findAccountByEmail = (db: Reader, email: string): Promise<Account | undefined> =>
  db.selectFrom('accounts').selectAll().where('email_key', '=', nameKey(email)).executeTakeFirst()

export const findAccountPlan = (db: Reader, id: string) =>
  db.selectFrom('accounts').select(['plan', 'plan_expires_at']).where('id', '=', id).executeTakeFirst()

export const findAccountByLogin = (db: Reader, login: string): Promise<Account | undefined> =>
  db
    .selectFrom('accounts')
    .selectAll()
    .where((where) => where.or([where('username_key', '=', nameKey(login)), where('email_key', '=', nameKey(login))]))
    .executeTakeFirst()

export async function hasAdmin(db: Reader): Promise<boolean> {
  const admin = await db.selectFrom('accounts').select('id').where('role', '=', sql.lit('admin')).executeTakeFirst()
  return admin !== undefined
}

/**
 * Whether a token of the first-start link is valid, which none is once there is an administrator. Only the transaction
 * that takes it may rely on it.
 */
export async function hasSetupToken(db: Reader, hash: string, now: number): Promise<boolean> {
  if (await hasAdmin(db)) return false
  const token = await db
    .selectFrom('setup_tokens')
    .select('token_hash')
    .where('token_hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return token !== undefined
}

export const listAdmins = (db: Reader): Promise<Account[]> =>
  db.selectFrom('accounts').selectAll().where('role', '=', sql.lit('admin')).orderBy('id').execute()

/** Deleted accounts whose row remains: user-chosen names contain no space. */
export async function listErased(db: Reader): Promise<string[]> {
  const rows = await db
    .selectFrom('accounts')
    .select('id')
    .where('username_key', '>=', 'deleted ')
    .where('username_key', '<', 'deleted!')
    .execute()
  return rows.map(({ id }) => id)
}

/** A session with the account data that the guard needs, in one query. */
export const findSession = (db: Reader, idHash: string) =>
  db
    .selectFrom('account_sessions')
    .innerJoin('accounts', 'accounts.id', 'account_sessions.account_id')
    .selectAll('account_sessions')
    .select(['accounts.username', 'accounts.role', 'accounts.banned', 'accounts.language'])
    .where('account_sessions.id_hash', '=', idHash)
    .executeTakeFirst()

/** Number of live dashboard sessions of all accounts; reads all sessions. */
export const countLiveSessions = (reports: Reader, now: number): Promise<number> =>
  countAll(reports.selectFrom('account_sessions').where('expires_at', '>', now))

/** Whether an account may no longer act because it is banned or deleted. */
export async function isAccountBanned(db: Reader, accountId: string): Promise<boolean> {
  const account = await findAccount(db, accountId)
  return account?.banned !== 0
}

interface AccountFilter {
  search?: string | undefined
}

/** Accounts that are not being deleted: a deleted one has no password hash. */
export function filterAccounts(db: Reader, { search }: AccountFilter) {
  const query = db.selectFrom('accounts').where('password_hash', '<>', '')
  const text = search?.trim() ?? ''
  if (text === '') return query
  return query.where(containsText(sql`username || ' ' || email || ' ' || id`, text))
}

/** Accounts created since `since` (epoch seconds). */
export const countAccounts = (db: Reader, since = 0): Promise<number> =>
  countAll(filterAccounts(db, {}).where('created_at', '>=', since))

/** Accounts whose plan expires by `until`, after the end of the previous page; sorted by expiry. */
export const listPlansEnding = (
  db: Reader,
  { after, until, limit }: { after: { endsAt: number; id: string }; until: number; limit: number },
): Promise<Account[]> =>
  db
    .selectFrom('accounts')
    .selectAll()
    .where(sql<boolean>`(plan_expires_at, id) > (${after.endsAt}, ${after.id})`)
    .where('plan_expires_at', '<=', until)
    .orderBy('plan_expires_at')
    .orderBy('id')
    .limit(limit)
    .execute()

/** Number of accounts per unexpired plan; expired ones are counted as `ended`. */
export async function countByPlan(db: Reader, now: number, ended: string): Promise<Map<string, number>> {
  const rows = await filterAccounts(db, {})
    .select((select) => [
      select
        .case()
        .when(select.or([select('plan_expires_at', 'is', null), select('plan_expires_at', '>', now)]))
        .then(select.ref('plan'))
        .else(ended)
        .end()
        .as('name'),
      select.fn.countAll<number>().as('n'),
    ])
    .groupBy('name')
    .execute()
  return new Map(rows.map(({ name, n }) => [name, Number(n)]))
}

/** Some accounts with this plan name, expired or not; for `reports`. */
export async function listAccountsOfPlan(
  db: Reader,
  { plan, limit }: { plan: string; limit: number },
): Promise<string[]> {
  const rows = await db.selectFrom('accounts').select('id').where('plan', '=', plan).limit(limit).execute()
  return rows.map(({ id }) => id)
}
