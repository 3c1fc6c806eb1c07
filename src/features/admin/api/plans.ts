import { createPlan, deletePlan, initPlans, moveOwnersToFree, updatePlan } from '#features/plans/plans.actions.ts'
import { standardPlans } from '#features/plans/plans.rules.ts'
import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { adminContract as contract } from '../admin.contract.ts'
import { planFields, plansOf } from '../admin.reply.ts'

export const planCalls: readonly Endpoint[] = [
  endpoint(contract.listPlans, {
    read: ({ services: { db } }) => plansOf(db.read),
  }),
  endpoint(contract.createPlan, {
    // In transactions of its own, since a deleted plan may have had many owners.
    prepare: ({ services: { db }, body }) => moveOwnersToFree(db, body.name.trim()),
    write: async (tx, context) => {
      const { name, displayName, ...fields } = context.body
      await createPlan(tx, context, { ...planFields(fields), name, displayName })
      return { code: 'PLAN_CREATE_OK', ...(await plansOf(tx.db)) }
    },
  }),
  /** A name in the body is ignored; the path names the plan, and the name cannot be changed. */
  endpoint(contract.updatePlan, {
    write: async (tx, context) => {
      const { name: _, before, ...change } = context.body
      await updatePlan(tx, context, {
        name: context.params.id,
        change: planFields(change),
        before: before && planFields(before),
      })
      return { code: 'PLAN_UPDATE_OK', ...(await plansOf(tx.db)) }
    },
  }),
  endpoint(contract.deletePlan, {
    writeInBatches: async (context) => {
      const { db } = context.services
      const { id: name } = context.params
      await db.write((tx) => deletePlan(tx, context, name))
      await moveOwnersToFree(db, name)
      return { code: 'PLAN_DELETE_OK', ...(await plansOf(db.read)) }
    },
  }),
  endpoint(contract.initPlans, {
    writeInBatches: async (context) => {
      const { db } = context.services
      for (const { name } of standardPlans) await moveOwnersToFree(db, name)
      await db.write((tx) => initPlans(tx, context))
      return { code: 'PLANS_INIT_OK', ...(await plansOf(db.read)) }
    },
  }),
]
