import { endpoint } from '#server/http/endpoint.ts'
import { listLicensesOfOwner } from '../license-lookup.reads.ts'
import { licensesContract } from '../licenses.contract.ts'

const maxFound = 20

export const findLicense = endpoint(licensesContract.findLicense, {
  read: async ({ services: { db }, actor, query: { key } }) => ({
    licenses: await listLicensesOfOwner(db.read, { ownerId: actor.id, key, limit: maxFound }),
  }),
})
