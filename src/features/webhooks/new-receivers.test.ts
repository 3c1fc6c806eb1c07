import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { passTime } from '#testing/people/end-users.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { startReceiver, type WebhookReceiver } from '#testing/servers/webhook-receiver.ts'

/** A receiver answers for itself: not for the one before it at another URL, nor for the time in the bin. */

let app: TestApp
let owner: OwnedApp
let receiver: WebhookReceiver
let webhookId: string

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  owner = await newOwnerWithApp(app)
  receiver = await startReceiver(app)
  const body = { url: receiver.url, events: ['license.created' as const] }
  webhookId = (await owner.visitor.call('POST /create_webhook', { body })).body.webhookId
  return () => receiver.close()
})

const answering =
  (status: number): WebhookReceiver['answer'] =>
  (response) =>
    void response.writeHead(status).end()
const state = async () => {
  const [webhook] = (await owner.visitor.call('GET /webhooks', { query: {} })).body.webhooks
  return { failingSince: webhook?.failingSince, stoppedAt: webhook?.stoppedAt }
}
const working = { failingSince: null, stoppedAt: null }
const attempt = async () => {
  await newLicenses(owner, 1)
  await app.jobsDone()
}
const moveTo = async (url: string) =>
  expect((await owner.visitor.call('POST /update_webhook', { body: { webhookId, url } })).status).toBe(200)

test.each([
  ['a new URL', () => moveTo(`${receiver.url}/new`)],
  [
    'a stay in the bin',
    async () => {
      const { undoId } = (await owner.visitor.call('POST /delete_webhook', { body: { webhookId } })).body
      await owner.visitor.call('POST /bin/restore', { body: { undoId: undoId as string } })
    },
  ],
])('the five days of failures start anew with %s', async (_what, start) => {
  receiver.answer = answering(500)
  await attempt()
  expect(await state()).toEqual({ failingSince: app.now(), stoppedAt: null })
  await passTime(app, owner, 6 * 86_400)
  await start()
  expect(await state()).toEqual(working)
  await attempt()
  expect(await state()).toEqual({ failingSince: app.now(), stoppedAt: null })
})

test('the same URL again changes nothing about the failures', async () => {
  receiver.answer = answering(500)
  await attempt()
  const before = await state()
  app.advance(60)
  await moveTo(receiver.url)
  expect(await state()).toEqual(before)
})

test.each([410, 500])(
  'an earlier URL that answers %i after the change says nothing about the current one',
  async (status) => {
    receiver.answer = (response, request) => {
      receiver.answer = answering(204)
      void moveTo(`${receiver.url}/new`).then(() => answering(status)(response, request))
    }
    await attempt()
    expect(await state()).toEqual(working)
    await attempt()
    expect(receiver.received.at(-1)?.path).toBe('/hook/new')
  },
)

test('an earlier URL that delivers after the change does not end the failures of the current one', async () => {
  const moved = new Promise<() => void>((resolve) => {
    receiver.answer = (response) => resolve(() => response.writeHead(204).end())
  })
  await newLicenses(owner, 1)
  const done = app.jobsDone()
  const release = await moved
  await moveTo(`${receiver.url}/new`)
  const since = app.now()
  await app.db.write(({ db }) =>
    db.updateTable('webhooks').set({ failing_since: since }).where('id', '=', webhookId).execute(),
  )
  release()
  await done
  expect(await state()).toEqual({ failingSince: since, stoppedAt: null })
})
