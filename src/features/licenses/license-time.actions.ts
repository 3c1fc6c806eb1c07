import { durationSeconds } from '#contract/duration.ts'
import { maxEpochSeconds } from '#contract/epoch-seconds.ts'
import { reject, rejectProblem } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { forgetFormerTime } from '#features/entitlements/outdated-undo.actions.ts'
import { withAddedTime } from '#features/entitlements/kept-time.rules.ts'
import { extendLicensedTime } from '#features/entitlements/licensed-time.actions.ts'
import { type AppContext, recordAudit } from '#server/audit/audit.ts'
import { changeKeptTime } from './deleted-redeemers.actions.ts'
import { licensedChange, lockLicense, lockLicenses, shareUsedUpLicenses } from './licenses.actions.ts'
import type { License } from './licenses.reads.ts'
import { licensesErrors } from './licenses.errors.ts'
import { addTimeProblem, type ExpiryUnit } from './licenses.rules.ts'
import { addSeconds } from './licenses.writes.ts'

export interface TimeToAdd {
  duration: number
  expiryUnit: ExpiryUnit
}

function secondsToAdd({ duration, expiryUnit }: TimeToAdd): number {
  rejectProblem(licensesErrors, addTimeProblem(duration, expiryUnit))
  return durationSeconds(duration, expiryUnit)
}

/** Adds time to the licenses with these keys; lifetime and missing licenses are skipped. */
export async function addTimeToLicenses(
  tx: Tx,
  context: AppContext,
  { licenses, operation, ...time }: TimeToAdd & { licenses: readonly string[]; operation: string },
): Promise<{ updated: number; skipped: number }> {
  const seconds = secondsToAdd(time)
  const { names, skipped } = await addTime(tx, { appId: context.app.id, now: context.now, licenses, seconds })
  const target = { noun: 'licenses', names }
  await recordAudit(tx, context, { act: 'license.add-time', target, details: { seconds }, operations: [operation] })
  return { updated: names.length, skipped }
}

/** The same for one license, which must exist and must not be a lifetime license. */
export async function addTimeToLicense(
  tx: Tx,
  context: AppContext,
  { license, operation, ...time }: TimeToAdd & { license: string; operation?: string | undefined },
): Promise<License> {
  const seconds = secondsToAdd(time)
  const { app, now } = context
  const { id: appId } = app
  await lockLicense(tx, appId, license)
  const { names } = await addTime(tx, { appId, now, licenses: [license], seconds })
  if (names.length === 0) reject(licensesErrors, 'LICENSE_NEVER_ENDS')
  const entry = { target: license, details: { seconds }, operations: operation === undefined ? [] : [operation] }
  await recordAudit(tx, context, { act: 'license.add-time', ...entry })
  return lockLicense(tx, appId, license)
}

/** Adds time to licenses and to the users of redeemed ones. Lifetime licenses are skipped. */
export async function addTime(
  tx: Tx,
  { licenses, ...time }: { appId: string; now: number; licenses: readonly string[]; seconds: number },
): Promise<{ names: string[]; skipped: number }> {
  const locked = await lockLicenses(tx, time.appId, licenses)
  const limited = locked.filter((license) => license.duration_seconds > 0)
  await addTimeToRows(tx, { ...time, licenses: limited })
  return { names: limited.map(({ license }) => license), skipped: new Set(licenses).size - limited.length }
}

/** The same for locked licenses, none of them lifetime licenses. */
export async function addTimeToRows(
  tx: Tx,
  { licenses, seconds, ...at }: { appId: string; now: number; licenses: readonly License[]; seconds: number },
): Promise<void> {
  const { appId } = at
  const ids = licenses.map(({ id }) => id)
  await addSeconds(tx.db, appId, ids, seconds, maxEpochSeconds)
  const used = licenses.filter((license) => license.used === 1)
  const change = await licensedChange(tx, at, used)
  await shareUsedUpLicenses(tx, change)
  await extendLicensedTime(tx, { ...change, seconds })
  await changeKeptTime(tx, change, (rows, license) => withAddedTime(rows, { ...license, seconds }))
  await forgetFormerTime(
    tx,
    appId,
    used.map(({ id }) => id),
  )
  tx.publish(`access:${appId}`)
}
