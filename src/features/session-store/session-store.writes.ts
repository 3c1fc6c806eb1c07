import { type ExpressionBuilder, sql, type Updateable } from 'kysely'
import type { Database, Reader, Transaction } from '#database/database.ts'
import { deleteInBatches } from '#database/delete-rows.ts'
import { selectRowsOfJson } from '#database/engine-differences.ts'
import { preparedQuery } from '#database/prepared-query.ts'
import type { Schema } from '#database/schema.ts'
import type { ClientSession, StartedSession } from './session-store.reads.ts'
import type { ClientSessionsTable } from './session-store.table.ts'

const columnsOfStart = {
  app_id: 'text',
  token_hash: 'text',
  handle: 'text',
  ip: 'text',
  country: 'text',
  created_at: 'bigint',
  expires_at: 'bigint',
} as const

const insertRows = preparedQuery((db, { rows }: { rows: string }) => ({
  compile: () =>
    sql`
    insert into client_sessions (app_id, token_hash, handle, ip, country, created_at, expires_at, last_heartbeat_at)
    select given.*, given.created_at from (${selectRowsOfJson(db, columnsOfStart, rows)}) as given`.compile(db),
}))

export async function insertClientSessions(trx: Transaction, sessions: readonly StartedSession[]): Promise<void> {
  const columns = Object.keys(columnsOfStart) as (keyof StartedSession)[]
  const rows = sessions.map((session) => columns.map((column) => session[column]))
  await insertRows(trx, { rows: JSON.stringify(rows) })
}

type SessionKey = Pick<ClientSession, 'app_id' | 'token_hash'>

type SignedInRow = SignedIn & { appId: string; tokenHash: string }

/** Reopens a session that a ban ended. */
const signedInRow = (db: Reader, row: SignedInRow) =>
  db
    .updateTable('client_sessions')
    .set({
      user_id: row.user_id,
      license_id: row.license_id,
      hwid_hash: row.hwid_hash,
      ip: row.ip,
      country: row.country,
      last_heartbeat_at: row.last_heartbeat_at,
      expires_at: row.expires_at,
      created_at: row.created_at,
      ended_code: sql`case when ended_code = 'USER_BANNED' then null else ended_code end`,
    })
    .where('app_id', '=', row.appId)
    .where('token_hash', '=', row.tokenHash)

const signInFirstRow = preparedQuery((db, row: SignedInRow) =>
  signedInRow(db, row).where('user_id', 'is', null).returning('token_hash'),
)
const signInRow = preparedQuery(signedInRow)

export type SignedIn = Pick<
  ClientSession,
  'user_id' | 'license_id' | 'hwid_hash' | 'ip' | 'country' | 'created_at' | 'last_heartbeat_at' | 'expires_at'
>

/** Signs in a session without a user; false if it has one. */
export async function updateFirstSignedIn(trx: Transaction, session: SessionKey, signedIn: SignedIn): Promise<boolean> {
  const rows = await signInFirstRow(trx, { ...signedIn, appId: session.app_id, tokenHash: session.token_hash })
  return rows.length > 0
}

export async function updateSignedIn(trx: Transaction, session: SessionKey, signedIn: SignedIn): Promise<void> {
  await signInRow(trx, { ...signedIn, appId: session.app_id, tokenHash: session.token_hash })
}

const heartbeatRow = preparedQuery((db, row: { appId: string; tokenHash: string; at: number; expiresAt: number }) =>
  db
    .updateTable('client_sessions')
    .set({ last_heartbeat_at: row.at, expires_at: row.expiresAt })
    .where('app_id', '=', row.appId)
    .where('token_hash', '=', row.tokenHash)
    .where('last_heartbeat_at', '<=', row.at),
)

/** Never moves a heartbeat back: another process may have stored a later one. */
export async function updateHeartbeat(trx: Transaction, session: ClientSession): Promise<void> {
  const { app_id: appId, token_hash: tokenHash, last_heartbeat_at: at, expires_at: expiresAt } = session
  await heartbeatRow(trx, { appId, tokenHash, at, expiresAt })
}

export async function updateClientSession(
  trx: Transaction,
  session: SessionKey,
  change: Updateable<ClientSessionsTable>,
): Promise<void> {
  await trx
    .updateTable('client_sessions')
    .set(change)
    .where('app_id', '=', session.app_id)
    .where('token_hash', '=', session.token_hash)
    .execute()
}

interface OtherSessions {
  appId: string
  userId: number
  tokenHash: string
  code: string
}

const endOthersOfUser = preparedQuery((db, { appId, userId, tokenHash, code }: OtherSessions) =>
  db
    .updateTable('client_sessions')
    .set({ ended_code: code })
    .where('app_id', '=', appId)
    .where('user_id', '=', userId)
    .where('token_hash', '<>', tokenHash)
    .where(notEndedOfFew)
    .returning(['token_hash', 'handle']),
)

/** Marks a user's sessions as ended, except one, and returns them. */
export const endOtherSessionRows = (
  trx: Transaction,
  others: OtherSessions,
): Promise<{ token_hash: string; handle: string }[]> => endOthersOfUser(trx, others)

/**
 * `ended_code is null`, for a choice of few sessions: as long as PostgreSQL has no statistics of the table, it would
 * read all that have not ended, through the index of those.
 */
const notEndedOfFew = sql<boolean>`coalesce(ended_code, '') = ''`

/** Selects live sessions to end: given ones, those of users or of licenses, or all but one of a user. */
export interface SessionChoice {
  appId: string
  handles?: readonly string[]
  userIds?: readonly number[]
  licenseIds?: readonly number[]
  exceptTokenHash?: string
  /** Epoch seconds; sessions that started later are kept. */
  startedUntil?: number
}

/** Marks up to `limit` sessions as ended, with the code that rejects their next call, and returns them. */
export async function endSessionRows(
  trx: Transaction,
  choice: SessionChoice,
  { code, limit }: { code: string; limit?: number },
): Promise<{ token_hash: string; handle: string }[]> {
  const ending = trx.updateTable('client_sessions').set({ ended_code: code })
  const chosen = (row: ExpressionBuilder<Schema, 'client_sessions'>) => chosenSessions(row, choice)
  // Never by a subquery: as long as PostgreSQL knows no statistics of the table, it compares each row with each.
  if (limit === undefined) return ending.where(chosen).returning(['token_hash', 'handle']).execute()
  const some = await trx.selectFrom('client_sessions').select('token_hash').where(chosen).limit(limit).execute()
  if (some.length === 0) return []
  const hashes = some.map(({ token_hash: hash }) => hash)
  return ending
    .where('app_id', '=', choice.appId)
    .where('token_hash', 'in', hashes)
    .where('ended_code', 'is', null)
    .returning(['token_hash', 'handle'])
    .execute()
}

function chosenSessions(row: ExpressionBuilder<Schema, 'client_sessions'>, choice: SessionChoice) {
  const { appId, handles, userIds, licenseIds, exceptTokenHash, startedUntil } = choice
  return row.and([
    row('app_id', '=', appId),
    handles || userIds || licenseIds ? notEndedOfFew : row('ended_code', 'is', null),
    ...(handles ? [row('handle', 'in', [...handles])] : []),
    ...(userIds ? [row('user_id', 'in', [...userIds])] : []),
    ...(licenseIds ? [row('license_id', 'in', [...licenseIds])] : []),
    ...(exceptTokenHash ? [row('token_hash', '<>', exceptTokenHash)] : []),
    ...(startedUntil === undefined ? [] : [row('created_at', '<=', startedUntil)]),
  ])
}

/** Deletes sessions that expired before `before` (epoch seconds). */
export const deleteOldSessionRows = (db: Pick<Database, 'write'>, before: number): Promise<void> =>
  deleteInBatches(db, 'client_sessions', sql`expires_at < ${before} order by expires_at`)
