import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { lockUser, resetHwids } from '../users.actions.ts'
import { usersContract } from '../users.contract.ts'

export const resetUserHwid = endpoint(usersContract.resetUserHwid, {
  write: async (tx, context) => {
    const { app, body } = context
    const user = await lockUser(tx, app.id, body.username)
    await resetHwids(tx, app.id, [user])
    await recordAudit(tx, context, { act: 'user.reset-hwid', target: user.username })
    return { message: 'HWID reset successfully' }
  },
})
