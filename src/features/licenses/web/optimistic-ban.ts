import { licenseStatus } from '../licenses.rules.ts'
import type { LicenseList } from './license-list.ts'

/** The list as it will be once the license is banned or unbanned. */
export function withBan(list: LicenseList, key: string, banned: boolean): LicenseList {
  const row = list.licenses.find(({ license }) => license === key)
  if (!row || row.banned === banned) return list
  const from = licenseStatus(row)
  const to = licenseStatus({ used: row.used, banned })
  const counts = { ...list.counts, [from]: list.counts[from] - 1, [to]: list.counts[to] + 1 }
  const licenses = list.licenses.map((one) => (one === row ? { ...row, banned } : one))
  return { ...list, licenses, counts }
}
