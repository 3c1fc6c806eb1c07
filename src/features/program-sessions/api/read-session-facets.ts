import { countSessionsByCountry } from '#features/session-store/session-store.reads.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { programSessionsContract } from '../program-sessions.contract.ts'

export const readSessionFacets = endpoint(programSessionsContract.readSessionFacets, {
  read: async ({ services: { db }, app, now }) => ({
    countries: await countSessionsByCountry(db.reports, app.id, now),
  }),
})
