import type { DurationUnit } from '#contract/duration.ts'
import { refuse } from '#contract/refusals.ts'
import type { Database, Reader, Tx } from '#database/database.ts'
import {
  extendUsers,
  previewTimeChange,
  restoreExpiry,
  secondsOf,
  subtractFromUsers,
} from '#features/entitlements/entitlements.actions.ts'
import { listEntitlements } from '#features/entitlements/entitlements.reads.ts'
import type { TimeRefusal } from '#features/entitlements/entitlements.rules.ts'
import { getLevel } from '#features/levels/levels.actions.ts'
import type { AppContext } from '#server/audit.ts'
import {
  type BulkAct,
  type BulkReport,
  type BulkRows,
  type RowOutcome,
  runBulkOnce,
  type UndoActs,
} from '#server/bulk.ts'
import {
  deleteUsers,
  restorePauses,
  resetHwids,
  restoreHwids,
  setUsersBanned,
  setUsersPaused,
} from './users.actions.ts'
import {
  countFiltered,
  findUsersById,
  listAfter,
  statusOf,
  stillMatches,
  type User,
  type UserFilter,
  usernameKey,
} from './users.reads.ts'
import { usersBulkRefusals } from './users.refusals.ts'
import { lockUserRows } from './users.writes.ts'

/** How acts on many users find and lock them. */
export function userRows(db: Database, { app, now }: AppContext): BulkRows<User, UserFilter> {
  const appId = app.id
  return {
    noun: 'users',
    lock: (tx, choice) => lockUserRows(tx.db, appId, choice),
    stillMatches: (tx, users, filter) => stillMatches(tx.db, users, { appId, filter, now }),
    list: (filter, page) => listAfter(db, { appId, filter, now, ...page }),
    count: (filter) => countFiltered(db, { appId, filter, now }),
    nameOf: ({ username }) => username,
    keyOf: usernameKey,
    notFound: { code: 'USER_NOT_FOUND', ...usersBulkRefusals.USER_NOT_FOUND },
    nothingSelected: () => refuse(usersBulkRefusals, 'NO_USERS_SELECTED'),
    selectionChanged: (count) => refuse(usersBulkRefusals, 'SELECTION_CHANGED', { values: { count } }),
  }
}

/** What undoing needs of a user: only what the act changes. */
export interface UserState {
  banned?: number
  pausedAt?: number | null
  hwidHash?: string | null
  /** When entitlements end, by level. */
  expiry?: Record<string, number | null>
}

export type UserAct = BulkAct<User, UserState>

export type FlagAction = 'ban' | 'unban' | 'pause' | 'unpause' | 'reset-hwid' | 'delete'
export type TimeAction = 'extend' | 'subtract'

const statesOfAction: Record<Exclude<FlagAction, 'delete'> | TimeAction, readonly (keyof UserState)[]> = {
  ban: ['banned'],
  unban: ['banned'],
  pause: ['pausedAt', 'expiry'],
  unpause: ['pausedAt', 'expiry'],
  'reset-hwid': ['hwidHash'],
  extend: ['expiry'],
  subtract: ['expiry'],
}

interface FlagAct {
  /** Whether a user isn't yet what the act makes of it. */
  changes: (user: User) => boolean
  apply: (tx: Tx, context: AppContext, users: readonly User[]) => Promise<unknown>
}

const flagActs: Record<FlagAction, FlagAct> = {
  ban: {
    changes: ({ banned }) => banned === 0,
    apply: (tx, { app }, users) => setUsersBanned(tx, app.id, users, true),
  },
  unban: {
    changes: ({ banned }) => banned === 1,
    apply: (tx, { app }, users) => setUsersBanned(tx, app.id, users, false),
  },
  pause: {
    changes: ({ paused }) => paused === 0,
    apply: (tx, { app, now }, users) => setUsersPaused(tx, { appId: app.id, users, paused: true, now }),
  },
  unpause: {
    changes: ({ paused }) => paused === 1,
    apply: (tx, { app, now }, users) => setUsersPaused(tx, { appId: app.id, users, paused: false, now }),
  },
  'reset-hwid': {
    changes: ({ hwid_hash }) => hwid_hash !== null,
    apply: (tx, { app }, users) => resetHwids(tx, app.id, users),
  },
  delete: {
    changes: () => true,
    apply: (tx, { app }, users) => deleteUsers(tx, app.id, users),
  },
}

const outcomesOf = (users: readonly User[], now: number, of: (user: User) => RowOutcome) =>
  new Map(users.map((user) => [user.id, { inUse: statusOf(user, now) === 'Active', ...of(user) }]))

/** Bans, unbans, pauses, unpauses or deletes users, or unbinds their machines. Deleting can't be undone. */
export function flagAct(context: AppContext, action: FlagAction): UserAct {
  const { changes, apply } = flagActs[action]
  return {
    name: `user.bulk-${action}`,
    preview: (_tx, users) => outcomesOf(users, context.now, (user) => ({ changed: changes(user) })),
    apply: (tx, users) => apply(tx, context, users),
    ...(action !== 'delete' && {
      snapshot: (tx: Tx, ids: readonly number[]) => statesOf(tx.db, context.app.id, ids, statesOfAction[action]),
    }),
  }
}

const countOfRefusal: Record<TimeRefusal, string> = {
  USER_SUBSCRIPTION_NOT_FOUND: 'withoutSubscription',
  SUBSCRIPTION_EXPIRED: 'expired',
  SUBSCRIPTION_NEVER_ENDS: 'lifetime',
}

interface BulkTime {
  action: TimeAction
  /** Subtracting: without one from all. */
  level?: number | undefined
  duration?: number | undefined
  unit?: DurationUnit | undefined
  /** Extending: ended subscriptions run from now. */
  withExpired?: boolean | undefined
}

/** Adds time to a subscription of users, or takes it; those without it, whose time is over or never ends are left alone. */
export async function timeAct(db: Reader, { app, now }: AppContext, time: BulkTime): Promise<UserAct> {
  const { action, level } = time
  const seconds = secondsOf(time)
  if (level === undefined && action === 'extend') refuse(usersBulkRefusals, 'SUBSCRIPTION_REQUIRED')
  if (level !== undefined) await getLevel(db, app.id, level)
  const withExpired = action === 'extend' && time.withExpired === true
  const change = { appId: app.id, level, seconds, withExpired, now }
  return {
    name: `user.bulk-${action}`,
    details: { level, seconds, ...(action === 'extend' && { withExpired }) },
    preview: async (tx, users) => {
      const refused = await previewTimeChange(tx.db, { ...change, users })
      return outcomesOf(users, now, ({ id }) => timeOutcome(refused.get(id)))
    },
    apply: (tx, users) =>
      action === 'extend'
        ? extendUsers(tx, { ...change, level: level as number, users })
        : subtractFromUsers(tx, { ...change, users }),
    snapshot: (tx, ids) => statesOf(tx.db, app.id, ids, statesOfAction[action], level),
  }
}

const timeOutcome = (code: TimeRefusal | undefined): RowOutcome =>
  code
    ? {
        changed: false,
        problem: { code, message: usersBulkRefusals[code].message },
        countAs: countOfRefusal[code],
      }
    : { changed: true }

/** For calls that offer no undo. */
export const withoutUndo = ({ snapshot: _snapshot, ...act }: UserAct): UserAct => act

/** Acts on named users in one transaction, for calls that offer no undo. */
export function actOnNamedUsers(
  tx: Tx,
  context: AppContext & { services: { db: Database } },
  names: readonly string[],
  act: UserAct,
): Promise<BulkReport> {
  if (names.length === 0) refuse(usersBulkRefusals, 'NO_USERS_SELECTED')
  const { db } = context.services
  return runBulkOnce(tx, { db, context, rows: userRows(db, context), act: withoutUndo(act), target: { names } })
}

/** The names that an act left alone for this reason. */
export const namesRefused = (results: BulkReport['results'], code: TimeRefusal | 'USER_NOT_FOUND'): string[] =>
  results.filter((result) => result.code === code).map(({ name }) => name)

/** Whose time was changed, and whose was left alone for which reason. */
export function timeReply({ counts, results }: BulkReport) {
  const usersWithoutSubscription = namesRefused(results, 'USER_SUBSCRIPTION_NOT_FOUND')
  return {
    updated: counts.changed,
    usersWithoutSubscription,
    usersWithoutSubscriptionCount: usersWithoutSubscription.length,
    expiredUsers: namesRefused(results, 'SUBSCRIPTION_EXPIRED'),
    lifetimeUsers: namesRefused(results, 'SUBSCRIPTION_NEVER_ENDS'),
    notFound: namesRefused(results, 'USER_NOT_FOUND'),
  }
}

async function statesOf(
  db: Reader,
  appId: string,
  ids: readonly number[],
  names: readonly (keyof UserState)[],
  level?: number,
): Promise<Map<number, UserState>> {
  const users = await findUsersById(db, appId, ids)
  const entitlements = names.includes('expiry') ? await listEntitlements(db, { appId, userIds: ids, level }) : []
  const byUser = Map.groupBy(entitlements, (row) => row.user_id)
  const values: { [N in keyof UserState]-?: (user: User) => UserState[N] } = {
    banned: ({ banned }) => banned,
    pausedAt: ({ paused_at }) => paused_at,
    hwidHash: ({ hwid_hash }) => hwid_hash,
    expiry: ({ id }) => Object.fromEntries((byUser.get(id) ?? []).map((row) => [row.level, row.expires_at])),
  }
  return new Map(users.map((user) => [user.id, Object.fromEntries(names.map((name) => [name, values[name](user)]))]))
}

/** Undoes every act on many users but deleting. */
export const undoUserActs = ({ app: { id: appId } }: AppContext): UndoActs<User, UserState> => ({
  acts: /^user\.bulk-(ban|unban|pause|unpause|reset-hwid|extend|subtract)$/,
  noun: 'users',
  lock: (tx, _act, ids) => lockUserRows(tx.db, appId, { ids }),
  async snapshot(tx, act, recorded) {
    const action = act.slice('user.bulk-'.length) as keyof typeof statesOfAction
    const ids = recorded.map(({ id }) => id)
    const current = await statesOf(tx.db, appId, ids, statesOfAction[action])
    if (action !== 'extend' && action !== 'subtract') return current
    // Another level than those whose time was changed may have come since.
    const changed = new Map(recorded.map(({ id, after }) => [id, new Set(Object.keys(after.expiry ?? {}))]))
    return new Map(
      [...current].map(([id, { expiry = {} }]) => [
        id,
        { expiry: Object.fromEntries(Object.entries(expiry).filter(([level]) => changed.get(id)?.has(level))) },
      ]),
    )
  },
  async restore(tx, _act, states) {
    const valuesOf = <V>(pick: (state: UserState) => V | undefined): Map<number, V> =>
      new Map(
        states.flatMap(({ id, state }) => {
          const value = pick(state)
          return value === undefined ? [] : [[id, value] as const]
        }),
      )
    const banned = [...valuesOf((state) => state.banned)]
    for (const flag of [0, 1]) {
      const users = banned.filter(([, value]) => value === flag).map(([id]) => ({ id }))
      await setUsersBanned(tx, appId, users, flag === 1)
    }
    await restorePauses(
      tx,
      appId,
      valuesOf(({ pausedAt }) => pausedAt),
    )
    await restoreHwids(
      tx,
      appId,
      valuesOf(({ hwidHash }) => hwidHash),
    )
    const entitlements = [...valuesOf(({ expiry }) => expiry)].flatMap(([id, expiry]) =>
      Object.entries(expiry).map(([level, expires_at]) => ({ user_id: id, level: Number(level), expires_at })),
    )
    await restoreExpiry(tx, appId, entitlements)
  },
})
