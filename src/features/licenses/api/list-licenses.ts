import { maxCounted } from '#contract/fields.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { licensesPage } from '../licenses.reply.ts'
import { licensesContract } from '../licenses.contract.ts'

export const listLicenses = endpoint(licensesContract.listLicenses, {
  read: ({ services: { db }, app, query, now }) => {
    const { page = 1, limit = 10, count, sort, appName: _name, appId: _id, ...filter } = query
    const countUpTo = count ? undefined : maxCounted
    return licensesPage(db, { appId: app.id, filter, page, limit, now, countUpTo, sort })
  },
})
