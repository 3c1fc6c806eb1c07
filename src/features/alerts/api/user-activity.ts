import { activityLog } from '#features/logs/logs.actions.ts'
import { listUserActivity } from '#features/logs/logs.reads.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { alertsContract } from '../alerts.contract.ts'

export const userActivity = endpoint(alertsContract.userActivity, {
  read: async ({ services, app, params: { username } }) => {
    await activityLog(services).flush()
    const rows = await listUserActivity(services.db.reports, app.id, username)
    return {
      username,
      activity: rows.map(({ at, hwid_hash: hwid, ...row }) => ({
        timestamp: Number(at),
        hwid,
        licenseKey: row.license,
        ...row,
      })),
    }
  },
})
