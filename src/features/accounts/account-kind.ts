import type { SignInTables } from '#server/auth/sign-in-tables.ts'
import { type Account, findAccount, findAccountByEmail, findAccountByLogin } from './accounts.reads.ts'
import { signedInReply } from './accounts.reply.ts'
import { lockAccountRow } from './accounts.writes.ts'
import type { SignInKind } from './sign-in-kinds.ts'

export const accountTables: SignInTables = {
  people: 'accounts',
  sessions: 'account_sessions',
  pending: 'pending_sign_ins',
  recoveryCodes: 'recovery_codes',
  person: 'account_id',
}

/** Owners and administrators. */
export const accountKind: SignInKind<Account> = {
  name: 'account',
  tables: accountTables,
  find: findAccount,
  findByLogin: findAccountByLogin,
  findByEmail: findAccountByEmail,
  lock: (tx, id) => lockAccountRow(tx.db, id),
  isBanned: async (_db, { banned }) => banned === 1,
  worksDuringMaintenance: ({ role }) => role === 'admin',
  ownerIdOf: ({ id }) => id,
  actorOf: ({ id, username }) => {
    return { type: 'owner', id, username, sessionHash: '', verifiedAt: 0, selectedAppId: null }
  },
  cookie: (cookies) => cookies,
  reply: signedInReply,
  timeZoneOf: ({ time_zone: timeZone }) => timeZone,
  mailBrand: async () => undefined,
  profilePage: 'profile',
}
