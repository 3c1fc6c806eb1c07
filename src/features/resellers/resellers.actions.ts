import { randomBytes } from 'node:crypto'
import { reject, rejectProblem } from '#contract/errors.ts'
import type { Reader, Tx } from '#database/database.ts'
import { nameKey } from '#features/accounts/accounts.reads.ts'
import { usernameProblem } from '#features/accounts/accounts.rules.ts'
import { endAllSessions } from '#features/accounts/accounts.actions.ts'
import { lockForReset, type ResetLink, startReset } from '#features/accounts/password-reset.actions.ts'
import { claimNames, undoClaim } from '#features/accounts/name-claims.actions.ts'
import { disableTwoFactor, hasSecondFactor } from '#features/accounts/two-factor.actions.ts'
import { lockApp } from '#features/apps/apps.actions.ts'
import { findOwnAppByName } from '#features/apps/apps.reads.ts'
import { addCredits, openCredits, setCredits, payForLicenses } from '#features/credits/credits.actions.ts'
import { listLevels } from '#features/levels/levels.reads.ts'
import { createLicenses } from '#features/licenses/licenses.actions.ts'
import type { LicenseSpec } from '#features/licenses/licenses.rules.ts'
import { findBalance } from '#features/credits/credits.reads.ts'
import { creditsErrors } from '#features/credits/credits.errors.ts'
import { type AccountContext, type AppContext, recordAudit } from '#server/audit/audit.ts'
import { changeOf, changesOf } from '#server/audit/changes.ts'
import type { CallContext } from '#server/http/endpoint.ts'
import { rejectFieldConflict } from '#server/bulk/field-conflict.ts'
import { randomText } from '#server/secrets/random-text.ts'
import { sessionHash } from '#server/secrets/session-token.ts'
import { findAssignment, findOwnReseller, type Reseller } from './resellers.reads.ts'
import { resellersErrors } from './resellers.errors.ts'
import { resellerKind, resellerTables } from './reseller-kind.ts'
import { configProblem, noLevel, type ResellerConfig, setupSeconds } from './resellers.rules.ts'
import {
  insertAssignment,
  insertReseller,
  lockResellerRow,
  noPendingEmail,
  updateAssignment,
  updateReseller,
} from './resellers.writes.ts'

/** Returns the owner's reseller, or rejects with `RESELLER_NOT_FOUND`. */
export const getReseller = async (db: Reader, ownerId: string, id: string): Promise<Reseller> =>
  (await findOwnReseller(db, ownerId, id)) ?? reject(resellersErrors, 'RESELLER_NOT_FOUND')

/** Locks and returns the owner's reseller, or rejects with `RESELLER_NOT_FOUND`. */
export async function lockReseller(tx: Tx, ownerId: string, id: string): Promise<Reseller> {
  const reseller = await lockResellerRow(tx.db, id)
  return reseller?.owner_id === ownerId ? reseller : reject(resellersErrors, 'RESELLER_NOT_FOUND')
}

const newSetup = (now: number) => {
  const token = randomBytes(32).toString('base64url')
  return { token, columns: { setup_token_hash: sessionHash(token), setup_expires_at: now + setupSeconds } }
}

/** Creates a reseller and returns it with the setup link's token, of which only a hash is stored. */
export async function createReseller(
  tx: Tx,
  context: AccountContext & Pick<CallContext, 'services'>,
  username: string,
): Promise<{ reseller: Reseller; token: string }> {
  rejectProblem(resellersErrors, usernameProblem(username), { field: 'username' })
  const { token, columns } = newSetup(context.now)
  const reseller: Reseller = {
    id: `rs_${randomText(16)}`,
    owner_id: context.actor.id,
    username: username.trim(),
    username_key: nameKey(username),
    email: null,
    email_key: null,
    password_hash: null,
    banned: 0,
    created_at: context.now,
    language: null,
    devices_since: 0,
    totp_secret_sealed: null,
    totp_enabled_at: null,
    totp_last_step: null,
    ...noPendingEmail,
    ...columns,
  }
  await claimNames(tx, context, { username, accountId: context.actor.id, field: 'username' })
  await insertReseller(tx.db, reseller)
  undoClaim(tx, context, context.actor.id)
  await recordAudit(tx, context, { act: 'reseller.create', target: reseller.username })
  return { reseller, token }
}

/** Replaces the setup link of a reseller who has not used it yet. */
export async function renewSetup(
  tx: Tx,
  context: AccountContext,
  id: string,
): Promise<{ reseller: Reseller; token: string }> {
  const reseller = await lockReseller(tx, context.actor.id, id)
  if (reseller.password_hash !== null) reject(resellersErrors, 'RESELLER_SET_UP_ALREADY')
  const { token, columns } = newSetup(context.now)
  await updateReseller(tx.db, id, columns)
  await recordAudit(tx, context, { act: 'reseller.renew-setup', target: reseller.username })
  return { reseller: { ...reseller, ...columns }, token }
}

/** Emails the reseller a password reset link, or returns the link for the owner if the server does not send email. */
export async function startResellerReset(
  tx: Tx,
  context: AccountContext & Pick<CallContext, 'services'>,
  id: string,
): Promise<ResetLink | undefined> {
  const { password_hash, username } = await lockReseller(tx, context.actor.id, id)
  if (password_hash === null) reject(resellersErrors, 'RESELLER_NOT_SET_UP')
  const found = await lockForReset(tx, resellerKind, id)
  if (!found) reject(resellersErrors, 'RESELLER_BANNED')
  const link = await startReset(tx, context.services, found)
  const act = link ? 'reseller.create-reset-link' : 'reseller.request-reset'
  await recordAudit(tx, context, { act, target: username })
  return link
}

/**
 * For a reseller who lost the authenticator app and the recovery codes; the password alone signs in again. A password
 * reset keeps the second factor, so neither action alone lets someone with access to the mailbox into the account.
 */
export async function turnOffTwoFactor(
  tx: Tx,
  context: AccountContext & Pick<CallContext, 'services'>,
  id: string,
): Promise<void> {
  const reseller = await lockReseller(tx, context.actor.id, id)
  if (!hasSecondFactor(reseller)) reject(resellersErrors, 'TWO_FACTOR_OFF')
  await disableTwoFactor(tx, context, resellerKind, reseller)
}

/** Sets the ban; toggles it when `banned` is omitted. A ban ends live sessions immediately. */
export async function banReseller(
  tx: Tx,
  context: AccountContext,
  { id, banned }: { id: string; banned?: boolean | undefined },
): Promise<boolean> {
  const reseller = await lockReseller(tx, context.actor.id, id)
  const wanted = banned ?? reseller.banned === 0
  await updateReseller(tx.db, id, { banned: wanted ? 1 : 0 })
  if (wanted) await endAllSessions(tx, resellerTables, id)
  await recordAudit(tx, context, {
    act: wanted ? 'reseller.ban' : 'reseller.unban',
    target: reseller.username,
    changes: changeOf('banned', reseller.banned === 1, wanted),
  })
  return wanted
}

/** The context for an action on an app that the call names. */
export async function inApp(
  db: Reader,
  context: AccountContext,
  appName: string,
): Promise<AccountContext & AppContext> {
  const app = await findOwnAppByName(db, context.actor.id, appName)
  if (!app) return reject(resellersErrors, 'APP_NOT_FOUND')
  return { ...context, app: { id: app.id, ownerId: app.owner_id, name: app.name } }
}

export interface AssignedApp {
  id: string
  appName: string
}

const columnsOf = ({ allowedPlans, planCosts, allowedLevels }: Partial<ResellerConfig>) => ({
  ...(allowedPlans && { allowed_plans: JSON.stringify([...new Set(allowedPlans)]) }),
  ...(planCosts && { plan_costs: JSON.stringify(planCosts) }),
  ...(allowedLevels && { allowed_levels: JSON.stringify([...new Set(allowedLevels)].toSorted((a, b) => a - b)) }),
})

/** Rejects an invalid configuration; returns the columns of a valid one. */
async function checkedColumns(tx: Tx, appId: string, config: Partial<ResellerConfig>) {
  rejectProblem(resellersErrors, configProblem(config))
  const { allowedLevels } = config
  if (!allowedLevels) return columnsOf(config)
  const known = new Map((await listLevels(tx.db, appId)).map(({ level, created_at }) => [level, Number(created_at)]))
  if (!allowedLevels.every((level) => level === noLevel || known.has(level)))
    reject(resellersErrors, 'LEVELS_UNKNOWN', { details: { field: 'allowedSubscriptions' } })
  const times = Object.fromEntries(
    allowedLevels.flatMap((level) => (known.has(level) ? [[level, known.get(level)]] : [])),
  )
  return { ...columnsOf(config), allowed_level_times: JSON.stringify(times) }
}

/** Assigns an app to a reseller; an app can be assigned only once. */
export async function assignApp(
  tx: Tx,
  context: AccountContext,
  { id, appName, credits = 0, ...config }: AssignedApp & Partial<ResellerConfig> & { credits?: number | undefined },
): Promise<void> {
  const reseller = await lockReseller(tx, context.actor.id, id)
  const of = await inApp(tx.db, context, appName)
  // What is written before the last transaction of the app's removal is removed with it.
  if (!(await lockApp(tx, of.app.id))) reject(resellersErrors, 'APP_NOT_FOUND')
  const columns = await checkedColumns(tx, of.app.id, config)
  const inserted = await insertAssignment(tx.db, {
    app_id: of.app.id,
    reseller_id: id,
    allowed_plans: '[]',
    plan_costs: '{}',
    allowed_levels: '[]',
    created_at: context.now,
    ...columns,
  })
  if (!inserted) reject(resellersErrors, 'APP_ALREADY_ASSIGNED')
  const scope = { appId: of.app.id, resellerId: id }
  await openCredits(tx, scope)
  await setCredits(tx, { ...scope, amount: credits, now: context.now })
  await recordAudit(tx, of, { act: 'reseller.assign-app', target: reseller.username, details: { credits, ...config } })
}

interface Assigned {
  context: AccountContext & AppContext
  reseller: Reseller
  scope: { appId: string; resellerId: string }
  config: ResellerConfig
}

/** Locks the reseller and returns it with the app, which must be assigned. */
async function lockAssigned(tx: Tx, context: AccountContext, { id, appName }: AssignedApp): Promise<Assigned> {
  const reseller = await lockReseller(tx, context.actor.id, id)
  const of = await inApp(tx.db, context, appName)
  const scope = { appId: of.app.id, resellerId: id }
  const config = await findAssignment(tx.db, scope)
  return config ? { context: of, reseller, scope, config } : reject(creditsErrors, 'CREDITS_CLOSED')
}

/** Fields of an assigned app under their API names. */
interface AppFields {
  credits?: number | undefined
  allowedPlans?: string[] | undefined
  planCosts?: Record<string, number> | undefined
  allowedSubscriptions?: number[] | undefined
}

/**
 * Changes what a reseller may sell, and the balance if given; omitted fields keep their value. `before` holds the
 * values the caller last saw: without it, setting credits while the reseller spends some would undo the spending.
 */
export async function configureApp(
  tx: Tx,
  context: AccountContext,
  {
    id,
    appName,
    credits,
    allowedSubscriptions,
    before,
    ...lists
  }: AssignedApp & AppFields & { before?: AppFields | undefined },
): Promise<void> {
  const config = { ...lists, ...(allowedSubscriptions && { allowedLevels: allowedSubscriptions }) }
  const assigned = await lockAssigned(tx, context, { id, appName })
  const columns = await checkedColumns(tx, assigned.scope.appId, config)
  const { credits: creditsBefore, ...listsBefore } = before ?? {}
  const { allowedPlans, planCosts, allowedLevels } = assigned.config
  rejectFieldConflict(
    { before: listsBefore, change: { ...lists, allowedSubscriptions } },
    { allowedPlans, planCosts, allowedSubscriptions: allowedLevels },
  )
  if (Object.keys(columns).length > 0) await updateAssignment(tx.db, assigned.scope, columns)
  if (credits !== undefined)
    await setCredits(tx, { ...assigned.scope, amount: credits, before: creditsBefore, now: context.now })
  const details = { credits, ...config }
  await recordAudit(tx, assigned.context, {
    act: 'reseller.configure-app',
    target: assigned.reseller.username,
    details,
    changes: changesOf(
      { allowedPlans, planCosts, allowedLevels },
      { allowedPlans: config.allowedPlans, planCosts: config.planCosts, allowedLevels: config.allowedLevels },
    ),
  })
}

/** Adds to or sets the balance and returns the new one. `level` is only recorded. */
export async function moveCredits(
  tx: Tx,
  context: AccountContext,
  {
    action,
    amount,
    level,
    ...named
  }: AssignedApp & { action: 'add' | 'set'; amount: number; level?: number | undefined },
): Promise<number> {
  const { context: of, reseller, scope } = await lockAssigned(tx, context, named)
  const movement = { ...scope, amount, level, now: context.now }
  const balance = await (action === 'add' ? addCredits : setCredits)(tx, movement)
  const details = { amount, balance, level }
  await recordAudit(tx, of, { act: `reseller.${action}-credits`, target: reseller.username, details })
  return balance
}

export interface Sale {
  reseller: Pick<Reseller, 'id' | 'username'>
  /** Credits per license. */
  price: number
  spec: LicenseSpec
}

/** Creates licenses and charges for them in one transaction. */
export async function sellLicenses(
  tx: Tx,
  context: AppContext,
  { reseller, price, spec }: Sale,
): Promise<{ keys: string[]; balance: number }> {
  const scope = { appId: context.app.id, resellerId: reseller.id }
  // Fails early, before up to a thousand rows are written; the check that counts runs under the lock.
  const balance = await findBalance(tx.db, scope)
  const cost = price * spec.amount
  if (balance < cost) reject(creditsErrors, 'CREDITS_MISSING', { values: { cost, balance } })
  const issuer = { name: reseller.username, resellerId: reseller.id, price }
  const keys = await createLicenses(tx, context, { spec, issuer })
  const level = spec.level as number
  return { keys, balance: await payForLicenses(tx, { ...scope, amount: keys.length, price, level, now: context.now }) }
}
