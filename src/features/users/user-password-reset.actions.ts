import { reject } from '#contract/errors.ts'
import type { Reader, Tx } from '#database/database.ts'
import { isAccountBanned } from '#features/accounts/accounts.reads.ts'
import { findAppOwner, findOwnApp } from '#features/apps/apps.reads.ts'
import { endSessions } from '../session-store/session-store.actions.ts'
import type { AppScope } from '#server/audit/actors.ts'
import { mailResetLink } from '#server/auth/reset-links.ts'
import { type AuditContext, recordAudit } from '#server/audit/audit.ts'
import { addressRetention } from '#server/jobs/address-retention.ts'
import { deleteFailedJobsBefore } from '#server/jobs/failed-jobs.ts'
import { enqueueJobs, type Job, type JobHandler } from '#server/jobs/jobs.ts'
import { findReset, takeReset } from '#server/auth/reset-tokens.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import { customerBrand } from './customer-brand.ts'
import { resetSubjectOf } from './users.actions.ts'
import { findUser, findUserById, type User } from './users.reads.ts'
import { userPasswordResetErrors } from './users.errors.ts'
import { lockUserRows, updateUserRow } from './users.writes.ts'

const resetKind = 'user-password-reset'

interface Request {
  appId: string
  username: string
  ip: string
  requestId: string
}

/** Does not read the user's address and state yet, so that the reply and its timing are the same for any name. */
export async function requestUserReset(tx: Tx, request: Request, now: number): Promise<void> {
  await enqueueJobs(tx, [{ kind: resetKind, lane: resetKind, payload: request, dueAt: now }], now)
}

interface Customer {
  user: User
  app: AppScope
}

/** A user who signs in with a password and is allowed to; none for a banned owner. */
async function customerOf(db: Reader, user: User | undefined): Promise<Customer | undefined> {
  if (!user || user.banned === 1 || user.password_hash === null) return undefined
  const ownerId = await findAppOwner(db, user.app_id)
  if (ownerId === undefined || (await isAccountBanned(db, ownerId))) return undefined
  const app = await findOwnApp(db, ownerId, user.app_id)
  return app && { user, app: { id: app.id, ownerId, name: app.name } }
}

async function lockCustomer(tx: Tx, { app_id, id }: User): Promise<Customer | undefined> {
  const [user] = await lockUserRows(tx.db, app_id, { ids: [id] })
  return customerOf(tx.db, user)
}

async function mailLink(services: Services, tx: Tx, { user, app }: Customer, now: number): Promise<boolean> {
  const { email: to, username } = user
  const brand = await customerBrand(services)?.(tx.db, { appId: user.app_id, userId: user.id }, now)
  const mail = { to, language: null, brand, code: 'user-password-reset' as const, values: { app: app.name, username } }
  return mailResetLink(tx, services, { subject: resetSubjectOf(user.app_id, user.id), ...mail }, now)
}

/** Emails the link to the stored address of the user, if there is one. */
async function mailReset(services: Services, job: Job<Request>): Promise<void> {
  const { appId, username, ...caller } = job.payload
  const found = await findUser(services.db.read, appId, username)
  if (!found || found.email === '') return
  const now = epochSeconds(services)
  await services.db.write(async (tx) => {
    const customer = await lockCustomer(tx, found)
    if (customer && (await mailLink(services, tx, customer, now))) {
      const { user, app } = customer
      const context = { actor: { type: 'anyone' as const }, app, now, caller }
      await recordAudit(tx, context, { act: 'user.request-reset', target: user.username, ownerId: app.ownerId })
    }
    await job.finish(tx)
  })
}

/** A request that could not be mailed has the address of its caller; so late, nobody waits for the mail. */
const deleteFailedResets = addressRetention(({ db }, before) => deleteFailedJobsBefore(db, resetKind, before))

export const userPasswordResetJobs: Readonly<Record<string, JobHandler>> = {
  [resetKind]: { concurrency: 1, leaseSeconds: 60, maxAttempts: 5, run: mailReset as JobHandler['run'] },
  'blank-user-reset-addresses': deleteFailedResets,
}

/** The user of a link, or `RESET_LINK_INVALID`. */
export async function getCustomerOfReset(services: Services, token: string): Promise<Customer> {
  const { db } = services
  const subject = await findReset(db.read, token, { kinds: ['user'], now: epochSeconds(services) })
  const [appId = '', id = ''] = subject?.id.split('/') ?? []
  const user = subject && (await findUserById(db.read, appId, Number(id)))
  return (await customerOf(db.read, user)) ?? reject(userPasswordResetErrors, 'RESET_LINK_INVALID')
}

/** Sets the password, for exactly one caller; all sessions of the user end. */
export async function resetUserPassword(
  tx: Tx,
  context: AuditContext,
  { token, user: found, passwordHash }: { token: string; user: User; passwordHash: string },
): Promise<void> {
  const customer = await lockCustomer(tx, found)
  if (!customer || !(await takeReset(tx, token, resetSubjectOf(customer.user.app_id, customer.user.id), context.now)))
    reject(userPasswordResetErrors, 'RESET_LINK_INVALID')
  const { user, app } = customer
  await updateUserRow(tx.db, user.app_id, user.id, { password_hash: passwordHash })
  await endSessions(tx, { appId: user.app_id, userIds: [user.id] }, 'SESSION_ENDED')
  tx.publish(`access:${user.app_id}`)
  await recordAudit(
    tx,
    { ...context, app },
    { act: 'user.reset-password', target: user.username, ownerId: app.ownerId },
  )
}
