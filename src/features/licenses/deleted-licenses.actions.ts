import { callError, type CallError } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { reindexRows } from '#database/reindex-rows.ts'
import { lockApp, roomInQuota } from '#features/apps/apps.actions.ts'
import { lockPayers, payForRestored, type RestoredLicense } from '#features/credits/credits.actions.ts'
import { listEntitlementRows, type RevokedEntitlement } from '#features/entitlements/entitlements.reads.ts'
import { pausesOf, resumedEntitlement } from '#features/entitlements/entitlements.rules.ts'
import { licensesOfShares } from '#features/entitlements/license-shares.rules.ts'
import { restoreLicensed } from '#features/entitlements/licensed-time.actions.ts'
import { lockLevels } from '#features/levels/levels.actions.ts'
import { lockUsersById } from '#features/users/users.actions.ts'
import type { User } from '#features/users/users.reads.ts'
import type { AppContext } from '#server/audit/audit.ts'
import { type DeletedRow, putInBin } from '#server/bin/bin-items.ts'
import { countLicensesOfApps, findLicensesById, type License } from './licenses.reads.ts'
import { deletedLicenseErrors, licensesErrors } from './licenses.errors.ts'
import { keyInAnyCase } from './licenses.rules.ts'
import { insertLicenses, lockLicensesInAnyCase } from './licenses.writes.ts'

/** A deleted license with what it granted. */
export interface DeletedLicense {
  license: Omit<License, 'id' | 'app_id' | 'state'>
  subscriptions: LicensedSubscription[]
  /** From `pausesOf`, of the users of these subscriptions. */
  pausedAt?: Record<number, number>
  refunded: boolean
}

export type LicensedSubscription = Omit<RevokedEntitlement, 'app_id' | 'license_id' | 'paused_at'>

/** Puts licenses that are being deleted into the bin. */
export async function putLicensesInBin(
  tx: Tx,
  context: AppContext,
  {
    licenses,
    entitlements,
    redeemers,
    refunded,
    operation,
  }: {
    licenses: readonly License[]
    entitlements: readonly RevokedEntitlement[]
    /** Locked. */
    redeemers: readonly User[]
    refunded: readonly { id: number }[]
    operation: string
  },
): Promise<void> {
  const granted = Map.groupBy(entitlements, ({ license_id }) => license_id)
  const refundedIds = new Set(refunded.map(({ id }) => id))
  const users = new Map(redeemers.map((user) => [Number(user.id), user]))
  const rows = licenses.map((license): DeletedRow<DeletedLicense> => {
    const subscriptions = granted.get(license.id) ?? []
    const owners = subscriptions.flatMap(({ user_id }) => users.get(Number(user_id)) ?? [])
    return {
      id: license.id,
      name: license.license,
      content: {
        license: storedColumns(license),
        subscriptions: subscriptions.map(({ app_id: _app, license_id: _license, ...row }) => row),
        pausedAt: pausesOf(owners, context.now),
        refunded: refundedIds.has(license.id),
      },
    }
  })
  await putInBin(tx, context, { kind: 'license', operation, rows })
}

function storedColumns(row: License): DeletedLicense['license'] {
  const { license, level, duration_seconds, notes, generated_by, reseller_id, price } = row
  const { used, used_by, used_by_user_id, used_at, expires_at, banned, created_at } = row
  return {
    license,
    level,
    duration_seconds,
    notes,
    generated_by,
    reseller_id,
    price,
    used,
    used_by,
    used_by_user_id,
    used_at,
    expires_at,
    banned,
    created_at,
  }
}

export interface RestoredLicenses {
  /** Why licenses were not restored, keyed by the ID they had. */
  problems: Map<number, CallError>
  /** What restored licenses granted to users who no longer exist. */
  withoutUser: RevokedEntitlement[]
}

/**
 * Restores deleted licenses as far as keys, levels, the plan and the credits allow. A refunded license is paid again and
 * gets a new ID, because each ID is refunded at most once (R-LED-04).
 */
export async function restoreLicenses(
  tx: Tx,
  context: AppContext,
  deleted: readonly DeletedRow<DeletedLicense>[],
): Promise<RestoredLicenses> {
  const { app, now } = context
  const { id: appId } = app
  const problems = new Map<number, CallError>()
  const levels = await lockLevels(
    tx,
    appId,
    deleted.map(({ content }) => content.license.level),
  )
  await lockApp(tx, appId)
  const { room, limit } = await roomInQuota(tx, {
    appId,
    kind: 'licensesPerApp',
    now,
    count: async () => (await countLicensesOfApps(tx.db, [appId])).get(appId) ?? 0,
  })
  const same = await lockLicensesInAnyCase(
    tx.db,
    appId,
    deleted.map(({ name }) => name),
  )
  const taken = new Set(same.map(({ license }) => keyInAnyCase(license)))
  const users = await usersOf(tx, appId, deleted)
  const payments = new Map(deleted.map((each) => [each.id, paymentOf(each, appId)]))
  const problemOfPayment = await lockPayers(tx, [...payments.values()])
  const possible: DeletedRow<DeletedLicense>[] = []
  // One after the other: what isn't restored takes no room and no credits, and leaves its key to the next one.
  for (const each of deleted) {
    const { id, name, content } = each
    const { license, subscriptions } = content
    let problem: CallError | undefined
    if (taken.has(keyInAnyCase(name))) problem = callError(deletedLicenseErrors, 'LICENSE_TAKEN')
    else if (!levels.has(license.level)) problem = callError(licensesErrors, 'SUBSCRIPTION_NOT_FOUND')
    else if (subscriptions.some((row) => !row.share && users.levelsByHand.has(levelOfUser(row))))
      problem = callError(licensesErrors, 'LEVEL_TAKEN_BY_USER')
    else if (possible.length >= room)
      problem = callError(licensesErrors, 'LICENSE_LIMIT_REACHED', { values: { limit } })
    else problem = problemOfPayment(payments.get(id) as RestoredLicense)
    if (problem) problems.set(id, problem)
    else {
      possible.push(each)
      taken.add(keyInAnyCase(name))
    }
  }
  const inserted = await insertRestored(tx, appId, possible)
  // A concurrent transaction created that key.
  for (const { id, name } of possible) {
    if (!inserted.has(name)) problems.set(id, callError(deletedLicenseErrors, 'LICENSE_TAKEN'))
  }
  await payForRestored(
    tx,
    [...payments.values()].filter(({ id }) => !problems.has(id)),
    now,
  )
  const restored = deleted.filter(({ id }) => !problems.has(id))
  return { problems, withoutUser: await grantAgain(tx, context, { restored, users }) }
}

const paymentOf = ({ id, content }: DeletedRow<DeletedLicense>, appId: string): RestoredLicense => ({
  ...content.license,
  id,
  app_id: appId,
  refunded: content.refunded,
})

/** Gives users what these licenses granted them; returns what was granted to users who no longer exist. */
async function grantAgain(
  tx: Tx,
  { app: { id: appId }, now }: AppContext,
  { restored, users }: { restored: readonly DeletedRow<DeletedLicense>[]; users: LicensedUsers },
): Promise<RevokedEntitlement[]> {
  const granted = restored.flatMap(({ id, content: { subscriptions, pausedAt } }) =>
    subscriptions.map((row): RevokedEntitlement => ({
      ...row,
      app_id: appId,
      license_id: id,
      paused_at: pausedAt?.[row.user_id],
    })),
  )
  const revoked = granted.flatMap((row) => {
    const user = users.byId.get(row.user_id)
    return user ? [resumedEntitlement(row, user, now)] : []
  })
  const ids = [...revoked, ...users.entitlements].flatMap((row) => licensesOfShares({ shares: null, ...row }))
  const licenses = new Map((await findLicensesById(tx.db, appId, ids)).map((license) => [license.id, license]))
  await restoreLicensed(tx, { appId, users: [...users.byId.values()], now }, { revoked, licenses })
  tx.publish(`access:${appId}`)
  return granted.filter(({ user_id }) => !users.byId.has(user_id))
}

const keyOf = ({ license }: { license: string }): string => license

const levelOfUser = ({ user_id, level }: { user_id: number; level: number }): string => `${user_id} ${level}`

type LicensedUsers = Awaited<ReturnType<typeof usersOf>>

/** The users to whom these licenses granted something, locked, with their entitlements and those given by hand. */
async function usersOf(tx: Tx, appId: string, deleted: readonly DeletedRow<DeletedLicense>[]) {
  const userIds = deleted.flatMap(({ content }) => content.subscriptions.map(({ user_id }) => user_id))
  const users = await lockUsersById(tx, appId, [...new Set(userIds)])
  const byId = new Map(users.map((user) => [user.id, user]))
  const entitlements = await listEntitlementRows(tx.db, appId, [...byId.keys()])
  const byHand = entitlements.filter((row) => licensesOfShares(row).length === 0)
  return { byId, entitlements, levelsByHand: new Set(byHand.map(levelOfUser)) }
}

/** Returns the keys that were inserted. */
async function insertRestored(
  tx: Tx,
  appId: string,
  deleted: readonly DeletedRow<DeletedLicense>[],
): Promise<Set<string>> {
  const rowOf = ({ content }: DeletedRow<DeletedLicense>) => ({ ...content.license, app_id: appId })
  const [paidAgain, others] = [true, false].map((flag) =>
    deleted.filter(({ content }) => content.refunded === flag),
  ) as [DeletedRow<DeletedLicense>[], DeletedRow<DeletedLicense>[]]
  const sameIds = await insertLicenses(
    tx.db,
    others.map((each) => ({ ...rowOf(each), id: each.id })),
  )
  const newIds = await insertLicenses(tx.db, paidAgain.map(rowOf))
  await reindexRows(
    tx.db,
    'licenses',
    appId,
    sameIds.map(({ id }) => id),
  )
  return new Set([...sameIds, ...newIds].map(keyOf))
}
