import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditEvents } from '#contract/audit-events.ts'
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

describe('an act on many users names them', () => {
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

test('every act that bans, unbans or deletes users or licenses has its event', () => {
  const deeds = auditEvents.filter((act) =>
    /^(user|license)\.(.+-)?(ban|unban|delete)(-all|-expired|-used|-unused)?$/.test(act),
  )
  expect(deeds).toContain('user.unban-all')
  expect(deeds.filter((act) => webhookEventOf(act) === null)).toEqual([])
})
