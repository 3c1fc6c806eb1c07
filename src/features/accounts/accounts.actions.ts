import { randomUUID } from 'node:crypto'
import type { Unit } from '#database/database.ts'
import { refuse } from '#contract/refusals.ts'
import { randomText } from '#server/random-text.ts'
import { newSessionToken, sessionHash } from '#server/session-cookies.ts'
import { insertSession, trimSessions } from './account-sessions.queries.ts'
import { accountsRefusals } from './accounts.contract.ts'
import { type Account, insertAccount, nameKey, takeSetupToken } from './accounts.queries.ts'
import { sessionExpiry } from './session-lifetime.rules.ts'

const mostSessions = 50
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
export async function createAccount(unit: Unit, form: NewAccount, now: number): Promise<Account> {
  let role: 'owner' | 'admin' = 'owner'
  if (form.setupToken !== undefined) {
    const valid = await takeSetupToken(unit.trx, sessionHash(form.setupToken), now)
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
    plan: 'Free',
    plan_expires_at: null,
    banned: 0,
    created_at: now,
  }
  if (!(await insertAccount(unit.trx, account))) refuse(accountsRefusals, 'ACCOUNT_TAKEN')
  return account
}

export interface SignIn {
  rememberMe: boolean
  ip: string
  userAgent: string
  now: number
  timeoutHours: number
}

/** Starts a session; gives the token for the cookie, which is stored only as a hash. */
export async function startSession(unit: Unit, account: Account, signIn: SignIn): Promise<string> {
  const token = newSessionToken()
  const { now, rememberMe } = signIn
  await insertSession(unit.trx, {
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
    selected_app_id: null,
  })
  await trimSessions(unit.trx, account.id, mostSessions, now)
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
