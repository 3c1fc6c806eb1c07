import type { Tx } from '#database/database.ts'
import type { EntitlementRow, RevokedEntitlement } from '#features/entitlements/entitlements.reads.ts'
import { userClock } from '#features/entitlements/entitlements.rules.ts'
import {
  licensesOfShares,
  reconciled,
  type SharedTime,
  takenTime,
} from '#features/entitlements/license-shares.rules.ts'
import type { DeletedLicense } from '#features/licenses/deleted-licenses.actions.ts'
import { findLicensesById, type License } from '#features/licenses/licenses.reads.ts'
import type { LicensedByNow } from '#features/users/users-undo.actions.ts'
import type { AppContext } from '#server/audit/audit.ts'
import { changeItemsOfRows } from '#server/bin/bin-contents.ts'

// What comes back to a user is compared with its licenses, which may have been banned or deleted meanwhile.

/** The licenses of these subscriptions that exist now, by ID. */
export async function licensesOf(
  tx: Tx,
  appId: string,
  subscriptions: readonly SharedTime[],
): Promise<Map<number, License>> {
  const licenses = await findLicensesById(tx.db, appId, [...new Set(subscriptions.flatMap(licensesOfShares))])
  return new Map(licenses.map((license) => [Number(license.id), license]))
}

interface Granted {
  subscriptions: EntitlementRow[]
  /** What licenses gave that don't exist: it comes back with them. */
  waiting: RevokedEntitlement[]
}

/** The subscriptions of a user as their licenses are now. `now` in epoch seconds. */
export function grantedNow(
  rows: readonly EntitlementRow[],
  { user, licenses, now }: { user: { paused_at: number | null }; licenses: ReadonlyMap<number, License>; now: number },
): Granted {
  const clock = userClock(user, now)
  const paused = { paused_at: user.paused_at ?? undefined }
  const waiting: RevokedEntitlement[] = []
  const subscriptions = rows.flatMap((row) => {
    if (!row.shares && row.license_id !== null && !licenses.has(row.license_id)) {
      waiting.push({ ...row, ...paused })
      return []
    }
    const { time, taken } = reconciled(row, licenses, clock)
    waiting.push(...taken.map((share) => ({ ...row, ...paused, ...takenTime(share, clock) })))
    return time ? [{ ...row, ...time }] : []
  })
  return { subscriptions, waiting }
}

/** For undo: what was removed from locked users, as its licenses are now. */
export const licensedByNow = ({ app: { id: appId }, now }: AppContext): LicensedByNow => ({
  async read(tx, removed) {
    const rows = removed.map(({ row }) => row)
    const licenses = await licensesOf(tx, appId, rows)
    const granted = removed.map(({ row, user }) => grantedNow([row], { user, licenses, now }))
    return {
      subscriptions: granted.flatMap(({ subscriptions }) => subscriptions),
      waiting: granted.flatMap(({ waiting }) => waiting),
    }
  },
  keep: (tx, waiting) => keepInLicenses(tx, appId, waiting),
})

/** Without its license in the bin, what it granted is gone. */
export async function keepInLicenses(tx: Tx, appId: string, waiting: readonly RevokedEntitlement[]): Promise<void> {
  const byLicense = Map.groupBy(waiting, ({ license_id }) => license_id as number)
  await changeItemsOfRows<DeletedLicense>(
    tx,
    { appId, kind: 'license', rowIds: [...byLicense.keys()] },
    (id, license) => {
      const rows = byLicense.get(id) ?? []
      return {
        ...license,
        subscriptions: [
          ...license.subscriptions.filter((kept) => !rows.some((row) => isSameSubscription(row, kept))),
          ...rows.map(({ paused_at: _paused, ...row }) => row),
        ],
        pausedAt: {
          ...license.pausedAt,
          ...Object.fromEntries(
            rows.flatMap(({ user_id: user, paused_at: at }) => (at === undefined ? [] : [[user, at]])),
          ),
        },
      }
    },
  )
}

type OfUser = Pick<RevokedEntitlement, 'user_id' | 'level'>

const isSameSubscription = (one: OfUser, other: OfUser): boolean =>
  Number(one.user_id) === Number(other.user_id) && one.level === other.level
