import { maxCounted, pageCount } from '#contract/fields.ts'
import { levelNames } from '#features/levels/levels.reads.ts'
import { getUser } from '#features/users/users.actions.ts'
import { newDeletion } from '#server/bin/bin-items.ts'
import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { countByLevel, countByReseller } from '../license-facets.reads.ts'
import { listLicensesOfOwner } from '../license-lookup.reads.ts'
import { addTimeToLicensesUndoably, updateLicenseUndoably } from '../licenses-undo.actions.ts'
import { createLicenses, deleteLicense, getLicense, setLicenseBanned } from '../licenses.actions.ts'
import { licensesContract as contract } from '../licenses.contract.ts'
import { countRedeemed, listRedeemed } from '../licenses.reads.ts'
import { describeLicense, licenseChangeOf, licenseReply, licensesPage, licenseSpecOf } from '../licenses.reply.ts'

const maxFound = 20

export const licenseCalls: readonly Endpoint[] = [
  endpoint(contract.listLicenses, {
    read: ({ services: { db }, app, query, now }) => {
      const { page = 1, limit = 10, count, sort, appName: _name, appId: _id, ...filter } = query
      const countUpTo = count ? undefined : maxCounted
      return licensesPage(db, { appId: app.id, filter, page, limit, now, countUpTo, sort })
    },
  }),
  endpoint(contract.listUserLicenses, {
    read: async ({ services: { db }, app, params, query: { page = 1, limit = 10 } }) => {
      const user = await getUser(db.read, app.id, params.username)
      const redeemer = { appId: app.id, userId: user.id }
      const total = await countRedeemed(db.read, redeemer)
      const rows = await listRedeemed(db.read, { ...redeemer, offset: (page - 1) * limit, limit })
      const names = await levelNames(db.read, app.id)
      const licenses = rows.map((row) => licenseReply(row, names))
      return { licenses, total, totalPages: pageCount(total, limit) }
    },
  }),
  endpoint(contract.findLicense, {
    read: async ({ services: { db }, actor, query: { key } }) => ({
      licenses: await listLicensesOfOwner(db.read, { ownerId: actor.id, key, limit: maxFound }),
    }),
  }),
  endpoint(contract.readLicense, {
    read: async ({ services: { db }, app, params }) => {
      const license = await getLicense(db.read, app.id, params.license)
      return { license: await describeLicense(db.read, license) }
    },
  }),
  endpoint(contract.readLicenseFacets, {
    read: async ({ services: { db }, app }) => ({
      levels: await countByLevel(db.reports, app.id, maxCounted),
      resellers: await countByReseller(db.reports, app.id),
    }),
  }),
  endpoint(contract.createLicenses, {
    write: async (tx, context) => {
      const issuer = { name: null, resellerId: null }
      const keys = await createLicenses(tx, context, { spec: licenseSpecOf(context.body), issuer })
      return { code: 'LICENSES_CREATE_OK', values: { count: keys.length }, licenses: keys, keys }
    },
  }),
  endpoint(contract.updateLicense, {
    write: async (tx, context) => {
      const { body } = context
      const edit = { license: body.licenseKey, before: body.before, change: licenseChangeOf(body) }
      const { license, undoId } = await updateLicenseUndoably(tx, context, edit)
      return { code: 'LICENSE_UPDATE_OK', license: await describeLicense(tx.db, license), undoId }
    },
  }),
  endpoint(contract.toggleBanLicense, {
    write: async (tx, context) => {
      const { body } = context
      const banned = await setLicenseBanned(tx, context, { license: body.licenseKey, banned: body.banned })
      return { code: banned ? 'LICENSE_BAN_OK' : 'LICENSE_UNBAN_OK', banned }
    },
  }),
  endpoint(contract.addTimeLicenses, {
    write: async (tx, context) => {
      const { licenses, duration, expiryUnit } = context.body
      const added = await addTimeToLicensesUndoably(tx, context, { licenses, duration, expiryUnit })
      return { code: 'LICENSES_ADD_TIME_OK', values: { count: added.updated }, ...added }
    },
  }),
  endpoint(contract.deleteLicense, {
    write: async (tx, context) => {
      const { body } = context
      const undoId = newDeletion()
      const choice = { withUsers: body.deleteUsers === true, refund: body.refundCredits !== false }
      await deleteLicense(tx, context, { license: body.licenseKey, ...choice, operation: undoId })
      return { code: 'LICENSE_DELETE_OK', undoId }
    },
  }),
]
