import { lockUser } from '#features/users/users.actions.ts'
import { setUserVariable as setVariable } from '#features/variables/variables.actions.ts'
import type { ProgramHandler } from '../client-calls.ts'
import { contextOfUser, requireRunningUser } from '../running-user.ts'

/** Creates or updates a variable of the signed-in user. */
export const setUserVariable: ProgramHandler<'set-user-variable'> = async (context) => {
  const { write, app, body } = context
  const name = body.name.trim()
  const data = body.value
  const { user } = requireRunningUser(context)
  await write(async (tx) => {
    const locked = await lockUser(tx, app.row.id, user.username)
    await setVariable(tx, contextOfUser(context, locked), locked, { name, data })
  })
  return { name, value: data }
}
