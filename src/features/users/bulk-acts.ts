import type { Static } from 'typebox'
import type { Tx } from '#database/database.ts'
import { resetHwids, setUsersBanned, setUsersPaused } from './user-state.actions.ts'
import { extendUsers, subtractFromUsers, type TimeChange, previewTimeChange } from './user-time.actions.ts'
import type { BulkAction } from './user-fields.contract.ts'
import { deleteUsers } from './users.actions.ts'
import type { User } from './users.queries.ts'
import type { TimeOutcome } from './users.rules.ts'

export interface BulkAct {
  appId: string
  action: Static<typeof BulkAction>
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
): Promise<Map<number, TimeOutcome>> {
  const { appId, action, now } = act
  if (action === 'extend' || action === 'subtract') return changeTime(tx, { ...act, users }, dryRun)
  const ids = users.map(({ id }) => id)
  if (dryRun) return new Map(ids.map((id) => [id, 'changed']))
  if (action === 'ban' || action === 'unban') await setUsersBanned(tx, appId, ids, action === 'ban')
  else if (action === 'reset-hwid') await resetHwids(tx, appId, ids)
  else if (action === 'delete') await deleteUsers(tx, appId, ids)
  else await setUsersPaused(tx, { appId, ids, paused: action === 'pause', now })
  return new Map(ids.map((id) => [id, 'changed']))
}

function changeTime(tx: Tx, change: BulkAct & TimeChange, dryRun: boolean): Promise<Map<number, TimeOutcome>> {
  const { action, level } = change
  const withExpired = action === 'extend' && change.withExpired
  if (dryRun) return previewTimeChange(tx.db, { ...change, withExpired })
  if (action === 'subtract') return subtractFromUsers(tx, change)
  return extendUsers(tx, { ...change, withExpired, level: level as number })
}
