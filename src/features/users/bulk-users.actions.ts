import type { DurationUnit } from '#contract/duration.ts'
import { reject } from '#contract/errors.ts'
import { newestId } from '#database/searched-rows.ts'
import type { Database, Reader, Tx } from '#database/database.ts'
import {
  extendUsers,
  previewTimeChange,
  secondsOf,
  subtractFromUsers,
} from '#features/entitlements/entitlements.actions.ts'
import type { TimeRejection } from '#features/entitlements/entitlements.rules.ts'
import { getLevel } from '#features/levels/levels.actions.ts'
import type { AppContext } from '#server/audit/audit.ts'
import { type BulkAction, type BulkReport, type BulkRows, type RowOutcome, runBulkOnce } from '#server/bulk/bulk.ts'
import { resetHwids, setUsersBanned, setUsersPaused } from './user-access.actions.ts'
import { deleteUsers } from './users.actions.ts'
import { countFiltered, listAfter, statusOf, stillMatches, type User, type UserFilter } from './users.reads.ts'
import { usernameKey } from './users.rules.ts'
import { usersBulkErrors } from './users.errors.ts'
import { statesOfUsers, type TimeAction, type UndoableAction, type UserState } from './users-undo.actions.ts'
import { lockUserRows } from './users.writes.ts'

/** How bulk actions find and lock users. */
export function userRows(db: Database, { app, now }: AppContext): BulkRows<User, UserFilter> {
  const appId = app.id
  return {
    noun: 'users',
    lock: (tx, choice) => lockUserRows(tx.db, appId, choice),
    stillMatches: (tx, users, filter) => stillMatches(tx.db, users, { appId, filter, now }),
    list: (filter, page) => listAfter(db, { appId, filter, now, ...page }),
    count: (filter, newestId) => countFiltered(db, { appId, filter, now }, newestId),
    newestId: () => newestId(db.reports, { table: 'users', appId }),
    nameOf: ({ username }) => username,
    keyOf: usernameKey,
    notFound: { code: 'USER_NOT_FOUND', ...usersBulkErrors.USER_NOT_FOUND },
    nothingSelected: () => reject(usersBulkErrors, 'NO_USERS_SELECTED'),
  }
}

export type UserAction = BulkAction<User, UserState>

export type FlagAction = Exclude<UndoableAction, TimeAction> | 'delete'

interface FlagChange {
  /** Whether a user is not yet in the target state of the action. */
  changes: (user: User) => boolean
  apply: (tx: Tx, context: AppContext, users: readonly User[], undoId: string) => Promise<unknown>
}

const banning = (banned: boolean): FlagChange => ({
  changes: (user) => (user.banned === 1) !== banned,
  apply: (tx, { app, now }, users) => setUsersBanned(tx, { appId: app.id, users, banned, now }),
})

const pausing = (paused: boolean): FlagChange => ({
  changes: (user) => (user.paused === 1) !== paused,
  apply: (tx, { app, now }, users) => setUsersPaused(tx, { appId: app.id, users, paused, now }),
})

const flagActions: Record<FlagAction, FlagChange> = {
  ban: banning(true),
  unban: banning(false),
  pause: pausing(true),
  unpause: pausing(false),
  'reset-hwid': {
    changes: ({ hwid_hash }) => hwid_hash !== null,
    apply: (tx, { app }, users) => resetHwids(tx, app.id, users),
  },
  delete: {
    changes: () => true,
    apply: deleteUsers,
  },
}

const outcomesOf = (users: readonly User[], now: number, of: (user: User) => RowOutcome) =>
  new Map(users.map((user) => [user.id, { inUse: statusOf(user, now) === 'Active', ...of(user) }]))

/** Bans, unbans, pauses, unpauses or deletes users, or unbinds their machines. */
export function flagAction(context: AppContext, action: FlagAction): UserAction {
  const { changes, apply } = flagActions[action]
  return {
    name: `user.bulk-${action}`,
    preview: (_tx, users) => outcomesOf(users, context.now, (user) => ({ changed: changes(user) })),
    apply: (tx, users, undoId) => apply(tx, context, users, undoId),
    ...(action === 'delete'
      ? { fillsBin: true }
      : { snapshot: (tx: Tx, ids: readonly number[]) => statesOfUsers(tx.db, context.app.id, ids, { action }) }),
  }
}

const countOfRejection: Record<TimeRejection, string> = {
  USER_SUBSCRIPTION_NOT_FOUND: 'withoutSubscription',
  SUBSCRIPTION_EXPIRED: 'expired',
  SUBSCRIPTION_NEVER_ENDS: 'lifetime',
}

interface BulkTime {
  action: TimeAction
  /** The level; without it, time is subtracted from all subscriptions. */
  level?: number | undefined
  duration?: number | undefined
  unit?: DurationUnit | undefined
  /** Whether expired subscriptions are extended, starting now. */
  withExpired?: boolean | undefined
}

/**
 * Adds time to or subtracts it from a subscription of users. Users without it, and expired or lifetime subscriptions,
 * are skipped.
 */
export async function timeAction(db: Reader, { app, now }: AppContext, time: BulkTime): Promise<UserAction> {
  const { action, level } = time
  const seconds = secondsOf(time)
  if (level === undefined && action === 'extend') reject(usersBulkErrors, 'SUBSCRIPTION_REQUIRED')
  if (level !== undefined) await getLevel(db, app.id, level)
  const withExpired = action === 'extend' && time.withExpired === true
  const change = { appId: app.id, level, seconds, withExpired, now }
  return {
    name: `user.bulk-${action}`,
    details: { level, seconds, ...(action === 'extend' && { withExpired }) },
    preview: async (tx, users) => {
      const rejected = await previewTimeChange(tx.db, { ...change, users })
      return outcomesOf(users, now, ({ id }) => timeOutcome(rejected.get(id)))
    },
    apply: (tx, users) =>
      action === 'extend'
        ? extendUsers(tx, { ...change, level: level as number, users })
        : subtractFromUsers(tx, { ...change, users }),
    snapshot: (tx, ids) => statesOfUsers(tx.db, app.id, ids, { action, level }),
  }
}

const timeOutcome = (code: TimeRejection | undefined): RowOutcome =>
  code
    ? {
        changed: false,
        problem: { code, message: usersBulkErrors[code].message },
        countAs: countOfRejection[code],
      }
    : { changed: true }

/** For calls that offer no undo. */
export const withoutUndo = ({ snapshot: _snapshot, ...action }: UserAction): UserAction => action

/** Changes named users in one transaction, for calls that offer no undo. */
export function actOnNamedUsers(
  tx: Tx,
  context: AppContext & { services: { db: Database } },
  names: readonly string[],
  action: UserAction,
): Promise<BulkReport> {
  if (names.length === 0) reject(usersBulkErrors, 'NO_USERS_SELECTED')
  const { db } = context.services
  return runBulkOnce(tx, { db, context, rows: userRows(db, context), action: withoutUndo(action), target: { names } })
}

/** Names of the users skipped for this reason. */
export const namesRejected = (results: BulkReport['results'], code: TimeRejection | 'USER_NOT_FOUND'): string[] =>
  results.filter((result) => result.code === code).map(({ name }) => name)

/** Users whose time was changed, and users skipped, by reason. */
export function timeReply({ counts, results }: BulkReport) {
  const usersWithoutSubscription = namesRejected(results, 'USER_SUBSCRIPTION_NOT_FOUND')
  return {
    updated: counts.changed,
    usersWithoutSubscription,
    usersWithoutSubscriptionCount: usersWithoutSubscription.length,
    expiredUsers: namesRejected(results, 'SUBSCRIPTION_EXPIRED'),
    lifetimeUsers: namesRejected(results, 'SUBSCRIPTION_NEVER_ENDS'),
    notFound: namesRejected(results, 'USER_NOT_FOUND'),
  }
}
