import { durationSeconds } from '#contract/duration.ts'
import { refuse } from '#contract/refusals.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { addTime } from '../licenses.actions.ts'
import { licensesContract } from '../licenses.contract.ts'
import { licensesRefusals } from '../licenses.refusals.ts'
import { durationProblem } from '../licenses.rules.ts'

export const addTimeLicenses = endpoint(licensesContract.addTimeLicenses, {
  write: async (tx, context) => {
    const { app, body } = context
    const problem =
      body.expiryUnit === 'lifetime' ? 'Please choose a unit of time' : durationProblem(body.duration, body.expiryUnit)
    if (problem) refuse(licensesRefusals, 'LICENSE_INVALID', { values: { problem } })
    const seconds = durationSeconds(body.duration, body.expiryUnit)
    const { updated, skipped } = await addTime(tx, { appId: app.id, licenses: body.licenses, seconds })
    await recordAudit(tx, context, { act: 'license.add-time', target: `${updated} licenses`, details: { seconds } })
    return { message: `Time added to ${updated} licenses`, updated, skipped }
  },
})
