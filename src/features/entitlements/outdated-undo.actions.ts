import type { Tx } from '#database/database.ts'
import { forgetUndo } from '#server/bulk/undo-log.ts'
import { entitlementGrant, entitlementRemoval } from './entitlements.actions.ts'
import type { EntitlementRow } from './entitlements.reads.ts'
import { isGivenOnlyBy, licensesOfShares } from './license-shares.rules.ts'

/** Undo must not restore entitlements whose licenses were all deleted since: no license ban could stop them anymore. */
export function forgetRemovals(tx: Tx, appId: string, licenseIds: readonly number[]): Promise<void> {
  const gone = new Set(licenseIds)
  return forgetFormer(tx, appId, (row) => isGivenOnlyBy(row, gone))
}

/** Nor those to which a license gave another time or level than it gives now. */
export async function forgetFormerTime(tx: Tx, appId: string, licenseIds: readonly number[]): Promise<void> {
  if (licenseIds.length === 0) return
  const changed = new Set(licenseIds)
  await forgetFormer(tx, appId, (row) => licensesOfShares(row).some((license) => changed.has(license)))
}

const forgetFormer = (tx: Tx, appId: string, matches: (row: EntitlementRow) => boolean): Promise<void> =>
  forgetUndo<{ entitlement?: EntitlementRow; grant?: { row: EntitlementRow | null } }>(tx, {
    appId,
    events: [entitlementRemoval, entitlementGrant],
    matches: ({ before: { entitlement, grant } }) => {
      const row = entitlement ?? grant?.row
      return row ? matches(row) : false
    },
  })
