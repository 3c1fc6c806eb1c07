import { refuse } from '#contract/refusals.ts'
import { findLicense } from '#features/licenses/licenses.reads.ts'
import { licensesRefusals } from '#features/licenses/licenses.refusals.ts'
import { describeLicense, licensesPage } from '#features/licenses/licenses.reply.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { sellerLicensesContract } from '../seller-licenses.contract.ts'

export const listLicenses = endpoint(sellerLicensesContract.listLicenses, {
  read: ({ services: { db }, app, query, now }) => {
    const { page = 1, limit = 10, search, status, level, redeemed } = query
    return licensesPage(db, { appId: app.id, filter: { search, status, level, redeemed }, page, limit, now })
  },
})

export const getLicense = endpoint(sellerLicensesContract.getLicense, {
  read: async ({ services: { db }, app, params }) => {
    const license = await findLicense(db.read, app.id, params.license)
    if (!license) refuse(licensesRefusals, 'LICENSE_NOT_FOUND')
    return { license: await describeLicense(db.read, license) }
  },
})
