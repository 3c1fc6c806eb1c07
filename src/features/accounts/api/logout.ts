import type { Tx } from '#database/database.ts'
import { type CallContext, endpoint } from '#server/endpoint.ts'
import { sessionHash } from '#server/session-cookies.ts'
import { accountsContract } from '../accounts.contract.ts'
import { endSession } from '../accounts.actions.ts'

type LogoutCall = typeof accountsContract.logout

async function endOwnSession(tx: Tx, { cookies }: Pick<CallContext<LogoutCall>, 'cookies'>) {
  if (cookies.token) await endSession(tx, sessionHash(cookies.token))
  tx.afterCommit(() => cookies.end())
  return { message: 'Logged out' }
}

export const logout = endpoint(accountsContract.logout, { write: endOwnSession })

/** Each of the two ends the session it is given (conflicts C04). */
export const resellerLogout = endpoint(accountsContract.resellerLogout, { write: endOwnSession })
