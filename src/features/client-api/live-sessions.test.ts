import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { sessionHash } from '#server/secrets/session-token.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { LiveSessions } from './live-sessions.ts'

let app: TestApp
let owner: OwnedApp
beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

async function newSession(): Promise<string> {
  const program = await Program.of(app, owner)
  await program.init()
  return sessionHash(program.session ?? '')
}

test('a session that nobody uses is forgotten, once its requests can be replayed no more; others stay', async () => {
  const sessions = new LiveSessions(app.db, (error) => expect.fail(String(error)))
  const [ended, running, unsaved] = [await newSession(), await newSession(), await newSession()]
  const known = () => [ended, running, unsaved].map((hash) => sessions.isKnown(owner.appId, hash))
  const find = (hash: string, now: number) => sessions.find(owner.appId, hash, { now, signedIn: false })
  const start = app.now()
  for (const hash of [ended, running]) await find(hash, start)
  const live = await find(unsaved, start)
  if (!live) throw new Error('The session is not there')
  for (let now = start; now <= start + 840; now += 60) await find(running, now)
  expect(known()).toEqual([true, true, true])
  // Its heartbeat is not stored yet.
  sessions.recordHeartbeat(live, start, live.row.expires_at)
  await find(running, start + 961)
  expect(known()).toEqual([false, true, true])
  await sessions.flush()
  await find(running, start + 1081)
  expect(known()).toEqual([false, true, false])
  expect(await find(ended, start + 1082)).toMatchObject({ row: { token_hash: ended } })
})

test('a session that is read while its heartbeat is being stored has that heartbeat', async () => {
  const slowDisk = Promise.withResolvers<void>()
  // The disk is slow.
  const write: typeof app.db.write = async (work) => {
    await slowDisk.promise
    return app.db.write(work)
  }
  const sessions = new LiveSessions({ ...app.db, write }, (error) => expect.fail(String(error)))
  const hash = await newSession()
  const now = app.now() + 100
  const find = () => sessions.find(owner.appId, hash, { now, signedIn: false })
  const live = await find()
  if (!live) throw new Error('The session is not there')
  sessions.recordHeartbeat(live, now, now + 300)
  const stored = sessions.flush()
  sessions.invalidate(hash)
  const found = find()
  slowDisk.resolve()
  expect(await found).toMatchObject({ row: { last_heartbeat_at: now, expires_at: now + 300 } })
  await stored
  expect(await find()).toMatchObject({ dirty: false })
})
