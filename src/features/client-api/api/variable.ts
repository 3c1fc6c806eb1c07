import { reject } from '#contract/errors.ts'
import { findAppVariable } from '#features/variables/variables.reads.ts'
import { clientErrors } from '../client-api.errors.ts'
import type { ProgramHandler } from '../client-calls.ts'
import { requireRunningUser } from '../running-user.ts'

/** Reads a variable of the app; if the owner requires it, only after sign-in. */
export const variable: ProgramHandler<'variable'> = async (context) => {
  const { services, app, body } = context
  const found = await findAppVariable(services.db.read, app.row.id, body.name.trim())
  if (found?.authenticated !== 0) requireRunningUser(context)
  if (!found) reject(clientErrors, 'VARIABLE_NOT_FOUND')
  return { name: found.name, value: found.data }
}
