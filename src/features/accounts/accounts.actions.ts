import { randomUUID } from 'node:crypto'
import type { Reader, Tx } from '#database/database.ts'
import { CallRefused, refuse } from '#contract/refusals.ts'
import { randomText } from '#server/random-text.ts'
import { newSessionToken, sessionHash } from '#server/session-cookies.ts'
import { deleteSessionsOf, insertSession, trimSessions } from './account-sessions.queries.ts'
import { accountsRefusals } from './accounts.contract.ts'
import {
  type Account,
  deleteAccountRow,
  findAccount,
  insertAccount,
  isEmailOfAnother,
  listErased,
  nameKey,
  takeSetupToken,
  updateAccountRow,
} from './accounts.queries.ts'
import { sessionExpiry } from './session-lifetime.rules.ts'
import { deletePendingOf } from './two-factor.queries.ts'

export type { Account }

const maxSessions = 50
const ownerIdLength = 10

export interface NewAccount {
  username: string
  email: string
  displayName: string
  passwordHash: string
  /** The token of a first start's set-up link makes an administrator. */
  setupToken?: string | undefined
}

/** Creates an owner. Owner ids are 10 letters and digits: client libraries of this trade check that. */
export async function createAccount(tx: Tx, form: NewAccount, now: number): Promise<Account> {
  let role: 'owner' | 'admin' = 'owner'
  if (form.setupToken !== undefined) {
    const valid = await takeSetupToken(tx.db, sessionHash(form.setupToken), now)
    if (!valid) refuse(accountsRefusals, 'SETUP_TOKEN_INVALID')
    role = 'admin'
  }
  const account: Account = {
    id: randomText(ownerIdLength),
    username: form.username.trim(),
    username_key: nameKey(form.username),
    email: form.email.trim(),
    email_key: nameKey(form.email),
    display_name: form.displayName.trim(),
    password_hash: form.passwordHash,
    role,
    // Who runs the platform is not limited by what it sells.
    plan: role === 'admin' ? 'Pro' : 'Free',
    plan_expires_at: null,
    banned: 0,
    created_at: now,
    totp_secret_sealed: null,
    totp_enabled_at: null,
    totp_last_step: null,
  }
  if (!(await insertAccount(tx.db, account))) refuse(accountsRefusals, 'ACCOUNT_TAKEN')
  return account
}

export interface SignIn {
  rememberMe: boolean
  ip: string
  userAgent: string
  now: number
  timeoutHours: number
  selectedAppId?: string | null
}

/** Starts a session; gives the token for the cookie, which is stored only as a hash. */
export async function startSession(tx: Tx, account: Account, signIn: SignIn): Promise<string> {
  const token = newSessionToken()
  const { now, rememberMe } = signIn
  await insertSession(tx.db, {
    id_hash: sessionHash(token),
    handle: randomUUID(),
    account_id: account.id,
    ip: signIn.ip,
    user_agent: signIn.userAgent.slice(0, 300),
    remember_me: rememberMe ? 1 : 0,
    created_at: now,
    last_used_at: now,
    proved_at: now,
    expires_at: sessionExpiry({ createdAt: now, lastUsedAt: now, rememberMe }, signIn.timeoutHours),
    selected_app_id: signIn.selectedAppId ?? null,
  })
  await trimSessions(tx.db, account.id, maxSessions, now)
  return token
}

export const accountReply = (account: Account) => ({
  id: account.id,
  ownerid: account.id,
  username: account.username,
  email: account.email,
  displayName: account.display_name,
  role: account.role,
  createdAt: account.created_at,
})

export const accountById = (db: Reader, id: string): Promise<Account | undefined> => findAccount(db, id)

/** For an account that vanished while it was calling. */
export function signInAgain(): never {
  throw new CallRefused(401, 'SESSION_REQUIRED', 'Please sign in')
}

const uniqueViolation = '23505'

export async function changeProfile(
  tx: Tx,
  account: Account,
  { email, displayName }: { email: string; displayName: string },
): Promise<Account> {
  if (await isEmailOfAnother(tx.db, account.id, email)) refuse(accountsRefusals, 'ACCOUNT_TAKEN')
  const change = { email, email_key: nameKey(email), display_name: displayName }
  await updateAccountRow(tx.db, account.id, change).catch((error: unknown) => {
    // On PostgreSQL somebody else may take the address between the look and the change.
    if ((error as { code?: string }).code === uniqueViolation) refuse(accountsRefusals, 'ACCOUNT_TAKEN')
    throw error
  })
  return { ...account, ...change }
}

/** A new password ends every session; the caller starts a fresh one (R-SES-03, R-SES-05). */
export async function changePassword(tx: Tx, accountId: string, passwordHash: string): Promise<void> {
  await updateAccountRow(tx.db, accountId, { password_hash: passwordHash })
  await deleteSessionsOf(tx.db, accountId)
  await deletePendingOf(tx.db, accountId)
}

/**
 * An account is gone at once: nobody can sign in to it, and its name and address are free again. Its row
 * stays, empty, until its apps have been removed piece by piece; `removeErasedAccount` takes it then.
 */
export async function eraseAccount(tx: Tx, id: string): Promise<void> {
  const nobody = `deleted ${id}`
  await updateAccountRow(tx.db, id, {
    username: nobody,
    username_key: nobody,
    email: nobody,
    email_key: nobody,
    display_name: '',
    password_hash: '',
    role: 'owner',
    banned: 1,
    totp_secret_sealed: null,
    totp_enabled_at: null,
  })
  await deleteSessionsOf(tx.db, id)
  await deletePendingOf(tx.db, id)
  tx.publish(`account:${id}`)
}

export const erasedAccounts = (db: Reader): Promise<string[]> => listErased(db)

export const removeErasedAccount = (tx: Tx, id: string): Promise<void> => deleteAccountRow(tx.db, id)
