import { endpoint } from '#server/http/endpoint.ts'
import { getLicense } from '../licenses.actions.ts'
import { licensesContract } from '../licenses.contract.ts'
import { describeLicense } from '../licenses.reply.ts'

export const readLicense = endpoint(licensesContract.readLicense, {
  read: async ({ services: { db }, app, params }) => {
    const license = await getLicense(db.read, app.id, params.license)
    return { license: await describeLicense(db.read, license) }
  },
})
