import { refuse } from '#contract/refusals.ts'
import {
  changeLevel,
  createLevel as createSubscriptionAction,
  setLevelActive,
} from '#features/levels/levels.actions.ts'
import { deleteSubscription as deleteSubscriptionAction } from '#features/subscriptions/subscriptions.actions.ts'
import { countUsersOfLevel, describeLevel, describeLevels } from '#features/subscriptions/subscriptions.reply.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { sellerSubscriptionsContract, sellerSubscriptionsRefusals } from '../seller-subscriptions.contract.ts'

export const listSubscriptions = endpoint(sellerSubscriptionsContract.listSubscriptions, {
  read: async ({ services: { db }, app }) => ({ subscriptions: await describeLevels(db, app.id) }),
})

export const createSubscription = endpoint(sellerSubscriptionsContract.createSubscription, {
  write: async (tx, context) => {
    const { app, body, now } = context
    const { level: wanted, name: text, active = true } = body
    const created = await createSubscriptionAction(tx, { appId: app.id, level: wanted, name: text, active, now })
    const { level, name } = created
    await recordAudit(tx, context, { act: 'subscription.create', target: String(level), details: { name } })
    return { message: 'Subscription created successfully', subscription: describeLevel(created, 0) }
  },
})

export const editSubscription = endpoint(sellerSubscriptionsContract.editSubscription, {
  prepare: ({ services: { db }, app, params }) => countUsersOfLevel(db, app.id, params.level),
  write: async (tx, context, userCount) => {
    const { app, params, body } = context
    const { name, active } = body
    if (name === undefined && active === undefined) refuse(sellerSubscriptionsRefusals, 'NOTHING_TO_CHANGE')
    const choice = { appId: app.id, level: params.level, active }
    const updated = name === undefined ? await setLevelActive(tx, choice) : await changeLevel(tx, { ...choice, name })
    const details = { name: updated.name, active: updated.active === 1 }
    await recordAudit(tx, context, { act: 'subscription.update', target: String(params.level), details })
    return { message: 'Subscription updated successfully', subscription: describeLevel(updated, userCount) }
  },
})

export const deleteSubscription = endpoint(sellerSubscriptionsContract.deleteSubscription, {
  writeInBatches: async (context) => {
    const { services, app, params, query, now } = context
    const { level } = params
    const force = query.forceDelete === true
    const { licenses, users } = await deleteSubscriptionAction(services.db, {
      appId: app.id,
      level,
      force,
      now,
      record: (tx, done) =>
        recordAudit(tx, context, { act: 'subscription.delete', target: String(level), details: { force, ...done } }),
    })
    return { message: 'Subscription deleted successfully', deletedLicenses: licenses, removedUsers: users }
  },
})
