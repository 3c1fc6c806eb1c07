import { reject } from '#contract/errors.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { alertsContract } from '../alerts.contract.ts'
import { alertsErrors } from '../alerts.errors.ts'
import { findAlert } from '../alerts.reads.ts'
import { alertReply } from '../alerts.reply.ts'

export const getAlert = endpoint(alertsContract.getAlert, {
  read: async ({ services: { db }, app, params: { id } }) => {
    const alert = (await findAlert(db.read, { appId: app.id, id })) ?? reject(alertsErrors, 'ALERT_NOT_FOUND')
    return { alert: alertReply(alert) }
  },
})
