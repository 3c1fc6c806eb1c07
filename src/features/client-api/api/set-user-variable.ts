import { setUserVariable as setVariable } from '#features/variables/variables.actions.ts'
import type { ProgramHandler } from '../client-calls.ts'
import { contextOfUser, lockSignedInUser, requireRunningUser } from '../running-user.ts'

/** Creates or updates a variable of the signed-in user. */
export const setUserVariable: ProgramHandler<'set-user-variable'> = async (context) => {
  const { write, body } = context
  const name = body.name.trim()
  const data = body.value
  requireRunningUser(context)
  await write(async (tx) => {
    const user = await lockSignedInUser(tx, context)
    await setVariable(tx, contextOfUser(context, user), user, { name, data })
  })
  return { name, value: data }
}
