/** Status rules of program sessions. Runs in the server and the dashboard. */

/** Default session length in seconds. */
const defaultLength = 300
const inactiveAfterSeconds = 600

/** Lists leave out sessions that expired earlier, even though they can still be renewed. */
export const listedAfterExpirySeconds = 86_400

export const sessionStatuses = ['active', 'inactive', 'expired'] as const
export type SessionStatus = (typeof sessionStatuses)[number]

/** Columns of the list that an index has in their order. */
export const sessionSorts = ['created', 'expires'] as const

interface SessionTimes {
  /** Epoch seconds. */
  expires_at: number
  /** Seconds by which each heartbeat extends the session. */
  expiry_time?: number | undefined
}

export const lastHeartbeat = ({ expires_at, expiry_time = defaultLength }: SessionTimes): number =>
  expires_at - expiry_time

/** The earliest last heartbeat of an active session, in epoch seconds; also used by counts in SQL. */
export const earliestActiveHeartbeat = (now: number): number => now - inactiveAfterSeconds

export function sessionStatus(session: SessionTimes, now: number): SessionStatus {
  if (session.expires_at <= now) return 'expired'
  return lastHeartbeat(session) < earliestActiveHeartbeat(now) ? 'inactive' : 'active'
}
