import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { changeOwnerPlan as changeOwnerPlanAction } from '../admin.actions.ts'
import { adminContract } from '../admin.contract.ts'

const call = adminContract.changeOwnerPlan

export const changeOwnerPlan = endpoint(call, {
  write: async (tx, context) => {
    const { planExpiresAt, previous } = await changeOwnerPlanAction(tx, context, { ...context.params, ...context.body })
    return { ...done(call, 'OWNER_PLAN_OK'), planExpiresAt, previous }
  },
})
