import {
  createPlan as createPlanAction,
  deletePlan as deletePlanAction,
  initPlans as initPlansAction,
  moveOwnersToFree,
  updatePlan as updatePlanAction,
} from '#features/plans/plans.actions.ts'
import { standardPlans } from '#features/plans/plans.rules.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { adminContract } from '../admin.contract.ts'
import { planFields, plansOf } from '../admin.reply.ts'

export const createPlan = endpoint(adminContract.createPlan, {
  writeInBatches: async (context) => {
    const { db } = context.services
    const { name, displayName, ...fields } = context.body
    await moveOwnersToFree(db, name.trim())
    await db.write((tx) => createPlanAction(tx, context, { ...planFields(fields), name, displayName }))
    return { code: 'PLAN_CREATE_OK', ...(await plansOf(db.read)) }
  },
})

/** A name in the body is ignored; the path names the plan, and the name cannot be changed. */
export const updatePlan = endpoint(adminContract.updatePlan, {
  write: async (tx, context) => {
    const { name: _, before, ...change } = context.body
    await updatePlanAction(tx, context, {
      name: context.params.id,
      change: planFields(change),
      before: before && planFields(before),
    })
    return { code: 'PLAN_UPDATE_OK', ...(await plansOf(tx.db)) }
  },
})

export const deletePlan = endpoint(adminContract.deletePlan, {
  writeInBatches: async (context) => {
    const { db } = context.services
    const { id: name } = context.params
    await db.write((tx) => deletePlanAction(tx, context, name))
    await moveOwnersToFree(db, name)
    return { code: 'PLAN_DELETE_OK', ...(await plansOf(db.read)) }
  },
})

export const initPlans = endpoint(adminContract.initPlans, {
  writeInBatches: async (context) => {
    const { db } = context.services
    for (const { name } of standardPlans) await moveOwnersToFree(db, name)
    await db.write((tx) => initPlansAction(tx, context))
    return { code: 'PLANS_INIT_OK', ...(await plansOf(db.read)) }
  },
})
