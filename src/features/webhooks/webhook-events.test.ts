import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditEvents } from '#contract/audit-events.ts'
import { imported } from '#testing/people/imported.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { keepSignedIn } from '#testing/platform.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { startReceiver, type WebhookReceiver } from '#testing/servers/webhook-receiver.ts'
import { eventBody, eventsOfNames } from './webhook-events.ts'
import { webhookEventOf } from './event-map.rules.ts'
import type { WebhookEvent } from './webhooks.rules.ts'

let app: TestApp
let owner: OwnedApp
let receiver: WebhookReceiver

beforeAll(async () => {
  app = await startTestApp()
  receiver = await startReceiver(app)
})
beforeEach(async () => {
  receiver.received.length = 0
  owner = await newOwnerWithApp(app)
  await keepSignedIn(app, owner)
})
afterAll(async () => {
  await receiver.close()
  await app.close()
})

const listen = async (...events: WebhookEvent[]) =>
  (await owner.visitor.call('POST /create_webhook', { body: { url: receiver.url, events } })).body

interface Told {
  type: string
  data: { target: string; details: { names?: string[] } }
}

async function told(): Promise<[type: string, target: string, names: string[] | undefined][]> {
  await app.jobsDone()
  const events = receiver.received.map(({ body }) => JSON.parse(body) as Told)
  return events.map(({ type, data }) => [type, data.target, data.details.names?.toSorted()])
}

const createUsers = async (...usernames: string[]) => {
  for (const username of usernames)
    await owner.visitor.call('POST /create_user', { body: { username, password: 'Password-of-user' } })
}

async function redeemed(): Promise<string> {
  const [key = ''] = await newLicenses(owner, 1)
  const program = await Program.of(app, owner)
  await program.init()
  await program.license(key)
  return key
}

describe('an action on many users names them', () => {
  test('when all are deleted', async () => {
    await createUsers('anna', 'berta')
    await listen('user.deleted')
    expect((await owner.visitor.call('POST /delete_all_users', { body: {} })).body).toMatchObject({ deleted: 2 })
    expect(await told()).toEqual([['user.deleted', '2 users', ['anna', 'berta']]])
  })

  test('when those without time are deleted', async () => {
    await createUsers('anna')
    await listen('user.deleted')
    expect((await owner.visitor.call('POST /delete_expired_users', { body: {} })).status).toBe(200)
    expect(await told()).toEqual([['user.deleted', '1 user', ['anna']]])
  })

  test('when all bans are lifted', async () => {
    await createUsers('anna', 'berta', 'carla')
    for (const username of ['anna', 'carla']) await owner.visitor.call('POST /toggle_ban_user', { body: { username } })
    await listen('user.unbanned')
    expect((await owner.visitor.call('POST /unban_all_users', { body: {} })).status).toBe(200)
    expect(await told()).toEqual([['user.unbanned', '2 users', ['anna', 'carla']]])
    const again = { action: 'unban' as const, usernames: ['anna'] }
    expect((await owner.visitor.call('POST /users/bulk', { body: again })).status).toBe(200)
    expect(await told()).toHaveLength(1)
  })
})

describe('what an owner changes for a customer is told, of one and of many', () => {
  const bulk = async (action: 'pause' | 'unpause' | 'reset-hwid' | 'extend' | 'subtract', usernames: string[]) => {
    const time =
      action === 'extend' || action === 'subtract' ? { duration: 1, unit: 'days' as const, subscription: 1 } : {}
    const body = { action, usernames, ...time }
    expect((await owner.visitor.call('POST /users/bulk', { body })).status, action).toBe(200)
  }

  test('time, pauses and machines', async () => {
    const [one, other] = [await redeemed(), await redeemed()]
    await listen('user.extended', 'user.paused', 'user.unpaused', 'user.hwid_reset', 'user.subscription_changed')
    const body = { username: one }
    await owner.visitor.call('POST /toggle_pause_user', { body })
    await owner.visitor.call('POST /toggle_pause_user', { body })
    await owner.visitor.call('POST /reset_user_hwid', { body })
    await bulk('extend', [one])
    await bulk('subtract', [one])
    expect(await told()).toEqual([
      ['user.paused', one, undefined],
      ['user.unpaused', one, undefined],
      ['user.hwid_reset', one, undefined],
      ['user.extended', '1 user', [one]],
      ['user.subscription_changed', '1 user', [one]],
    ])
    receiver.received.length = 0
    for (const action of ['extend', 'subtract', 'pause', 'unpause'] as const) await bulk(action, [one, other])
    const both = [one, other].toSorted()
    expect(await told()).toEqual([
      ['user.extended', '2 users', both],
      ['user.subscription_changed', '2 users', both],
      ['user.paused', '2 users', both],
      ['user.unpaused', '2 users', both],
    ])
  })

  test('levels, by the owner and by a program with another license', async () => {
    const key = await redeemed()
    await owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Second', active: true } })
    const [second = ''] = await newLicenses(owner, 1, { subscription: 2 })
    await listen('user.subscription_changed')
    const params = { username: key }
    await owner.visitor.call('POST /user/{username}/subscriptions', { params, body: { level: 2 } })
    await owner.visitor.call('DELETE /user/{username}/subscriptions/{id}', { params: { ...params, id: 2 } })
    const program = await Program.of(app, owner)
    await program.init()
    await program.license(key)
    expect((await program.send('upgrade', { licenseKey: second })).body.success).toBe(true)
    const changed = ['user.subscription_changed', key, undefined]
    expect(await told()).toEqual([changed, changed, changed])
  })

  test('time of licenses', async () => {
    const keys = (await newLicenses(owner, 2)).toSorted()
    await listen('license.extended')
    const time = { expiryUnit: 'days' as const, duration: 1 }
    await owner.visitor.call('POST /add_time_licenses', { body: { licenses: keys.slice(0, 1), ...time } })
    await owner.visitor.call('POST /add_time_licenses', { body: { licenses: keys, ...time } })
    expect(await told()).toEqual([
      ['license.extended', '1 license', keys.slice(0, 1)],
      ['license.extended', '2 licenses', keys],
    ])
  })
})

test('an import tells of nothing that it creates, overwrites, or bans', async () => {
  const users = ['anna', 'berta']
  const [key = ''] = await newLicenses(owner, 1)
  await createUsers('anna')
  await listen(
    'license.created',
    'license.banned',
    'user.created',
    'user.banned',
    'user.unbanned',
    'user.subscription_changed',
  )
  await imported(owner, {
    users: users.map((username) => ({ username, banned: 'yes', subscriptions: [{ level: '1', expiry: 'never' }] })),
  })
  await imported(owner, {
    licenses: [key, 'NEW-KEY'].map((each) => ({ key: each, level: '1', duration: '30', status: 'banned' })),
  })
  await owner.visitor.call('POST /toggle_ban_user', { body: { username: 'anna', banned: false } })
  expect(await told()).toEqual([['user.unbanned', 'anna', undefined]])
})

describe('a license that is deleted with its user tells of both', () => {
  test('one', async () => {
    const key = await redeemed()
    await listen('user.deleted', 'license.deleted')
    await owner.visitor.call('POST /delete_license', { body: { licenseKey: key, deleteUsers: true } })
    expect((await told()).toSorted()).toEqual([
      ['license.deleted', key, undefined],
      ['user.deleted', key, undefined],
    ])
  })

  test('without its user, of the license alone', async () => {
    const key = await redeemed()
    await listen('user.deleted', 'license.deleted')
    await owner.visitor.call('POST /delete_license', { body: { licenseKey: key } })
    expect(await told()).toEqual([['license.deleted', key, undefined]])
  })

  test('many', async () => {
    const keys = [await redeemed(), await redeemed()].toSorted()
    await listen('user.deleted', 'license.deleted')
    await owner.visitor.call('POST /delete_all_licenses', { body: { deleteUsers: true } })
    expect((await told()).toSorted()).toEqual([
      ['license.deleted', '2 licenses', keys],
      ['user.deleted', '2 users', keys],
    ])
  })
})

test('so many names that they fit into no message come in several, each of them once', () => {
  const names = Array.from({ length: 500 }, (_, n) => `${n} ${'é'.repeat(60)}`)
  const event = {
    type: 'user.delete-all',
    appId: 'a',
    ownerId: 'o',
    at: 1,
    target: '500 users',
    details: { x: 1 },
    names,
  }
  const parts = eventsOfNames(event)
  expect(parts.length).toBeGreaterThan(1)
  const sent = parts.map((part) => JSON.parse(eventBody('user.deleted', part)) as Told)
  expect(sent.flatMap(({ data }) => data.details.names ?? [])).toEqual(names)
  expect(sent.every(({ data }) => 'x' in data.details && data.target === '500 users')).toBe(true)
})

describe('a bulk ban of more licenses than a message has room for', () => {
  interface Part {
    target: string
    details: { names: string[]; batch: string; part: number; parts: number }
  }

  test('names each of them once, and each message says which part of how many it is', async () => {
    const mask = `${'k'.repeat(30)}-${'#'.repeat(12)}`
    const keys = await newLicenses(owner, 1000, { mask })
    await listen('license.banned')
    await listen('license.banned', 'license.unbanned')
    const headers = { 'Idempotency-Key': 'one-transaction' }
    const body = { action: 'ban' as const, licenses: keys }
    expect((await owner.visitor.call('POST /licenses/bulk', { body, headers })).status).toBe(200)
    await app.jobsDone()
    const messages = receiver.received.map(({ body }) => (JSON.parse(body) as { data: Part }).data)
    const { parts, batch } = messages[0]?.details ?? { parts: 0, batch: '' }
    expect(parts).toBeGreaterThan(1)
    expect(messages).toHaveLength(parts * 2)
    expect(messages.every(({ target, details }) => target === '1000 licenses' && details.batch === batch)).toBe(true)
    expect(batch).toMatch(/^batch_\w{16}$/)
    expect(messages.map(({ details }) => details.part).toSorted()).toEqual(
      Array.from({ length: parts * 2 }, (_, n) => Math.floor(n / 2) + 1),
    )
    // Of one webhook: a part for each.
    const ofOne = new Map(messages.map(({ details }) => [details.part, details.names]))
    expect([...ofOne.values()].flat().toSorted()).toEqual(keys.toSorted())
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(parts)
  })

  test('in several transactions: each is a batch of its own, and together they name each license once', async () => {
    const keys = await newLicenses(owner, 700)
    await listen('license.banned')
    expect((await owner.visitor.call('POST /licenses/bulk', { body: { action: 'ban', licenses: keys } })).status).toBe(
      200,
    )
    await app.jobsDone()
    const messages = receiver.received.map(({ body }) => (JSON.parse(body) as { data: Part }).data)
    expect(messages.map(({ target, details: { part, parts } }) => [target, part, parts]).toSorted()).toEqual([
      ['200 licenses', 1, 1],
      ['500 licenses', 1, 1],
    ])
    expect(new Set(messages.map(({ details }) => details.batch)).size).toBe(2)
    expect(messages.flatMap(({ details }) => details.names).toSorted()).toEqual(keys.toSorted())
  })
})

test('the deliveries of all events of a transaction are queued in one order, so that none waits for another in a circle', async () => {
  const webhooks = [
    await listen('user.created', 'sign_in.succeeded'),
    await listen('user.created', 'sign_in.succeeded'),
  ]
  const [first = '', second = ''] = webhooks.map(({ webhookId }) => webhookId).toSorted()
  const body = { webhookId: second, events: ['license.redeemed' as const, 'sign_in.succeeded' as const] }
  await owner.visitor.call('POST /update_webhook', { body })
  receiver.answer = (response) => void response.writeHead(500).end()
  const event = { appId: owner.appId, ownerId: owner.id, at: app.now(), target: 'x', details: {} }
  const queued = await app.db
    .write(async (tx) => {
      for (const type of ['license.redeem', 'user.create', 'sign-in.succeed']) tx.emit({ ...event, type })
    })
    .then(() =>
      app.db.read
        .selectFrom('jobs')
        .select('lane')
        .where('kind', '=', 'webhook')
        .where('lane', 'like', `${owner.appId}/%`)
        .orderBy('id')
        .execute(),
    )
  receiver.answer = (response) => void response.writeHead(204).end()
  const lanes = [first, first, second, second].map((id) => `${owner.appId}/${id}`)
  expect(queued.map(({ lane }) => lane)).toEqual(lanes)
})

test('every action that bans, unbans or deletes users or licenses has its event', () => {
  const deeds = auditEvents.filter((act) =>
    /^(user|license)\.(.+-)?(ban|unban|delete)(-all|-expired|-used|-unused)?$/.test(act),
  )
  expect(deeds).toContain('user.unban-all')
  expect(deeds.filter((act) => webhookEventOf(act) === null)).toEqual([])
})
