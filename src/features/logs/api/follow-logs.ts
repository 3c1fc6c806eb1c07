import { endpoint } from '#server/endpoint.ts'
import { epochSeconds } from '#server/services.ts'
import { liveLogs } from '../live-logs.ts'
import { choiceOf } from '../log-choice.ts'
import { activityLog } from '../logs.actions.ts'
import { logsContract } from '../logs.contract.ts'

export const followLogs = endpoint(logsContract.followLogs, {
  listen: async ({ services, app, query }, lastEventId) => {
    // What happened before is in the list already.
    await activityLog(services).flush()
    const { appId: _appId, appName: _appName, ...filter } = query
    const choice = await choiceOf(services, app, filter)
    return liveLogs({ db: services.db.read, choice, now: () => epochSeconds(services), lastEventId })
  },
})
