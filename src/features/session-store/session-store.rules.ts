/** What may be said of a program's session, in the server and on the screen. */

/** Seconds that a session lasts when nobody says otherwise. */
const defaultLength = 300
const inactiveAfterSeconds = 600

export type SessionStatus = 'active' | 'inactive' | 'expired'

interface SessionTimes {
  /** Epoch seconds. */
  expires_at: number
  /** How many seconds each heartbeat gives it. */
  expiry_time?: number | undefined
}

export const lastHeartbeat = ({ expires_at, expiry_time = defaultLength }: SessionTimes): number =>
  expires_at - expiry_time

/** The earliest last heartbeat of an active session, epoch seconds; counts in SQL go by it, too. */
export const earliestActiveHeartbeat = (now: number): number => now - inactiveAfterSeconds

export function sessionStatus(session: SessionTimes, now: number): SessionStatus {
  if (session.expires_at <= now) return 'expired'
  return lastHeartbeat(session) < earliestActiveHeartbeat(now) ? 'inactive' : 'active'
}
