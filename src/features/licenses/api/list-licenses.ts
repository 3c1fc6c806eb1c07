import { endpoint } from '#server/endpoint.ts'
import { licensesPage } from '../licenses.reply.ts'
import { licensesContract } from '../licenses.contract.ts'

export const listLicenses = endpoint(licensesContract.listLicenses, {
  read: ({ services: { db }, app, query, now }) => {
    const { page = 1, limit = 10, search, status, level } = query
    return licensesPage(db, { appId: app.id, filter: { search, status, level }, page, limit, now })
  },
})
