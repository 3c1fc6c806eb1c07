import { reject } from '#contract/errors.ts'
import { findVariable } from '#features/variables/variables.reads.ts'
import { clientErrors } from '../client-api.errors.ts'
import type { ProgramHandler } from '../client-calls.ts'
import { requireRunningUser } from '../running-user.ts'

/** Reads a variable of the signed-in user. */
export const userVariable: ProgramHandler<'user-variable'> = async (context) => {
  const { services, app, body } = context
  const { user } = requireRunningUser(context)
  const key = { appId: app.row.id, userId: user.id, name: body.name.trim() }
  const found = await findVariable(services.db.read, key)
  if (!found) reject(clientErrors, 'VARIABLE_NOT_FOUND')
  return { name: found.name, value: found.data }
}
