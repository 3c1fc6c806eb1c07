import { changeClientSession } from '#features/sessions/sessions.actions.ts'
import type { ProgramHandler } from '../client-calls.ts'

export const logout: ProgramHandler<'logout'> = async ({ services, session }) => {
  await services.db.write((tx) => changeClientSession(tx, session.row, { ended_code: 'SESSION_ENDED' }))
  return { message: 'Signed out' }
}
