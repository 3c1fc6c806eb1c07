import { planOfAccount } from '#features/plans/plans.reads.ts'
import { freePlan } from '#features/plans/plans.rules.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { maxStreamsOfOwner } from '#server/http/event-stream.ts'
import { liveChanges } from '../live-changes.ts'
import { liveContract } from '../live.contract.ts'

/** Low, because Free accounts cost nothing and one person can have many. */
const maxStreamsOnFree = 4

export const followChanges = endpoint(liveContract.followChanges, {
  listen: async ({ services, app, query, now }, headerId) => {
    // An EventSource that reconnects repeats its URL, which has an older ID.
    const lastEventId = headerId ?? query.lastEventId
    const plan = await planOfAccount(services.db.read, app.ownerId, now)
    const maxOfOwner = plan.name === freePlan.name ? maxStreamsOnFree : maxStreamsOfOwner
    return liveChanges(services).feed({ appId: app.id, ownerId: app.ownerId, lastEventId, maxOfOwner })
  },
})
