import { refuse } from '#contract/refusals.ts'
import type { Reader, Tx } from '#database/database.ts'
import { type AuditContext, recordAudit } from '#server/audit.ts'
import { enqueueJobs, type Job, type JobHandler } from '#server/jobs/jobs.ts'
import { mailIsOn, queueMail } from '#server/mail/mail.ts'
import {
  findReset,
  issueReset,
  replaceResets,
  resetMinutes,
  type ResetSubject,
  takeReset,
} from '#server/auth/reset-tokens.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import { mailAccount } from './account-mails.ts'
import { lockOwner, setNewPassword } from './accounts.actions.ts'
import { type Account, findAccount, findAccountByEmail } from './accounts.reads.ts'
import { ownerResetRefusals, passwordResetRefusals, startResetRefusals } from './accounts.refusals.ts'
import { lockAccountRow } from './accounts.writes.ts'
import { otherSignIn, type Person } from './other-sign-ins.ts'

const resetKind = 'password-reset'

interface Request {
  email: string
  ip: string
  requestId: string
}

/** Nobody is looked for yet, so that the answer is the same and comes as soon whoever the address belongs to (T7). */
export async function requestReset(tx: Tx, { caller, now }: AuditContext, email: string): Promise<void> {
  const payload: Request = { email, ip: caller.ip, requestId: caller.requestId }
  await enqueueJobs(tx, [{ kind: resetKind, lane: resetKind, payload, dueAt: now }], now)
}

const anybody = ['account', 'reseller'] as const

/** Somebody who signs in at /login and may: a banned account has no way back (R-AUTH-14). */
const personOf = (account: Account | undefined): Person | undefined =>
  account && account.banned === 0 && account.password_hash !== '' ? { ...account, ownerId: account.id } : undefined

async function findByEmail(services: Services, email: string): Promise<ResetSubject | undefined> {
  const { read } = services.db
  const account = personOf(await findAccountByEmail(read, email))
  if (account) return { kind: 'account', id: account.id }
  const other = await otherSignIn(services)?.findByEmail(read, email)
  return other && { kind: 'reseller', id: other.id }
}

const findPerson = async (services: Services, db: Reader, { kind, id }: ResetSubject): Promise<Person | undefined> =>
  kind === 'account' ? personOf(await findAccount(db, id)) : otherSignIn(services)?.findById(db, id)

const lockPerson = async (services: Services, tx: Tx, { kind, id }: ResetSubject): Promise<Person | undefined> =>
  kind === 'account' ? lockAccountPerson(tx, id) : otherSignIn(services)?.lock(tx, id)

/** The token stands behind the #, where no server sees it. */
const resetLink = (publicUrl: string, token: string): string => `${publicUrl}/reset-password#${token}`

/** Mails a link to somebody whose row is locked; false when there were three in the last hour. */
async function mailLink(
  services: Services,
  tx: Tx,
  { subject, person, now }: FoundReset & { now: number },
): Promise<boolean> {
  const token = await issueReset(tx, subject, now)
  if (!token) return false
  const { username, email: to, language } = person
  const link = resetLink(services.config.publicUrl, token)
  const values = { username, link, minutes: resetMinutes }
  const usefulUntil = now + resetMinutes * 60
  await queueMail(tx, services, { to, language, code: 'password-reset', values, usefulUntil }, now)
  return true
}

/** A link that somebody passes on, because the server sends no mail. */
export interface ResetLink {
  resetLink: string
  /** Epoch seconds. */
  expiresAt: number
}

/** A link for somebody whose row is locked, in place of all earlier ones; it is given this once and stored as a hash. */
export async function createResetLink(
  tx: Tx,
  publicUrl: string,
  { subject, now }: { subject: ResetSubject; now: number },
): Promise<ResetLink> {
  const { token, expiresAt } = await replaceResets(tx, subject, now)
  return { resetLink: resetLink(publicUrl, token), expiresAt }
}

export const lockAccountPerson = async (tx: Tx, id: string): Promise<Person | undefined> =>
  personOf(await lockAccountRow(tx.db, id))

/** Mails the link to its reader alone; without mail it is given to the caller, who passes it on (R-AUTH-11). */
export async function startReset(
  tx: Tx,
  services: Services,
  found: FoundReset & { now: number },
): Promise<ResetLink | undefined> {
  if (!mailIsOn(services)) return createResetLink(tx, services.config.publicUrl, found)
  if (!(await mailLink(services, tx, found))) refuse(startResetRefusals, 'RESET_LIMIT')
  return undefined
}

/** Of an owner, for an administrator, who writes the audit row. Nobody becomes another administrator by a link. */
export async function startResetOf(
  tx: Tx,
  services: Services,
  id: string,
): Promise<{ account: Account; link: ResetLink | undefined }> {
  const account = await lockOwner(tx, id)
  const person = personOf(account)
  if (!person) refuse(ownerResetRefusals, 'OWNER_BANNED')
  if (account.role === 'admin' && !mailIsOn(services)) refuse(ownerResetRefusals, 'ADMIN_RESET_ON_SERVER')
  const found = { subject: { kind: 'account' as const, id }, person, now: epochSeconds(services) }
  return { account, link: await startReset(tx, services, found) }
}

/** Mails the link to whoever has the address. */
async function mailReset(services: Services, job: Job<Request>): Promise<void> {
  const { email, ...caller } = job.payload
  const subject = await findByEmail(services, email)
  if (!subject) return
  const now = epochSeconds(services)
  await services.db.write(async (tx) => {
    const person = await lockPerson(services, tx, subject)
    if (person && (await mailLink(services, tx, { subject, person, now }))) {
      const context = { actor: { type: 'anyone' as const }, now, caller }
      const { username: target, ownerId } = person
      await recordAudit(tx, context, { act: `${subject.kind}.request-reset`, target, ownerId })
    }
    await job.finish(tx)
  })
}

export const passwordResetJobs: Readonly<Record<string, JobHandler>> = {
  [resetKind]: { concurrency: 1, leaseSeconds: 60, maxAttempts: 5, run: mailReset as JobHandler['run'] },
}

export interface FoundReset {
  subject: ResetSubject
  person: Person
}

/** Whose link it is, or `RESET_LINK_INVALID`. */
export async function getReset(services: Services, token: string): Promise<FoundReset> {
  const { read } = services.db
  const subject = await findReset(read, token, { kinds: anybody, now: epochSeconds(services) })
  const person = subject && (await findPerson(services, read, subject))
  return person ? { subject, person } : refuse(passwordResetRefusals, 'RESET_LINK_INVALID')
}

/** Sets the password, for one caller; signs nobody in and leaves the second factor as it is (R-AUTH-10). */
export async function resetPassword(
  tx: Tx,
  context: AuditContext & { services: Services },
  { token, subject, passwordHash }: { token: string; subject: ResetSubject; passwordHash: string },
): Promise<void> {
  const { services, now } = context
  const person = await lockPerson(services, tx, subject)
  if (!person || !(await takeReset(tx, token, subject, now))) refuse(passwordResetRefusals, 'RESET_LINK_INVALID')
  const { id, username } = person
  if (subject.kind === 'account') {
    await setNewPassword(tx, { id, passwordHash, now })
    await recordAudit(tx, context, { act: 'account.reset-password', target: username, ownerId: id })
  } else await otherSignIn(services)?.setPassword(tx, context, id, passwordHash)
  await mailAccount(tx, context, person, 'password-changed')
}
