import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { liveSubjects } from '#contract/live.ts'
import { EventListener } from '#testing/event-listener.ts'
import { newUser } from '#testing/people/end-users.ts'
import { imported, undoImport } from '#testing/people/imported.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { newReseller, newSellingReseller } from '#testing/people/resellers.ts'
import { newSeller, soldLicense } from '#testing/people/sellers.ts'
import { setAccountBanned } from '#testing/platform.ts'
import { hasTwoProcesses, startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { activityLog } from '#features/logs/logs.actions.ts'
import { eventStreams } from '#server/http/event-stream.ts'

/** With two processes, two streams that open one after the other are at different ones: a second process tells its own. */

let app: TestApp
let owner: OwnedApp
let listeners: EventListener[] = []

beforeAll(async () => {
  app = await startTestApp()
})
beforeEach(async () => {
  // An address may register few accounts in an hour.
  app.advance(3600)
  owner = await newOwnerWithApp(app)
  await announcementsHeard()
})
/** PostgreSQL delivers the announcements of a change after its call has been answered, but in their order. */
const announcementsHeard = () =>
  new Promise<void>((resolve) => {
    app.db.events.on('heard', () => resolve())
    void app.db.announce('heard:now')
  })
const streamsLeft = async (count: number) => {
  while (eventStreams(app.services).size > count) await new Promise((resolve) => setImmediate(resolve))
}
afterEach(async () => {
  for (const listener of listeners) listener.leave()
  listeners = []
  await streamsLeft(0)
})
afterAll(() => app.close())

async function follow(who = owner, query = '', headers: Record<string, string> = {}): Promise<EventListener> {
  const listener = await EventListener.open(app, who.visitor, `/live${query}`, headers)
  listeners.push(listener)
  return listener
}
async function following(who = owner): Promise<EventListener> {
  await announcementsHeard()
  const listener = await follow(who)
  expect(await listener.next()).toMatchObject({ event: 'changed', data: { subjects: [] } })
  return listener
}
const ban = (licenseKey: string) => owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey } })
/** The subjects of events until the given one is among them. */
async function toldUntil(listener: EventListener, last: string): Promise<Set<string>> {
  const told = new Set<string>()
  while (!told.has(last)) {
    const event = await listener.next()
    if (!event) throw new Error('The stream ended')
    for (const subject of event.data['subjects'] as string[]) told.add(subject)
  }
  return told
}
const isEnded = async (listener: EventListener) => {
  while (await listener.next());
  return true
}

/** The subjects of all events until the stream ends; a beat has none and can arrive at any time. */
async function subjectsLeft(listener: EventListener): Promise<unknown[]> {
  const event = await listener.next()
  return event ? [...(event.data['subjects'] as unknown[]), ...(await subjectsLeft(listener))] : []
}

describe('a stranger', () => {
  test("can't follow another owner's app, and is told nothing of it (R-TEN-02)", async () => {
    const stranger = await newOwnerWithApp(app)
    expect((await follow(stranger, `?appId=${owner.appId}`)).response.status).toBe(404)
    const foreign = await following(stranger)
    const own = await following()
    await newLicenses(owner, 1)
    await toldUntil(own, 'licenses')
    await newUser(stranger)
    expect([...(await toldUntil(foreign, 'users'))]).not.toContain('licenses')
  })
})

test('a stream is told of a change after the process stood still for minutes', async () => {
  const listener = await following()
  app.advance(130)
  await newLicenses(owner, 1)
  expect([...(await toldUntil(listener, 'licenses'))]).toContain('licenses')
})

test('streams of any process are told which lists an owner, a seller key, or a program has changed', async () => {
  const both = [await following(), await following()]
  const [key = ''] = await newLicenses(owner, 1)
  for (const listener of both) expect([...(await toldUntil(listener, 'licenses'))]).toEqual(['licenses'])
  const program = await Program.of(app, owner)
  await program.init()
  expect((await program.license(key)).body.success).toBe(true)
  for (const listener of both) expect([...(await toldUntil(listener, 'users'))]).toContain('sessions')
  const seller = await newSeller(app, owner)
  await soldLicense(seller)
  for (const listener of both) await toldUntil(listener, 'licenses')
})

test('streams are told of subscriptions, variables, webhooks, seller keys, and what lies in the bin', async () => {
  const own = await following()
  const { visitor } = owner
  await visitor.call('POST /create_subscription', { body: { level: 2, name: 'Pro' } })
  await toldUntil(own, 'subscriptions')
  await visitor.call('POST /modify_app_var', { body: { variableName: 'color', variableData: 'green' } })
  expect([...(await toldUntil(own, 'variables'))]).not.toContain('bin')
  await newUser(owner, 'kim')
  await toldUntil(own, 'users')
  const variable = { username: 'kim', variableName: 'color' }
  await visitor.call('POST /user_variables', { body: { ...variable, variableData: 'red' } })
  expect([...(await toldUntil(own, 'user-variables'))]).not.toContain('users')
  await visitor.call('POST /create_webhook', { body: { url: 'https://example.com/' } })
  await toldUntil(own, 'webhooks')
  await visitor.call('POST /create_seller_key', { body: { keyName: 'Shop', permissions: ['licenses:read'] } })
  await toldUntil(own, 'seller-keys')
  await visitor.call('POST /downloads/upload', { body: { name: 'App' }, file: new File(['bytes'], 'app.zip') })
  await toldUntil(own, 'files')
  await visitor.call('POST /variables/bulk-delete', { body: { filter: {} } })
  expect([...(await toldUntil(own, 'bin'))]).toContain('variables')
})

test('streams are told of an import, and of what its undo takes and restores', async () => {
  const own = await following()
  const importId = await imported(owner, { users: [{ username: 'ann', subscriptions: [] }] })
  expect([...(await toldUntil(own, 'users'))]).toEqual(expect.arrayContaining(['licenses', 'sessions']))
  await newUser(owner, 'kim')
  await toldUntil(own, 'users')
  await undoImport(owner, importId)
  expect([...(await toldUntil(own, 'users'))]).toEqual(expect.arrayContaining(['licenses', 'sessions', 'bin']))
})

describe('the stream of each app', () => {
  test("tells what changes in its owner's account, and nothing of another one (R-TEN-02)", async () => {
    const stranger = await newOwnerWithApp(app)
    // Another app is selected and deleted meanwhile.
    const [own, foreign] = [await follow(owner, `?appId=${owner.appId}`), await following(stranger)]
    await own.next()
    const { visitor } = owner
    const { id } = await newReseller(app, owner)
    expect([...(await toldUntil(own, 'resellers'))]).toEqual(['resellers'])
    await visitor.call('POST /resellers/{id}/ban', { params: { id }, body: { banned: true } })
    expect([...(await toldUntil(own, 'resellers'))]).toEqual(['resellers'])
    const created = await visitor.call('POST /create_app', { body: { appName: 'Another' } })
    expect([...(await toldUntil(own, 'apps'))]).toEqual(['resellers', 'apps'])
    const { appId } = created.body.app
    await visitor.call('POST /update_app', { body: { appId, settings: { appStatus: false } } })
    expect([...(await toldUntil(own, 'apps'))]).not.toContain('licenses')
    await visitor.call('POST /delete_app', { body: { appId } })
    await toldUntil(own, 'apps')
    await newUser(stranger)
    expect([...(await toldUntil(foreign, 'users'))]).toEqual(['users'])
  })

  test("tells of a reseller's sale in another app, whose reseller has no stream", async () => {
    const reseller = await newSellingReseller(app, {}, owner)
    await owner.visitor.call('POST /create_app', { body: { appName: 'Another' } })
    const { body } = await owner.visitor.call('GET /apps')
    const other = body.apps.find(({ appName }) => appName === 'Another')
    await announcementsHeard()
    const own = await follow(owner, `?appId=${other?.appId}`)
    await own.next()
    expect((await reseller.sell()).status).toBe(200)
    expect([...(await toldUntil(own, 'resellers'))]).toEqual(['resellers'])
    const refused = await EventListener.open(app, reseller.visitor, `/live?appId=${owner.appId}`)
    listeners.push(refused)
    expect(refused.response.status).toBe(403)
  })

  test("tells nothing of a reseller's sign-in, or of licenses that the owner creates", async () => {
    const reseller = await newSellingReseller(app, {}, owner)
    const own = await following()
    await reseller.visitor.call('POST /logout', { body: {} })
    await newLicenses(owner, 1)
    expect([...(await toldUntil(own, 'licenses'))]).toEqual(['licenses'])
    const { username } = reseller
    await app.visitor().call('POST /reseller/login', { body: { username, password: 'Wrong7Password' } })
    await newUser(owner)
    expect([...(await toldUntil(own, 'users'))]).not.toContain('resellers')
  })
})

test('a heartbeat, a start, and a sign-in with a license in use publish nothing', async () => {
  // PostgreSQL also notifies the process that publishes.
  const published = new Set<string>()
  app.db.events.on('live', (topic) => {
    // The level was created with the app.
    if (topic.startsWith(owner.appId) && !topic.includes('/licenses,users,subscriptions/')) published.add(topic)
  })
  const [key = ''] = await newLicenses(owner, 1)
  const program = await Program.of(app, owner)
  const own = await following()
  for (let times = 0; times < 3; times++) {
    await program.init()
    expect((await program.license(key)).body.success).toBe(true)
    expect((await program.heartbeat()).body.success).toBe(true)
  }
  await program.license('NO-SUCH-KEY')
  await ban(key)
  await toldUntil(own, 'licenses')
  // Created, used for the first time, banned.
  const expected = ['licenses', 'licenses,users,sessions', 'licenses,users,sessions']
  while (published.size < expected.length) await new Promise((resolve) => setImmediate(resolve))
  expect([...published].map((topic) => topic.split('/')[1])).toEqual(expected)
})

test('the log entries of programs announce their sessions, and every sign-in the users', async () => {
  const [key = ''] = await newLicenses(owner, 1)
  const program = await Program.of(app, owner)
  await program.init()
  expect((await program.license(key)).body.success).toBe(true)
  await activityLog(app.services).flush()
  const own = await following()
  await program.init()
  await activityLog(app.services).flush()
  expect([...(await toldUntil(own, 'sessions'))]).toEqual(['sessions'])
  await program.license('NO-SUCH-KEY')
  await activityLog(app.services).flush()
  expect([...(await toldUntil(own, 'sessions'))]).toEqual(['sessions'])
  expect((await program.license(key)).body.success).toBe(true)
  await activityLog(app.services).flush()
  expect([...(await toldUntil(own, 'users'))]).not.toContain('licenses')
})

// The planted listener is in one process.
test.skipIf(hasTwoProcesses)('an action that is rolled back is not announced', async () => {
  const own = await following()
  const stop = app.db.onEvent(async (_, event) => {
    if (event.type === 'license.create' && event.appId === owner.appId) throw new Error('planted')
  })
  await expect(newLicenses(owner, 1)).rejects.toThrow('Could not create licenses')
  stop()
  await newUser(owner)
  expect([...(await toldUntil(own, 'users'))]).not.toContain('licenses')
})

test('continues after the last event received; with an ID of another run, everything may have changed', async () => {
  const [key = ''] = await newLicenses(owner, 1)
  const first = await follow()
  const last = await first.next()
  first.leave()
  await streamsLeft(0)
  await ban(key)
  const resumed = await follow(owner, '', { 'last-event-id': last?.id ?? '' })
  const subjects = hasTwoProcesses ? expect.arrayContaining(['licenses']) : ['licenses', 'users', 'sessions']
  const changed = await resumed.next()
  expect(changed).toMatchObject({ data: { subjects } })
  const opened = await follow(owner, `?lastEventId=${last?.id}`)
  expect(await opened.next()).toMatchObject({ data: { subjects } })
  if (!hasTwoProcesses) {
    const reconnected = await follow(owner, `?lastEventId=${last?.id}`, { 'last-event-id': changed?.id ?? '' })
    expect(await reconnected.next()).toMatchObject({ data: { subjects: [] } })
  }
  for (const made of ['x', '1', '-', "a-1' or 1=1", '9'.repeat(200)]) {
    const other = await follow(owner, '', { 'last-event-id': made })
    expect(await other.next(), made).toMatchObject({ data: { subjects: liveSubjects } })
    other.leave()
  }
})

test('an open stream shows every 15 seconds that it is open, and can be resumed from there', async () => {
  const own = await follow()
  const first = await own.next()
  await eventStreams(app.services).beat()
  expect(await own.next()).toEqual({ ...first, data: { appId: owner.appId, subjects: [] } })
  expect(own.comments).toBe(0)
})

describe('a stream ends', () => {
  test('when the session ends, before another change is told (R-SES-05)', async () => {
    const seller = await newSeller(app, owner)
    const own = await following()
    await owner.visitor.call('POST /logout', { body: {} })
    await soldLicense(seller)
    expect(await subjectsLeft(own)).toEqual([])
  })

  test('when the owner is banned, or the app is deleted', async () => {
    const [banned, deleted] = [await newOwnerWithApp(app), await newOwnerWithApp(app)]
    const [ofBanned, ofDeleted] = [await following(banned), await following(deleted)]
    await setAccountBanned(app, banned.id, true)
    await deleted.visitor.call('POST /delete_app', { body: { appId: deleted.appId } })
    await eventStreams(app.services).beat()
    expect(await isEnded(ofBanned)).toBe(true)
    expect(await isEnded(ofDeleted)).toBe(true)
  })
})

test.skipIf(hasTwoProcesses)('streams of the log do not count, and an account on Free can have four', async () => {
  const free = await newOwnerWithApp(app, undefined, { plan: 'Free' })
  const log = await EventListener.open(app, free.visitor, '/logs/live')
  listeners.push(log)
  for (let opened = 0; opened < 4; opened++) expect((await follow(free)).response.status).toBe(200)
  expect((await follow(free)).response.status).toBe(429)
})
