import { levelNames } from '#features/subscriptions/subscriptions.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { levelOf } from '#contract/level-field.ts'
import { keyOf } from '../license-fields.ts'
import { licenseReply } from '../license-reply.ts'
import { existingLicense, updateLicense as updateLicenseAction } from '../licenses.actions.ts'
import { licensesContract } from '../licenses.contract.ts'

export const updateLicense = endpoint(licensesContract.updateLicense, {
  unit: async (unit, context) => {
    const { app, body } = context
    const license = await existingLicense(unit, app.id, keyOf(body))
    const change = { level: levelOf(body), notes: body.notes, expiry: body.expiry }
    const updated = await updateLicenseAction(unit, license, change)
    await recordAudit(unit, context, { act: 'license.update', target: license.license, details: change })
    const names = await levelNames(unit.trx, app.id)
    return { message: 'License updated successfully', license: licenseReply(updated, names) }
  },
})
