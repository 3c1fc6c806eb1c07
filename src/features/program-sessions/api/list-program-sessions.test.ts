import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sessionStatus } from '#features/session-store/session-store.rules.ts'
import { newSubscriber, signedIn, userOf, userPassword } from '#testing/people/end-users.ts'
import { expectQueriesRejected, notListQueries, strangeTexts } from '#testing/faults/hostile-input.ts'
import { setCountries } from '#testing/country-file.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { keepSignedIn } from '#testing/platform.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  const stranger = await newOwnerWithApp(app)
  await keepSignedIn(app, owner)
  await signedIn(app, stranger, await newSubscriber(stranger, { username: 'Foreign' }))
  const program = await Program.of(app, owner)
  for (let at = 1; at <= 22; at++) await program.init()
  app.advance(5)
  await signedIn(app, owner, await newSubscriber(owner, { username: 'Marta_100%' }))
})
afterAll(() => app.close())

const list = async (query: object = {}) => (await owner.visitor.call('GET /sessions', { query })).body

describe('the list', () => {
  test('returns all without paging, up to a limit that the reply includes', async () => {
    expect(await list()).toMatchObject({ total: 23, totalPages: 1, limit: 1000, sessions: { length: 23 } })
    expect((await list({ search: 'marta' })).sessions).toHaveLength(1)
  })

  test('returns a page, newest first, with totals', async () => {
    const body = await list({ page: 1 })
    expect(body).toMatchObject({ total: 23, totalPages: 3, limit: 10 })
    expect(body.sessions.map(({ verifiedUser }) => verifiedUser)).toEqual(['Marta_100%', ...Array(9).fill(null)])
  })

  test('shows the user, the address, and the length that determines the last heartbeat', async () => {
    const program = await signedIn(app, owner, await newSubscriber(owner, { username: 'beating' }))
    const startedAt = app.now()
    app.advance(1000)
    await program.heartbeat()
    // Heartbeats are stored every few seconds and when the server stops.
    await app.stop()
    await app.start()
    const [session] = (await list({ search: 'beating' })).sessions
    expect(session).toEqual({
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      verifiedUser: 'beating',
      ip: '127.0.0.1',
      country: '',
      hwid: expect.stringMatching(/^[\w-]{12}$/),
      created_at: startedAt,
      expires_at: startedAt + 1000 + 3600,
      expiry_time: 3600,
    })
    expect(session?.session_id).not.toBe(program.session)
    await program.logout()
    expect((await list({ search: 'beating' })).total).toBe(0)
  })

  test.each([1, 7, 22, 23, 100])('pages of %i hold every session once, in one order', async (limit) => {
    const whole = await list({ limit: 100 })
    const pages: string[] = []
    for (let page = 1; page <= Math.ceil(23 / limit); page++) {
      pages.push(...(await list({ limit, page })).sessions.map(({ session_id }) => session_id))
    }
    expect(pages).toEqual(whole.sessions.map(({ session_id }) => session_id))
    expect((await list({ limit, page: 1000 })).sessions).toEqual([])
  })
})

describe('search', () => {
  test.each([
    ['marta', 1],
    [' MARTA_100% ', 1],
    ['127.0.0', 23],
    ['Foreign', 0],
    ['_', 1],
  ])('%j finds %i', async (search, found) => {
    expect((await list({ search })).total).toBe(found)
  })

  test('finds a session by its ID', async () => {
    const search = (await list()).sessions[3]?.session_id as string
    expect((await list({ search })).sessions).toMatchObject([{ session_id: search }])
  })

  test.each(strangeTexts)('%j matches only itself', async (search) => {
    expect((await list({ search })).total).toBe(0)
  })
})

test('counts the sessions of the whole app by status, whatever the search, as the list of apps does', async () => {
  const own = await newOwnerWithApp(app)
  const programs = await Promise.all([1, 2, 3].map(() => Program.of(app, own)))
  const init = async (lengthSeconds: number) => {
    const body = { appId: own.appId, settings: { sessionExpiryDuration: lengthSeconds } }
    expect((await own.visitor.call('POST /update_app', { body })).status).toBe(200)
    for (const program of programs) await program.init()
  }
  await init(300)
  app.advance(400)
  await init(3600)
  app.advance(601)
  const counts = async (query: object) => (await own.visitor.call('GET /sessions', { query })).body.counts
  expect(await counts({})).toEqual({ active: 0, inactive: 3, expired: 3 })
  await init(86_400)
  await signedIn(app, own, await newSubscriber(own))
  await (await signedIn(app, own, await newSubscriber(own))).logout()
  for (const query of [{}, { search: 'nobody' }, { page: 9 }]) {
    expect(await counts(query)).toEqual({ active: 4, inactive: 3, expired: 3 })
  }
  const { sessions } = (await own.visitor.call('GET /sessions')).body
  expect(sessions.filter((session) => sessionStatus(session, app.now()) === 'active')).toHaveLength(4)
  expect((await own.visitor.call('GET /apps')).body.apps).toMatchObject([{ activeSessions: 4 }])
})

test('shows the fingerprint of the machine, which the search finds whole but not in part', async () => {
  const username = await newSubscriber(owner, { username: 'machine-1' })
  const program = await Program.of(app, owner)
  program.hwid = 'another-machine-of-the-test'
  await program.init()
  expect((await program.login(username, userPassword)).body.success).toBe(true)
  const [session] = (await list({ search: username })).sessions
  const hwid = session?.hwid ?? ''
  expect(hwid).toBe((await userOf(owner, username))?.hwid)
  expect(JSON.stringify(session)).not.toContain(program.hwid)
  expect((await list({ search: ` ${hwid} ` })).sessions).toEqual([session])
  expect((await list({ search: hwid.slice(0, 11) })).total).toBe(0)
  const user = await app.db.read.selectFrom('users').selectAll().where('username', '=', username).executeTakeFirst()
  expect((await list({ search: user?.hwid_hash?.slice(0, 16) })).sessions).toEqual([session])
  const unsigned = await Program.of(app, owner)
  await unsigned.init()
  expect((await list({ page: 1, limit: 100 })).sessions.find(({ verifiedUser }) => verifiedUser === null)?.hwid).toBe(
    '',
  )
})

test("shows the country of the address at the sign-in, and none without a file or for a network that isn't in it", async () => {
  const own = await newOwnerWithApp(app)
  const username = await newSubscriber(own)
  const params = { username }
  const countries = async () => {
    await signedIn(app, own, username)
    const all = (await own.visitor.call('GET /sessions')).body.sessions
    const ofUser = (await own.visitor.call('GET /user/{username}/sessions', { params })).body.sessions
    const browsers = (await own.visitor.call('GET /profile/sessions')).body.sessions
    return [all, ofUser, browsers].map((sessions) => sessions.map(({ country }) => country))
  }
  expect(await countries()).toEqual([[''], [''], ['']])
  setCountries(app, { '198.51.100.0/24': 'DE' })
  expect(await countries()).toEqual([[''], [''], ['']])
  setCountries(app, { '127.0.0.0/8': 'BR' })
  expect(await countries()).toEqual([['BR'], ['BR'], ['BR']])
  setCountries(app, undefined)
})

describe('filters', () => {
  let own: OwnedApp
  const found = async (query: object) => {
    const { body } = await own.visitor.call('GET /sessions', { query })
    expect(body.total).toBe(body.sessions.length)
    return body.sessions.map(({ verifiedUser }) => verifiedUser ?? '-').toSorted()
  }
  const from = (networks: Record<string, string>) => setCountries(app, networks)

  beforeAll(async () => {
    own = await newOwnerWithApp(app)
    const settings = { sessionExpiryDuration: 1000, oneSessionPerCredential: false }
    await own.visitor.call('POST /update_app', { body: { appId: own.appId, settings } })
    from({ '127.0.0.0/8': 'BR' })
    await signedIn(app, own, await newSubscriber(own, { username: 'expired' }))
    app.advance(400)
    from({ '127.0.0.0/8': 'PT' })
    await signedIn(app, own, await newSubscriber(own, { username: 'inactive' }))
    app.advance(601)
    await signedIn(app, own, await newSubscriber(own, { username: 'active' }))
    from({ '198.51.100.0/24': 'DE' })
    await (await Program.of(app, own)).init()
    await (await signedIn(app, own, await newSubscriber(own, { username: 'ended' }))).logout()
  })
  afterAll(() => setCountries(app, undefined))

  test.each([
    [{ status: 'active' }, ['-', 'active']],
    [{ status: 'inactive' }, ['inactive']],
    [{ status: 'expired' }, ['expired']],
    [{ status: 'inactive,expired' }, ['expired', 'inactive']],
    [{ status: 'active,inactive,expired' }, ['-', 'active', 'expired', 'inactive']],
    [{ country: 'PT' }, ['active', 'inactive']],
    [{ country: 'unknown' }, ['-']],
    [{ country: 'BR,unknown' }, ['-', 'expired']],
    [{ country: 'DE' }, []],
    [{ country: 'PT', status: 'active' }, ['active']],
    [{ country: 'PT', search: 'inact' }, ['inactive']],
    [{ hwid: 'unknown-name' }, []],
    [{ hwid: '%' }, []],
  ])('%j finds %j', async (query, expected) => {
    expect(await found(query)).toEqual(expected)
  })

  test('a machine is found by its whole fingerprint, in this app only', async () => {
    const { sessions } = (await own.visitor.call('GET /sessions', { query: { search: 'inactive' } })).body
    const hwid = sessions[0]?.hwid ?? 'none'
    // All programs of the test run on one machine.
    expect(await found({ hwid })).toEqual(['active', 'expired', 'inactive'])
    expect(await found({ hwid, status: 'active' })).toEqual(['active'])
    expect(await found({ hwid: hwid.slice(0, 11) })).toEqual([])
    expect((await list({ hwid })).total).toBe(0)
  })

  test('each status finds as many as the counts say, and the counts by country add up to all of them', async () => {
    const { counts } = (await own.visitor.call('GET /sessions')).body
    for (const status of ['active', 'inactive', 'expired'] as const) {
      expect(await found({ status }), status).toHaveLength(counts[status])
    }
    expect((await own.visitor.call('GET /session_facets')).body.countries).toEqual([
      { country: 'PT', count: 2 },
      { country: '', count: 1 },
      { country: 'BR', count: 1 },
    ])
  })

  test('a session of an earlier version has an unknown country until its next sign-in', async () => {
    const username = await newSubscriber(own, { username: 'earlier' })
    from({ '127.0.0.0/8': 'PT' })
    const program = await signedIn(app, own, username)
    const [session] = (await own.visitor.call('GET /sessions', { query: { search: username } })).body.sessions
    const handle = session?.session_id ?? ''
    await app.db.write(({ db }) =>
      db.updateTable('client_sessions').set({ country: '' }).where('handle', '=', handle).execute(),
    )
    expect(await found({ country: 'unknown', search: username })).toEqual([username])
    expect((await program.login(username, userPassword)).body.success).toBe(true)
    expect(await found({ country: 'PT', search: username })).toEqual([username])
  })
})

test('rejects invalid queries', async () => {
  await expectQueriesRejected(owner.visitor, '/sessions', [
    ...notListQueries,
    ...['gone', 'active,', ',active', 'Active'].map((status) => ({ status })),
    ...['b', 'br', 'BRA', 'BR,', 'BR,,PT', `BR${',BR'.repeat(20)}`].map((country) => ({ country })),
    { hwid: 'x'.repeat(65) },
    { ip: '1'.repeat(65) },
  ])
})
