import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startMailServer, turnMailOn } from '#testing/servers/mail-server.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp, setPlan } from '#testing/people/people.ts'
import { keepSignedIn } from '#testing/platform.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { startReceiver, type WebhookReceiver } from '#testing/servers/webhook-receiver.ts'
import { webhookEvents } from './webhook-events.ts'
import { retryPause, retrySchedule, type WebhookEvent } from './webhooks.rules.ts'

let app: TestApp
let owner: OwnedApp
let receiver: WebhookReceiver

beforeAll(async () => {
  app = await startTestApp()
})
beforeEach(async () => {
  receiver = await startReceiver(app)
  owner = await newOwnerWithApp(app)
  await keepSignedIn(app, owner)
  return () => receiver.close()
})
afterAll(() => app.close())
const add = async (...events: WebhookEvent[]) =>
  (await owner.visitor.call('POST /create_webhook', { body: { url: receiver.url, events } })).body
const deliveries = async (webhookId = '') =>
  (await owner.visitor.call('GET /webhook_deliveries', { query: { webhookId } })).body.deliveries
const webhooks = async () => (await owner.visitor.call('GET /webhooks', { query: {} })).body.webhooks
const ban = (licenseKey: string) => owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey } })
const bodies = () => receiver.received.map(({ body }) => JSON.parse(body) as { type: string; data: { target: string } })

/** Verifies with the package of the standard, which uses the clock of this machine. */
function verify(secret: string, { body, headers }: WebhookReceiver['received'][number]): unknown {
  const now = Date.now
  Date.now = () => app.services.clock()
  try {
    return new Verifier(secret).verify(body, headers as Record<string, string>)
  } finally {
    Date.now = now
  }
}

test('events are delivered to webhooks that selected them, signed for the reference verifier (R-WHK-06)', async () => {
  const { webhookId, secret } = await add('license.banned')
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const [key = ''] = await newLicenses(owner, 1)
  await ban(key)
  await app.jobsDone()
  expect(receiver.received).toHaveLength(1)
  const [request] = receiver.received as [WebhookReceiver['received'][number]]
  expect(verify(secret, request)).toEqual({
    type: 'license.banned',
    timestamp: new Date(app.now() * 1000).toISOString(),
    data: { appId: owner.appId, target: key, details: {} },
  })
  expect(request.headers['user-agent']).toBe('Mozilla/5.0')
  const flipped = { ...request, body: request.body.replace('banned', 'bannes') }
  expect(() => verify(secret, flipped)).toThrow('No matching signature found')
  expect(await deliveries(webhookId)).toMatchObject([
    { event: 'license.banned', state: 'delivered', attempts: 1, status: 204 },
  ])
})

test("webhooks that didn't select an event, and other apps, get nothing, and nothing is stored for them", async () => {
  await add('user.banned')
  const stranger = await newOwnerWithApp(app)
  await stranger.visitor.call('POST /create_webhook', { body: { url: receiver.url, events: ['license.banned'] } })
  const [key = ''] = await newLicenses(owner, 1)
  await ban(key)
  await app.jobsDone()
  expect(receiver.received).toEqual([])
  const rows = app.db.read
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('app_id', 'in', [owner.appId, stranger.appId])
  expect(await rows.execute()).toEqual([])
})

test('after the plan ends, nothing is delivered, including waiting events; with the next plan, deliveries continue', async () => {
  await setPlan(app, owner.id, 'Developer', app.now() + 100)
  const { webhookId } = await add('license.banned')
  const [late = '', lost = '', again = ''] = await newLicenses(owner, 3)
  receiver.answer = (response) => void response.writeHead(500).end()
  await ban(late)
  await app.jobsDone()
  expect(receiver.received).toHaveLength(1)
  app.advance(200)
  await ban(lost)
  await app.jobsDone()
  expect(receiver.received).toHaveLength(1)
  expect((await deliveries(webhookId)).map(({ state }) => state)).toEqual(['failed'])
  await setPlan(app, owner.id, 'Developer')
  receiver.answer = (response) => void response.writeHead(200).end()
  await ban(again)
  await app.jobsDone()
  expect(bodies().map(({ data }) => data.target)).toEqual([late, again])
})

test('a rolled-back transaction delivers nothing, and a committed one delivers its events (R-WHK-07)', async () => {
  await add('license.banned')
  const event = { type: 'license.ban', appId: owner.appId, ownerId: owner.id, at: app.now(), target: 'x', details: {} }
  await expect(
    app.db.write(async (tx) => {
      tx.emit(event)
      throw new Error('undone')
    }),
  ).rejects.toThrow('undone')
  await app.jobsDone()
  expect(receiver.received).toEqual([])
  await app.db.write(async (tx) => tx.emit(event))
  await app.jobsDone()
  expect(bodies().map(({ data }) => data.target)).toEqual(['x'])
})

test('a real program triggers the events of redemptions, new users and rejected sign-ins', async () => {
  await add('license.redeemed', 'user.created', 'sign_in.refused')
  const [key = ''] = await newLicenses(owner, 1)
  const program = await Program.of(app, owner)
  await program.init()
  await program.license(key)
  await program.init()
  await program.license(key)
  await program.license('no-such-key')
  await program.login('marta', 'canary-password')
  await webhookEvents(app.services).settled()
  await app.jobsDone()
  const got = bodies().map(({ type, data }) => `${type} ${data.target}`)
  expect(got.toSorted()).toEqual(
    [
      `license.redeemed ${key}`,
      `user.created ${key}`,
      'sign_in.refused no-such-key',
      'sign_in.refused marta',
    ].toSorted(),
  )
  expect(JSON.stringify(receiver.received)).not.toContain('canary')
})

test('events of rejected sign-ins are limited to 60 a minute', async () => {
  await add('sign_in.refused')
  const program = await Program.of(app, owner)
  await program.init()
  for (let n = 0; n < 70; n++) await program.license(`wrong-${n}`)
  await webhookEvents(app.services).settled()
  await app.jobsDone()
  expect(receiver.received).toHaveLength(60)
})

describe('a receiver that fails', () => {
  test('is retried with the same ID and a new time, on the schedule, until it accepts (R-WHK-07)', async () => {
    const { webhookId, secret } = await add('license.banned')
    receiver.answer = (response) => void response.writeHead(500).end('not now')
    const [key = ''] = await newLicenses(owner, 1)
    await ban(key)
    await app.jobsDone()
    expect(await deliveries(webhookId)).toMatchObject([
      { state: 'waiting', attempts: 1, status: 500, answer: 'not now' },
    ])
    expect((await webhooks())[0]?.failingSince).toBe(app.now())
    app.advance(3)
    await app.jobsDone()
    expect(receiver.received).toHaveLength(1)
    receiver.answer = (response) => void response.writeHead(200).end()
    app.advance(3)
    await app.jobsDone()
    expect(receiver.received).toHaveLength(2)
    const [first, second] = receiver.received as [
      WebhookReceiver['received'][number],
      WebhookReceiver['received'][number],
    ]
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id'])
    expect(Number(second.headers['webhook-timestamp']) - Number(first.headers['webhook-timestamp'])).toBe(6)
    verify(secret, second)
    expect(await deliveries(webhookId)).toMatchObject([{ state: 'delivered', attempts: 2 }])
    expect((await webhooks())[0]?.failingSince).toBeNull()
  })

  test('gets at most ten attempts; then the delivery has failed', async () => {
    const { webhookId } = await add('license.banned')
    receiver.answer = (response) => void response.writeHead(503).end()
    const [key = ''] = await newLicenses(owner, 1)
    await ban(key)
    for (let n = 0; n < 12; n++) {
      await app.jobsDone()
      app.advance(((await deliveries(webhookId))[0]?.nextAt ?? app.now()) - app.now())
    }
    expect(receiver.received).toHaveLength(10)
    expect(await deliveries(webhookId)).toMatchObject([{ state: 'failed', attempts: 10, nextAt: null }])
  })

  test('is retried after the pauses of the standard, each ±20 %', () => {
    for (const [index, pause] of retrySchedule.entries()) {
      expect([retryPause(index + 1, 0), retryPause(index + 1, 1)]).toEqual([
        Math.round(pause * 0.8),
        Math.round(pause * 1.2),
      ])
    }
    expect(retrySchedule.map((seconds) => seconds / 60)).toEqual([5 / 60, 5, 30, 120, 300, 600, 840, 1200, 1440])
    expect(retryPause(10, 0.5)).toBeUndefined()
  })

  test('can ask for a longer pause, of at most a day', async () => {
    const { webhookId } = await add('license.banned')
    receiver.answer = (response) => void response.writeHead(429, { 'retry-after': '999999' }).end()
    const [key = ''] = await newLicenses(owner, 1)
    await ban(key)
    await app.jobsDone()
    expect((await deliveries(webhookId))[0]?.nextAt).toBe(app.now() + 86_400)
  })

  test.each([
    [410, 1, '410 Gone'],
    [500, 7, 'failed for five days'],
  ])('with %i and is stopped for it: its owner gets one mail (R-WHK-07)', async (status, days, reason) => {
    const mail = await startMailServer()
    await turnMailOn(app, mail)
    await add('license.banned')
    receiver.answer = (response) => void response.writeHead(status).end()
    for (const key of await newLicenses(owner, days)) {
      await ban(key)
      await app.jobsDone()
      app.advance(86_400 - 3600)
    }
    await app.jobsDone()
    // Webhooks of earlier tests may have been stopped by now, too.
    const mails = mail.mails.filter(({ recipients }) => recipients[0] === `${owner.username}@example.com`)
    expect(mails).toMatchObject([{ subject: expect.stringContaining('was stopped') as string }])
    expect(mails[0]?.text).toContain(reason)
    expect(mails[0]?.text).toContain(new URL(receiver.url).host)
    await turnMailOn(app, mail, { enabled: false })
    await mail.close()
  })

  test('with 410 is stopped at once, gets no waiting events, and starts again when its owner says so', async () => {
    const { webhookId } = await add('license.banned')
    receiver.answer = (response) => void response.writeHead(410).end()
    const [one = '', two = '', three = ''] = await newLicenses(owner, 3)
    await ban(one)
    await app.jobsDone()
    expect((await webhooks())[0]?.stoppedAt).toBe(app.now())
    await ban(two)
    await app.jobsDone()
    expect(receiver.received).toHaveLength(1)
    receiver.answer = (response) => void response.writeHead(200).end()
    await owner.visitor.call('POST /update_webhook', { body: { webhookId, start: true } })
    await ban(three)
    await app.jobsDone()
    expect(bodies().map(({ data }) => data.target)).toEqual([one, three])
  })

  test('for five days is stopped (R-WHK-07)', async () => {
    await add('license.banned')
    receiver.answer = (response) => void response.writeHead(500).end()
    const keys = await newLicenses(owner, 8)
    for (const key of keys.slice(0, 7)) {
      expect((await webhooks())[0]?.stoppedAt).toBeNull()
      await ban(key)
      await app.jobsDone()
      app.advance(86_400 - 3600)
    }
    expect((await webhooks())[0]?.stoppedAt).not.toBeNull()
    const before = receiver.received.length
    await ban(keys[7] ?? '')
    await app.jobsDone()
    expect(receiver.received).toHaveLength(before)
  })

  test("by hanging doesn't delay others", async () => {
    await add('license.banned')
    let release: () => void = () => {}
    const hanging = new Promise<void>((resolve) => {
      receiver.answer = (response) => {
        release = () => response.writeHead(200).end()
        resolve()
      }
    })
    const other = await newOwnerWithApp(app)
    const quick = await startReceiver(app)
    const delivered = new Promise<void>((resolve) => {
      quick.answer = (response) => {
        response.writeHead(200).end()
        resolve()
      }
    })
    await other.visitor.call('POST /create_webhook', { body: { url: quick.url, events: ['license.created'] } })
    const [key = ''] = await newLicenses(owner, 1)
    await ban(key)
    await hanging
    await newLicenses(other, 1)
    await delivered
    release()
    await app.jobsDone()
    await quick.close()
  })
})

test('after a rotation both secrets verify until the overlap ends, then only the new one (R-WHK-06)', async () => {
  const { webhookId, secret: old } = await add('license.banned')
  const rotate = async (overlapHours: number) =>
    (await owner.visitor.call('POST /rotate_webhook_secret', { body: { webhookId, overlapHours } })).body.secret
  const next = await rotate(1)
  expect((await webhooks())[0]?.rotatedUntil).toBe(app.now() + 3600)
  const [one = '', two = '', three = ''] = await newLicenses(owner, 3)
  const latest = async (key: string) => {
    await ban(key)
    await app.jobsDone()
    return receiver.received.at(-1) as WebhookReceiver['received'][number]
  }
  const during = await latest(one)
  for (const secret of [old, next]) verify(secret, during)
  app.advance(3600)
  const after = await latest(two)
  verify(next, after)
  expect(() => verify(old, after)).toThrow('No matching signature found')
  const last = await rotate(0)
  const atOnce = await latest(three)
  verify(last, atOnce)
  expect(() => verify(next, atOnce)).toThrow('No matching signature found')
})

test('secrets are sealed in the database, bound to their row (R-SEC-01)', async () => {
  const { webhookId, secret } = await add('license.banned')
  const row = await app.db.read.selectFrom('webhooks').selectAll().where('id', '=', webhookId).executeTakeFirstOrThrow()
  expect(JSON.stringify(row)).not.toContain(secret.slice(6))
  const other = await newOwnerWithApp(app)
  const { body } = await other.visitor.call('POST /create_webhook', {
    body: { url: receiver.url, events: ['license.created'] },
  })
  await app.db.write(({ db: trx }) =>
    trx.updateTable('webhooks').set({ secret_sealed: row.secret_sealed }).where('id', '=', body.webhookId).execute(),
  )
  const tested = await other.visitor.call('POST /test_webhooks', { body: {} })
  expect([tested.status, receiver.received.length]).toEqual([500, 0])
})

describe('the chat link of the app', () => {
  test('gets a short message about selected events that mentions nobody (R-WHK-09)', async () => {
    await app.db.write(({ db: trx }) =>
      trx.updateTable('apps').set({ discord_webhook_link: receiver.url }).where('id', '=', owner.appId).execute(),
    )
    await owner.visitor.call('POST /update_chat_events', { body: { events: ['user.created'] } })
    await owner.visitor.call('POST /create_user', { body: { username: '@everyone `x`', password: 'Password9long' } })
    await newLicenses(owner, 1)
    await app.jobsDone()
    expect(receiver.received.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { content: 'User created: `@everyone  x `', allowed_mentions: { parse: [] } },
    ])
    expect(receiver.received[0]?.headers).not.toHaveProperty('webhook-signature')
    expect(await deliveries()).toMatchObject([{ state: 'delivered', event: 'user.created' }])
  })

  test('gets the severity, the subject, and a link for an alert', async () => {
    await app.db.write(({ db: trx }) =>
      trx.updateTable('apps').set({ discord_webhook_link: receiver.url }).where('id', '=', owner.appId).execute(),
    )
    await owner.visitor.call('POST /update_chat_events', { body: { events: ['alert.raised'] } })
    const row = { app_id: owner.appId, at: app.now(), call: 'login', code: '', message: '', license: '', country: '' }
    const place = { hwid_hash: 'one machine', ip: '192.0.2.1', session: '' }
    const names = ['ada', 'b`e`n', 'cyd', 'dee']
    await app.db.write(({ db: trx }) =>
      trx
        .insertInto('logs')
        .values(names.map((username) => ({ ...row, ...place, username })))
        .execute(),
    )
    await owner.visitor.call('POST /alerts/run-detection', { body: {} })
    await app.jobsDone()
    const { data } = (await owner.visitor.call('GET /alerts')).body
    const link = `${app.services.config.publicUrl}/alerts?appId=${owner.appId}&q=${data[0]?.alertId}`
    expect(receiver.received.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      {
        content: `Alert raised: High: Many keys on one machine – \`ada\`, \`b e n\`, \`cyd\` and 1 more\n${link}`,
        allowed_mentions: { parse: [] },
      },
    ])
  })

  test('gets nothing more once it was removed', async () => {
    await owner.visitor.call('POST /update_chat_events', { body: { events: ['license.created'] } })
    await newLicenses(owner, 1)
    await app.jobsDone()
    expect(await deliveries()).toMatchObject([{ state: 'failed', attempts: 0 }])
  })
})

test('deliveries are deleted after 30 days', async () => {
  const { webhookId } = await add('license.created')
  await newLicenses(owner, 1)
  await app.jobsDone()
  const rows = () =>
    app.db.read.selectFrom('webhook_deliveries').select('id').where('webhook_id', '=', webhookId).execute()
  app.advance(29 * 86_400)
  await app.jobsDone()
  expect(await rows()).toHaveLength(1)
  app.advance(2 * 86_400)
  await app.jobsDone()
  expect(await rows()).toEqual([])
})
