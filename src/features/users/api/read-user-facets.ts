import { maxCounted } from '#contract/fields.ts'
import { countUsersByLevel } from '#features/entitlements/entitlements.reads.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { usersContract } from '../users.contract.ts'

export const readUserFacets = endpoint(usersContract.readUserFacets, {
  read: async ({ services: { db }, app }) => ({ levels: await countUsersByLevel(db.reports, app.id, maxCounted) }),
})
