import type { AppEvent, Tx } from '#database/database.ts'
import { hasEnds, listEnds } from '#features/users/users.reads.ts'
import { countedTarget } from '#server/audit/audit.ts'
import type { JobHandler } from '#server/jobs/jobs.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import { type ExpiryLook, type ExpiryProgress, firstLook, nextLook } from './expiry-look.rules.ts'
import { findExpiryLook, listSubscribedApps } from './webhooks.reads.ts'
import { replaceExpiryLook } from './webhooks.writes.ts'

/** Announces users whose time has ended, each end exactly once: the look moves on in the transaction that announces. */

/** Longer than a transaction that grants time may take, so that none commits an end behind the look. */
const settleSeconds = 10
const appsPerRead = 1000
const usersPerTransaction = 1000

interface App {
  id: string
  ownerId: string
}

/** A look and its stored text, which nobody else may have changed when it moves on. */
interface StoredLook {
  look: ExpiryLook
  stored: string
}

async function lookForEnds(services: Services): Promise<void> {
  const { db } = services
  const now = epochSeconds(services) - settleSeconds
  const stored = await findExpiryLook(db.read)
  const look = stored === '' ? firstLook(now) : nextLook(JSON.parse(stored) as ExpiryLook, now)
  if (!look) return
  let state: StoredLook = { look, stored }
  while (!look.isDone) {
    const page = { event: 'user.expired' as const, after: state.look.afterApp, limit: appsPerRead }
    const apps = await listSubscribedApps(db.reports, page)
    for (const app of apps) state = await announceEnds(services, state, app)
    if (apps.length < appsPerRead) break
  }
  const done = { ...firstLook(state.look.until), since: state.look.since }
  await db.write((tx) => moveOn(tx, state, done))
}

/** Stored by the next batch or at the end, so that apps without an end cost no transaction. */
const appDone = ({ look, stored }: StoredLook, { id }: App): StoredLook => ({
  look: { ...look, afterApp: id, progress: null },
  stored,
})

async function announceEnds(services: Services, before: StoredLook, app: App): Promise<StoredLook> {
  const { progress, since, until } = before.look
  const isBegun = progress?.appId === app.id
  if (!isBegun && !(await hasEnds(services.db.reports, { appId: app.id, since, until }))) return appDone(before, app)
  for (let state = before; ;) {
    const batch = await announceBatch(services, state, app)
    if (batch.isLast) return appDone(batch.state, app)
    state = batch.state
  }
}

/** One transaction. A user who is banned or gets more time meanwhile isn't seen twice: the order is that of the ends. */
function announceBatch(
  { db, clock }: Services,
  state: StoredLook,
  app: App,
): Promise<{ state: StoredLook; isLast: boolean }> {
  const { progress, since, until } = state.look
  const after = progress?.appId === app.id ? progress : { at: since, id: Number.MAX_SAFE_INTEGER }
  return db.write(async (tx) => {
    const ends = await listEnds(tx.db, { appId: app.id, after, until, limit: usersPerTransaction })
    const last = ends.at(-1)
    if (!last) return { state, isLast: true }
    const reached: ExpiryProgress = { appId: app.id, at: last.at, id: last.id }
    const moved = await moveOn(tx, state, { ...state.look, progress: reached })
    const ended = ends.filter(({ isPaused }) => !isPaused)
    if (ended.length > 0) tx.emit(endsOf(app, ended, Math.floor(clock() / 1000)))
    return { state: moved, isLast: ends.length < usersPerTransaction }
  })
}

function endsOf({ id: appId, ownerId }: App, users: readonly { username: string }[], at: number): AppEvent {
  const names = users.map(({ username }) => username)
  const event = { type: 'user.expire', appId, ownerId, at, details: {} }
  const [only = ''] = names
  return names.length === 1
    ? { ...event, target: only }
    : { ...event, target: countedTarget(names.length, 'users'), names }
}

async function moveOn(tx: Tx, { stored }: StoredLook, look: ExpiryLook): Promise<StoredLook> {
  const next = JSON.stringify(look)
  if (!(await replaceExpiryLook(tx.db, { stored, next }))) throw new Error('Another process has taken over the look')
  return { look, stored: next }
}

export const userExpiry: JobHandler = {
  concurrency: 1,
  leaseSeconds: 300,
  maxAttempts: 1,
  everySeconds: 60,
  run: lookForEnds,
}
