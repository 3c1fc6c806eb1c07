import { reject } from '#contract/errors.ts'
import { countEntitledUsers } from '#features/entitlements/entitlements.reads.ts'
import { changeLevel, createLevel } from '#features/levels/levels.actions.ts'
import { deleteSubscription } from '#features/subscriptions/subscriptions.actions.ts'
import { describeLevels, subscriptionReply } from '#features/subscriptions/subscriptions.reply.ts'
import { type Endpoint, endpoint } from '#server/http/endpoint.ts'
import { requireScope } from '../required-scope.ts'
import { sellerSubscriptionsContract as contract, sellerSubscriptionsErrors } from '../seller-subscriptions.contract.ts'

export const subscriptionCalls: readonly Endpoint[] = [
  endpoint(contract.listSubscriptions, {
    read: async ({ services: { db }, app }) => ({ subscriptions: await describeLevels(db, app.id) }),
  }),
  endpoint(contract.createSubscription, {
    write: async (tx, context) => {
      const { level, name, active = true } = context.body
      const created = await createLevel(tx, context, { level, name, active })
      return { code: 'SUBSCRIPTION_CREATE_OK', subscription: subscriptionReply(created, 0) }
    },
  }),
  endpoint(contract.editSubscription, {
    prepare: ({ services: { db }, app, params }) => countEntitledUsers(db.reports, app.id, params.level),
    write: async (tx, context, userCount) => {
      const { name, active } = context.body
      if (name === undefined && active === undefined) reject(sellerSubscriptionsErrors, 'NOTHING_TO_CHANGE')
      const updated = await changeLevel(tx, context, { level: context.params.level, name, active })
      return { code: 'SUBSCRIPTION_UPDATE_OK', subscription: subscriptionReply(updated, userCount) }
    },
  }),
  endpoint(contract.deleteSubscription, {
    writeInBatches: async (context) => {
      const { actor, params, query } = context
      const choice = { level: params.level, force: query.forceDelete === true }
      if (choice.force) for (const scope of ['licenses:delete', 'users:write'] as const) requireScope(actor, scope)
      const { licenses, users } = await deleteSubscription(context.services.db, context, choice)
      return { code: 'SUBSCRIPTION_DELETE_OK', deletedLicenses: licenses, removedUsers: users }
    },
  }),
]
