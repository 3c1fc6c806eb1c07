import { reject } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { eraseAccount, lockOwner, setOwnerBanned, setOwnerPlan } from '#features/accounts/accounts.actions.ts'
import { type ResetLink, startResetOf } from '#features/accounts/password-reset.actions.ts'
import type { Account } from '#features/accounts/accounts.reads.ts'
import { deleteAppsOfOwner } from '#features/apps/apps.actions.ts'
import { findPlan } from '#features/plans/plans.reads.ts'
import { freePlan, planSeconds, unlimitedPlan } from '#features/plans/plans.rules.ts'
import { type AccountContext, recordAudit } from '#server/audit/audit.ts'
import { changeOf } from '#server/audit/changes.ts'
import { rejectFieldConflict } from '#server/bulk/field-conflict.ts'
import type { Services } from '#server/services.ts'
import { adminErrors } from './admin.errors.ts'

/** An owner who is not an administrator: administrators cannot lock out each other. */
async function lockPlainOwner(tx: Tx, id: string): Promise<Account> {
  const owner = await lockOwner(tx, id)
  return owner.role === 'admin' ? reject(adminErrors, 'OWNER_IS_ADMIN') : owner
}

/** Without `banned`, toggles the ban; returns the new state. */
export async function banOwner(
  tx: Tx,
  context: AccountContext,
  { id, banned }: { id: string; banned?: boolean | undefined },
): Promise<boolean> {
  const owner = await lockPlainOwner(tx, id)
  const next = banned ?? owner.banned === 0
  await setOwnerBanned(tx, owner, next)
  await recordAudit(tx, context, {
    act: next ? 'owner.ban' : 'owner.unban',
    target: owner.username,
    ownerId: id,
    changes: changeOf('banned', owner.banned === 1, next),
  })
  return next
}

export interface OwnerPlan {
  planType: string
  /** Epoch seconds; null if it does not expire. */
  planExpiresAt: number | null
}

interface PlanChange {
  id: string
  planType: string
  /** In 30 days if omitted. */
  planExpiresAt?: number | null | undefined
  before?: OwnerPlan | undefined
}

/** Takes effect immediately; returns the new plan, and the former one if it can be restored. */
export async function changeOwnerPlan(
  tx: Tx,
  context: AccountContext,
  { id, planType, planExpiresAt, before }: PlanChange,
): Promise<OwnerPlan & { previous: OwnerPlan | null }> {
  const owner = await lockOwner(tx, id)
  if (!(await canHavePlan(tx, owner, planType))) reject(adminErrors, 'PLAN_NOT_FOUND')
  const isForEver = planType === unlimitedPlan.name || planType === freePlan.name
  const expiresAt = isForEver ? null : planExpiresAt === undefined ? context.now + planSeconds : planExpiresAt
  const next = { planType, planExpiresAt: expiresAt }
  const current = { planType: owner.plan, planExpiresAt: owner.plan_expires_at }
  rejectFieldConflict({ before, change: next }, current)
  await setOwnerPlan(tx, owner, { name: planType, expiresAt })
  await recordAudit(tx, context, {
    act: 'owner.change-plan',
    target: owner.username,
    ownerId: id,
    details: { before: current, after: next },
  })
  return { ...next, previous: (await canHavePlan(tx, owner, owner.plan)) ? current : null }
}

/** The platform's own plan is only for administrators; a plan other than Free may have been deleted. */
const canHavePlan = async (tx: Tx, { role }: Account, name: string): Promise<boolean> =>
  name === unlimitedPlan.name ? role === 'admin' : name === freePlan.name || (await findPlan(tx.db, name)) !== undefined

/** The owner and the apps disappear immediately; `removeErasedAccounts` deletes their data. */
export async function deleteOwner(tx: Tx, context: AccountContext, id: string): Promise<void> {
  const owner = await lockPlainOwner(tx, id)
  const apps = await deleteAppsOfOwner(tx, id, context.now)
  await eraseAccount(tx, id)
  const details = { username: owner.username, apps }
  await recordAudit(tx, context, { act: 'owner.delete', target: id, details, ownerId: id })
}

/** Administrators never set or see a password; with a mail server, only the owner receives the link. */
export async function sendPasswordReset(
  tx: Tx,
  context: AccountContext & { services: Services },
  id: string,
): Promise<ResetLink | undefined> {
  const { account, link } = await startResetOf(tx, context.services, id)
  const act = link ? 'owner.create-reset-link' : 'owner.request-reset'
  await recordAudit(tx, context, { act, target: account.username, ownerId: id })
  return link
}
