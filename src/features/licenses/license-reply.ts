import type { Static } from 'typebox'
import type { LicenseReply } from './licenses.contract.ts'
import type { License } from './licenses.queries.ts'

/** A license as the wire has it; `names` are the app's level names. */
export function licenseReply(license: License, names: Map<number, string>): Static<typeof LicenseReply> {
  return {
    license: license.license,
    licenseKey: license.license,
    subscription: { level: license.level, name: names.get(license.level) ?? `Level ${license.level}` },
    level: license.level,
    expiry: license.expiry,
    expiresAt: license.expires_at,
    notes: license.notes,
    generatedBy: license.generated_by ?? '',
    generatedByReseller: license.reseller_id !== null,
    used: license.used === 1,
    usedBy: license.used_by ?? '',
    usedAt: license.used_at,
    banned: license.banned === 1,
    creationDate: license.created_at,
  }
}
