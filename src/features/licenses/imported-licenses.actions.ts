import type { Tx } from '#database/database.ts'
import { insertLicenses, type NewLicense, updateLicenseRows } from './licenses.writes.ts'

/** What an import stores of a license. */
export interface ImportedLicense {
  license: string
  level: number
  /** 0 is a lifetime. */
  duration_seconds: number
  notes: string
  banned: number
  /** The user who has redeemed it already. */
  redeemed?: { username: string; userId: number; at: number; expiresAt: number | null } | undefined
}

/**
 * Creates licenses with keys that were found to be free since the row of the app is locked. Returns their IDs by key.
 */
export async function insertImportedLicenses(
  tx: Tx,
  { appId, now }: { appId: string; now: number },
  licenses: readonly ImportedLicense[],
): Promise<Map<string, number>> {
  const rows = licenses.map(({ redeemed, ...license }): NewLicense => ({
    ...license,
    app_id: appId,
    generated_by: null,
    reseller_id: null,
    price: null,
    used: redeemed ? 1 : 0,
    used_by: redeemed?.username ?? null,
    used_by_user_id: redeemed?.userId ?? null,
    used_at: redeemed?.at ?? null,
    expires_at: redeemed?.expiresAt ?? null,
    created_at: now,
  }))
  const inserted = await insertLicenses(tx.db, rows)
  tx.publish(`access:${appId}`)
  return new Map(inserted.map(({ id, license }) => [license, Number(id)]))
}

export type LicenseColumns = Pick<ImportedLicense, 'level' | 'duration_seconds' | 'notes' | 'banned'>

/** Overwrites locked licenses that nobody has redeemed. */
export async function overwriteLicenses(
  tx: Tx,
  appId: string,
  licenses: readonly (LicenseColumns & { id: number })[],
): Promise<void> {
  for (const { id, ...columns } of licenses) await updateLicenseRows(tx.db, appId, [id], columns)
  tx.publish(`access:${appId}`)
}
