import { hasPassed } from '#server/clock/has-passed.ts'
import type { JobHandler } from '#server/jobs/jobs.ts'
import { eventStreams } from '#server/http/event-stream.ts'
import { epochSeconds, perServer, type Services } from '#server/services.ts'
import { dropListener } from './webhook-listeners.actions.ts'
import { listUnfollowed } from './webhook-listeners.reads.ts'
import { listenerTopic, unfollowedSeconds } from './webhook-listeners.rules.ts'

const listenersPerRead = 100

const startOf = perServer((services) => ({ at: epochSeconds(services) }))

/** Starts the time in which listeners can come back after the server was away. */
export const awaitListeners = (services: Services): void => void startOf(services)

/** Listeners last followed before this time (epoch seconds) have ended. After a start, none has for a while. */
export function unfollowedBefore(services: Services): number {
  const now = epochSeconds(services)
  return hasPassed(unfollowedSeconds, startOf(services).at, now) ? now - unfollowedSeconds : 0
}

/** Listeners that are followed here, even if this process stood still and could not record it. */
export const followedHere = (services: Services): Set<string> => eventStreams(services).openTopics(listenerTopic)

async function endUnfollowed(services: Services): Promise<void> {
  const { db } = services
  // Records that those with an open stream are followed, which a process that stood still could not.
  await eventStreams(services).beat(listenerTopic)
  const before = unfollowedBefore(services)
  for (;;) {
    const listeners = await listUnfollowed(db.read, { before, limit: listenersPerRead })
    for (const { app_id: appId, id } of listeners) await db.write((tx) => dropListener(tx, { appId, id }, before))
    if (listeners.length < listenersPerRead) return
  }
}

export const listenerExpiry: JobHandler = {
  concurrency: 1,
  leaseSeconds: 60,
  maxAttempts: 1,
  everySeconds: 60,
  run: endUnfollowed,
}
