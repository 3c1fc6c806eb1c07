import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { detect } from '#features/alerts/detection.ts'
import { activityLog } from '#features/logs/logs.actions.ts'
import { readConfig } from '#server/config/config.ts'
import { newSubscriber, signedIn } from '#testing/people/end-users.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { keepSignedIn } from '#testing/platform.ts'
import { ClamdServer } from '#testing/servers/clamd-server.ts'
import { startReceiver } from '#testing/servers/webhook-receiver.ts'
import { hasTwoProcesses, startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** What the server changes by itself, without an entry in the audit. */

let app: TestApp
let owner: OwnedApp
let told: string[]

beforeAll(async () => {
  app = await startTestApp()
  app.db.events.on('live', (topic) => {
    const [appId, subjects = ''] = topic.split('/')
    if (appId === owner.appId) told.push(...subjects.split(','))
  })
})
beforeEach(async () => {
  owner = await newOwnerWithApp(app)
  await keepSignedIn(app, owner)
  told = []
})
afterAll(() => app.close())

/** What was announced since the last time, after what was done before. PostgreSQL delivers in order. */
async function announced(): Promise<string[]> {
  const heard = new Promise<void>((resolve) => app.db.events.on('heard', () => resolve()))
  await app.db.announce('heard:now')
  await heard
  return [...new Set(told.splice(0))]
}

// Of two processes, one can't store the log entries of the other.
test.skipIf(hasTwoProcesses)('more of the same finding in a new alert is announced', async () => {
  const run = async () => {
    await activityLog(app.services).flush()
    return detect(app.services, owner.appId)
  }
  const signIn = async (username: string) => signedIn(app, owner, await newSubscriber(owner, { username }))
  // The detection of an earlier minute would be the first to find it.
  await app.jobsDone()
  for (const username of ['ada', 'ben', 'cyd']) await signIn(username)
  expect(await run()).toBe(1)
  app.advance(60)
  await app.jobsDone()
  await signIn('dee')
  await announced()
  expect(await run()).toBe(0)
  expect(await announced()).toEqual(['alerts'])
  await run()
  expect(await announced()).toEqual([])
})

test('a webhook that begins to fail, works again, or stops is announced, and no other delivery', async () => {
  const receiver = await startReceiver(app)
  await owner.visitor.call('POST /create_webhook', { body: { url: receiver.url, events: ['license.banned'] } })
  const [key = ''] = await newLicenses(owner, 1)
  let banned = false
  const deliver = async (status: number): Promise<string[]> => {
    receiver.answer = (response) => void response.writeHead(status).end()
    banned = !banned
    await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: key } })
    if (!banned) return deliver(status)
    await announced()
    await app.jobsDone()
    return announced()
  }
  expect(await deliver(200)).toEqual([])
  expect(await deliver(500)).toEqual(['webhooks'])
  app.advance(10)
  receiver.answer = (response) => void response.writeHead(200).end()
  await app.jobsDone()
  expect(await announced()).toEqual(['webhooks'])
  expect(await deliver(410)).toEqual(['webhooks'])
  await receiver.close()
})

test('a file whose scan is over, or that waits for a scanner that was turned off, is announced', async () => {
  const clamd = await ClamdServer.start()
  const { config } = app.services
  config.clamd = readConfig({ CLAMD_ADDRESS: clamd.address }).clamd
  const upload = (name: string) =>
    owner.visitor.call('POST /downloads/upload', { body: { name }, file: new File(['bytes'], 'setup.exe') })
  clamd.mode = 'away'
  expect((await upload('one')).body.code).toBe('DOWNLOAD_UPLOAD_PENDING')
  await announced()
  clamd.mode = 'scans'
  app.advance(61)
  await app.jobsDone()
  expect(await announced()).toEqual(['files'])
  clamd.mode = 'away'
  expect((await upload('two')).body.code).toBe('DOWNLOAD_UPLOAD_PENDING')
  await announced()
  config.clamd = undefined
  app.advance(3601)
  await app.jobsDone()
  expect(await announced()).toEqual(['files'])
  await clamd.close()
})
