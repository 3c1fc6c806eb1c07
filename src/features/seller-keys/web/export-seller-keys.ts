import { t } from '@lingui/core/macro'
import { csvLine } from '#contract/csv.ts'
import { call } from '#web/call.ts'
import { failureText } from '#web/errors.ts'
import { notify } from '#web/notify.ts'
import { saveTextFile } from '#web/save-text-file.ts'
import type { App } from '#web/session.ts'

const perPage = 100
const header = ['Name', 'Key', 'Permissions', 'Whitelisted IPs', 'Created', 'Last used', 'Status']
const time = (seconds: number | null) => (seconds === null ? '' : new Date(seconds * 1000).toISOString())

/** Every key of the app, as far as it is known: the secrets are not. */
export async function exportSellerKeys(app: App): Promise<void> {
  let text = csvLine(header)
  try {
    for (let page = 1, pages = 1; page <= pages; page++) {
      const reply = await call('GET /seller_keys', { query: { page, limit: perPage } })
      pages = reply.totalPages
      for (const key of reply.sellerKeys) {
        const permissions = key.fullAccess ? 'full access' : key.permissions.join(' ')
        const ips = key.whitelistedIPs.join(' ')
        text += csvLine([
          key.keyName,
          key.sellerKey,
          permissions,
          ips,
          time(key.createdDate),
          time(key.lastUsed),
          key.status,
        ])
      }
    }
    saveTextFile(`seller-keys-${app.appName}`, 'csv', text)
  } catch (error) {
    notify.error(failureText(error, t`Failed to load seller keys`))
  }
}
