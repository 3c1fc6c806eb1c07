import { reject } from '#contract/errors.ts'
import type { Reader, Tx } from '#database/database.ts'
import { mailResetLink, resetLink } from '#server/auth/reset-links.ts'
import type { Person } from '#server/auth/sign-in-tables.ts'
import { type AuditContext, recordAudit } from '#server/audit/audit.ts'
import { addressRetention } from '#server/jobs/address-retention.ts'
import { deleteFailedJobsBefore } from '#server/jobs/failed-jobs.ts'
import { enqueueJobs, type Job, type JobHandler } from '#server/jobs/jobs.ts'
import { mailIsOn } from '#server/mail/mail.ts'
import { findReset, replaceResets, type ResetSubject, takeReset } from '#server/auth/reset-tokens.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import { mailAccount } from './account-mails.ts'
import { accountKind } from './account-kind.ts'
import { lockOwner, setNewPassword } from './accounts.actions.ts'
import type { Account } from './accounts.reads.ts'
import { ownerResetErrors, passwordResetErrors, startResetErrors } from './accounts.errors.ts'
import { type SignInKind, signInKindNamed, signInKinds } from './sign-in-kinds.ts'

const resetKind = 'password-reset'

interface Request {
  email: string
  ip: string
  requestId: string
}

/** Does not look up the account yet, so that the reply and its timing are the same for any address. */
export async function requestReset(tx: Tx, { caller, now }: AuditContext, email: string): Promise<void> {
  const payload: Request = { email, ip: caller.ip, requestId: caller.requestId }
  await enqueueJobs(tx, [{ kind: resetKind, lane: resetKind, payload, dueAt: now }], now)
}

/** An account that signs in at /login. */
export interface Found {
  kind: SignInKind
  person: Person & { email: string }
}

/**
 * Accounts that may receive a link: banned ones cannot return, and ones that are not set up have a link of
 * another kind.
 */
async function foundIn(db: Reader, kind: SignInKind, person: Person | undefined): Promise<Found | undefined> {
  if (!person?.password_hash || person.email === null) return undefined
  if (await kind.isBanned(db, person)) return undefined
  return { kind, person: { ...person, email: person.email } }
}

async function findByEmail(services: Services, email: string): Promise<Found | undefined> {
  const { read } = services.db
  for (const kind of signInKinds(services)) {
    const found = await foundIn(read, kind, await kind.findByEmail(read, email))
    if (found) return found
  }
  return undefined
}

/** An account, locked until the transaction ends; undefined if it may not receive a link. */
export const lockForReset = async (tx: Tx, kind: SignInKind, id: string): Promise<Found | undefined> =>
  foundIn(tx.db, kind, await kind.lock(tx, id))

const subjectOf = ({ kind, person }: Found): ResetSubject => ({ kind: kind.name, id: person.id })

async function mailLink(services: Services, tx: Tx, found: Found, now: number): Promise<boolean> {
  const { id, username, email: to, language } = found.person
  const brand = await found.kind.mailBrand(tx.db, id, now)
  const mail = { to, language, brand, code: 'password-reset' as const, values: { username } }
  return mailResetLink(tx, services, { subject: subjectOf(found), ...mail }, now)
}

/** A link for the caller to pass on, because the server sends no email. */
export interface ResetLink {
  resetLink: string
  /** Epoch seconds. */
  expiresAt: number
}

/** Creates a link for a locked account and invalidates earlier ones; returned only once and stored as a hash. */
export async function createResetLink(tx: Tx, publicUrl: string, found: Found, now: number): Promise<ResetLink> {
  const { token, expiresAt } = await replaceResets(tx, subjectOf(found), now)
  return { resetLink: resetLink(publicUrl, 'password-reset', token), expiresAt }
}

/** Emails the link to its recipient only; without email, returns it to the caller, who passes it on. */
export async function startReset(tx: Tx, services: Services, found: Found): Promise<ResetLink | undefined> {
  const now = epochSeconds(services)
  if (!mailIsOn(services)) return createResetLink(tx, services.config.publicUrl, found, now)
  if (!(await mailLink(services, tx, found, now))) reject(startResetErrors, 'RESET_LIMIT')
  return undefined
}

/**
 * Reset of an owner by an administrator; the caller writes the audit row. Administrators are excluded, so that a link
 * cannot take over another administrator's account.
 */
export async function startResetOf(
  tx: Tx,
  services: Services,
  id: string,
): Promise<{ account: Account; link: ResetLink | undefined }> {
  const account = await lockOwner(tx, id)
  const found = await foundIn(tx.db, accountKind, account)
  if (!found) reject(ownerResetErrors, 'OWNER_BANNED')
  if (account.role === 'admin' && !mailIsOn(services)) reject(ownerResetErrors, 'ADMIN_RESET_ON_SERVER')
  return { account, link: await startReset(tx, services, found) }
}

/** Emails the link to the account with this address. */
async function mailReset(services: Services, job: Job<Request>): Promise<void> {
  const { email, ...caller } = job.payload
  const named = await findByEmail(services, email)
  if (!named) return
  const now = epochSeconds(services)
  await services.db.write(async (tx) => {
    const found = await lockForReset(tx, named.kind, named.person.id)
    if (found && (await mailLink(services, tx, found, now))) {
      const { kind, person } = found
      const context = { actor: { type: 'anyone' as const }, now, caller }
      const entry = { target: person.username, ownerId: kind.ownerIdOf(person) }
      await recordAudit(tx, context, { act: `${kind.name}.request-reset`, ...entry })
    }
    await job.finish(tx)
  })
}

/** A request that could not be mailed has the address of its caller; so late, nobody waits for the mail. */
const deleteFailedResets = addressRetention(({ db }, before) => deleteFailedJobsBefore(db, resetKind, before))

export const passwordResetJobs: Readonly<Record<string, JobHandler>> = {
  [resetKind]: { concurrency: 1, leaseSeconds: 60, maxAttempts: 5, run: mailReset as JobHandler['run'] },
  'blank-reset-addresses': deleteFailedResets,
}

/** The account of a link, or `RESET_LINK_INVALID`. */
export async function getReset(services: Services, token: string): Promise<Found> {
  const { read } = services.db
  const kinds = ['account', 'reseller'] as const
  const subject = await findReset(read, token, { kinds, now: epochSeconds(services) })
  const kind = subject && signInKindNamed(services, subject.kind)
  const found = kind && (await foundIn(read, kind, await kind.find(read, subject.id)))
  return found ?? reject(passwordResetErrors, 'RESET_LINK_INVALID')
}

/** Sets the password, for exactly one caller; does not sign in and keeps the second factor. */
export async function resetPassword(
  tx: Tx,
  context: AuditContext & { services: Services },
  { token, found, passwordHash }: { token: string; found: Found; passwordHash: string },
): Promise<void> {
  const { services, now } = context
  const locked = await lockForReset(tx, found.kind, found.person.id)
  if (!locked || !(await takeReset(tx, token, subjectOf(locked), now)))
    reject(passwordResetErrors, 'RESET_LINK_INVALID')
  const { kind, person } = locked
  await setNewPassword(tx, services, kind, { person, passwordHash, now })
  const entry = { target: person.username, ownerId: kind.ownerIdOf(person) }
  await recordAudit(tx, context, { act: `${kind.name}.reset-password`, ...entry })
  await mailAccount(tx, context, kind, person, 'password-changed')
}
