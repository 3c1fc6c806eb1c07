import { reject } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { eraseAccount, lockOwner, setOwnerBanned, setOwnerPlan } from '#features/accounts/accounts.actions.ts'
import { type ResetLink, startResetOf } from '#features/accounts/password-reset.actions.ts'
import type { Account } from '#features/accounts/accounts.reads.ts'
import { deleteAppsOfOwner } from '#features/apps/apps.actions.ts'
import { findPlan } from '#features/plans/plans.reads.ts'
import { freePlan, planSeconds, unlimitedPlan } from '#features/plans/plans.rules.ts'
import { type AccountContext, recordAudit } from '#server/audit/audit.ts'
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
  await recordAudit(tx, context, { act: next ? 'owner.ban' : 'owner.unban', target: owner.username, ownerId: id })
  return next
}

/** Takes effect immediately for 30 days; returns the end in epoch seconds. */
export async function changeOwnerPlan(
  tx: Tx,
  context: AccountContext,
  { id, planType }: { id: string; planType: string },
): Promise<number | null> {
  const owner = await lockOwner(tx, id)
  const isOwnPlan = owner.role === 'admin' && planType === unlimitedPlan.name
  if (!isOwnPlan && !(await findPlan(tx.db, planType))) reject(adminErrors, 'PLAN_NOT_FOUND')
  const isForEver = isOwnPlan || planType === freePlan.name
  const expiresAt = isForEver ? null : context.now + planSeconds
  await setOwnerPlan(tx, owner, { name: planType, expiresAt })
  const details = { from: owner.plan, to: planType, expiresAt }
  await recordAudit(tx, context, { act: 'owner.change-plan', target: owner.username, details, ownerId: id })
  return expiresAt
}

/** The owner and the apps disappear immediately; `removeErasedAccounts` deletes their data. */
export async function deleteOwner(tx: Tx, context: AccountContext, id: string): Promise<void> {
  const owner = await lockPlainOwner(tx, id)
  const apps = await deleteAppsOfOwner(tx, id, context.now)
  await eraseAccount(tx, id)
  const details = { username: owner.username, apps }
  await recordAudit(tx, context, { act: 'owner.delete', target: id, details, ownerId: id })
}

/** Administrators never set or see a password; with a mail server, only the owner receives the link (R-AUTH-11). */
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
