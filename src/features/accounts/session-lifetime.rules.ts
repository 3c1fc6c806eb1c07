/** How long a dashboard session lives (part 1 §4; conflicts C15). All in seconds. */

export const rememberedSeconds = 30 * 86_400
export const idleSeconds = 3600

/**
 * Remembered: 30 days after sign-in. Otherwise one hour after the last use, and at the latest
 * `timeoutHours` after sign-in.
 */
export function sessionExpiry(
  session: { createdAt: number; lastUsedAt: number; rememberMe: boolean },
  timeoutHours: number,
): number {
  if (session.rememberMe) return session.createdAt + rememberedSeconds
  return Math.min(session.lastUsedAt + idleSeconds, session.createdAt + timeoutHours * 3600)
}

/** A use is written down at most once a minute. */
export const shouldNoteUse = (lastUsedAt: number, now: number): boolean => now - lastUsedAt >= 60
