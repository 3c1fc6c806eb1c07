import type { Database, Tx } from '#database/database.ts'
import { enqueueJobs, type JobHandler } from '#server/jobs/jobs.ts'
import type { ClientSession, StartedSession } from './session-store.reads.ts'
import {
  deleteOldSessionRows,
  endOtherSessionRows,
  endSessionRows,
  insertClientSessions,
  type SessionChoice,
  type SignedIn,
  updateClientSession,
  updateFirstSignedIn,
  updateHeartbeat,
  updateSignedIn,
} from './session-store.writes.ts'

/** Why a program's session ended; its next call is rejected with this code. */
export type EndedCode = 'SESSION_ENDED' | 'LICENSE_BANNED' | 'USER_BANNED' | 'USER_PAUSED' | 'SESSION_REPLACED'

/** Above this number of sessions, one message for the whole app is cheaper. */
const maxPublished = 200

/** Ends sessions. In every process, the next call of their programs is rejected with the code. */
export async function endSessions(tx: Tx, choice: SessionChoice, code: EndedCode): Promise<string[]> {
  const ended = await endSessionRows(tx.db, choice, { code })
  publishEnded(tx, choice.appId, ended)
  return ended.map(({ handle }) => handle)
}

export async function endOtherSessions(
  tx: Tx,
  others: { appId: string; userId: number; tokenHash: string },
  code: EndedCode,
): Promise<void> {
  publishEnded(tx, others.appId, await endOtherSessionRows(tx.db, { ...others, code }))
}

function publishEnded(tx: Tx, appId: string, ended: readonly { token_hash: string }[]): void {
  if (ended.length > maxPublished) tx.publish(`access:${appId}`)
  else for (const session of ended) tx.publish(`session:${session.token_hash}`)
}

export type RejectedChoice = Pick<SessionChoice, 'appId' | 'userIds' | 'licenseIds'>

const endKind = 'sessions.end'
const endedPerTransaction = 1000

interface EndJob {
  choice: SessionChoice
  code: EndedCode
}

/**
 * Ends the sessions of users or licenses banned or deleted in this transaction: one batch now and the rest in a job, so
 * that the call stays fast for a license shared by 200,000 programs. Their calls are already rejected, except those of
 * users with another entitlement besides a deleted license: those sessions last until the job ends them.
 */
export async function endRejectedSessions(
  tx: Tx,
  rejected: RejectedChoice,
  code: EndedCode,
  now: number,
): Promise<void> {
  const ended = await endSessionRows(tx.db, rejected, { code, limit: endedPerTransaction })
  publishEnded(tx, rejected.appId, ended)
  if (ended.length < endedPerTransaction) return
  // Spares sessions that start, or are signed in, after the ban is lifted.
  const payload: EndJob = { choice: { ...rejected, startedUntil: now }, code }
  await enqueueJobs(tx, [{ kind: endKind, lane: rejected.appId, payload, dueAt: now }], now)
}

const endRejected: JobHandler<EndJob> = {
  concurrency: 2,
  leaseSeconds: 600,
  maxAttempts: 20,
  async run({ db }, job) {
    const { choice, code } = job.payload
    for (let more = true; more;) {
      more = await db.write(async (tx) => {
        const ended = await endSessionRows(tx.db, choice, { code, limit: endedPerTransaction })
        if (ended.length === endedPerTransaction) return true
        // Published once at the end, because every message reloads all programs of the app.
        tx.publish(`access:${choice.appId}`)
        await job.finish(tx)
        return false
      })
    }
  },
}

export const sessionJobs: Record<string, JobHandler> = { [endKind]: endRejected as JobHandler }

export const startClientSessions = (tx: Tx, sessions: readonly StartedSession[]): Promise<void> =>
  insertClientSessions(tx.db, sessions)

/**
 * Signs a user in. Reopens a session that a ban ended: the caller has locked the user and found no ban. Publishes only
 * if the stored session had a user before: no process relies on a cached session without one, and on PostgreSQL,
 * transactions that publish commit one at a time. `session` may be older: another process may have signed it in since.
 */
export async function signInClientSession(tx: Tx, session: ClientSession, signedIn: SignedIn): Promise<void> {
  if (session.user_id === null && (await updateFirstSignedIn(tx.db, session, signedIn))) return
  await updateSignedIn(tx.db, session, signedIn)
  tx.publish(`session:${session.token_hash}`)
}

export async function changeClientSession(
  tx: Tx,
  session: { app_id: string; token_hash: string },
  change: Partial<ClientSession>,
): Promise<void> {
  await updateClientSession(tx.db, session, change)
  tx.publish(`session:${session.token_hash}`)
}

/** Stores the last heartbeat of each session. Sessions ended meanwhile stay ended. */
export async function storeHeartbeats(tx: Tx, sessions: readonly ClientSession[]): Promise<void> {
  for (const session of sessions) {
    await updateHeartbeat(tx.db, session)
  }
}

/** So long can a program sleep and go on without signing in again (PRG-43). */
const retentionSeconds = 7 * 86_400

/** Whether a session that has expired can still be renewed, if nothing else ended it. */
export const isRenewable = ({ expires_at: expiresAt }: Pick<ClientSession, 'expires_at'>, now: number): boolean =>
  expiresAt >= now - retentionSeconds

/** Deletes sessions that expired over a week ago; until then, they can be renewed, or say why they can't. */
export const deleteOldSessions = (db: Database, now: number): Promise<void> =>
  deleteOldSessionRows(db, now - retentionSeconds)
