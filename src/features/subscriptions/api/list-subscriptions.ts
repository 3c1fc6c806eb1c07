import { type CallContext, endpoint } from '#server/http/endpoint.ts'
import { subscriptionsContract } from '../subscriptions.contract.ts'
import { listLevelsWithUsers } from '../subscriptions.reads.ts'
import { subscriptionReply } from '../subscriptions.reply.ts'

type List = typeof subscriptionsContract.listSubscriptions

async function listLevels({ services: { db }, app }: CallContext<List>) {
  const rows = await listLevelsWithUsers(db.reports, app.id)
  return { subscriptions: rows.map((row) => subscriptionReply(row, Number(row.user_count ?? 0))) }
}

export const listSubscriptions = endpoint(subscriptionsContract.listSubscriptions, { read: listLevels })

/** An alias of the list. */
export const manageSubscriptions = endpoint(subscriptionsContract.manageSubscriptions, {
  read: (context) => listLevels(context as unknown as CallContext<List>),
})
