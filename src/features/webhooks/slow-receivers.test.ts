import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { keepSignedIn } from '#testing/platform.ts'
import { Program } from '#testing/people/program.ts'
import { type SilentServer, startSilentServer } from '#testing/servers/silent-server.ts'
import { hasTwoProcesses, startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { startReceiver, type WebhookReceiver } from '#testing/servers/webhook-receiver.ts'

let app: TestApp
let silent: SilentServer
let receiver: WebhookReceiver

const settings = () => app.services.config.outgoing
const long = 3_600_000
const processes = hasTwoProcesses ? 2 : 1

beforeAll(async () => {
  app = await startTestApp({ resolveHost: async () => ['127.0.0.1'] })
  silent = await startSilentServer()
  receiver = await startReceiver(app)
  settings().loopbackPorts?.push(silent.port)
})
beforeEach(() => {
  Object.assign(settings(), { timeoutMs: long, briefTimeoutMs: long })
  silent.isGone = false
})
afterAll(async () => {
  await app.close()
  await silent.close()
  await receiver.close()
})

const add = async (owner: OwnedApp, url: string, authenticated = true) => {
  const body = { url, events: ['license.created' as const], authenticated }
  return (await owner.visitor.call('POST /create_webhook', { body })).body.webhookId
}
const addSilent = async (owner: OwnedApp, count: number, authenticated = true) => {
  const ids: string[] = []
  for (let n = 0; n < count; n++)
    ids.push(await add(owner, `http://h${n}-${owner.id}.example:${silent.port}/`.toLowerCase(), authenticated))
  return ids
}
const received = () =>
  new Promise<void>((resolve) => {
    receiver.answer = (response) => {
      response.writeHead(204).end()
      resolve()
    }
  })

test("30 hanging receivers of one owner hold 12 connections, and don't delay another owner's deliveries (R-WHK-08)", async () => {
  const [slow, neighbor] = [await newOwnerWithApp(app), await newOwnerWithApp(app)]
  await addSilent(slow, 30)
  await add(neighbor, receiver.url)
  await newLicenses(slow, 1)
  await silent.opened(12)
  const delivery = received()
  await newLicenses(neighbor, 1)
  await delivery
  expect(silent.open()).toBeLessThanOrEqual(12 * processes)
  silent.isGone = true
  silent.hangUp()
  await app.jobsDone()
})

test.skipIf(hasTwoProcesses)(
  'after a receiver timed out, one delivery is tried, and the others wait without an attempt',
  async () => {
    settings().timeoutMs = 50
    const owner = await newOwnerWithApp(app)
    await keepSignedIn(app, owner)
    const webhookId = await add(owner, receiver.url)
    const before = receiver.received.length
    receiver.answer = () => {}
    for (let n = 0; n < 3; n++) await newLicenses(owner, 1)
    await app.jobsDone()
    const deliveries = async () =>
      (await owner.visitor.call('GET /webhook_deliveries', { query: { webhookId } })).body.deliveries
    expect((await deliveries()).map(({ attempts, failure }) => `${attempts} ${failure}`)).toEqual([
      '0 ',
      '0 ',
      '1 timeout',
    ])
    expect(receiver.received.length - before).toBe(1)
    silent.isGone = true
    settings().timeoutMs = long
    void received()
    app.advance(10)
    await app.jobsDone()
    expect((await deliveries()).map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered'])
  },
)

test.skipIf(hasTwoProcesses)(
  'a receiver that timed out while the clock was ahead is tried again after the clock was set back',
  async () => {
    const setClock = (seconds: number) => {
      app.jumpClock(seconds)
      app.now()
      // The clock is believed after ten minutes.
      app.advance(660)
      app.now()
    }
    Object.assign(settings(), { timeoutMs: 50, briefTimeoutMs: 50 })
    const owner = await newOwnerWithApp(app)
    await keepSignedIn(app, owner)
    const webhookId = await add(owner, receiver.url)
    receiver.answer = () => {}
    setClock(86_400)
    await newLicenses(owner, 1)
    await app.jobsDone()
    const delivery = async () =>
      (await owner.visitor.call('GET /webhook_deliveries', { query: { webhookId } })).body.deliveries[0]
    expect(await delivery()).toMatchObject({ state: 'waiting', failure: 'timeout' })
    setClock(-86_400)
    Object.assign(settings(), { timeoutMs: long, briefTimeoutMs: long })
    void received()
    await app.jobsDone()
    app.advance(3600)
    await app.jobsDone()
    expect(await delivery()).toMatchObject({ state: 'delivered' })
  },
)

test.skipIf(hasTwoProcesses)(
  "programs of one owner have at most 20 webhook calls in progress, and another owner's are unaffected (R-WHK-08)",
  async () => {
    const [slow, neighbor] = [await newOwnerWithApp(app), await newOwnerWithApp(app)]
    const programOf = async (owner: OwnedApp) => {
      const program = await Program.of(app, owner)
      await program.init()
      return program
    }
    const ids = await addSilent(slow, 2, false)
    const program = await programOf(slow)
    const calls = Array.from({ length: 20 }, (_, n) => program.send('call-webhook', { id: ids[n % 2] }))
    await silent.opened(20)
    expect((await program.send('call-webhook', { id: ids[0] })).body.code).toBe('WEBHOOK_BUSY')
    void received()
    const id = await add(neighbor, receiver.url, false)
    expect((await (await programOf(neighbor)).send('call-webhook', { id })).status).toBe(200)
    silent.hangUp()
    expect((await Promise.all(calls)).map(({ body }) => body.code)).toEqual(Array(20).fill('WEBHOOK_UNREACHABLE'))
  },
)
