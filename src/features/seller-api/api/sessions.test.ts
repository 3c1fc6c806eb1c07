import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { databaseDigest } from '#testing/database-digest.ts'
import { expectRejected, notQueryIntegers } from '#testing/faults/hostile-input.ts'
import { newSubscriber, signedIn } from '#testing/people/end-users.ts'
import { setPlan } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { newShop, type Shop, sold } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let shop: Shop

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  // An address may register few accounts in an hour.
  app.advance(3600)
  shop = await newShop(app)
  await setPlan(app, shop.owner.id, 'Pro')
})

type List = {
  sessions: { session_id: string; verifiedUser: string | null }[]
  total: number
  totalPages: number
}

const list = (query: object = {}, seller = shop.seller) => seller.send<List>('GET', '/sessions', { query })
const usersIn = ({ body }: { body: List }) => body.sessions.map(({ verifiedUser }) => verifiedUser)
const codeOfProgram = async (program: Program) => (await program.heartbeat()).body.code ?? 'OK'
/** A signed-in program of the user. */
const running = (username: string) => signedIn(app, shop.owner, username)

async function manySessions(): Promise<void> {
  await shop.owner.visitor.call('POST /update_app', { body: { settings: { oneSessionPerCredential: false } } })
}

test('rejects queries that make no sense, and unknown users', async () => {
  const queries = [
    ...notQueryIntegers.flatMap((page) => [{ page }, { limit: page }]),
    { limit: 101 },
    { username: 'x'.repeat(201) },
    { search: 'x' },
    { appId: shop.owner.appId },
  ]
  for (const query of queries) expectRejected(await list(query), query)
  expectRejected(await list({ username: 'nobody' }), 'nobody', 404)
})

test("another shop's sessions and users look like missing ones, and go on", async () => {
  const username = await newSubscriber(shop.owner)
  const program = await running(username)
  const [session] = (await list()).body.sessions
  expect((await list({}, shop.other)).body.total).toBe(0)
  const before = await databaseDigest(app.db)
  for (const path of [`/sessions/${session?.session_id}`, '/sessions/no-such-session']) {
    const { status, body } = await shop.other.send('DELETE', path)
    expect([status, body.code]).toEqual([404, 'SESSION_NOT_FOUND'])
  }
  for (const path of [`/users/${username}/sessions`, '/users/nobody/sessions']) {
    const { status, body } = await shop.other.send('DELETE', path)
    expect([status, body.code]).toEqual([404, 'USER_NOT_FOUND'])
  }
  expectRejected(await list({ username }, shop.other), username, 404)
  expect(await databaseDigest(app.db)).toBe(before)
  expect(await codeOfProgram(program)).toBe('OK')
})

test('the list pages through every session once, newest first, and through those of one user', async () => {
  await manySessions()
  const [ana, ben] = [await newSubscriber(shop.owner), await newSubscriber(shop.owner)]
  for (const username of [ana, ben, ana, ben, ana]) {
    app.advance(1)
    await running(username)
  }
  app.advance(1)
  await (await Program.of(app, shop.owner)).init()
  const pages = [await list({ limit: 4 }), await list({ limit: 4, page: 2 })]
  expect(pages.flatMap(usersIn)).toEqual([null, ana, ben, ana, ben, ana])
  for (const { body } of pages) expect(body).toMatchObject({ total: 6, totalPages: 2 })
  const ofAna = [
    await list({ username: ana.toUpperCase(), limit: 2 }),
    await list({ username: ana, limit: 2, page: 2 }),
  ]
  expect(ofAna.flatMap(usersIn)).toEqual([ana, ana, ana])
  expect(ofAna[0]?.body).toMatchObject({ total: 3, totalPages: 2 })
  const dashboard = await shop.owner.visitor.call('GET /sessions')
  expect((await list({ limit: 100 })).body.sessions).toEqual(dashboard.body.sessions)
  const first = await list({ username: ana, limit: 1 })
  expect(dashboard.body.sessions).toContainEqual(first.body.sessions[0])
})

test('one session ends, and ending it again finds none', async () => {
  const username = await newSubscriber(shop.owner)
  const program = await running(username)
  const [session] = (await list()).body.sessions
  expect(await sold(shop.seller, 'DELETE', `/sessions/${session?.session_id}`)).toMatchObject({
    code: 'SESSION_DELETE_OK',
    message: 'Session deleted successfully',
  })
  expect(await codeOfProgram(program)).toBe('SESSION_ENDED')
  expect((await shop.seller.send('DELETE', `/sessions/${session?.session_id}`)).status).toBe(404)
})

test('all sessions of a user end, those of others go on, and the audit names the key', async () => {
  await manySessions()
  const [ana, ben] = [await newSubscriber(shop.owner), await newSubscriber(shop.owner)]
  const ofAna = [await running(ana), await running(ana), await running(ana)]
  const ofBen = await running(ben)
  const path = `/users/${ana}/sessions`
  expect(await sold(shop.seller, 'DELETE', path)).toMatchObject({
    code: 'SESSIONS_DELETE_OK',
    message: 'Deleted 3 sessions successfully',
    deleted: 3,
  })
  for (const program of ofAna) expect(await codeOfProgram(program)).toBe('SESSION_ENDED')
  expect(await codeOfProgram(ofBen)).toBe('OK')
  const rows = app.db.read.selectFrom('audit').select(['actor_type', 'actor_id', 'target'])
  expect(await rows.where('app_id', '=', shop.owner.appId).where('act', '=', 'session.bulk-delete').execute()).toEqual([
    { actor_type: 'seller-key', actor_id: shop.seller.key.slice(8, 16), target: '3 sessions' },
  ])
  // A repeated call finds nothing left to end, and records nothing.
  const before = await databaseDigest(app.db)
  expect(await sold(shop.seller, 'DELETE', path)).toMatchObject({ deleted: 0 })
  expect(await databaseDigest(app.db)).toBe(before)
})
