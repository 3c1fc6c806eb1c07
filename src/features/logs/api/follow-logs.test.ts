import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { insertLogRows, logIds } from '#testing/log-rows.ts'
import { EventListener } from '#testing/event-listener.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { setAccountBanned, setPlatform } from '#testing/platform.ts'
import { Program } from '#testing/people/program.ts'
import { hasTwoProcesses, startTestApp, type TestApp, testEngine } from '#testing/start-test-app.ts'
import { eventStreams, maxStreamsOfOwner } from '#server/http/event-stream.ts'
import { activityLog } from '../logs.actions.ts'
import { isChosen } from '../log-choice.ts'
import { type LogFilter, listLogs, listNewestLogs } from '../logs.reads.ts'

let app: TestApp
let owner: OwnedApp
let program: Program
let listeners: EventListener[] = []

beforeAll(async () => {
  app = await startTestApp()
})
beforeEach(async () => {
  owner = await newOwnerWithApp(app)
  program = await Program.of(app, owner)
  await program.init()
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

/** Opens a stream and waits until the server has determined which rows are old. */
async function follow(query = '', who = owner, headers: Record<string, string> = {}): Promise<EventListener> {
  const listener = await EventListener.open(app, who.visitor, `/logs/live${query}`, headers)
  listeners.push(listener)
  if (listener.response.status === 200 && !headers['last-event-id']) await listener.next()
  return listener
}
const write = (message: string, by = program) => by.send('log', { message })
const heard = async (listener: EventListener) => {
  const { logs = [] } = ((await listener.next())?.data ?? {}) as { logs?: { message: string }[] }
  return logs.map(({ message }) => message)
}
const ended = async (listener: EventListener) => {
  while (await listener.next().catch(() => undefined));
  return true
}

test('a stream receives each row once, complete, and only of its own app (R-TEN-02)', async () => {
  const stranger = await newOwnerWithApp(app)
  const [own, foreign] = [await follow(), await follow('', stranger)]
  expect(Object.fromEntries(own.response.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  })
  await write('first')
  expect(await heard(own)).toEqual(['first'])
  await write('second')
  expect(await heard(own)).toEqual(['second'])
  const theirs = await Program.of(app, stranger)
  await theirs.init()
  await write('of the stranger', theirs)
  await activityLog(app.services).flush()
  const messages: string[] = []
  while (!messages.includes('of the stranger')) messages.push(...(await heard(foreign)))
  expect(messages.filter((text) => text !== 'Ready' && text !== 'Started')).toEqual(['of the stranger'])
})

test('rows that come up because newer ones were deleted are not new', async () => {
  const messages = Array.from({ length: 210 }, (_, index) => ({ call: 'message', username: `row ${index}`, ago: 9 }))
  await insertLogRows(app, owner, messages)
  await activityLog(app.services).flush()
  const listener = await follow()
  const newest = await logIds(owner)
  await owner.visitor.call('POST /logs/bulk-delete', { body: { logIds: newest.slice(0, 10) } })
  await write('new')
  expect(await heard(listener)).toEqual(['new'])
})

test("another owner's app can't be followed by its ID", async () => {
  const stranger = await newOwnerWithApp(app)
  const listener = await follow(`?appId=${owner.appId}`, stranger)
  expect(listener.response.status).toBe(404)
})

test('continues after the last row received, from the table', async () => {
  const listener = await follow()
  await write('first')
  const last = await listener.next()
  listener.leave()
  await streamsLeft(0)
  await write('missed')
  app.advance(1)
  await write('missed too')
  const resumed = await follow('', owner, { 'last-event-id': last?.id ?? '' })
  expect(await heard(resumed)).toEqual(['missed', 'missed too'])
  for (const made of ['x', '1', '-', "1-1' or 1=1", '9'.repeat(200)]) {
    const other = await follow('', owner, { 'last-event-id': made })
    expect(other.response.status, made).toBe(200)
    other.leave()
  }
})

test('receives only the rows that match the filter', async () => {
  const rejected = await follow('?rejected=true')
  const searched = await follow('?search=SECOND')
  const [key = ''] = await newLicenses(owner, 1)
  await write('the first')
  await program.license(key)
  await program.license('NO-SUCH-KEY')
  await write('the second')
  await activityLog(app.services).flush()
  expect(await heard(rejected)).toEqual(['License not found'])
  expect(await heard(searched)).toEqual(['the second'])
})

test('filters as the list does', async () => {
  const [key = ''] = await newLicenses(owner, 1)
  await program.license(key)
  await write('A message: 100 % of Zoë')
  await program.license('NO-SUCH-KEY')
  const { hwidHash } = { hwidHash: 'none' }
  const { logs } = (await owner.visitor.call('GET /logs')).body
  const all = await listNewestLogs(app.db.read, { appId: owner.appId, since: 0, limit: 100 })
  const filters: LogFilter[] = [
    {},
    { rejected: true },
    { rejected: false },
    { code: 'LICENSE_NOT_FOUND' },
    { code: 'LICENSE_BANNED,LICENSE_NOT_FOUND' },
    { code: 'LICENSE_BANNED,HWID_MISMATCH' },
    { call: 'message' },
    { call: 'license', rejected: true },
    { credential: key },
    { credential: key.toLowerCase() },
    { ip: '127.0.0.1' },
    { ip: '127.0.0.2' },
    { hwid: logs.find(({ device }) => device !== '')?.device },
    { hwid: 'none' },
    { search: 'message' },
    { search: '100 %' },
    { search: '%' },
    { search: '_' },
    { search: 'no-such' },
    { search: 'LICENSE_NOT_FOUND' },
    { search: 'não há', searchCodes: 'LICENSE_NOT_FOUND' },
    { search: 'iniciou', searchCodes: 'init,message' },
    { search: String(logs[0]?.id) },
  ]
  for (const filter of filters) {
    const choice = { ...filter, appId: owner.appId, searchedHash: hwidHash, hwidHash }
    const listed = await listLogs(app.db.reports, { ...choice, offset: 0, limit: 100 })
    expect(
      all.filter((row) => isChosen(row, choice)).map(({ id }) => id),
      JSON.stringify(filter),
    ).toEqual(listed.map(({ id }) => id))
  }
})

test.each([
  [240, 'one of many'],
  [40, 'x'.repeat(20_000)],
])('reports a gap when there are more rows than can be sent: %i rows', async (count, message) => {
  const listener = await follow()
  const row = {
    app_id: owner.appId,
    at: app.now(),
    call: 'message',
    code: '',
    message,
    username: '',
    license: '',
    hwid_hash: '',
    ip: '127.0.0.1',
    country: '',
    session: '',
  }
  await app.db.write(async (tx) => {
    for (let times = 0; times < count / 40; times++)
      await tx.db
        .insertInto('logs')
        .values(Array.from({ length: 40 }, () => row))
        .execute()
    tx.publish(`logs:${owner.appId}`)
  })
  expect(await listener.next()).toMatchObject({ event: 'gap', data: {} })
})

describe('a stream ends', () => {
  test('when the session ends, before another row is sent (R-SES-05)', async () => {
    const listener = await follow()
    await owner.visitor.call('POST /logout', { body: {} })
    await write('a secret')
    expect(await listener.next()).toBeUndefined()
  })

  test('when the owner is banned, or the app is deleted', async () => {
    const [banned, deleted] = [await newOwnerWithApp(app), await newOwnerWithApp(app)]
    const [ofBanned, ofDeleted] = [await follow('', banned), await follow('', deleted)]
    await setAccountBanned(app, banned.id, true)
    await deleted.visitor.call('POST /delete_app', { body: { appId: deleted.appId } })
    await eventStreams(app.services).beat()
    expect(await ended(ofBanned)).toBe(true)
    expect(await ended(ofDeleted)).toBe(true)
  })

  test('for maintenance, and can be opened again afterwards', async () => {
    const listener = await follow()
    await setPlatform(app, 'platform', { maintenanceMode: true })
    await eventStreams(app.services).beat()
    expect(await ended(listener)).toBe(true)
    expect((await follow()).response.status).toBe(503)
    await setPlatform(app, 'platform', { maintenanceMode: false })
    expect((await follow()).response.status).toBe(200)
  })

  test('when the server stops, without delaying it', async () => {
    const listener = await follow()
    await app.stop()
    expect(await ended(listener)).toBe(true)
    await app.start()
  })
})

test.skipIf(hasTwoProcesses)(
  'limits the streams per owner, and releases 200 streams of ten owners completely',
  async () => {
    for (let made = 0; made < 10; made++) {
      const who = made === 0 ? owner : await newOwnerWithApp(app)
      for (let each = 0; each < maxStreamsOfOwner; each++) await follow('', who)
    }
    const streams = eventStreams(app.services)
    expect(streams.size).toBe(10 * maxStreamsOfOwner)
    const rejected = await owner.visitor.send('GET', '/api/1.0/website/logs/live')
    expect([rejected.status, rejected.body]).toMatchObject([429, { code: 'RATE_LIMITED', retryAfterSeconds: 15 }])
    // Streams cost heartbeats no reads, because a heartbeat publishes nothing.
    expect((await program.heartbeat()).body.code).toBe('NOT_SIGNED_IN')
    await streams.beat()
    for (const listener of listeners) listener.leave()
    await streamsLeft(0)
    expect((await follow()).response.status).toBe(200)
  },
)

test.skipIf(hasTwoProcesses)('an account on Free can have one stream, and another once that has ended', async () => {
  const free = await newOwnerWithApp(app, undefined, { plan: 'Free' })
  const first = await follow('', free)
  expect((await follow('', free)).response.status).toBe(429)
  expect((await follow()).response.status).toBe(200)
  first.leave()
  await streamsLeft(1)
  expect((await follow('', free)).response.status).toBe(200)
})

test.runIf(testEngine === 'sqlite')('sends comments, so a proxy keeps the connection open', async () => {
  const listener = await follow()
  await eventStreams(app.services).beat()
  await write('after the comment')
  expect(await heard(listener)).toEqual(['after the comment'])
  expect(listener.comments).toBe(1)
})
