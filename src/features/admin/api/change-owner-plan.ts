import { endpoint } from '#server/http/endpoint.ts'
import { changeOwnerPlan as changeOwnerPlanAction } from '../admin.actions.ts'
import { adminContract } from '../admin.contract.ts'

export const changeOwnerPlan = endpoint(adminContract.changeOwnerPlan, {
  write: async (tx, context) => {
    const { planExpiresAt, previous } = await changeOwnerPlanAction(tx, context, { ...context.params, ...context.body })
    return { code: 'OWNER_PLAN_OK', planExpiresAt, previous }
  },
})
