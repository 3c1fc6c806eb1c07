/** What may be said of a program's session, in the server and on the screen (part 2 §4, §9). */

/** Seconds that a session lasts when nobody says otherwise. */
const defaultLength = 300
const inactiveAfter = 600

export type SessionStatus = 'active' | 'inactive' | 'expired'

interface SessionTimes {
  /** Epoch seconds. */
  expires_at: number
  /** How many seconds each heartbeat gives it. */
  expiry_time?: number | undefined
}

export const lastHeartbeat = ({ expires_at, expiry_time = defaultLength }: SessionTimes): number =>
  expires_at - expiry_time

export function sessionStatus(session: SessionTimes, now: number): SessionStatus {
  if (session.expires_at <= now) return 'expired'
  return now - lastHeartbeat(session) > inactiveAfter ? 'inactive' : 'active'
}
