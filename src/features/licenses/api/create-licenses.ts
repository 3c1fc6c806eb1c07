import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { licenseSpecOf } from '../licenses.reply.ts'
import { createLicenses as createLicensesAction } from '../licenses.actions.ts'
import { licensesContract } from '../licenses.contract.ts'

export const createLicenses = endpoint(licensesContract.createLicenses, {
  write: async (tx, context) => {
    const { app, body, now } = context
    const form = licenseSpecOf(body)
    const maker = { name: null, resellerId: null }
    const keys = await createLicensesAction(tx, { appId: app.id, form, maker, now })
    await recordAudit(tx, context, {
      act: 'license.create',
      target: keys.length === 1 ? (keys[0] as string) : `${keys.length} licenses`,
      details: { amount: keys.length, level: form.level, expiryUnit: form.expiryUnit, duration: form.duration },
    })
    return { message: `Created ${keys.length} licenses successfully`, licenses: keys, keys }
  },
})
