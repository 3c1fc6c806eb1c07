import { levelOf } from '#contract/level-field.ts'
import { levelNames } from '#features/levels/levels.reads.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { lockLicense, updateLicense as updateLicenseAction } from '../licenses.actions.ts'
import { licensesContract } from '../licenses.contract.ts'
import { keyOf, licenseReply } from '../licenses.reply.ts'

export const updateLicense = endpoint(licensesContract.updateLicense, {
  write: async (tx, context) => {
    const { app, body } = context
    const license = await lockLicense(tx, app.id, keyOf(body))
    const change = { level: levelOf(body), notes: body.notes, expiry: body.expiry }
    const updated = await updateLicenseAction(tx, license, change)
    await recordAudit(tx, context, { act: 'license.update', target: license.license, details: change })
    const names = await levelNames(tx.db, app.id)
    return { message: 'License updated successfully', license: licenseReply(updated, names) }
  },
})
