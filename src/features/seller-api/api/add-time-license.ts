import { durationSeconds } from '#contract/duration.ts'
import { refuse } from '#contract/refusals.ts'
import { describeLicense } from '#features/licenses/licenses.reply.ts'
import { addTime, lockLicense } from '#features/licenses/licenses.actions.ts'
import { durationProblem } from '#features/licenses/licenses.rules.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { sellerLicensesContract, sellerLicensesRefusals } from '../seller-licenses.contract.ts'

export const addTimeLicense = endpoint(sellerLicensesContract.addTimeLicense, {
  write: async (tx, context) => {
    const { app, params, body } = context
    const { duration, expiryUnit } = body
    const problem = expiryUnit === 'lifetime' ? 'Please choose a unit of time' : durationProblem(duration, expiryUnit)
    if (problem) refuse(sellerLicensesRefusals, 'LICENSE_INVALID', { values: { problem } })
    const license = await lockLicense(tx, app.id, params.license)
    const seconds = durationSeconds(duration, expiryUnit)
    const { updated } = await addTime(tx, { appId: app.id, licenses: [license.license], seconds })
    if (updated === 0) refuse(sellerLicensesRefusals, 'LICENSE_NEVER_ENDS')
    await recordAudit(tx, context, { act: 'license.add-time', target: license.license, details: { seconds } })
    const after = await lockLicense(tx, app.id, params.license)
    return { message: 'Time added successfully', license: await describeLicense(tx.db, after) }
  },
})
