import type { Reader } from '#database/database.ts'
import { reject } from '#contract/errors.ts'
import { isAccountBanned } from '#features/accounts/accounts.reads.ts'
import { accountsErrors } from '#features/accounts/accounts.errors.ts'
import type { SignInKind } from '#features/accounts/sign-in-kinds.ts'
import type { SignInTables } from '#server/auth/sign-in-tables.ts'
import { resellerMailBrand } from './reseller-brand.ts'
import { findReseller, findResellerByEmail, findResellerByLogin, type Reseller } from './resellers.reads.ts'
import { signedInReseller } from './resellers.reply.ts'
import { lockResellerRow } from './resellers.writes.ts'

export const resellerTables: SignInTables = {
  people: 'resellers',
  sessions: 'reseller_sessions',
  pending: 'reseller_pending_sign_ins',
  recoveryCodes: 'reseller_recovery_codes',
  person: 'reseller_id',
}

/** Resellers of a banned or deleted owner count as banned. */
const isBanned = async (db: Reader, { banned, owner_id: ownerId }: Reseller): Promise<boolean> =>
  banned === 1 || (await isAccountBanned(db, ownerId))

/** Resellers sign in at /login under the same rules as owners. */
export const resellerKind: SignInKind<Reseller> = {
  name: 'reseller',
  tables: resellerTables,
  find: findReseller,
  findByLogin: findResellerByLogin,
  findByEmail: findResellerByEmail,
  lock: (tx, id) => lockResellerRow(tx.db, id),
  isBanned,
  worksDuringMaintenance: () => false,
  ownerIdOf: ({ owner_id: ownerId }) => ownerId,
  actorOf: ({ id, owner_id: ownerId, username }) => {
    return { type: 'reseller', id, ownerId, username, sessionHash: '', verifiedAt: 0 }
  },
  cookie: (cookies) => cookies.reseller,
  reply: signedInReseller,
  timeZoneOf: () => null,
  mailBrand: resellerMailBrand,
  profilePage: 'reseller/profile',
}

export async function rejectBanned(db: Reader, reseller: Reseller): Promise<void> {
  if (await isBanned(db, reseller)) reject(accountsErrors, 'ACCOUNT_BANNED')
}
