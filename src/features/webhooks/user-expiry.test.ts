import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { day, manyUsers, newSubscriber } from '#testing/people/end-users.ts'
import { newOwnerWithApp, type OwnedApp, setPlan } from '#testing/people/people.ts'
import { keepSignedIn, setAccountBanned } from '#testing/platform.ts'
import { startReceiver, type WebhookReceiver } from '#testing/servers/webhook-receiver.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { type ExpiryLook, firstLook, maxAgeSeconds, nextLook } from './expiry-look.rules.ts'
import { userExpiry } from './user-expiry.ts'

let app: TestApp
let owner: OwnedApp
let receiver: WebhookReceiver

/** More than the pause between two looks and what they leave for the next one. */
const look = 75

beforeAll(async () => {
  app = await startTestApp()
  await pass(look)
})
beforeEach(async () => {
  receiver = await startReceiver(app)
  owner = await newOwnerWithApp(app)
  await keepSignedIn(app, owner)
  return () => receiver.close()
})
afterAll(() => app.close())

async function pass(seconds: number): Promise<void> {
  app.advance(seconds)
  await app.jobsDone()
}

const listen = async (who = owner, url = receiver.url) => {
  const events = ['user.expired' as const]
  return (await who.visitor.call('POST /create_webhook', { body: { url, events } })).body.webhookId
}

interface Told {
  data: { appId: string; target: string; details: { names?: string[] } }
}

/** Everybody who was announced, in order of name; again, if announced again. */
const told = (of = receiver): string[] =>
  of.received
    .map(({ body }) => (JSON.parse(body) as Told).data)
    .flatMap(({ target, details }) => details.names ?? [target])
    .toSorted()

/** A user whose time ends in a number of seconds. */
async function ending(username: string, seconds: number, who = owner): Promise<string> {
  await newSubscriber(who, { username, days: 1 })
  await setEnd(username, app.now() + seconds, who)
  return username
}
const setEnd = async (username: string, expiry: number, who = owner) => {
  const params = { username, id: 1 }
  const { status } = await who.visitor.call('PUT /user/{username}/subscriptions/{id}', { params, body: { expiry } })
  expect(status).toBe(200)
}
const state = async () => {
  const row = app.db.read.selectFrom('platform_settings').selectAll().where('name', '=', 'user expiry')
  return JSON.parse((await row.executeTakeFirstOrThrow()).value) as ExpiryLook
}
const deliveries = () =>
  app.db.read.selectFrom('webhook_deliveries').select('id').where('app_id', '=', owner.appId).execute()

describe('nobody is announced', () => {
  test('whose app has no subscriber, a stopped webhook, or an owner whose plan has no webhooks', async () => {
    await ending('anna', 30)
    await pass(look)
    const webhookId = await listen()
    await ending('berta', 30)
    const stop = (stopped_at: number | null) =>
      app.db.write(async (tx) => {
        await tx.db.updateTable('webhooks').set({ stopped_at }).where('id', '=', webhookId).execute()
        tx.publish(`webhooks:${owner.appId}`)
      })
    await stop(app.now())
    await pass(look)
    await stop(null)
    await ending('carla', 30)
    await setPlan(app, owner.id, 'Free')
    await pass(look)
    await setPlan(app, owner.id, 'Pro')
    await pass(look)
    expect(told()).toEqual([])
    expect(await deliveries()).toEqual([])
  })

  test('whose app is deleted, or whose owner is banned, also not once the ban is lifted', async () => {
    await listen()
    const gone = await newOwnerWithApp(app)
    await listen(gone)
    await ending('anna', 30)
    await ending('berta', 30, gone)
    await gone.visitor.call('POST /delete_app', { body: { appId: gone.appId } })
    await setAccountBanned(app, owner.id, true)
    await pass(look)
    await setAccountBanned(app, owner.id, false)
    await pass(look)
    expect(told()).toEqual([])
  })

  test('who got more time between the end and the look, never had time, is paused, or has time without end', async () => {
    await listen()
    await manyUsers(app, owner, { prefix: 'without-time', amount: 1 })
    await newSubscriber(owner, { username: 'forever', days: null })
    await ending('paused', 30)
    await ending('extended', 30)
    await owner.visitor.call('POST /toggle_pause_user', { body: { username: 'paused' } })
    app.advance(40)
    await setEnd('extended', app.now() + day)
    await pass(look)
    expect(told()).toEqual([])
    await owner.visitor.call('POST /toggle_pause_user', { body: { username: 'paused' } })
    await pass(look)
    await pass(day)
    expect(told()).toEqual(['extended', 'paused'])
  })

  test('whose subscriptions were removed', async () => {
    await listen()
    await ending('anna', day)
    await owner.visitor.call('DELETE /user/{username}/subscriptions/{id}', { params: { username: 'anna', id: 1 } })
    await pass(look)
    await pass(2 * day)
    expect(told()).toEqual([])
  })
})

describe('each end is announced exactly once', () => {
  test('also of a banned user, one who is paused afterwards, and one whose owner takes all the time away', async () => {
    await listen()
    await ending('anna', 20)
    await ending('banned', 20)
    await ending('ended', day)
    await owner.visitor.call('POST /toggle_ban_user', { body: { username: 'banned' } })
    await setEnd('ended', app.now())
    await ending('paused-later', 5)
    app.advance(6)
    await owner.visitor.call('POST /toggle_pause_user', { body: { username: 'paused-later' } })
    for (let n = 0; n < 5; n++) await pass(look)
    expect(told()).toEqual(['anna', 'banned', 'ended', 'paused-later'])
  })

  test('one user by name, several with their number; a second end is a second event', async () => {
    await listen()
    await ending('anna', 20)
    await pass(look)
    await setEnd('anna', app.now() + 20)
    await ending('berta', 20)
    await pass(look)
    const events = receiver.received.map(({ body }) => JSON.parse(body) as Told & { type: string })
    expect(events).toEqual([
      {
        type: 'user.expired',
        timestamp: expect.any(String) as string,
        data: { appId: owner.appId, target: 'anna', details: {} },
      },
      {
        type: 'user.expired',
        timestamp: expect.any(String) as string,
        data: {
          appId: owner.appId,
          target: '2 users',
          details: { names: ['anna', 'berta'], batch: expect.any(String) as string, part: 1, parts: 1 },
        },
      },
    ])
  })

  test('of 3,500 users whose time ends in the same second, beside the only one of another owner', async () => {
    const neighbor = await newOwnerWithApp(app)
    await keepSignedIn(app, neighbor)
    const other = await startReceiver(app)
    await listen()
    await listen(neighbor, other.url)
    const names = await manyUsers(app, owner, { prefix: 'many', amount: 3500, expiresAt: app.now() + 30 })
    await ending('only', 30, neighbor)
    await pass(look)
    expect(told()).toEqual(names.toSorted())
    expect(told(other)).toEqual(['only'])
    const parts = receiver.received.map(({ body }) => (JSON.parse(body) as Told).data.target)
    expect(new Set(parts)).toEqual(new Set(['1000 users', '500 users']))
    await other.close()
  })

  test('when the process dies between two batches', async () => {
    await listen()
    const names = await manyUsers(app, owner, { prefix: 'many', amount: 2500, expiresAt: app.now() + 30 })
    let heard = 0
    const stop = app.db.onEvent(async (_tx, { type, appId }) => {
      // The second batch never ends, and is rolled back as after `kill -9`.
      if (type === 'user.expire' && appId === owner.appId && ++heard === 2) throw new Error('died')
    })
    app.advance(look)
    await expect(userExpiry.run(app.services, {} as never)).rejects.toThrow('died')
    stop()
    expect(await state()).toMatchObject({ isDone: false, progress: { appId: owner.appId } })
    // Somebody of the first batch, who comes again among the banned.
    await owner.visitor.call('POST /toggle_ban_user', { body: { username: names[0] ?? '' } })
    await app.jobsDone()
    await pass(look)
    await pass(look)
    expect(told()).toEqual(names.toSorted())
  })

  test('after a restart, and after a downtime of less than seven days; older ends are not announced', async () => {
    await listen()
    await ending('older', 3600)
    await ending('later', 3 * day)
    await ending('last', 8 * day)
    await app.stop()
    app.advance(9 * day)
    await app.start()
    await pass(look)
    await pass(look)
    expect(told()).toEqual(['last', 'later'])
  })

  test('when two processes look at once', async () => {
    await listen()
    const names = await manyUsers(app, owner, { prefix: 'many', amount: 1500, expiresAt: app.now() + 30 })
    app.advance(look)
    // Without the lease of the job, which one may have lost.
    await Promise.allSettled([1, 2, 3].map(() => userExpiry.run(app.services, {} as never)))
    await app.jobsDone()
    await pass(look)
    await pass(look)
    expect(told()).toEqual(names.toSorted())
  })

  test('when the clock is set back', async () => {
    await listen()
    await ending('anna', 20)
    await pass(look)
    expect(told()).toEqual(['anna'])
    app.jumpClock(-3600)
    app.now()
    // The clock is believed after ten minutes.
    await pass(700)
    await ending('berta', 2 * 3600)
    for (let n = 0; n < 50; n++) await pass(240)
    expect(told()).toEqual(['anna', 'berta'])
    app.jumpClock(3600)
    app.now()
    await pass(700)
    await pass(look)
    expect(told()).toEqual(['anna', 'berta'])
  })
})

test('the chat gets one message for those whose time ended together', async () => {
  await app.db.write(({ db }) =>
    db.updateTable('apps').set({ discord_webhook_link: receiver.url }).where('id', '=', owner.appId).execute(),
  )
  await owner.visitor.call('POST /update_chat_events', { body: { events: ['user.expired'] } })
  await ending('anna', 20)
  await pass(look)
  await manyUsers(app, owner, { prefix: 'many', amount: 30, expiresAt: app.now() + 20 })
  await pass(look)
  expect(receiver.received.map(({ body }) => (JSON.parse(body) as { content: string }).content)).toEqual([
    'User expired: `anna`',
    'User expired: `30 users`',
  ])
  expect(receiver.received.map(({ headers }) => headers['user-agent'])).toEqual(
    Array(2).fill('Signet-Webhooks/1.0') as string[],
  )
})

describe('the next look', () => {
  const now = 1_000_000_000
  const done = (until: number) => firstLook(until)
  const open: ExpiryLook = { ...done(now - 100), since: now - 400, isDone: false, afterApp: 'app_1' }

  test('goes on where the last one ended, at most seven days back', () => {
    expect(nextLook(done(now - 60), now)).toMatchObject({ since: now - 60, until: now, isDone: false })
    expect(nextLook(done(5), now)).toMatchObject({ since: now - maxAgeSeconds, until: now })
  })

  test('ends an unfinished one first, up to the same moment', () => {
    expect(nextLook(open, now)).toEqual(open)
  })

  test('waits for a clock that was set back; if that would take more than seven days, it starts anew', () => {
    for (const last of [done(now), done(now + 1), done(now + maxAgeSeconds), { ...open, until: now + 1 }])
      expect(nextLook(last, now)).toBeUndefined()
    expect(nextLook(done(now + maxAgeSeconds + 1), now)).toEqual(firstLook(now))
  })
})
