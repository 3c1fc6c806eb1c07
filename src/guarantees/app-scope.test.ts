import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CallDefinition } from '#contract/define-call.ts'
import { pathOf } from '../server/http/call-routes.ts'
import { acceptedInput, type BusyApp, callName, fillApp } from '#testing/busy-app.ts'
import { databaseDigest, databaseRows } from '#testing/database-digest.ts'
import { expectRejected, seen } from '#testing/faults/hostile-input.ts'
import { newLicenses, newOwner, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { fewAtATime, SharedWorld } from '#testing/shared-world.ts'
import { startTestApp, type TestApp, testEngine } from '#testing/start-test-app.ts'
import { Visitor } from '#testing/people/visitor.ts'
import { features } from '../features.ts'

/** Which app a call acts on (R-TEN-07): the header, else the name or id it sends, else the selected app. */

let app: TestApp
let owner: OwnedApp
let stranger: OwnedApp
/** The owner's two apps: the first one is selected. */
let first: { id: string; name: string }
let second: { id: string; name: string }

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app, 'First App')
  stranger = await newOwnerWithApp(app, 'Foreign App')
  first = { id: owner.appId, name: owner.appName }
  const { body } = await owner.visitor.call('POST /create_app', { body: { appName: 'Second App' } })
  await owner.visitor.call('POST /create_subscription', { body: { level: 1, name: 'Basic' } })
  second = { id: body.appId, name: body.appName }
})
afterAll(() => app.close())
beforeEach(async () => {
  await owner.visitor.call('POST /select_app', { body: { appId: first.id } })
  for (const { id } of [first, second]) await owner.visitor.call('POST /delete_all_licenses', { body: { appId: id } })
  await newLicenses(owner, 1, { appId: first.id })
  await newLicenses(owner, 2, { appId: second.id })
})

const missing = 'app_0000000000000000'
const from = (appId: string) => ({ headers: { 'x-app-id': appId } })
const totalOf = async (appId: string) => (await owner.visitor.call('GET /licenses', from(appId))).body.total
const totals = async () => [await totalOf(first.id), await totalOf(second.id)]

describe('the app a call acts on', () => {
  test('without header and name, it is the selected one', async () => {
    expect((await owner.visitor.call('GET /licenses')).body.total).toBe(1)
    await owner.visitor.call('POST /select_app', { body: { appId: second.id } })
    expect((await owner.visitor.call('GET /licenses')).body.total).toBe(2)
  })

  test('the header wins over the selection, for reading and for writing', async () => {
    expect((await owner.visitor.call('GET /licenses', from(second.id))).body.total).toBe(2)
    await owner.visitor.call('POST /create_licenses', { body: { amount: 3, subscription: 1 }, ...from(second.id) })
    expect(await totals()).toEqual([1, 5])
    expect((await owner.visitor.call('GET /active_app')).body.app?.appId).toBe(first.id)
  })

  test("a second tab can't make the first one delete from the wrong app", async () => {
    const tab = new Visitor(app.url)
    await tab.call('POST /login', { body: { username: owner.username, password: owner.password } })
    tab.appId = second.id
    // The other tab selects its app in between; the tab's header still decides.
    await tab.call('POST /select_app', { body: { appId: first.id } })
    await tab.call('POST /delete_all_licenses', { body: {} })
    expect(await totals()).toEqual([1, 0])
  })

  test('the name and the ID in the body or the query win over the selection', async () => {
    for (const named of [{ appName: second.name }, { appId: second.id }, { appName: second.name, appId: second.id }]) {
      expect((await owner.visitor.call('GET /licenses', { query: named })).body.total).toBe(2)
    }
    await owner.visitor.call('POST /delete_all_licenses', { body: { appName: second.name } })
    expect(await totals()).toEqual([1, 0])
  })

  test('a name in another case is the same app, because names are unique regardless of case', async () => {
    const { status, body } = await owner.visitor.call('GET /licenses', {
      query: { appName: second.name.toUpperCase() },
    })
    expect([status, body.total]).toEqual([200, 2])
    const both = await owner.visitor.call('GET /licenses', { query: { appName: 'second app' }, ...from(second.id) })
    expect(both.status).toBe(200)
  })

  test('an empty header counts as missing', async () => {
    expect((await owner.visitor.call('GET /licenses', from(''))).body.total).toBe(1)
  })

  test('a header and a name of the same app are accepted', async () => {
    const input = { query: { appName: second.name, appId: second.id }, ...from(second.id) }
    expect((await owner.visitor.call('GET /licenses', input)).body.total).toBe(2)
  })
})

describe('a call that names two apps is rejected before anything happens', () => {
  test.each([
    ['name', () => ({ appName: first.name })],
    ['id', () => ({ appId: first.id })],
    ['name of an app that never was', () => ({ appName: 'No such app' })],
    ['id of a foreign app', () => ({ appId: stranger.appId })],
  ])('the header and another %s', async (_name, named) => {
    const before = await databaseDigest(app.db)
    const written = await owner.visitor.call('POST /delete_all_licenses', { body: named(), ...from(second.id) })
    const read = await owner.visitor.call('GET /licenses', { query: named(), ...from(second.id) })
    for (const answer of [written, read]) {
      expectRejected(answer, named(), 409)
      expect(answer.body).toMatchObject({ code: 'APP_MISMATCH', message: 'The request names two different apps' })
    }
    expect(await databaseDigest(app.db)).toBe(before)
  })

  test('a name and the ID of another app', async () => {
    const { status, body } = await owner.visitor.call('POST /delete_all_licenses', {
      body: { appName: first.name, appId: second.id },
    })
    expect([status, body.code]).toEqual([409, 'APP_MISMATCH'])
    expect(await totals()).toEqual([1, 2])
  })
})

const scoped = features
  .flatMap(({ endpoints }) => endpoints)
  .filter(({ call }) => call.app && call.access === 'account')
  .map(({ call, handler }) => [callName(call), { call, reads: 'read' in handler || 'listen' in handler }] as const)
  // Which app it is, no database decides; `audit.test.ts` makes each call that writes, on both engines.
  .filter(([, { reads }]) => testEngine === 'sqlite' || reads)

/** Makes an app; chooses which one the session shows. */
const namesAppOtherwise = [
  'POST /select_app',
  'POST /create_app',
  // Of a reseller, whichever app is selected.
  'POST /resellers/{id}/apps',
  'POST /resellers/{id}/credits/add',
  'POST /resellers/{id}/credits/set',
  'GET /resellers/{id}/credits/history',
]

test('every call that takes the name or the ID of an app is scoped to an app', () => {
  const naming = features
    .flatMap(({ endpoints }) => endpoints.map(({ call }) => call))
    .filter(({ body, query, params }) =>
      [body, query, params].some((schema) => schema && /"app(Id|Name)":/.test(JSON.stringify(schema))),
    )
  expect(
    naming
      .filter(({ app: isScoped }) => !isScoped)
      .map(callName)
      .toSorted(),
  ).toEqual(namesAppOtherwise.toSorted())
})

const takesApp = (schema: object | undefined) => JSON.stringify(schema ?? {}).includes('"appId":')

/** An app's own rows in every table. */
const rowsOf = async ({ db }: TestApp, appId: string) =>
  Object.fromEntries(
    await databaseRows(db, (row, table) => (table === 'apps' ? row['id'] === appId : row['app_id'] === appId)),
  )

describe('every call scoped to an app acts on the one in X-App-Id, whichever is selected (R-TEN-07)', () => {
  describe.each(fewAtATime(scoped))('calls from %s', (_first, some) => {
    let calls: TestApp
    const world = new SharedWorld(() => twoApps(calls))

    beforeAll(async () => {
      calls = await startTestApp()
    })
    afterAll(() => calls.close())

    test.each(some)('%s', (_name, { call, reads }) =>
      world.check((apps) => expectNamedApp(calls, apps, { call, reads })),
    )
  })
})

interface TwoApps {
  person: OwnedApp
  /** The data of the app that is not selected. */
  busy: BusyApp
}

async function twoApps(calls: TestApp): Promise<TwoApps> {
  // An address may register few accounts in an hour.
  calls.advance(3600)
  const person = await newOwnerWithApp(calls)
  const { visitor } = person
  const other = await visitor.call('POST /create_app', { body: { appName: 'Other app', version: '1.0.0' } })
  const { appId, appName } = other.body
  visitor.appId = appId
  await visitor.call('POST /create_subscription', { body: { level: 1, name: 'Basic' } })
  return { person, busy: await fillApp(calls, { ...person, appId, appName }) }
}

async function expectNamedApp(
  calls: TestApp,
  { person, busy }: TwoApps,
  { call, reads }: { call: CallDefinition; reads: boolean },
): Promise<void> {
  const { visitor } = person
  const { appId } = busy.owner
  visitor.appId = appId
  const input = await acceptedInput(call, busy)
  visitor.appId = undefined
  const send = (headers = {}) => visitor.send(call.method, pathOf(call), { ...input, headers })

  await visitor.call('POST /select_app', { body: { appId: person.appId } })
  const [ofSelected, ofNamed] = [await rowsOf(calls, person.appId), await rowsOf(calls, appId)]
  const contradiction = { query: { ...input.query }, body: input.body && { ...input.body } }
  Object.assign((takesApp(call.query) ? contradiction.query : contradiction.body) ?? {}, { appId: person.appId })
  const rejected = await visitor.send(call.method, pathOf(call), { ...input, ...contradiction, ...from(appId) })
  expectRejected(rejected, input, 409)
  expect(rejected.body.code).toBe('APP_MISMATCH')
  expect(await rowsOf(calls, appId)).toEqual(ofNamed)

  const answer = await send(from(appId).headers)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  expect(await rowsOf(calls, person.appId)).toEqual(ofSelected)
  if (!reads) return expect(await rowsOf(calls, appId)).not.toEqual(ofNamed)
  expect(seen(await send())).not.toBe(seen(answer))
  await visitor.call('POST /select_app', { body: { appId } })
  expect(seen(await send())).toBe(seen(answer))
}

describe("another owner's app looks like a missing one", () => {
  const ways: [string, (id: string, name: string) => object][] = [
    ['the header', (id) => from(id)],
    ['the header beside an own name', (id) => ({ ...from(id), body: { appName: first.name } })],
    ['the id', (id) => ({ body: { appId: id } })],
    ['the name', (_id, name) => ({ body: { appName: name } })],
  ]
  test.each(ways)('by %s', async (_name, way) => {
    const before = await databaseDigest(app.db)
    const send = (id: string, name: string) =>
      owner.visitor.send('POST', '/api/1.0/website/delete_all_licenses', { body: {}, ...way(id, name) })
    const foreign = await send(stranger.appId, stranger.appName)
    expectRejected(foreign, way, 404)
    expect(foreign.body.code).toBe('APP_NOT_FOUND')
    expect(seen(foreign)).toBe(seen(await send(missing, 'No such app')))
    expect(await databaseDigest(app.db)).toBe(before)
  })

  test.each([`' or 1=1 --`, '*', '%', '../..', 'null', 'undefined', 'x'.repeat(5000), '__proto__'])(
    'so does the header %j',
    async (header) => {
      const { status, body } = await owner.visitor.call('GET /licenses', from(header))
      expect([status, body.code]).toEqual([404, 'APP_NOT_FOUND'])
    },
  )

  test('the header is checked even if the selected app would be enough', async () => {
    const { visitor } = await newOwner(app)
    expect((await visitor.call('GET /licenses')).body.code).toBe('NO_APP_SELECTED')
    expect((await visitor.call('GET /licenses', from(first.id))).body.code).toBe('APP_NOT_FOUND')
  })

  test('a deleted app looks like a missing one', async () => {
    const { body } = await owner.visitor.call('POST /create_app', { body: { appName: 'Third App' } })
    await owner.visitor.call('POST /delete_app', { body: { appId: body.appId } })
    const deleted = await owner.visitor.call('GET /licenses', from(body.appId))
    expect(seen(deleted)).toBe(seen(await owner.visitor.call('GET /licenses', from(missing))))
    expect((await owner.visitor.call('GET /licenses')).body.code).toBe('NO_APP_SELECTED')
  })

  test("a caller without a session can't learn which apps exist", async () => {
    const [one, other] = [
      await app.visitor().call('GET /licenses', from(first.id)),
      await app.visitor().call('GET /licenses', from(missing)),
    ]
    expectRejected(one, 'header', 401)
    expect(seen(one)).toBe(seen(other))
  })
})
