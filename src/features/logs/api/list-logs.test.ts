import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSubscriber } from '#testing/people/end-users.ts'
import { expectQueriesRejected, notListQueries, strangeTexts } from '#testing/faults/hostile-input.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { choiceOf, isChosen } from '../log-choice.ts'
import { activityLog } from '../logs.actions.ts'

let app: TestApp
let owner: OwnedApp
let busy: OwnedApp
let program: Program
let license: string

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  const stranger = await newOwnerWithApp(app)
  busy = await newOwnerWithApp(app)
  ;[license = ''] = await newLicenses(owner, 1)
  program = await Program.of(app, owner)
  program.hwid = 'the machine of marta'
  await program.init()
  await newSubscriber(owner, { username: 'marta' })
  app.advance(5)
  await program.login('marta', 'not the password')
  app.advance(5)
  await program.license(license)
  const foreign = await Program.of(app, stranger)
  await foreign.init()
  await foreign.license('foreign-key')
  const log = activityLog(app.services)
  for (let n = 0; n < 23; n++)
    log.record({ appId: busy.appId, at: app.now() + (n % 3), call: 'init', ip: `10.0.0.${n}` })
})
afterAll(() => app.close())

const list = async (query: object = {}, who = owner) => (await who.visitor.call('GET /logs', { query })).body

describe('the list', () => {
  test('shows what programs did and why they were rejected, newest first, at once', async () => {
    const { logs, total, totalPages, retentionDays, maxEntries } = await list()
    expect({ total, totalPages, retentionDays, maxEntries }).toEqual({
      total: 3,
      totalPages: 1,
      retentionDays: 90,
      maxEntries: 1_000_000,
    })
    expect(logs.map(({ call, code, message }) => [call, code, message])).toEqual([
      ['license', '', 'Signed in with a license key'],
      ['login', 'INVALID_CREDENTIALS', 'Invalid username or password'],
      ['init', '', 'Started'],
    ])
    expect(logs[0]).toMatchObject({ credential: license, license, ip: '127.0.0.1', timestamp: app.now() })
    expect(logs[1]).toMatchObject({ credential: 'marta', timestamp: app.now() - 5 })
  })

  test('without paging, returns all rows up to a limit that the reply states', async () => {
    const hourly = await newOwnerWithApp(app)
    const record = (rows: number) => {
      for (let n = 0; n < rows; n++)
        activityLog(app.services).record({ appId: hourly.appId, at: app.now(), call: 'init', ip: '10.0.0.1' })
    }
    record(11)
    const few = await list({}, hourly)
    expect(few).toMatchObject({ total: 11, totalPages: 1, limit: 1000, logs: { length: 11 } })
    expect(await list({ page: 2 }, hourly)).toMatchObject({ limit: 10, totalPages: 2, logs: { length: 1 } })
    expect(await list({ limit: 5 }, hourly)).toMatchObject({ limit: 5, totalPages: 3, logs: { length: 5 } })
    record(1000)
    expect(await list({}, hourly)).toMatchObject({ total: 1011, totalPages: 2, limit: 1000, logs: { length: 1000 } })
  })

  test('has both names of each field with two names', async () => {
    for (const row of (await list()).logs) {
      const { message, credential, device, timestamp } = row
      expect(row).toMatchObject({ logData: message, username: credential, hwid: device, date: timestamp })
    }
  })

  test('never contains a hardware ID or a token, only the start of the hash', async () => {
    const { logs } = await list()
    expect(logs[0]?.device).toMatch(/^[\w-]{12}$/)
    expect(JSON.stringify(logs)).not.toContain(program.hwid)
    expect(JSON.stringify(logs)).not.toContain(program.session)
  })

  test.each([1, 7, 22, 23, 100])('pages of %i contain every row once, in one order', async (limit) => {
    const whole = (await list({ limit: 100 }, busy)).logs.map(({ id }) => id)
    expect(new Set(whole).size).toBe(23)
    const pages: number[] = []
    for (let page = 1; page <= Math.ceil(23 / limit); page++) {
      const body = await list({ limit, page }, busy)
      expect(body).toMatchObject({ total: 23, totalPages: Math.ceil(23 / limit) })
      pages.push(...body.logs.map(({ id }) => id))
    }
    expect(pages).toEqual(whole)
    expect((await list({ limit, page: 1000 }, busy)).logs).toEqual([])
  })
})

describe('a filter', () => {
  const calls = async (query: object) => (await list(query)).logs.map(({ call }) => call)

  test.each([
    [{ call: 'login' }, ['login']],
    [{ call: 'login,init' }, ['login', 'init']],
    [{ call: 'message,nothing' }, []],
    [{ call: 'message' }, []],
    [{ rejected: true }, ['login']],
    [{ code: 'INVALID_CREDENTIALS' }, ['login']],
    [{ code: 'LICENSE_BANNED,INVALID_CREDENTIALS' }, ['login']],
    [{ code: 'LICENSE_BANNED' }, []],
    [{ code: 'INVALID_CREDENTIALS', rejected: false }, []],
    [{ code: 'INVALID_CREDENTIALS', call: 'init,login' }, ['login']],
    [{ rejected: false }, ['license', 'init']],
    [{ credential: ' marta ' }, ['login']],
    [{ ip: '127.0.0.1' }, ['license', 'login', 'init']],
    [{ ip: '127.0.0' }, []],
    [{ hwid: 'the machine of marta' }, ['license', 'login']],
    [{ hwid: 'another machine' }, []],
    [{ search: 'INVALID user' }, ['login']],
    [{ search: 'invalid_cred' }, ['login']],
    [{ search: '127.0' }, ['license', 'login', 'init']],
    [{ search: 'the machine of marta' }, ['license', 'login']],
    [{ search: 'foreign' }, []],
    // Displayed texts match only successful calls.
    [{ search: 'with a license KEY' }, ['license']],
    [{ search: 'signed in' }, ['license']],
    [{ search: 'started' }, ['init']],
    // For languages unknown to the server, the caller sends matching error codes or successful calls.
    [{ search: 'credenciais', searchCodes: 'INVALID_CREDENTIALS' }, ['login']],
    [{ search: 'entrou', searchCodes: 'login,license' }, ['license']],
    [{ search: 'entrou', searchCodes: 'login,license', rejected: true }, []],
    [{ search: 'inicio', searchCodes: 'init,INVALID_CREDENTIALS,NO_SUCH_CODE' }, ['login', 'init']],
    [{ searchCodes: 'init' }, ['license', 'login', 'init']],
    [{ search: 'marta', rejected: false }, []],
    [{ search: 'marta', call: 'login', rejected: true, ip: '127.0.0.1' }, ['login']],
  ])('%j finds %j', async (query, found) => {
    expect(await calls(query)).toEqual(found)
    expect((await list(query)).total).toBe(found.length)
  })

  test('finds rows by license key, by the displayed device, and by row ID', async () => {
    expect(await calls({ credential: license })).toEqual(['license'])
    expect(await calls({ search: license.slice(2, 9) })).toEqual(['license'])
    const [row] = (await list()).logs
    expect(await calls({ hwid: row?.device })).toEqual(['license', 'login'])
    const { hwid_hash: hash } = await app.db.read
      .selectFrom('logs')
      .select('hwid_hash')
      .where('id', '=', Number(row?.id))
      .executeTakeFirstOrThrow()
    for (const start of [hash.slice(0, 12), hash.slice(0, 16), hash]) {
      expect(await calls({ hwid: start })).toEqual(['license', 'login'])
      expect(await calls({ search: start })).toEqual(['license', 'login'])
    }
    expect(await calls({ search: hash.slice(0, 11).padEnd(16, 'x') })).toEqual([])
    expect((await list({ search: String(row?.id) })).logs.map(({ id }) => id)).toContain(row?.id)
  })

  test.each(strangeTexts)('%j has no special meaning', async (text) => {
    for (const query of [{ search: text }, { credential: text }, { hwid: text }, { call: text.slice(0, 40) }]) {
      expect((await list(query)).total).toBe(0)
    }
  })
})

test('a country narrows the list and the live stream, also an unknown one', async () => {
  const travelled = await newOwnerWithApp(app)
  const scope = { id: travelled.appId, ownerId: travelled.id, name: travelled.appName }
  const row = (country: string) => ({
    app_id: travelled.appId,
    at: app.now(),
    call: 'login',
    code: '',
    message: '',
    username: `from ${country}`,
    license: '',
    hwid_hash: '',
    ip: '10.0.0.1',
    country,
    session: '',
  })
  await app.db.write(({ db }) => db.insertInto('logs').values(['BR', 'BR', 'PT', ''].map(row)).execute())
  const from = async (country: string) => {
    const { logs } = await list({ country }, travelled)
    const chosen = await choiceOf(app.services, scope, { country })
    const all = await app.db.read.selectFrom('logs').selectAll().where('app_id', '=', travelled.appId).execute()
    expect(all.filter((each) => isChosen(each, chosen))).toHaveLength(logs.length)
    return logs.map((log) => log.country)
  }
  expect(await from('BR')).toEqual(['BR', 'BR'])
  expect(await from('PT')).toEqual(['PT'])
  expect(await from('unknown')).toEqual([''])
  expect(await from('DE')).toEqual([])
  await expectQueriesRejected(travelled.visitor, '/logs', [{ country: 'br' }, { country: "'" }, { country: 'BRA' }])
})

test('the oldest entries come first on request', async () => {
  const newest = (await list({ limit: 100 })).logs.map(({ id }) => id)
  expect((await list({ limit: 100, sort: 'date' })).logs.map(({ id }) => id)).toEqual(newest.toReversed())
})

test('rejects invalid queries', async () => {
  const queries = [
    ...notListQueries,
    { rejected: 'maybe' },
    { call: 'x'.repeat(41) },
    { call: 'init,' },
    { call: Array.from({ length: 100 }, () => 'init').join(',') },
    { sort: 'message' },
    { credential: 'x'.repeat(201) },
    { ip: 'x'.repeat(65) },
    { hwid: 'x'.repeat(1025) },
  ]
  await expectQueriesRejected(owner.visitor, '/logs', queries)
})

describe('a range of time', () => {
  const second = () => app.now() - 5
  const times = async (query: object) => (await list(query)).logs.map(({ timestamp }) => app.now() - timestamp)

  test('contains its first and its last second', async () => {
    expect(await times({ from: second(), until: second() })).toEqual([5])
    expect(await times({ from: second() })).toEqual([0, 5])
    expect(await times({ until: second() })).toEqual([5, 10])
    expect(await times({ from: app.now() + 1 })).toEqual([])
    expect(await times({ from: app.now(), until: second() })).toEqual([])
  })

  test('can be the last days, and narrows other filters', async () => {
    expect(await times({ days: 1 })).toEqual([0, 5, 10])
    expect(await times({ days: 1, until: second() })).toEqual([5, 10])
    expect(await times({ days: 1, rejected: true })).toEqual([5])
    expect((await list({ days: 1, from: second() })).total).toBe(2)
  })

  test('narrows exports as well', async () => {
    const { body } = await owner.visitor.call('GET /export_logs', {
      query: { format: 'json', from: second(), until: second() },
    })
    expect(JSON.parse(body.content)).toHaveLength(1)
  })

  test('is rejected if it is no time', async () => {
    await expectQueriesRejected(owner.visitor, '/logs', [
      { from: '-1' },
      { until: 'yesterday' },
      { days: '0' },
      { days: '3651' },
      { days: '1.5' },
    ])
  })
})

test('deleting by a range of time leaves the rest', async () => {
  const other = await newOwnerWithApp(app)
  const log = activityLog(app.services)
  for (const age of [0, 60, 120]) log.record({ appId: other.appId, at: app.now() - age, call: 'init', ip: '10.0.0.1' })
  const filter = { until: app.now() - 60 }
  const { body } = await other.visitor.call('POST /logs/bulk-delete', { body: { filter } })
  expect(body.deleted).toBe(2)
  expect((await list({}, other)).total).toBe(1)
})
