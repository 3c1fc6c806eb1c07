import { maxCounted } from '#contract/fields.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { countByLevel, countByReseller } from '../license-facets.reads.ts'
import { licensesContract } from '../licenses.contract.ts'

export const readLicenseFacets = endpoint(licensesContract.readLicenseFacets, {
  read: async ({ services: { db }, app }) => ({
    levels: await countByLevel(db.reports, app.id, maxCounted),
    resellers: await countByReseller(db.reports, app.id),
  }),
})
