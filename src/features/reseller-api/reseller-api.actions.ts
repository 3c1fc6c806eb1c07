import { commonErrors } from '#contract/common-errors.ts'
import { reject, rejectProblem } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { findBalance } from '#features/credits/credits.reads.ts'
import { creditsErrors } from '#features/credits/credits.errors.ts'
import { findLevel } from '#features/levels/levels.reads.ts'
import { deleteLicenses, lockLicense } from '#features/licenses/licenses.actions.ts'
import { listLicensesOfKey } from '#features/licenses/licenses.reads.ts'
import { licensesErrors } from '#features/licenses/licenses.errors.ts'
import { defaultMask, maskProblem } from '#features/licenses/licenses.rules.ts'
import { sellLicenses } from '#features/resellers/resellers.actions.ts'
import { findAssignment, listAssignments } from '#features/resellers/resellers.reads.ts'
import { mayUseLevel, planDays, planPrice } from '#features/resellers/resellers.rules.ts'
import { resetUserHwid } from '#features/users/user-access.actions.ts'
import { lockUser } from '#features/users/users.actions.ts'
import { userFormErrors } from '#features/users/users.errors.ts'
import type { AppScope, ResellerActor } from '#server/audit/actors.ts'
import { type AppContext, recordAudit } from '#server/audit/audit.ts'
import { newDeletion } from '#server/bin/bin-items.ts'
import { isOwnUser } from './reseller-api.reads.ts'
import { resellerApiErrors } from './reseller-api.errors.ts'

/** The context of a reseller's call in an assigned app. */
export type ResellerContext = AppContext & { actor: ResellerActor }

interface LicenseForm {
  subscriptionLevel?: number | undefined
  plan: string
  notes?: string | undefined
  mask?: string | undefined
  lowercase?: boolean | undefined
  uppercase?: boolean | undefined
  amount?: number | undefined
  expectedCost?: number | undefined
}

/** Creates licenses of a plan and level that the owner allows, at the owner's price. */
export async function generateLicenses(
  tx: Tx,
  context: ResellerContext,
  form: LicenseForm,
): Promise<{ keys: string[]; balance: number; cost: number }> {
  const { actor, app } = context
  const { lowercase = true, uppercase = true, amount = 1, mask = defaultMask } = form
  const assignment = await findAssignment(tx.db, { appId: app.id, resellerId: actor.id })
  if (!assignment) return reject(creditsErrors, 'CREDITS_CLOSED')
  rejectProblem(licensesErrors, maskProblem({ mask, lowercase, uppercase, amount }))
  const { plan } = form
  const days = planDays(plan)
  if (plan.trim() === '') reject(resellerApiErrors, 'PLAN_REQUIRED', { details: { field: 'plan' } })
  if (days === undefined || !assignment.allowedPlans.includes(plan)) reject(resellerApiErrors, 'PLAN_NOT_ALLOWED')
  const level = form.subscriptionLevel ?? assignment.allowedLevels[0] ?? 1
  if (!mayUseLevel(assignment, level)) reject(resellerApiErrors, 'LEVEL_NOT_ALLOWED')
  if ((await findLevel(tx.db, app.id, level))?.active === 0) reject(resellerApiErrors, 'LEVEL_PAUSED')
  const price = planPrice(assignment, plan) ?? reject(resellerApiErrors, 'PLAN_WITHOUT_COST')
  const cost = price * amount
  if ((form.expectedCost ?? cost) !== cost) reject(resellerApiErrors, 'PRICE_CHANGED', { values: { cost } })
  const { keys, balance } = await sellLicenses(tx, context, {
    reseller: actor,
    price,
    spec: {
      amount,
      mask,
      lowercase,
      uppercase,
      level,
      notes: form.notes ?? '',
      expiryUnit: 'days',
      duration: days,
    },
  })
  return { keys, balance, cost: price * keys.length }
}

/** The assigned app in which the reseller's license has this key; other licenses count as not found. */
export async function appOfOwnLicense(tx: Tx, actor: ResellerActor, key: string): Promise<AppScope> {
  const assignments = await listAssignments(tx.db, [actor.id])
  const appIds = assignments.map(({ appId }) => appId)
  const licenses = await listLicensesOfKey(tx.db, appIds, key)
  const [own, another] = licenses.filter(({ reseller_id: resellerId }) => resellerId === actor.id)
  if (another) reject(commonErrors, 'NO_APP_SELECTED')
  const app = assignments.find(({ appId }) => appId === own?.app_id)
  if (!app) return reject(licensesErrors, 'LICENSE_NOT_FOUND')
  return { id: app.appId, ownerId: actor.ownerId, name: app.appName }
}

/** Deletes one of the reseller's unused licenses and refunds the price that was paid for it. */
export async function deleteOwnLicense(
  tx: Tx,
  context: ResellerContext,
  key: string,
): Promise<{ refunded: number; balance: number }> {
  const { actor, app } = context
  const license = await lockLicense(tx, app.id, key)
  if (license.reseller_id !== actor.id) reject(licensesErrors, 'LICENSE_NOT_FOUND')
  if (license.used === 1) reject(resellerApiErrors, 'LICENSE_REDEEMED')
  if (license.banned === 1) reject(resellerApiErrors, 'LICENSE_IS_BANNED')
  const operation = newDeletion()
  const { refunded } = await deleteLicenses(tx, context, [license], { withUsers: false, refund: true, operation })
  const entry = { target: license.license, details: { refunded }, operations: [operation] }
  await recordAudit(tx, context, { act: 'license.delete', ...entry })
  return { refunded, balance: await findBalance(tx.db, { appId: app.id, resellerId: actor.id }) }
}

/** Unbinds the machine of a user who redeemed one of the reseller's licenses; other users are not found. */
export async function resetOwnUserHwid(tx: Tx, context: ResellerContext, username: string): Promise<void> {
  const { actor, app } = context
  const user = await lockUser(tx, app.id, username)
  if (!(await isOwnUser(tx.db, { appId: app.id, resellerId: actor.id }, user.id)))
    reject(userFormErrors, 'USER_NOT_FOUND')
  await resetUserHwid(tx, context, username)
}
