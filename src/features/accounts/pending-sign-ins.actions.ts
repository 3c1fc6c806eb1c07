import type { Reader, Tx } from '#database/database.ts'
import { newSessionToken, sessionHash } from '#server/session-cookies.ts'
import { deletePending, findPending, insertPending, type PendingSignIn } from './two-factor.queries.ts'

const pendingSeconds = 300

/** A right password whose second factor is still to come; gives the token that finishes it. It opens nothing else. */
export async function startPendingSignIn(
  tx: Tx,
  { accountId, rememberMe, now }: { accountId: string; rememberMe: boolean; now: number },
): Promise<string> {
  const token = newSessionToken()
  await insertPending(tx.db, {
    token_hash: sessionHash(token),
    account_id: accountId,
    remember_me: rememberMe ? 1 : 0,
    expires_at: now + pendingSeconds,
  })
  return token
}

export const pendingSignIn = (db: Reader, token: string, now: number): Promise<PendingSignIn | undefined> =>
  findPending(db, sessionHash(token), now)

/** True for the one call that finishes it. */
export const takePendingSignIn = (tx: Tx, { token_hash }: PendingSignIn): Promise<boolean> =>
  deletePending(tx.db, token_hash)
