import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AppEvent } from '#database/database.ts'
import { maxListeners, maxQueuedBytes, unfollowedSeconds } from '#features/webhooks/webhook-listeners.rules.ts'
import { webhookEvents } from '#features/webhooks/webhooks.rules.ts'
import { eventStreams } from '#server/http/event-stream.ts'
import { EventListener } from '#testing/event-listener.ts'
import { expectRejected } from '#testing/faults/hostile-input.ts'
import { newLicenses, newOwnerWithApp, setPlan } from '#testing/people/people.ts'
import { newSubscriber } from '#testing/people/end-users.ts'
import { setAccountBanned } from '#testing/platform.ts'
import {
  expectOnlyShop,
  expectSaleRejected,
  newSeller,
  newShop,
  type Seller,
  type Shop,
  sold,
} from '#testing/people/sellers.ts'
import { hasTwoProcesses, startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let shop: Shop
let streams: EventListener[] = []

beforeAll(async () => {
  app = await startTestApp()
})
beforeEach(async () => {
  app.advance(3600) // an address may register few accounts in an hour
  shop = await newShop(app)
})
afterEach(async () => {
  for (const stream of streams) stream.leave()
  streams = []
  while (eventStreams(app.services).size > 0) await new Promise((resolve) => setImmediate(resolve))
})
afterAll(() => app.close())

interface Created {
  listenerId: string
  events: string[]
  headers: Record<string, string>
}

const listen = async (events?: string[], seller = shop.seller) =>
  (await sold<Created>(seller, 'POST', '/webhooks/listeners', events && { events })).listenerId
const pathOf = (id: string) => `/webhooks/listeners/${id}` as const

async function follow(id: string, { seller = shop.seller, after }: { seller?: Seller; after?: string } = {}) {
  const headers = after === undefined ? undefined : { 'last-event-id': after }
  const stream = await EventListener.openAsSeller(app, seller, `${pathOf(id)}/events`, headers)
  streams.push(stream)
  expect(stream.response.status).toBe(200)
  expect(await stream.next()).toEqual({ id: '', event: 'ready', data: {} })
  return stream
}

interface Heard {
  type: string
  data: { target: string; details: object }
}
async function heard(stream: EventListener): Promise<Heard> {
  const { event, data } = (await stream.next()) ?? {}
  expect(event).toBe('webhook')
  return JSON.parse(String(data?.['body'])) as Heard
}
const isEnded = async (stream: EventListener) => (await stream.next().catch(() => undefined)) === undefined
const ban = (licenseKey: string, { owner } = shop) =>
  owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey } })
const licenses = (amount: number) => newLicenses(shop.owner, amount)

const event = (target: string, details: Record<string, unknown> = {}): AppEvent => ({
  type: 'license.ban',
  appId: shop.owner.appId,
  ownerId: shop.owner.id,
  at: app.now(),
  target,
  details,
})
const emit = (...events: AppEvent[]) =>
  app.db.write(async (tx) => {
    for (const each of events) tx.emit(each)
  })
const listeners = async () => {
  const ofApp = app.db.read.selectFrom('webhook_listeners').select('id').where('app_id', '=', shop.owner.appId)
  return (await ofApp.execute()).map(({ id }) => id)
}
const queued = async () => {
  const ofApp = app.db.read.selectFrom('webhook_listener_events').select('body').where('app_id', '=', shop.owner.appId)
  return (await ofApp.execute()).map(({ body }) => body)
}

describe('a listener of somebody else', () => {
  test('is followed and ended by no other shop, and looks like a missing one', async () => {
    const id = await listen()
    for (const call of ['DELETE', 'GET'] as const) {
      const rest = call === 'GET' ? '/events' : ''
      const foreign = await expectOnlyShop(app, {
        other: shop.other,
        call: (name) => `${call} ${pathOf(name === 'own' ? id : 'wl_AAAAAAAAAAAA')}${rest}`,
      })
      expect(foreign).toMatchObject({ status: 404, body: { code: 'LISTENER_NOT_FOUND' } })
    }
    expect(await listeners()).toEqual([id])
  })

  test('is not even found by another key of the same app', async () => {
    const id = await listen()
    const colleague = await newSeller(app, shop.owner)
    for (const [method, path] of [
      ['DELETE', pathOf(id)],
      ['GET', `${pathOf(id)}/events`],
    ] as const)
      expect((await colleague.send(method, path)).body).toMatchObject({ code: 'LISTENER_NOT_FOUND' })
    expect(await listeners()).toEqual([id])
  })
})

describe('what a key may listen to', () => {
  test('unknown events and fields are rejected', async () => {
    // The first call of a key stores when it was used.
    await sold(shop.seller, 'GET', '/stats')
    await expectSaleRejected(app, shop.seller, 'POST /webhooks/listeners', [
      { events: ['license.stolen'] },
      { events: 'license.banned' },
      { events: ['license.banned', 'license.banned'] },
      { events: [null] },
      { appId: shop.owner.appId },
      { url: 'https://example.com' },
    ])
  })

  test('events that it may not read are rejected, and left out by default', async () => {
    const readsLog = await newSeller(app, shop.owner, { permissions: ['logs:read'] })
    for (const [events, scope] of [
      [['sign_in.refused', 'license.created'], 'licenses:read'],
      [['user.banned'], 'users:read'],
    ] as const)
      expect((await readsLog.send('POST', '/webhooks/listeners', { body: { events } })).body).toMatchObject({
        code: 'SCOPE_MISSING',
        scope,
      })
    const { events } = await sold<Created>(readsLog, 'POST', '/webhooks/listeners')
    expect(events).toEqual(['sign_in.succeeded', 'sign_in.refused', 'file.downloaded', 'alert.raised'])
    const all = await sold<Created>(shop.seller, 'POST', '/webhooks/listeners')
    expect(all.events).toEqual(webhookEvents)
    const readsLicenses = await newSeller(app, shop.owner, { permissions: ['licenses:read'] })
    expectRejected(await readsLicenses.send('POST', '/webhooks/listeners', { body: {} }), 'no logs:read', 403)
  })

  test('a permission that is taken away ends the stream before the next event', async () => {
    const seller = await newSeller(app, shop.owner, { permissions: ['logs:read', 'licenses:read'] })
    const stream = await follow(await listen(['license.banned'], seller), { seller })
    await emit(event('one'))
    await heard(stream)
    const body = { sellerKey: seller.key.slice(8, 16), permissions: ['logs:read'] }
    expect((await shop.owner.visitor.call('POST /update_seller_key', { body })).status).toBe(200)
    await emit(event('two'))
    expect(await isEnded(stream)).toBe(true)
  })

  test('needs a plan with webhooks; without one, no event is kept', async () => {
    const id = await listen()
    await setPlan(app, shop.owner.id, 'Free')
    expectRejected(await shop.seller.send('POST', '/webhooks/listeners', { body: {} }), 'without webhooks', 403)
    expectRejected(await shop.seller.send('GET', `${pathOf(id)}/events`), 'without webhooks', 403)
    await emit(event('one'))
    expect(await queued()).toEqual([])
  })
})

describe('events', () => {
  test('arrive as a webhook gets them, only the selected ones, and only of the own app', async () => {
    const id = await listen(['license.banned', 'license.unbanned'])
    const [own, foreign] = [await follow(id), await follow(await listen(undefined, shop.other), { seller: shop.other })]
    const url = 'https://hooks.example/'
    const { body } = await shop.owner.visitor.call('POST /create_webhook', {
      body: { url, events: ['license.banned'] },
    })
    const [key = ''] = await licenses(1)
    await ban(key)
    const first = await own.next()
    const { deliveries } = (
      await shop.owner.visitor.call('GET /webhook_deliveries', { query: { webhookId: body.webhookId } })
    ).body
    expect(first).toEqual({
      id: '1',
      event: 'webhook',
      data: { messageId: deliveries[0]?.messageId, body: deliveries[0]?.body },
    })
    await ban(key)
    expect(await heard(own)).toMatchObject({ type: 'license.unbanned', data: { target: key } })
    await sold(shop.other, 'POST', '/users', { username: 'of-the-other', password: 'Correct7Horse' })
    expect(await heard(foreign)).toMatchObject({ type: 'user.created', data: { target: 'of-the-other' } })
  })

  test('of an action that is rolled back never arrive', async () => {
    const stream = await follow(await listen(['license.banned']))
    await expect(
      app.db.write(async (tx) => {
        tx.emit(event('undone'))
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    await emit(event('done'))
    expect(await stream.next()).toMatchObject({ id: '1', data: { body: expect.stringContaining('"done"') } })
  })

  test('of a transaction that bans many come in its order, and actions at once are numbered without a gap', async () => {
    const stream = await follow(await listen(['license.banned']))
    await Promise.all(Array.from({ length: 20 }, (_, at) => emit(event(`${at} a`), event(`${at} b`))))
    const ids: string[] = []
    const targets: string[] = []
    for (let at = 0; at < 40; at++) {
      const { id = '', data } = (await stream.next()) ?? {}
      ids.push(id)
      targets.push((JSON.parse(String(data?.['body'])) as Heard).data.target)
    }
    expect(ids).toEqual(Array.from({ length: 40 }, (_, at) => String(at + 1)))
    expect(new Set(targets).size).toBe(40)
    for (let at = 0; at < 40; at += 2) expect(targets[at + 1]).toBe(targets[at]?.replace('a', 'b'))
  })

  test('the end of a user is announced to an app that has only a listener', async () => {
    const username = await newSubscriber(shop.owner, { days: 1 })
    app.advance(86_400 - 60)
    await app.jobsDone()
    const stream = await follow(await listen(['user.expired']))
    app.advance(90)
    await app.jobsDone()
    expect(await heard(stream)).toMatchObject({ type: 'user.expired', data: { target: username } })
  })
})

describe('a reader that comes back', () => {
  test('gets what it missed, and nothing twice', async () => {
    const id = await listen(['license.banned'])
    await emit(event('before the first reader'))
    const stream = await follow(id)
    await heard(stream)
    await emit(event('two'))
    const last = await stream.next()
    stream.leave()
    await emit(event('three'), event('four'))
    const again = await follow(id, { after: last?.id ?? '' })
    expect([await heard(again), await heard(again)].map(({ data }) => data.target)).toEqual(['three', 'four'])
    await emit(event('five'))
    expect((await heard(again)).data.target).toBe('five')
  })

  test('with a position that never was gets everything from the start, or only what is new', async () => {
    const id = await listen(['license.banned'])
    await emit(event('one'))
    for (const after of ['x', '-1', '1.5', "1' or 1=1", '9'.repeat(90)])
      expect((await heard(await follow(id, { after }))).data.target, after).toBe('one')
    const ahead = await follow(id, { after: '999999' })
    await emit(event('two'))
    expect((await heard(ahead)).data.target).toBe('two')
  })

  test('reads on where another process has left off, also after a restart', async () => {
    const id = await listen(['license.banned'])
    await emit(event('one'))
    await app.stop()
    await app.start()
    const stream = await follow(id, { after: '1' })
    await emit(event('two'))
    expect((await heard(stream)).data.target).toBe('two')
  })

  test('to more events than a queue holds is told how many it missed', async () => {
    const id = await listen(['license.banned'])
    await emit(...Array.from({ length: 1005 }, (_, at) => event(String(at + 1))))
    expect(await queued()).toHaveLength(1000)
    const stream = await follow(id)
    expect(await stream.next()).toEqual({ id: '5', event: 'missed', data: { count: 5 } })
    for (let at = 6; at <= 1005; at++) expect((await heard(stream)).data.target).toBe(String(at))
    // What was missed is told once.
    const again = await follow(id, { after: '5' })
    expect((await heard(again)).data.target).toBe('6')
  })

  test('to more bytes than a queue holds is told, too, and what is left arrives whole', async () => {
    const id = await listen(['license.banned'])
    const text = '"'.repeat(9000)
    await emit(...Array.from({ length: 80 }, (_, at) => event(String(at + 1), { text })))
    const rows = await queued()
    const bytes = rows.reduce((sum, body) => sum + Buffer.byteLength(body), 0)
    expect(bytes).toBeLessThanOrEqual(maxQueuedBytes)
    expect(bytes).toBeGreaterThan(maxQueuedBytes - 20_000)
    const stream = await follow(id)
    expect(await stream.next()).toMatchObject({ event: 'missed', data: { count: 80 - rows.length } })
    for (let at = 81 - rows.length; at <= 80; at++)
      expect((await heard(stream)).data).toMatchObject({ target: String(at) })
  })
})

describe.skipIf(hasTwoProcesses)('a stream ends', () => {
  const beat = () => eventStreams(app.services).beat()

  test('when its key is paused, before another event is sent', async () => {
    const stream = await follow(await listen())
    const body = { sellerKey: shop.seller.key.slice(8, 16), status: 'paused' as const }
    expect((await shop.owner.visitor.call('POST /toggle_seller_key_status', { body })).status).toBe(200)
    await emit(event('a secret'))
    expect(await isEnded(stream)).toBe(true)
  })

  test('when its key is deleted, or the owner is banned', async () => {
    const stream = await follow(await listen())
    const other = await newShop(app)
    const banned = await follow(await listen(undefined, other.seller), { seller: other.seller })
    const body = { sellerKey: shop.seller.key.slice(8, 16) }
    await shop.owner.visitor.call('POST /delete_seller_key', { body })
    await setAccountBanned(app, other.owner.id, true)
    await beat()
    expect([await isEnded(stream), await isEnded(banned)]).toEqual([true, true])
  })

  test('when the listener is ended; nothing is left of it', async () => {
    const id = await listen()
    await emit(event('one'))
    const stream = await follow(id, { after: '1' })
    await sold(shop.seller, 'DELETE', pathOf(id))
    expect(await isEnded(stream)).toBe(true)
    expect([await listeners(), await queued()]).toEqual([[], []])
    expectRejected(await shop.seller.send('GET', `${pathOf(id)}/events`), 'ended', 404)
    expectRejected(await shop.seller.send('DELETE', pathOf(id)), 'ended', 404)
    // Nobody listens any more: nothing is stored.
    await emit(event('two'))
    expect(await queued()).toEqual([])
  })
})

describe('a listener that nobody follows', () => {
  const expire = async () => {
    app.advance(unfollowedSeconds)
    await app.jobsDone()
    app.advance(60)
    await app.jobsDone()
  }

  test.skipIf(hasTwoProcesses)('ends after two minutes with its events; one that is followed stays', async () => {
    await listen()
    const kept = await listen()
    const stream = await follow(kept)
    await emit(event('one'))
    await heard(stream)
    for (let seconds = 0; seconds < 240; seconds += 15) {
      app.advance(15)
      await eventStreams(app.services).beat()
      await app.jobsDone()
    }
    expect(await listeners()).toEqual([kept])
    expect(await queued()).toHaveLength(1)
    stream.leave()
    await expect.poll(() => eventStreams(app.services).size).toBe(0)
    await expire()
    expect([await listeners(), await queued()]).toEqual([[], []])
  })

  test('survives a server that was away for longer, and then ends', async () => {
    const id = await listen(['license.banned'])
    await emit(event('one'))
    await app.stop()
    app.advance(600)
    await app.start()
    await app.jobsDone()
    const stream = await follow(id)
    expect((await heard(stream)).data.target).toBe('one')
    stream.leave()
    await expire()
    await expire()
    expect(await listeners()).toEqual([])
  })
})

describe('the limit of an app', () => {
  test('is five listeners, also when they are created at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: maxListeners + 3 }, () => shop.seller.send('POST', '/webhooks/listeners', { body: {} })),
    )
    const rejected = answers.filter(({ status }) => status === 409)
    expect(rejected).toHaveLength(3)
    expect(rejected[0]?.body).toMatchObject({ code: 'LISTENER_LIMIT_REACHED', values: { limit: maxListeners } })
    const colleague = await newSeller(app, shop.owner)
    expect((await colleague.send('POST', '/webhooks/listeners', { body: {} })).status).toBe(409)
    const another = await newOwnerWithApp(app)
    await listen(undefined, await newSeller(app, another))
  })

  test('does not count one that nobody has followed for two minutes', async () => {
    app.advance(unfollowedSeconds)
    for (let at = 0; at < maxListeners; at++) await listen()
    app.advance(unfollowedSeconds + 1)
    await listen()
    expect(await listeners()).toHaveLength(1)
  })
})
