import { activityLog } from '#features/logs/logs.actions.ts'
import { countedTarget, recordAudit } from '#server/audit/audit.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { alertsContract } from '../alerts.contract.ts'
import { detect } from '../detection.ts'

export const runDetection = endpoint(alertsContract.runDetection, {
  writeInBatches: async (context) => {
    const { services, app } = context
    await activityLog(services).flush()
    const raised = await detect(services, app.id)
    const entry = { act: 'alert.run-detection' as const, target: countedTarget(raised, 'alerts') }
    await services.db.write((tx) => recordAudit(tx, context, entry))
    return { raised, code: raised > 0 ? 'DETECTION_OK' : 'DETECTION_NOTHING_NEW', values: { raised } }
  },
})
