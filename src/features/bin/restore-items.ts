import { lostSubscriptions, type StoredBinKind } from '#contract/bin.ts'
import type { CallError } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { type DeletedDownload, restoreDownloads } from '#features/downloads/deleted-downloads.actions.ts'
import type { RevokedEntitlement } from '#features/entitlements/entitlements.reads.ts'
import { resumedEntitlement, userClock } from '#features/entitlements/entitlements.rules.ts'
import { withLicenseBan } from '#features/entitlements/kept-time.rules.ts'
import { type SharedTime, type TakenShare, withRestored } from '#features/entitlements/license-shares.rules.ts'
import { type DeletedLicense, restoreLicenses } from '#features/licenses/deleted-licenses.actions.ts'
import { changeKeptTime } from '#features/licenses/deleted-redeemers.actions.ts'
import { recountRestoredUsers } from '#features/licenses/licenses.actions.ts'
import { findLicensesById } from '#features/licenses/licenses.reads.ts'
import {
  type DeletedSubscription,
  endsLater,
  type LostSubscriptions,
  restoreLost,
  restoreSubscriptions,
} from '#features/subscriptions/deleted-subscriptions.actions.ts'
import { type DeletedUser, restoreUsers } from '#features/users/deleted-users.actions.ts'
import { type DeletedVariable, restoreAppVariables } from '#features/variables/variables.actions.ts'
import { type DeletedWebhook, restoreWebhooks } from '#features/webhooks/deleted-webhooks.actions.ts'
import type { AppContext } from '#server/audit/audit.ts'
import { changeItemsOfRows, lockItemsOfRows } from '#server/bin/bin-contents.ts'
import type { DeletedRow } from '#server/bin/bin-items.ts'
import type { BinItem } from './bin.reads.ts'
import { grantedNow, keepInLicenses, licensesOf } from './licensed-subscriptions.ts'

/**
 * Restores locked items of a locked account and returns why others were not restored, keyed by item ID. What a license
 * granted needs both: the license, because its ban must stop the user, and the user. While one of them is in the bin, it
 * waits there.
 */
export async function restoreItems(
  tx: Tx,
  context: AppContext,
  items: readonly BinItem[],
): Promise<Map<number, CallError>> {
  const licenses = rowsOf<DeletedLicense>(items, 'license')
  const userIds = items.filter(({ kind }) => kind === 'user').map(({ row_id }) => Number(row_id))
  const problems: Record<StoredBinKind, Map<number, CallError>> = {
    // First, because licenses and users need it.
    subscription: await restoreAny(
      restoreSubscriptions,
      tx,
      context,
      rowsOf<DeletedSubscription>(items, 'subscription'),
    ),
    file: await restoreAny(restoreDownloads, tx, context, rowsOf<DeletedDownload>(items, 'file')),
    webhook: await restoreAny(restoreWebhooks, tx, context, rowsOf<DeletedWebhook>(items, 'webhook')),
    license: await restoreLicensesOnly(tx, context, licenses),
    user: await restoreUsersOnly(tx, context, userIds),
    variable: await restoreAny(restoreAppVariables, tx, context, rowsOf<DeletedVariable>(items, 'variable')),
    // Last, because it needs licenses and users.
    [lostSubscriptions]: await restoreAny(
      restoreLostOnly,
      tx,
      context,
      rowsOf<LostSubscriptions>(items, lostSubscriptions),
    ),
  }
  return new Map(
    items.flatMap(({ id, kind, row_id }) => {
      const problem = problems[kind].get(Number(row_id))
      return problem ? [[id, problem]] : []
    }),
  )
}

const rowsOf = <C>(items: readonly BinItem[], kind: StoredBinKind): DeletedRow<C>[] =>
  items
    .filter((item) => item.kind === kind)
    .map(({ row_id, name, content }) => ({ id: Number(row_id), name, content: JSON.parse(content) as C }))

async function restoreLicensesOnly(
  tx: Tx,
  context: AppContext,
  licenses: readonly DeletedRow<DeletedLicense>[],
): Promise<Map<number, CallError>> {
  if (licenses.length === 0) return new Map()
  const { problems, withoutUser } = await restoreLicenses(tx, context, licenses)
  await keepInUsers(tx, context, withoutUser, withRestored)
  const restored = licenses.flatMap(({ id }) => (problems.has(id) ? [] : [id]))
  await returnToDeletedUsers(tx, context, restored)
  return problems
}

/** What restored licenses have of their users' time in the bin is theirs again, unless they are banned. */
async function returnToDeletedUsers(
  tx: Tx,
  { app: { id: appId }, now }: AppContext,
  ids: readonly number[],
): Promise<void> {
  const licenses = await findLicensesById(tx.db, appId, ids)
  await changeKeptTime(tx, { appId, licenses, users: [], now }, (rows, license) =>
    withLicenseBan(rows, license, license.isBanned),
  )
}

/** Users or licenses in the bin keep what waits for them; of those that are gone for good, it is gone as well. */
async function restoreLostOnly(
  tx: Tx,
  context: AppContext,
  lost: readonly DeletedRow<LostSubscriptions>[],
): Promise<Map<number, CallError>> {
  const { problems, withoutLicense, withoutUser } = await restoreLost(tx, context, lost)
  await keepInLicenses(tx, context.app.id, withoutLicense)
  const licenses = await licensesOf(
    tx,
    context.app.id,
    withoutUser.map(({ shares = null, ...row }) => ({ shares, ...row })),
  )
  await keepInUsers(tx, context, withoutUser, (held, row) => {
    const isBanned = licenses.get(Number(row.license_id))?.banned === 1
    return !isBanned && endsLater(row, held) ? row : held
  })
  return problems
}

async function keepInUsers(
  tx: Tx,
  { app: { id: appId }, now }: AppContext,
  waiting: readonly RevokedEntitlement[],
  /** The time of a user who has the level again. */
  beside: (held: SharedTime, waited: SharedTime & { share?: TakenShare | undefined }, clock: number) => SharedTime,
): Promise<void> {
  const byUser = Map.groupBy(waiting, ({ user_id }) => Number(user_id))
  await changeItemsOfRows<DeletedUser>(tx, { appId, kind: 'user', rowIds: [...byUser.keys()] }, (id, user) => ({
    ...user,
    subscriptions: (byUser.get(id) ?? []).reduce((kept, revoked) => {
      const { share, app_id: _app, user_id: _user, ...row } = resumedEntitlement(revoked, user.user, now)
      const held = kept.find(({ level }) => level === row.level)
      const waited = { shares: null, ...row }
      if (!held) return [...kept, waited]
      const clock = userClock(user.user, now)
      const time = beside(held, { ...waited, share }, clock)
      return kept.with(kept.indexOf(held), { ...held, ...time })
    }, user.subscriptions),
  }))
}

async function restoreUsersOnly(
  tx: Tx,
  context: AppContext,
  userIds: readonly number[],
): Promise<Map<number, CallError>> {
  if (userIds.length === 0) return new Map()
  const appId = context.app.id
  // Read again: restored licenses may have added subscriptions.
  const users = rowsOf<DeletedUser>(await lockItemsOfRows(tx.db, { appId, kind: 'user', rowIds: userIds }), 'user')
  const licenses = await licensesOf(
    tx,
    appId,
    users.flatMap(({ content }) => content.subscriptions),
  )
  const granted = new Map(
    users.map(({ id, content: { user, subscriptions } }) => {
      const rows = subscriptions.map((row) => ({ ...row, app_id: appId, user_id: id }))
      return [id, grantedNow(rows, { user, licenses, now: context.now })]
    }),
  )
  const problems = await restoreUsers(
    tx,
    context,
    users.map(({ content, ...user }) => ({
      ...user,
      content: { ...content, subscriptions: granted.get(user.id)?.subscriptions ?? [] },
    })),
  )
  const restored = users.filter(({ id }) => !problems.has(id))
  const waiting = restored.flatMap(({ id }) => granted.get(id)?.waiting ?? [])
  await keepInLicenses(tx, appId, waiting)
  await recountRestoredUsers(
    tx,
    appId,
    restored.map(({ id }) => id),
  )
  return problems
}

type Restore<C> = (tx: Tx, context: AppContext, rows: readonly DeletedRow<C>[]) => Promise<Map<number, CallError>>

/** Locks nothing for rows of which there are none. */
const restoreAny = async <C>(
  restore: Restore<C>,
  tx: Tx,
  context: AppContext,
  rows: readonly DeletedRow<C>[],
): Promise<Map<number, CallError>> => (rows.length === 0 ? new Map() : restore(tx, context, rows))
