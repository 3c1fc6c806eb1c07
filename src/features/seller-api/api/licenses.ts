import { createLicenses, deleteLicense, getLicense, setLicenseBanned } from '#features/licenses/licenses.actions.ts'
import { addTimeUndoably, updateLicenseUndoably } from '#features/licenses/licenses-undo.actions.ts'
import { describeLicense, licenseChangeOf, licensesPage, licenseSpecOf } from '#features/licenses/licenses.reply.ts'
import { type Endpoint, endpoint } from '#server/http/endpoint.ts'
import { requireScope } from '../required-scope.ts'
import { sellerLicensesContract as contract } from '../seller-licenses.contract.ts'

export const licenseCalls: readonly Endpoint[] = [
  endpoint(contract.createLicenses, {
    write: async (tx, context) => {
      const issuer = { name: context.actor.name, resellerId: null }
      const keys = await createLicenses(tx, context, { spec: licenseSpecOf(context.body), issuer })
      return { code: 'LICENSES_CREATE_OK', values: { count: keys.length }, licenses: keys, keys }
    },
    present: (reply, { query }) => {
      if (query.format !== 'text') return reply
      return { stream: lines(reply.licenses), headers: { 'content-type': 'text/plain; charset=utf-8' } }
    },
  }),
  endpoint(contract.listLicenses, {
    read: async ({ services: { db }, app, query, now }) => {
      const { page = 1, limit = 10, search, status, level, redeemed } = query
      const choice = { appId: app.id, filter: { search, status, level, redeemed }, page, limit, now }
      const { isMore: _all, ...found } = await licensesPage(db, choice)
      return found
    },
  }),
  endpoint(contract.getLicense, {
    read: async ({ services: { db }, app, params }) => {
      const license = await getLicense(db.read, app.id, params.license)
      return { license: await describeLicense(db.read, license) }
    },
  }),
  endpoint(contract.editLicense, {
    write: async (tx, context) => {
      const { params, body } = context
      const edit = { license: params.license, change: licenseChangeOf(body) }
      const { license } = await updateLicenseUndoably(tx, context, edit)
      return { code: 'LICENSE_UPDATE_OK', license: await describeLicense(tx.db, license) }
    },
  }),
  endpoint(contract.banLicense, {
    write: async (tx, context) => {
      const banned = await setLicenseBanned(tx, context, { license: context.params.license, banned: true })
      return { code: 'LICENSE_BAN_OK', banned }
    },
  }),
  endpoint(contract.unbanLicense, {
    write: async (tx, context) => {
      const banned = await setLicenseBanned(tx, context, { license: context.params.license, banned: false })
      return { code: 'LICENSE_UNBAN_OK', banned }
    },
  }),
  endpoint(contract.addTimeLicense, {
    write: async (tx, context) => {
      const { params, body } = context
      const { duration, expiryUnit } = body
      const { license } = await addTimeUndoably(tx, context, { license: params.license, duration, expiryUnit })
      return { code: 'LICENSE_ADD_TIME_OK', license: await describeLicense(tx.db, license) }
    },
  }),
  endpoint(contract.deleteLicense, {
    write: async (tx, context) => {
      const { params, query } = context
      const withUsers = query.deleteUsers === true
      if (withUsers) requireScope(context.actor, 'users:delete')
      const deletedUsers = await deleteLicense(tx, context, { license: params.license, withUsers, refund: true })
      return { code: 'LICENSE_DELETE_OK', deletedUsers }
    },
  }),
]

/** Only the keys: shops pass the response on to the buyer. */
async function* lines(keys: readonly string[]): AsyncGenerator<string> {
  yield keys.join('\n')
}
