import type { Static } from 'typebox'
import type { Unit } from '#database/database.ts'
import { resetHwids, setUsersBanned, setUsersPaused } from './user-state.actions.ts'
import { extendUsers, subtractFromUsers, type TimeChange, weighTime } from './user-time.actions.ts'
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
export function isAlready(action: BulkAct['action'], { banned, paused }: User): boolean {
  if (action === 'ban' || action === 'unban') return banned === (action === 'ban' ? 1 : 0)
  if (action === 'pause' || action === 'unpause') return paused === (action === 'pause' ? 1 : 0)
  return false
}

/** One act on users that this unit holds; `dryRun` only tells what would become of each. */
export async function actOn(
  unit: Unit,
  act: BulkAct,
  users: readonly User[],
  dryRun: boolean,
): Promise<Map<number, TimeOutcome>> {
  const { appId, action, now } = act
  if (action === 'extend' || action === 'subtract') return changeTime(unit, { ...act, users }, dryRun)
  const ids = users.map(({ id }) => id)
  if (dryRun) return new Map(ids.map((id) => [id, 'changed']))
  if (action === 'ban' || action === 'unban') await setUsersBanned(unit, appId, ids, action === 'ban')
  else if (action === 'reset-hwid') await resetHwids(unit, appId, ids)
  else if (action === 'delete') await deleteUsers(unit, appId, ids)
  else await setUsersPaused(unit, { appId, ids, paused: action === 'pause', now })
  return new Map(ids.map((id) => [id, 'changed']))
}

function changeTime(unit: Unit, change: BulkAct & TimeChange, dryRun: boolean): Promise<Map<number, TimeOutcome>> {
  const { action, level } = change
  const withExpired = action === 'extend' && change.withExpired
  if (dryRun) return weighTime(unit.trx, { ...change, withExpired })
  if (action === 'subtract') return subtractFromUsers(unit, change)
  return extendUsers(unit, { ...change, withExpired, level: level as number })
}
