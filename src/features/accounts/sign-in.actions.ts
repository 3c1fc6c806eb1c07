import { randomUUID } from 'node:crypto'
import type { Tx } from '#database/database.ts'
import { type AccountContext, recordAudit } from '#server/audit.ts'
import { refuseDuringMaintenance } from '#server/maintenance.ts'
import { newSessionToken, sessionHash } from '#server/http/session-cookies.ts'
import { mailAccount, mailNewSignIn } from './account-mails.ts'
import { createAccount, type NewAccount, rememberLanguage, setNewPassword, signInAgain } from './accounts.actions.ts'
import { type Account, findSessionRow } from './accounts.reads.ts'
import { rememberedSeconds, sessionExpiry } from './accounts.rules.ts'
import { deleteSession, insertSession, trimSessions } from './accounts.writes.ts'
import {
  finishProof,
  type IdentityProof,
  type ProofContext,
  type ProvedPassword,
  proofOfNewAccount,
} from './identity-proof.actions.ts'
import { deviceOf, rememberDevice } from './known-devices.ts'
import { requireFreeNames } from './name-claims.actions.ts'

const maxSessions = 50

const maxUserAgentLength = 300

/** A new owner, signed in at once. */
export async function registerAccount(tx: Tx, context: ProofContext, form: NewAccount): Promise<Account> {
  const { platform } = await context.services.settings.current()
  await requireFreeNames(context.services, tx, form)
  const account = await createAccount(
    tx,
    { ...form, plan: platform.defaultPlan, language: context.caller.language },
    context.now,
  )
  await startSession(tx, context, proofOfNewAccount(account), { rememberMe: false })
  await recordAudit(tx, context, { act: 'account.register', target: account.username, actorId: account.id })
  return account
}

/** The last step of every sign-in: a fresh session in place of whatever the browser had (R-SES-03). */
export async function signIn(
  tx: Tx,
  context: ProofContext,
  proof: IdentityProof,
  rememberMe: boolean,
): Promise<Account> {
  const { cookies, services } = context
  const account = await rememberLanguage(tx, proof.account, context.caller.language)
  if (account.role !== 'admin') refuseDuringMaintenance(services)
  if (cookies.token) await deleteSession(tx.db, sessionHash(cookies.token))
  await startSession(tx, context, proof, { rememberMe })
  await recordAudit(tx, context, { act: 'account.login', target: account.username, actorId: account.id })
  if (deviceOf(context, account) === undefined) {
    await mailNewSignIn(tx, context, { ...account, timeZone: account.time_zone, page: 'profile' })
  }
  return account
}

interface NewSession {
  rememberMe: boolean
  selectedAppId?: string | null
}

/** Starts a session. The browser gets its token once the transaction is committed; only a hash is stored. */
async function startSession(
  tx: Tx,
  context: ProofContext,
  { account }: IdentityProof,
  { rememberMe, selectedAppId = null }: NewSession,
): Promise<void> {
  const { services, caller, now, cookies } = context
  const { security } = await services.settings.current()
  const token = newSessionToken()
  await insertSession(tx.db, {
    id_hash: sessionHash(token),
    handle: randomUUID(),
    account_id: account.id,
    ip: caller.ip,
    user_agent: caller.userAgent.slice(0, maxUserAgentLength),
    remember_me: rememberMe ? 1 : 0,
    created_at: now,
    last_used_at: now,
    proved_at: now,
    expires_at: sessionExpiry({ createdAt: now, lastUsedAt: now, rememberMe }, security.sessionTimeout),
    selected_app_id: selectedAppId,
  })
  await trimSessions(tx.db, account.id, maxSessions, now)
  tx.afterCommit(() => {
    cookies.start(token, rememberMe ? rememberedSeconds : null)
    rememberDevice(context, account.id)
  })
}

interface NewPassword {
  proved: ProvedPassword
  code: string | undefined
  passwordHash: string
}

/** A new password ends every session and forgets every device; the caller goes on in a fresh one (R-SES-03, R-SES-05). */
export async function changePassword(
  tx: Tx,
  context: ProofContext & AccountContext,
  { proved, code, passwordHash }: NewPassword,
): Promise<void> {
  // Another call may have ended this session, or changed the password, while this one was hashing.
  const session = (await findSessionRow(tx.db, context.actor.sessionHash)) ?? signInAgain()
  const proof = await finishProof(tx, context, proved, code)
  const { account } = proof
  await setNewPassword(tx, { id: account.id, passwordHash, now: context.now })
  await startSession(tx, context, proof, {
    rememberMe: session.remember_me === 1,
    selectedAppId: session.selected_app_id,
  })
  await recordAudit(tx, context, { act: 'account.change-password', target: account.username })
  await mailAccount(tx, context, account, 'password-changed')
}
