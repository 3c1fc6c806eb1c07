import { commonErrors } from '#contract/common-errors.ts'
import type { Language } from '#contract/language.ts'
import { reject } from '#contract/errors.ts'
import type { Reader, Tx } from '#database/database.ts'
import { forgetDevicesUntilNow } from '#server/auth/known-devices.ts'
import { updatePerson } from '#server/auth/people.ts'
import { deleteEndedPending, deletePendingOf } from '#server/auth/second-factors.ts'
import { deleteEndedSessions, deleteSessionsOf } from '#server/auth/sessions.ts'
import type { Person, SignInTables } from '#server/auth/sign-in-tables.ts'
import { forgetOldFailures } from '#server/auth/login-throttle.ts'
import { endResets } from '#server/auth/reset-tokens.ts'
import { randomText } from '#server/secrets/random-text.ts'
import { sessionHash } from '#server/secrets/session-token.ts'
import type { Services } from '#server/services.ts'
import { accountTables } from './account-kind.ts'
import { type Account, findAccount, nameKey } from './accounts.reads.ts'
import { accountsErrors, ownerErrors } from './accounts.errors.ts'
import { unlimitedPlanName } from './accounts.rules.ts'
import {
  deleteAccountRow,
  insertAccount,
  lockAdminRows,
  lockAccountRow,
  takeSetupToken,
  updateAccountRow,
  updatePlanOfAccounts,
  updateSelectedApp,
} from './accounts.writes.ts'
import type { SignInKind } from './sign-in-kinds.ts'

const ownerIdLength = 10

export interface NewAccount {
  username: string
  email: string
  displayName: string
  passwordHash: string
  /** The token of the first-start link creates an administrator. */
  setupToken?: string | undefined
  /** Name of the owner's plan; defaults to Free. */
  plan?: string | undefined
  /** Language of the browser. */
  language?: Language | undefined
}

/** Creates an owner. Owner IDs are 10 letters and digits, which common client libraries validate. */
export async function createAccount(tx: Tx, form: NewAccount, now: number): Promise<Account> {
  let role: 'owner' | 'admin' = 'owner'
  if (form.setupToken !== undefined) {
    const valid = await takeSetupToken(tx.db, sessionHash(form.setupToken), now)
    if (!valid) reject(accountsErrors, 'SETUP_TOKEN_INVALID')
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
    // Administrators are not limited by the plans they offer.
    plan: role === 'admin' ? unlimitedPlanName : (form.plan ?? 'Free'),
    plan_expires_at: null,
    banned: 0,
    created_at: now,
    totp_secret_sealed: null,
    totp_enabled_at: null,
    totp_last_step: null,
    time_zone: null,
    language: form.language ?? null,
    devices_since: 0,
  }
  if (!(await insertAccount(tx.db, account))) reject(accountsErrors, 'ACCOUNT_TAKEN')
  return account
}

/** Stores the language of the browser for emails; an unsupported language changes nothing. */
export async function rememberLanguage<P extends Pick<Person, 'id' | 'language'>>(
  tx: Tx,
  tables: SignInTables,
  person: P,
  language: Language | undefined,
): Promise<P> {
  if (language === undefined || language === person.language) return person
  await updatePerson(tx.db, tables, person.id, { language })
  return { ...person, language }
}

/** For an account deleted during the call. */
export function signInAgain(): never {
  reject(commonErrors, 'SESSION_REQUIRED')
}

/** The account of the caller, or `SESSION_REQUIRED`. */
export const getAccount = async (db: Reader, id: string): Promise<Account> =>
  (await findAccount(db, id)) ?? signInAgain()

export interface Profile {
  email: string
  displayName: string
  timeZone: string | null
}

/** The account must be locked; the caller has claimed the new address and writes the audit row. */
export async function changeProfile(
  tx: Tx,
  account: Account,
  { email, displayName, timeZone }: Profile,
): Promise<Account> {
  const change = { email, email_key: nameKey(email), display_name: displayName, time_zone: timeZone }
  await updateAccountRow(tx.db, account.id, change)
  return { ...account, ...change }
}

/**
 * Deletes an account immediately: nobody can sign in, and its name and address become free. The row stays, empty, until
 * its apps have been removed in batches; then `removeErasedAccount` deletes it.
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
  await endAllSessions(tx, accountTables, id)
  tx.publish(`account:${id}`)
}

export const removeErasedAccount = (tx: Tx, id: string): Promise<void> => deleteAccountRow(tx.db, id)

/** Stores the app selected in a session, for calls that name none. */
export const selectAppOfSession = (tx: Tx, sessionHash: string, appId: string): Promise<void> =>
  updateSelectedApp(tx.db, sessionHash, appId)

/** Deletes expired sessions and pending sign-ins, and outdated failure counters. */
export async function forgetEndedSessions(
  services: Pick<Services, 'db' | 'settings'>,
  kinds: readonly SignInKind[],
  now: number,
): Promise<void> {
  const { db } = services
  for (const { tables } of kinds) {
    await deleteEndedSessions(db, tables, now)
    await deleteEndedPending(db, tables, now)
  }
  await forgetOldFailures(services, now)
}

/** Ends all sessions and all sign-ins waiting for their second factor. */
export async function endAllSessions(tx: Tx, tables: SignInTables, personId: string): Promise<void> {
  await deleteSessionsOf(tx.db, tables, personId)
  await deletePendingOf(tx.db, tables, personId)
}

/**
 * Ends everything the old password gave access to: sessions, known devices, pending sign-ins, and reset links already
 * sent. The account must be locked.
 */
export async function setNewPassword<P extends Person>(
  tx: Tx,
  services: Services,
  { name, tables }: SignInKind,
  { person, passwordHash, now }: { person: P; passwordHash: string; now: number },
): Promise<P> {
  const { id } = person
  const change = { password_hash: passwordHash, devices_since: forgetDevicesUntilNow(services) }
  await updatePerson(tx.db, tables, id, change)
  await endAllSessions(tx, tables, id)
  await endResets(tx, [{ kind: name, id }], now)
  return { ...person, ...change }
}

/** The account, locked until the transaction ends. */
export const lockAccount = (tx: Tx, accountId: string): Promise<Account | undefined> => lockAccountRow(tx.db, accountId)

/** The account of an owner, locked, or `OWNER_NOT_FOUND`; deleted owners are not found. */
export async function lockOwner(tx: Tx, id: string): Promise<Account> {
  const account = await lockAccountRow(tx.db, id)
  return account && account.password_hash !== '' ? account : reject(ownerErrors, 'OWNER_NOT_FOUND')
}

/** A banned account cannot act: its sessions end, and its keys and programs are rejected. */
export async function setOwnerBanned(tx: Tx, { id }: Account, banned: boolean): Promise<void> {
  await updateAccountRow(tx.db, id, { banned: banned ? 1 : 0 })
  if (banned) await endAllSessions(tx, accountTables, id)
  tx.publish(`account:${id}`)
}

export const setOwnerPlan = (
  tx: Tx,
  { id }: Account,
  plan: { name: string; expiresAt: number | null },
): Promise<void> => updateAccountRow(tx.db, id, { plan: plan.name, plan_expires_at: plan.expiresAt })

/** Moves accounts on plan `from` to another plan, without expiry. */
export const replacePlan = (
  tx: Tx,
  { ids, from, to }: { ids: readonly string[]; from: string; to: string },
): Promise<void> => updatePlanOfAccounts(tx.db, { ids, from, to })

/**
 * Keeps at least one administrator. All administrators are locked, so that of two concurrent deletions, the second sees
 * the first.
 */
export async function requireOtherAdmin(tx: Tx, id: string): Promise<void> {
  const admins = await lockAdminRows(tx.db)
  if (admins.every((admin) => admin.id === id)) reject(ownerErrors, 'LAST_ADMIN')
}
