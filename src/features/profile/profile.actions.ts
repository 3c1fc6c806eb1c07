import type { Static } from 'typebox'
import { type Problem, reject, rejectProblem } from '#contract/errors.ts'
import { isTimeZone } from '#contract/time-zone.ts'
import type { Tx } from '#database/database.ts'
import { accountKind } from '#features/accounts/account-kind.ts'
import { mailAccount } from '#features/accounts/account-mails.ts'
import {
  changeProfile,
  eraseAccount,
  getAccount,
  lockAccount,
  type Profile,
  removeErasedAccount,
  requireOtherAdmin,
  signInAgain,
} from '#features/accounts/accounts.actions.ts'
import { type Account, listErased } from '#features/accounts/accounts.reads.ts'
import { displayNameProblem, emailProblem } from '#features/accounts/accounts.rules.ts'
import { claimNames } from '#features/accounts/name-claims.actions.ts'
import { deleteAppsOfOwner } from '#features/apps/apps.actions.ts'
import { purgeDeletedApps } from '#features/apps/apps.purge.ts'
import { hasAppsLeft } from '#features/apps/apps.reads.ts'
import { type AccountContext, recordAudit } from '#server/audit/audit.ts'
import { changesOf } from '#server/audit/changes.ts'
import type { CallContext } from '#server/http/endpoint.ts'
import { rejectFieldConflict } from '#server/bulk/field-conflict.ts'
import { requireRecentVerification } from '#server/http/guard.ts'
import { endResets } from '#server/auth/reset-tokens.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import type { profileContract } from './profile.contract.ts'
import { profileErrors } from './profile.errors.ts'

type ProfileChange = Static<(typeof profileContract)['updateProfile']['body']>

/**
 * Changes the account's email address, display name and time zone; omitted fields keep their value. Changing the email
 * address requires a recent sign-in.
 */
export async function updateProfile(
  tx: Tx,
  context: AccountContext & Pick<CallContext, 'services'>,
  form: ProfileChange,
): Promise<Account> {
  const { actor } = context
  const account = await lockAccount(tx, actor.id)
  // Banned or deleted meanwhile: the row must not take an address.
  if (!account || account.banned === 1) return signInAgain()
  if (form.username !== undefined && form.username !== account.username) {
    reject(profileErrors, 'USERNAME_FIXED', { details: { field: 'username' } })
  }
  const current = { email: account.email, displayName: account.display_name, timeZone: account.time_zone }
  const change: Partial<Profile> = {
    ...(form.email !== undefined && { email: form.email.trim() }),
    ...(form.displayName !== undefined && { displayName: form.displayName.trim() }),
    ...(form.timeZone !== undefined && { timeZone: form.timeZone }),
  }
  rejectProblem(profileErrors, profileProblem(change))
  rejectFieldConflict({ before: form.before, change }, current)
  const wanted = { ...current, ...change }
  const changesEmail = wanted.email !== current.email
  if (changesEmail) {
    requireRecentVerification(context.services, actor)
    await claimNames(tx, context, { email: wanted.email, exceptId: account.id, accountId: account.id, field: 'email' })
  }
  const updated = await changeProfile(tx, account, wanted)
  await recordAudit(tx, context, {
    act: 'account.update',
    target: account.username,
    details: { changesEmail },
    changes: changesOf(current, wanted, { hidden: ['email'] }),
  })
  if (changesEmail) {
    // Notify the old address and invalidate the reset links sent to it.
    await endResets(tx, [{ kind: 'account', id: account.id }], context.now)
    await mailAccount(tx, context, accountKind, account, 'email-changed')
  }
  return updated
}

type ProfileProblem = Problem<keyof typeof profileErrors> | undefined

/** Validates only the given fields. */
function profileProblem({ email, displayName, timeZone }: Partial<Profile>): ProfileProblem {
  const problems: Record<keyof Profile, ProfileProblem> = {
    email: email === undefined ? undefined : emailProblem(email),
    displayName: displayName === undefined ? undefined : displayNameProblem(displayName),
    timeZone: typeof timeZone === 'string' && !isTimeZone(timeZone) ? { code: 'TIME_ZONE_UNKNOWN' } : undefined,
  }
  for (const [field, problem] of Object.entries(problems)) if (problem) return { ...problem, field }
  return undefined
}

/** Deletes the account and its apps immediately; `removeErasedAccounts` later removes the apps' data. */
export async function deleteAccount(tx: Tx, context: AccountContext & Pick<CallContext, 'cookies'>): Promise<void> {
  const { actor, now, cookies } = context
  const account = await getAccount(tx.db, actor.id)
  if (account.role === 'admin') await requireOtherAdmin(tx, account.id)
  const apps = await deleteAppsOfOwner(tx, account.id, now)
  await eraseAccount(tx, account.id)
  await recordAudit(tx, context, { act: 'account.delete', target: account.id, details: { apps } })
  tx.afterCommit(() => cookies.end())
}

/** Removes the data of deleted apps, then the rows of deleted accounts. Safe to call at any time. */
export async function removeErasedAccounts(services: Services): Promise<void> {
  const { db, log } = services
  try {
    const ids = await listErased(db.reports)
    // An app may have been created while its owner was being deleted.
    const now = epochSeconds(services)
    for (const id of ids) await db.write((tx) => deleteAppsOfOwner(tx, id, now))
    // Also those of other owners: an error may have interrupted it, or the end of another process.
    await purgeDeletedApps(services)
    for (const id of ids) {
      await db.write(async (tx) => {
        // If an app is left, deleting the row would cascade to all of its data at once.
        if (!(await hasAppsLeft(tx.db, id))) await removeErasedAccount(tx, id)
      })
    }
  } catch (error) {
    log.error({ err: error }, 'could not remove a deleted account')
  }
}
