import { reject } from '#contract/errors.ts'
import { pageCount } from '#contract/fields.ts'
import { levelNames } from '#features/levels/levels.reads.ts'
import { listPage } from '#features/licenses/license-pages.reads.ts'
import { countOfReseller } from '#features/licenses/licenses.reads.ts'
import { licenseReply } from '#features/licenses/licenses.reply.ts'
import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { changeReseller } from '../reseller-email.actions.ts'
import { resellerLicensesContract } from '../reseller-licenses.contract.ts'
import { deleteReseller } from '../reseller-removal.actions.ts'
import {
  banReseller,
  createReseller,
  getReseller,
  renewSetup,
  startResellerReset,
  turnOffTwoFactor,
} from '../resellers.actions.ts'
import { resellersContract } from '../resellers.contract.ts'
import { resellersErrors } from '../resellers.errors.ts'
import { countByApp, countByStatus, countResellers, findOwnResellerByName, listResellers } from '../resellers.reads.ts'
import { describeReseller, describeResellers, newResellerReply } from '../resellers.reply.ts'

/** Apps with a number of resellers. */
const maxApps = 100

export const resellerCalls: readonly Endpoint[] = [
  endpoint(resellersContract.listResellers, {
    read: async ({ services, actor, query }) => {
      const { page = 1, limit = 10, search, status, assignedAppId, credits, sort } = query
      const { reports } = services.db
      const filter = { ownerId: actor.id, search, status, assignedAppId, credits }
      const total = await countResellers(reports, filter)
      const rows = await listResellers(reports, { ...filter, limit, offset: (page - 1) * limit, sort })
      const resellers = await describeResellers(services.db, actor.id, rows)
      const counts = { ...(await countByStatus(reports, actor.id)), apps: await countByApp(reports, actor.id, maxApps) }
      return { resellers, total, totalPages: pageCount(total, limit), counts }
    },
  }),
  endpoint(resellersContract.getReseller, {
    read: async ({ services: { db }, actor, params }) => ({
      reseller: await describeReseller(db, await getReseller(db.read, actor.id, params.id)),
    }),
  }),
  endpoint(resellersContract.getResellerByUsername, {
    read: async ({ services: { db }, actor, params }) => {
      const reseller = await findOwnResellerByName(db.read, actor.id, params.username)
      if (!reseller) return reject(resellersErrors, 'RESELLER_NOT_FOUND')
      return { reseller: await describeReseller(db, reseller) }
    },
  }),
  endpoint(resellersContract.createReseller, {
    write: async (tx, context) => {
      const { reseller, token } = await createReseller(tx, context, context.body.username)
      return {
        code: 'RESELLER_CREATE_OK',
        reseller: { ...newResellerReply(reseller), registrationToken: token },
        username: reseller.username,
        registrationToken: token,
      }
    },
  }),
  endpoint(resellersContract.renewSetup, {
    write: async (tx, context) => {
      const { reseller, token } = await renewSetup(tx, context, context.params.id)
      const { username, setup_expires_at: expiresAt } = reseller
      const link = { registrationToken: token, username, setupExpiresAt: expiresAt ?? 0 }
      return { code: 'SETUP_LINK_OK', ...link }
    },
  }),
  endpoint(resellersContract.updateReseller, {
    write: async (tx, context) => {
      const { params, body } = context
      const { email, banned, pending_email: pending } = await changeReseller(tx, context, { id: params.id, ...body })
      const isSent = body.email !== undefined && pending !== null
      return {
        code: isSent ? 'RESELLER_EMAIL_SENT' : 'RESELLER_UPDATE_OK',
        email: email ?? '',
        pendingEmail: pending,
        banned: banned === 1,
      }
    },
  }),
  endpoint(resellersContract.banReseller, {
    write: async (tx, context) => {
      const banned = await banReseller(tx, context, { id: context.params.id, banned: context.body?.banned })
      return { code: banned ? 'RESELLER_BAN_OK' : 'RESELLER_UNBAN_OK', banned }
    },
  }),
  endpoint(resellersContract.startResellerReset, {
    write: async (tx, context) => {
      const link = await startResellerReset(tx, context, context.params.id)
      return link ? { code: 'RESET_LINK_OK', ...link } : { code: 'RESELLER_RESET_OK' }
    },
  }),
  endpoint(resellersContract.turnOffResellerTwoFactor, {
    write: async (tx, context) => {
      await turnOffTwoFactor(tx, context, context.params.id)
      return { code: 'TWO_FACTOR_OFF_OK' }
    },
  }),
  /** One choice under two names: either of them counts, in the body or the query. */
  endpoint(resellersContract.deleteReseller, {
    writeInBatches: async (context) => {
      const flags = [context.query, context.body ?? {}]
      const withData = flags.some(({ deleteLicenses, deleteUsers }) => deleteLicenses === true || deleteUsers === true)
      const deleted = await deleteReseller(context.services.db, context, { id: context.params.id, withData })
      return { code: 'RESELLER_DELETE_OK', ...deleted }
    },
  }),
  endpoint(resellerLicensesContract.listResellerLicenses, {
    read: async ({ services: { db }, actor, app, now, params, query: { page = 1, limit = 10 } }) => {
      const { id: resellerId } = await getReseller(db.read, actor.id, params.id)
      const { licenses: total } = await countOfReseller(db.reports, { appId: app.id, resellerId })
      const choice = { appId: app.id, filter: { resellerId }, now }
      const rows = await listPage(db, { ...choice, offset: (page - 1) * limit, limit, total })
      const names = await levelNames(db.read, app.id)
      const licenses = rows.map((row) => licenseReply(row, names))
      return { licenses, total, totalPages: pageCount(total, limit) }
    },
  }),
]
