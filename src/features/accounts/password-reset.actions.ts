import { reject } from '#contract/errors.ts'
import type { Reader, Tx } from '#database/database.ts'
import { mailResetLink, resetLink } from '#server/auth/reset-links.ts'
import type { Person } from '#server/auth/sign-in-tables.ts'
import { type AuditContext, recordAudit } from '#server/audit.ts'
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

/** Nobody is looked for yet, so that the answer is the same and comes as soon whoever the address belongs to. */
export async function requestReset(tx: Tx, { caller, now }: AuditContext, email: string): Promise<void> {
  const payload: Request = { email, ip: caller.ip, requestId: caller.requestId }
  await enqueueJobs(tx, [{ kind: resetKind, lane: resetKind, payload, dueAt: now }], now)
}

/** Somebody who signs in at /login. */
export interface Found {
  kind: SignInKind
  person: Person & { email: string }
}

/** As far as a link may be sent there: a banned account has no way back (R-AUTH-14), and one not set up another link. */
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

/** Somebody whose row is locked until the transaction ends; undefined where no link may be sent. */
export const lockForReset = async (tx: Tx, kind: SignInKind, id: string): Promise<Found | undefined> =>
  foundIn(tx.db, kind, await kind.lock(tx, id))

const subjectOf = ({ kind, person }: Found): ResetSubject => ({ kind: kind.name, id: person.id })

async function mailLink(services: Services, tx: Tx, found: Found, now: number): Promise<boolean> {
  const { id, username, email: to, language } = found.person
  const brand = await found.kind.mailBrand(tx.db, id, now)
  const mail = { to, language, brand, code: 'password-reset' as const, values: { username } }
  return mailResetLink(tx, services, { subject: subjectOf(found), ...mail }, now)
}

/** A link that somebody passes on, because the server sends no mail. */
export interface ResetLink {
  resetLink: string
  /** Epoch seconds. */
  expiresAt: number
}

/** A link for somebody whose row is locked, in place of all earlier ones; it is given this once and stored as a hash. */
export async function createResetLink(tx: Tx, publicUrl: string, found: Found, now: number): Promise<ResetLink> {
  const { token, expiresAt } = await replaceResets(tx, subjectOf(found), now)
  return { resetLink: resetLink(publicUrl, 'password-reset', token), expiresAt }
}

/** Mails the link to its reader alone; without mail it is given to the caller, who passes it on (R-AUTH-11). */
export async function startReset(tx: Tx, services: Services, found: Found): Promise<ResetLink | undefined> {
  const now = epochSeconds(services)
  if (!mailIsOn(services)) return createResetLink(tx, services.config.publicUrl, found, now)
  if (!(await mailLink(services, tx, found, now))) reject(startResetErrors, 'RESET_LIMIT')
  return undefined
}

/** Of an owner, for an administrator, who writes the audit row. Nobody becomes another administrator by a link. */
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

/** Mails the link to whoever has the address. */
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

export const passwordResetJobs: Readonly<Record<string, JobHandler>> = {
  [resetKind]: { concurrency: 1, leaseSeconds: 60, maxAttempts: 5, run: mailReset as JobHandler['run'] },
}

/** Whose link it is, or `RESET_LINK_INVALID`. */
export async function getReset(services: Services, token: string): Promise<Found> {
  const { read } = services.db
  const kinds = ['account', 'reseller'] as const
  const subject = await findReset(read, token, { kinds, now: epochSeconds(services) })
  const kind = subject && signInKindNamed(services, subject.kind)
  const found = kind && (await foundIn(read, kind, await kind.find(read, subject.id)))
  return found ?? reject(passwordResetErrors, 'RESET_LINK_INVALID')
}

/** Sets the password, for one caller; signs nobody in and leaves the second factor as it is (R-AUTH-10). */
export async function resetPassword(
  tx: Tx,
  context: AuditContext & { services: Services },
  { token, found, passwordHash }: { token: string; found: Found; passwordHash: string },
): Promise<void> {
  const { now } = context
  const locked = await lockForReset(tx, found.kind, found.person.id)
  if (!locked || !(await takeReset(tx, token, subjectOf(locked), now)))
    reject(passwordResetErrors, 'RESET_LINK_INVALID')
  const { kind, person } = locked
  await setNewPassword(tx, kind, { id: person.id, passwordHash, now })
  const entry = { target: person.username, ownerId: kind.ownerIdOf(person) }
  await recordAudit(tx, context, { act: `${kind.name}.reset-password`, ...entry })
  await mailAccount(tx, context, kind, person, 'password-changed')
}
