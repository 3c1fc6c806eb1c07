import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { heldUser } from '../user-account.actions.ts'
import { resetHwids } from '../user-state.actions.ts'
import { usersContract } from '../users.contract.ts'

export const resetUserHwid = endpoint(usersContract.resetUserHwid, {
  unit: async (unit, context) => {
    const { app, body } = context
    const user = await heldUser(unit, app.id, body.username)
    await resetHwids(unit, app.id, [user.id])
    await recordAudit(unit, context, { act: 'user.reset-hwid', target: user.username })
    return { message: 'HWID reset successfully' }
  },
})
