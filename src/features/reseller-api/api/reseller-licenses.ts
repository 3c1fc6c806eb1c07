import { pageCount } from '#contract/fields.ts'
import { levelNames } from '#features/levels/levels.reads.ts'
import type { License } from '#features/licenses/licenses.reads.ts'
import { listAssignments } from '#features/resellers/resellers.reads.ts'
import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { appOfOwnLicense, deleteOwnLicense, generateLicenses } from '../reseller-api.actions.ts'
import { resellerApiContract as contract } from '../reseller-api.contract.ts'
import { ownLicensesPage, ownLicenseStats } from '../reseller-api.reads.ts'

export const ownLicenseCalls: readonly Endpoint[] = [
  endpoint(contract.createLicenses, {
    write: async (tx, context) => {
      const { keys, balance, cost } = await generateLicenses(tx, context, context.body)
      const reply = { licenses: keys, creditInfo: { remainingCredits: balance, cost } }
      if (keys.length === 1) return { code: 'LICENSE_GENERATE_OK', ...reply }
      return { code: 'LICENSES_CREATE_OK', values: { count: keys.length }, ...reply }
    },
  }),
  endpoint(contract.deleteLicense, {
    write: async (tx, context) => {
      const { id } = context.params
      const app = context.app ?? (await appOfOwnLicense(tx, context.actor, id))
      const { refunded, balance } = await deleteOwnLicense(tx, { ...context, app }, id)
      return { code: 'LICENSE_DELETE_OK', refunded, remainingCredits: balance }
    },
  }),
  endpoint(contract.listLicenses, {
    read: async ({ services: { db }, actor, app, query, now }) => {
      const { page = 1, limit = 10, search, status, redeemed, sort } = query
      const own = { appId: app.id, resellerId: actor.id, search, status, redeemed }
      const { total, rows } = await ownLicensesPage(db, { ...own, page, limit, sort, now })
      const names = await levelNames(db.read, app.id)
      const licenses = rows.map((row) => licenseReply(row, app.name, names))
      return { licenses, total, totalPages: pageCount(total, limit) }
    },
  }),
  endpoint(contract.licenseStats, {
    read: async ({ services: { db }, actor, app }) => {
      const apps = app ? [{ appId: app.id }] : await listAssignments(db.read, [actor.id])
      const appIds = apps.map(({ appId }) => appId)
      return { stats: await ownLicenseStats(db.reports, { appIds, resellerId: actor.id }) }
    },
  }),
]

const licenseReply = (license: License, appName: string, names: Map<number, string>) => ({
  id: license.license,
  license: license.license,
  licenseKey: license.license,
  appName,
  subscription: { level: license.level, name: names.get(license.level) ?? `Level ${license.level}` },
  expiry: license.duration_seconds,
  expiresAt: license.expires_at,
  notes: license.notes,
  used: license.used === 1,
  usedBy: license.used_by ?? '',
  banned: license.banned === 1,
  creationDate: license.created_at,
})
