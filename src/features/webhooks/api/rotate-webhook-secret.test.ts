import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAllRejected, hostileBodies, notTexts } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const url = 'https://hooks.example/'
const add = async (who = owner) => (await who.visitor.call('POST /create_webhook', { body: { url } })).body.webhookId
const list = async (who = owner) => (await who.visitor.call('GET /webhooks', { query: {} })).body.webhooks

test('gives another secret each time, shown once', async () => {
  const webhookId = await add()
  const rotate = async () => (await owner.visitor.call('POST /rotate_webhook_secret', { body: { webhookId } })).body
  const secrets = [await rotate(), await rotate()].map(({ secret }) => secret)
  expect(new Set(secrets).size).toBe(2)
  expect(secrets[0]).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect((await list())[0]?.rotatedUntil).toBe(app.now() + 24 * 3600)
})

test('what makes no sense changes nothing', async () => {
  const valid = { webhookId: await add() }
  const hostile = {
    webhookId: [...notTexts, undefined, '', 'x'.repeat(41)],
    overlapHours: [-1, 73, 1.5, 'x', null, []],
  }
  await expectAllRejected(app, owner.visitor, '/rotate_webhook_secret', hostileBodies(valid, hostile))
})
