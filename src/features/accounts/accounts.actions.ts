import { randomUUID } from 'node:crypto'
import { commonRefusals } from '#contract/common-refusals.ts'
import { refuse } from '#contract/refusals.ts'
import type { Tx } from '#database/database.ts'
import { forgetOldFailures } from '#server/login-throttle.ts'
import { randomText } from '#server/random-text.ts'
import { newSessionToken, sessionHash } from '#server/session-cookies.ts'
import { type Account, isEmailOfAnother, nameKey } from './accounts.reads.ts'
import { accountsRefusals } from './accounts.refusals.ts'
import { sessionExpiry } from './accounts.rules.ts'
import {
  deleteSession,
  deleteAccountRow,
  deleteEndedPending,
  deleteEndedSessions,
  deletePendingOf,
  deleteSessionByHandle,
  deleteSessionsOf,
  insertAccount,
  insertSession,
  lockAccountRow,
  takeSetupToken,
  trimSessions,
  updateAccountRow,
  updateSelectedApp,
} from './accounts.writes.ts'

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
    time_zone: null,
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
  timeZone: account.time_zone,
})

/** For an account that vanished while it was calling. */
export function signInAgain(): never {
  refuse(commonRefusals, 'SESSION_REQUIRED')
}

const uniqueViolation = '23505'

export async function changeProfile(
  tx: Tx,
  account: Account,
  { email, displayName, timeZone }: { email: string; displayName: string; timeZone: string | null },
): Promise<Account> {
  if (await isEmailOfAnother(tx.db, account.id, email)) refuse(accountsRefusals, 'ACCOUNT_TAKEN')
  const change = { email, email_key: nameKey(email), display_name: displayName, time_zone: timeZone }
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
    time_zone: null,
  })
  await deleteSessionsOf(tx.db, id)
  await deletePendingOf(tx.db, id)
  tx.publish(`account:${id}`)
}

export const removeErasedAccount = (tx: Tx, id: string): Promise<void> => deleteAccountRow(tx.db, id)

/** Remembers the app a session works on, for calls that don't name one. */
export const selectAppOfSession = (tx: Tx, sessionHash: string, appId: string): Promise<void> =>
  updateSelectedApp(tx.db, sessionHash, appId)

/** Ends one of an account's sessions; gives its hash, or undefined when the account has none of that handle. */
export const endAccountSession = (tx: Tx, accountId: string, handle: string): Promise<string | undefined> =>
  deleteSessionByHandle(tx.db, accountId, handle)

export const endAccountSessions = (tx: Tx, accountId: string): Promise<number> => deleteSessionsOf(tx.db, accountId)

/** Removes sessions and sign-ins that have run out, and counts of failed ones that no longer matter. */
export async function forgetEndedSessions(tx: Tx, now: number): Promise<void> {
  await deleteEndedSessions(tx.db, now)
  await deleteEndedPending(tx.db, now)
  await forgetOldFailures(tx, now)
}

/**
 * The account as it is and stays until the transaction ends: no other transaction that does the same for it
 * goes on (R-LIC-05).
 */
export const lockAccount = (tx: Tx, accountId: string): Promise<Account | undefined> => lockAccountRow(tx.db, accountId)

/** Ends the session of a token's hash; one that has ended already is no error. */
export const endSession = (tx: Tx, idHash: string): Promise<void> => deleteSession(tx.db, idHash)
