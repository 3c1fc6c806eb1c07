import { refuse } from '#contract/refusals.ts'
import type { Database, Tx } from '#database/database.ts'
import {
  extendUsers,
  previewTimeChange,
  subtractFromUsers,
  type TimeChange,
} from '#features/entitlements/entitlements.actions.ts'
import type { TimeRefusal } from '#features/entitlements/entitlements.rules.ts'
import { BatchedScan } from '#server/batched-scan.ts'
import type { UserAction } from './users-bulk.contract.ts'
import { deleteUsers, resetHwids, setUsersBanned, setUsersPaused } from './users.actions.ts'
import { countFiltered, type FilterOf, listAfter, type User, usernameKey } from './users.reads.ts'
import { usersBulkRefusals } from './users.refusals.ts'

/** So many that heartbeats pass between two transactions. */
export const usersPerTransaction = 500

/** Refuses when a filter no longer means as many users as the person saw. */
export async function checkExpectedCount(db: Database, choice: FilterOf, expected: number): Promise<void> {
  const count = await countFiltered(db, choice)
  if (count !== expected) refuse(usersBulkRefusals, 'SELECTION_CHANGED', { values: { count } })
}

/** Every user of a filter, or a piece of them. */
export const scanUsers = (db: Database, choice: FilterOf, batch: { after?: number; maxRows?: number }) =>
  new BatchedScan(batch, usersPerTransaction, (afterId, limit) => listAfter(db, { ...choice, afterId, limit }))

/** The names without those that mean the same user again; without any there is nothing to do. */
export function distinctNames(usernames: readonly string[]): string[] {
  if (usernames.length === 0) refuse(usersBulkRefusals, 'NO_USERS_SELECTED')
  return [...new Map(usernames.map((name) => [usernameKey(name), name])).values()]
}

/** Which of these names no user has. */
export function missingNames(usernames: readonly string[], users: readonly User[]): string[] {
  const found = new Set(users.map(({ username_key: key }) => key))
  return usernames.filter((name) => !found.has(usernameKey(name)))
}

/** Whose time was changed, and whose was left alone for which reason. */
export function timeReport(users: readonly User[], refused: Map<number, TimeRefusal>, notFound: string[]) {
  const named = (code: TimeRefusal) => users.filter(({ id }) => refused.get(id) === code).map(({ username }) => username)
  const usersWithoutSubscription = named('USER_SUBSCRIPTION_NOT_FOUND')
  return {
    updated: users.length - refused.size,
    usersWithoutSubscription,
    usersWithoutSubscriptionCount: usersWithoutSubscription.length,
    expiredUsers: named('SUBSCRIPTION_EXPIRED'),
    lifetimeUsers: named('SUBSCRIPTION_NEVER_ENDS'),
    notFound,
  }
}

export interface BulkAct {
  appId: string
  action: UserAction
  /** Of extending and subtracting only. */
  level: number | undefined
  seconds: number
  withExpired: boolean
  now: number
}

/** Whether a user is already what the act would make of it: undoing the act must leave that alone. */
export function isNoOp(action: BulkAct['action'], { banned, paused }: User): boolean {
  if (action === 'ban' || action === 'unban') return banned === (action === 'ban' ? 1 : 0)
  if (action === 'pause' || action === 'unpause') return paused === (action === 'pause' ? 1 : 0)
  return false
}

/** One act on users that this transaction holds; `dryRun` only tells what would become of each. */
export async function actOn(
  tx: Tx,
  act: BulkAct,
  users: readonly User[],
  dryRun: boolean,
): Promise<Map<number, TimeRefusal>> {
  const { appId, action, now } = act
  if (action === 'extend' || action === 'subtract') return changeTime(tx, { ...act, users }, dryRun)
  if (dryRun) return new Map()
  if (action === 'ban' || action === 'unban') await setUsersBanned(tx, appId, users, action === 'ban')
  else if (action === 'reset-hwid') await resetHwids(tx, appId, users)
  else if (action === 'delete') await deleteUsers(tx, appId, users)
  else await setUsersPaused(tx, { appId, users, paused: action === 'pause', now })
  return new Map()
}

function changeTime(tx: Tx, change: BulkAct & TimeChange, dryRun: boolean): Promise<Map<number, TimeRefusal>> {
  const { action, level } = change
  const withExpired = action === 'extend' && change.withExpired
  if (dryRun) return previewTimeChange(tx.db, { ...change, withExpired })
  if (action === 'subtract') return subtractFromUsers(tx, change)
  return extendUsers(tx, { ...change, withExpired, level: level as number })
}
