import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type MailServer,
  startEndlessServer,
  startMailServer,
  startSilentServer,
  turnMailOn,
} from '#testing/servers/mail-server.ts'
import { newOwner, type Owner } from '#testing/people/people.ts'
import { setPlatform } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { mailProbe } from './mail-probe.ts'

/** Mail is probed with the real mail server, but never during a status request. */

let app: TestApp
let owner: Owner
let server: MailServer
const account = { user: 'signet', password: 'Correct7Horse' }

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwner(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  server = await startMailServer({ login: account })
  // The status is cached for 30 seconds.
  app.advance(31)
})
afterEach(async () => {
  await setPlatform(app, 'email', { enabled: false })
  await app.services.settings.current()
  await server.close()
})

const turnOn = (smtpPassword = account.password) => turnMailOn(app, server, { smtpUser: account.user, smtpPassword })
/** Simulates the timer, which ticks once a minute. */
const nextMinute = async () => {
  app.advance(60)
  await mailProbe(app.services).tick()
}
const mail = async () => {
  const { status, body } = await owner.visitor.call('GET /status')
  expect(status).toBe(200)
  const { state, isReachable } = body.parts.find(({ part }) => part === 'mail') ?? {}
  return { state, isReachable }
}

test("a mail server that accepts the login is operational, gets no mail, and isn't checked again for five minutes", async () => {
  await turnOn()
  expect(await mail()).toEqual({ state: 'ok', isReachable: undefined })
  await nextMinute()
  expect(await mail()).toEqual({ state: 'ok', isReachable: true })
  expect([server.connections, server.logins, server.mails.length]).toEqual([1, 1, 0])
  for (let minute = 0; minute < 4; minute++) await nextMinute()
  expect(server.logins).toBe(1)
  await nextMinute()
  expect(server.logins).toBe(2)
})

test('a mail server is checked again after the clock was set back', async () => {
  const setClock = (seconds: number) => {
    app.jumpClock(seconds)
    app.now()
    // The clock is believed after ten minutes.
    app.advance(660)
    app.now()
  }
  await turnOn()
  setClock(86_400)
  await nextMinute()
  expect(server.logins).toBe(1)
  setClock(-86_400)
  await nextMinute()
  expect(server.logins).toBe(2)
})

test('an unreachable one is detected without a mail, is down in the third minute, and operational once it is back', async () => {
  await turnOn()
  const { port } = server
  await server.close()
  await nextMinute()
  expect(await mail()).toEqual({ state: 'degraded', isReachable: false })
  await nextMinute()
  expect(await mail()).toMatchObject({ state: 'degraded' })
  await nextMinute()
  expect(await mail()).toEqual({ state: 'down', isReachable: false })
  server = await startMailServer({ login: account, port })
  await nextMinute()
  expect(await mail()).toEqual({ state: 'ok', isReachable: true })
})

test('one that rejects the login is degraded, and changed settings discard the earlier results', async () => {
  await turnOn('Wrong7Horse')
  await nextMinute()
  expect(await mail()).toEqual({ state: 'degraded', isReachable: false })
  await turnOn()
  app.advance(31)
  expect(await mail()).toEqual({ state: 'ok', isReachable: undefined })
  await nextMinute()
  expect(await mail()).toEqual({ state: 'ok', isReachable: true })
})

test("reading the status doesn't wait for a silent server", async () => {
  const silent = await startSilentServer()
  try {
    await turnMailOn(app, silent)
    app.advance(60)
    const trying = mailProbe(app.services).tick()
    expect(await mail()).toEqual({ state: 'ok', isReachable: undefined })
    await silent.close()
    await trying
  } finally {
    await silent.close()
  }
})

test.each([
  ['says nothing', startSilentServer],
  ['never comes to an end', startEndlessServer],
])('a server that %s is abandoned, and its connection closed', async (_what, start) => {
  const other = await start()
  const { mailTimeoutMs } = app.services
  app.services.mailTimeoutMs = 100
  try {
    await turnMailOn(app, other)
    await nextMinute()
    expect(await mail()).toEqual({ state: 'degraded', isReachable: false })
    await expect.poll(other.open).toBe(0)
  } finally {
    app.services.mailTimeoutMs = mailTimeoutMs
    await other.close()
  }
})

test('no server is checked while mail is off', async () => {
  await turnMailOn(app, server, { enabled: false })
  await nextMinute()
  expect(server.connections).toBe(0)
  expect(await mail()).toEqual({ state: 'off', isReachable: undefined })
})
