import { planOfAccount } from '#features/plans/plans.reads.ts'
import { freePlan } from '#features/plans/plans.rules.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { maxStreamsOfOwner } from '#server/http/event-stream.ts'
import { epochSeconds } from '#server/services.ts'
import { liveLogs } from '../live-logs.ts'
import { choiceOf } from '../log-choice.ts'
import { activityLog } from '../logs.actions.ts'
import { logsContract } from '../logs.contract.ts'

/** Low, because Free accounts cost nothing and one person can have many. */
export const maxLogStreamsOnFree = 1

export const followLogs = endpoint(logsContract.followLogs, {
  listen: async ({ services, app, query, now }, lastEventId) => {
    // Earlier activity is already in the list, so store it before the stream starts.
    await activityLog(services).flush()
    const { appId: _appId, appName: _appName, ...filter } = query
    const choice = await choiceOf(services, app, filter)
    const plan = await planOfAccount(services.db.read, app.ownerId, now)
    const maxOfOwner = plan.name === freePlan.name ? maxLogStreamsOnFree : maxStreamsOfOwner
    return liveLogs({ db: services.db.read, choice, now: () => epochSeconds(services), lastEventId, maxOfOwner })
  },
})
