import { type CallContext, endpoint } from '#server/endpoint.ts'
import type { Unit } from '#database/database.ts'
import { sessionHash } from '#server/session-cookies.ts'
import { deleteSession } from '../account-sessions.queries.ts'
import { accountsContract } from '../accounts.contract.ts'

type LogoutCall = typeof accountsContract.logout

async function endOwnSession(unit: Unit, { cookies }: Pick<CallContext<LogoutCall>, 'cookies'>) {
  if (cookies.token) await deleteSession(unit.trx, sessionHash(cookies.token))
  unit.afterCommit(() => cookies.end())
  return { message: 'Logged out' }
}

export const logout = endpoint(accountsContract.logout, { unit: endOwnSession })

/** Each of the two ends the session it is given (conflicts C04). */
export const resellerLogout = endpoint(accountsContract.resellerLogout, { unit: endOwnSession })
