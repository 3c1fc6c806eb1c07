import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type MailServer, startMailServer, turnMailOn } from '#testing/servers/mail-server.ts'
import { newOwner, type Owner, setPlan } from '#testing/people/people.ts'
import { setAccountBanned } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let server: MailServer
let owner: Owner

beforeAll(async () => {
  app = await startTestApp()
  server = await startMailServer()
})
afterAll(async () => {
  await app.close()
  await server.close()
})
beforeEach(async () => {
  await turnMailOn(app, server)
  owner = await newOwner(app)
  await setPlan(app, owner.id, 'Pro', app.now() + 30 * day)
  server.mails.length = 0
})

const day = 86_400

/** Advances the clock hour by hour, as the server checks, and returns this owner's email. */
async function after(seconds: number): Promise<string[]> {
  server.mails.length = 0
  app.advance(seconds)
  await app.jobsDone()
  return server.mails
    .filter(({ recipients }) => recipients[0] === `${owner.username}@example.com`)
    .map(({ subject }) => subject ?? '')
}

test('the end of a plan is reported by mail a week before, a day before, and when it has ended, each once', async () => {
  expect(await after(22 * day)).toEqual([])
  expect(await after(day + 60)).toEqual(['Your Pro plan at Signet ends in 7 days'])
  expect(await after(day)).toEqual([])
  expect(await after(4 * day)).toEqual([])
  expect(await after(day)).toEqual(['Your Pro plan at Signet ends tomorrow'])
  expect(await after(day / 2)).toEqual([])
  expect(await after(day / 2)).toEqual(['Your Pro plan at Signet has ended'])
  for (let n = 0; n < 9; n++) expect(await after(day)).toEqual([])
})

test('a renewed plan is reported again', async () => {
  expect(await after(29 * day + 60)).toEqual(['Your Pro plan at Signet ends tomorrow'])
  await setPlan(app, owner.id, 'Pro', app.now() + 30 * day)
  expect(await after(2 * day)).toEqual([])
  expect(await after(27 * day + 60)).toEqual(['Your Pro plan at Signet ends tomorrow'])
})

test('banned owners and owners of plans without an end get no mail', async () => {
  await setAccountBanned(app, owner.id, true)
  expect(await after(29 * day + 60)).toEqual([])
  await setAccountBanned(app, owner.id, false)
  await setPlan(app, owner.id, 'Pro', null)
  expect(await after(day)).toEqual([])
})

test('an end that passed while mail was off is reported once mail is on, unless it is too old', async () => {
  await turnMailOn(app, server, { enabled: false })
  expect(await after(31 * day)).toEqual([])
  await turnMailOn(app, server)
  expect(await after(3600)).toEqual(['Your Pro plan at Signet has ended'])
  await turnMailOn(app, server, { enabled: false })
  await setPlan(app, owner.id, 'Pro', app.now() + day)
  expect(await after(10 * day)).toEqual([])
  await turnMailOn(app, server)
  expect(await after(3600)).toEqual([])
})
