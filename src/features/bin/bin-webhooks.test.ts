import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { putWebhooksInBin } from '#features/webhooks/deleted-webhooks.actions.ts'
import { addDelivery } from '#features/webhooks/webhook-events.ts'
import { isWebhookKept } from '#features/webhooks/webhooks.reads.ts'
import { lockWebhooksOfApp } from '#features/webhooks/webhooks.writes.ts'
import { systemContext } from '#server/audit/audit.ts'
import { enqueueJobs } from '#server/jobs/jobs.ts'
import { databaseDigest } from '#testing/database-digest.ts'
import { afterFirstStatement } from '#testing/faults/between-statements.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { keepSignedIn } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { startReceiver, type WebhookReceiver } from '#testing/servers/webhook-receiver.ts'

let app: TestApp
let owner: OwnedApp
let receiver: WebhookReceiver
let keys: string[]

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  owner = await newOwnerWithApp(app)
  await keepSignedIn(app, owner)
  receiver = await startReceiver(app)
  keys = await newLicenses(owner, 4)
  return () => receiver.close()
})

const add = async (more: object = {}) =>
  (
    await owner.visitor.call('POST /create_webhook', {
      body: { url: receiver.url, events: ['license.banned'], ...more },
    })
  ).body
const ban = async () => {
  const licenseKey = keys.pop() as string
  await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey } })
  return licenseKey
}
const remove = async (webhookId: string) =>
  (await owner.visitor.call('POST /delete_webhook', { body: { webhookId } })).body.undoId as string
const restore = async (undoId: string) => (await owner.visitor.call('POST /bin/restore', { body: { undoId } })).body
const list = async () => (await owner.visitor.call('GET /webhooks', { query: {} })).body.webhooks
const bin = async () => (await owner.visitor.call('GET /bin', { query: { kind: 'webhook' } })).body.items
const logOf = async (webhookId: string) =>
  (await owner.visitor.call('GET /webhook_deliveries', { query: { webhookId } })).body.deliveries
const targets = () =>
  receiver.received.map(({ body }) => (JSON.parse(body) as { data: { target: string } }).data.target)
const failing: WebhookReceiver['answer'] = (response) => void response.writeHead(500).end()
const fine: WebhookReceiver['answer'] = (response) => void response.writeHead(204).end()
const pass = async (seconds: number) => {
  app.advance(seconds)
  await app.jobsDone()
}

test('a deleted webhook gets nothing, is found by its ID, and comes back with its ID, settings, secret and log', async () => {
  const { webhookId, secret } = await add({ name: 'Order bot', userAgent: 'Shop/2' })
  const early = await ban()
  await app.jobsDone()
  const [before, log] = [await list(), await logOf(webhookId)]
  const undoId = await remove(webhookId)
  expect([await list(), await logOf(webhookId)]).toEqual([[], []])
  const [item] = await bin()
  expect(item).toMatchObject({ kind: 'webhook', name: 'Order bot', status: null, size: null })
  expect(JSON.stringify(item)).not.toContain(receiver.url)
  const found = async (search: string) => (await owner.visitor.call('GET /bin', { query: { search } })).body.items
  expect(await found(` ${webhookId} `)).toEqual([item])
  expect(await found(webhookId.slice(0, -1))).toEqual([])
  const lost = await ban()
  await pass(3 * 86_400)
  expect(await restore(undoId)).toMatchObject({ restored: 1, failed: 0 })
  expect([await list(), await logOf(webhookId)]).toEqual([before, log])
  const late = await ban()
  await app.jobsDone()
  expect(targets()).toEqual([early, late])
  expect(targets()).not.toContain(lost)
  const request = receiver.received.at(-1)
  const now = Date.now
  Date.now = () => app.services.clock()
  try {
    new Verifier(secret).verify(request?.body ?? '', request?.headers as Record<string, string>)
  } finally {
    Date.now = now
  }
})

test.each([
  ['restored at once', false],
  ['restored after its outbox was cleared', true],
])('what waited for a webhook is not delivered when it is %s', async (_when, waits) => {
  receiver.answer = failing
  const { webhookId } = await add()
  const stale = await ban()
  await app.jobsDone()
  const undoId = await remove(webhookId)
  if (waits) await app.jobsDone()
  await restore(undoId)
  receiver.answer = fine
  const late = await ban()
  await pass(10)
  await pass(86_400)
  expect(targets()).toEqual([stale, late])
  const states = (await logOf(webhookId)).map(({ state, nextAt }) => [state, nextAt])
  expect(states).toEqual([
    ['delivered', null],
    ['failed', null],
  ])
})

test('an attempt that runs during the deletion is the last one', async () => {
  const { webhookId } = await add()
  let answer = (): void => undefined
  const arrived = new Promise<void>((resolve) => {
    receiver.answer = (response) => {
      answer = () => void response.writeHead(500).end()
      resolve()
    }
  })
  const stale = await ban()
  await arrived
  await restore(await remove(webhookId))
  receiver.answer = fine
  answer()
  await app.jobsDone()
  await pass(86_400)
  expect(targets()).toEqual([stale])
  expect(await logOf(webhookId)).toMatchObject([{ state: 'failed', nextAt: null }])
})

test('a delivery that another server stores after the deletion ends as failed', async () => {
  const { webhookId } = await add()
  const now = app.now()
  const ofApp = { id: owner.appId, ownerId: owner.id, name: '' }
  const message = { webhookId, messageId: 'msg_late', event: 'license.banned', body: '{}', now }
  await app.db.write(async (tx) => {
    const webhooks = await lockWebhooksOfApp(tx.db, owner.appId)
    await putWebhooksInBin(tx, { ...systemContext(now), app: ofApp }, webhooks, 'deletion')
    const job = await addDelivery(tx, { ownerId: owner.id, appId: owner.appId, ...message })
    await enqueueJobs(tx, [{ ...job, dueAt: now + 3600 }], now)
  })
  await app.jobsDone()
  await restore('deletion')
  expect(await logOf(webhookId)).toMatchObject([{ state: 'failed', nextAt: null }])
})

test.each(['deleted', 'restored'])(
  'keeps its log when it is %s while an earlier deletion is finished',
  async (change) => {
    const { webhookId } = await add()
    const undoId = change === 'restored' ? await remove(webhookId) : ''
    const read = afterFirstStatement(app.db.read, () => (change === 'restored' ? restore(undoId) : remove(webhookId)))
    expect(await isWebhookKept(read, owner.appId, webhookId)).toBe(true)
  },
)

test('is not restored beyond 50 webhooks of the app, and a rejection changes nothing', async () => {
  const { webhookId } = await add()
  const undoId = await remove(webhookId)
  for (let made = 0; made < 50; made++) await add()
  const before = await databaseDigest(app.db, [])
  const [item] = await bin()
  const { status, body } = await owner.visitor.call('POST /bin/restore', { body: { ids: [item?.id as number] } })
  expect([status, body]).toEqual([
    409,
    expect.objectContaining({ code: 'WEBHOOK_LIMIT_REACHED', values: { limit: 50 } }),
  ])
  expect(await databaseDigest(app.db, [])).toBe(before)
  const all = (await owner.visitor.call('POST /delete_all_webhooks', { body: {} })).body
  expect(await restore(undoId)).toMatchObject({ restored: 1, failed: 0 })
  expect(await restore(all.undoId as string)).toMatchObject({ restored: 49, failed: 1 })
})

test('its log goes when the bin is emptied', async () => {
  const { webhookId } = await add()
  await ban()
  await app.jobsDone()
  await remove(webhookId)
  await app.jobsDone()
  const left = app.db.read.selectFrom('webhook_deliveries').select('id').where('webhook_id', '=', webhookId)
  expect(await left.execute()).toHaveLength(1)
  await owner.visitor.call('POST /bin/delete', { body: { all: true } })
  await app.jobsDone()
  expect(await left.execute()).toEqual([])
  expect(await bin()).toEqual([])
})
