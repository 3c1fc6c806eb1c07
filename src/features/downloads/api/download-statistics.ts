import { reject } from '#contract/errors.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { downloadsContract } from '../downloads.contract.ts'
import { countAddresses, countCountries, findDownload } from '../downloads.reads.ts'
import { downloadsErrors } from '../downloads.errors.ts'

export const downloadStatistics = endpoint(downloadsContract.downloadStatistics, {
  read: async ({ services: { db, ipData }, app, params }) => {
    const file = (await findDownload(db.read, app.id, params.name)) ?? reject(downloadsErrors, 'DOWNLOAD_NOT_FOUND')
    const ofFile = { appId: app.id, downloadId: file.id }
    const total = Number(file.download_count)
    const authenticated = Number(file.authenticated_count)
    return {
      stats: {
        total_downloads: total,
        authenticated_downloads: authenticated,
        anonymous_downloads: total - authenticated,
        unique_ips: await countAddresses(db.reports, ofFile),
        countries: Object.fromEntries(await countCountries(db.reports, ofFile)),
      },
      countryData: ipData.status().country,
    }
  },
})
