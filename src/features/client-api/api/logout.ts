import { changeClientSession } from '#features/session-store/session-store.actions.ts'
import type { ProgramHandler } from '../client-calls.ts'

export const logout: ProgramHandler<'logout'> = async ({ write, session }) => {
  await write((tx) => changeClientSession(tx, session.row, { ended_code: 'SESSION_ENDED' }))
  return { message: 'Signed out' }
}
