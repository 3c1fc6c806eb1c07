import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Calls } from '#contract/calls.ts'
import { expectAllRejected, expectQueriesRejected } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let stranger: OwnedApp
let began: number
/** In the order of their starts: 0, 10, and 20 seconds after the beginning. */
let ids: string[]

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  stranger = await newOwnerWithApp(app)
  began = app.now()
  await (await Program.of(app, stranger)).init()
  for (let n = 0; n < 3; n++) {
    await (await Program.of(app, owner)).init()
    app.advance(10)
  }
  const { body } = await owner.visitor.call('GET /sessions', { query: { sort: 'created' } })
  ids = body.sessions.map(({ session_id }) => session_id)
  // The first one is alive since; the others ended earlier than it.
  await app.db.write(({ db }) =>
    db
      .updateTable('client_sessions')
      .set({ last_heartbeat_at: began + 25, expires_at: began + 9000 })
      .where('handle', '=', ids[0] as string)
      .execute(),
  )
})
afterAll(() => app.close())

type Query = NonNullable<Calls['GET /sessions']['query']>

/** Positions of the found sessions in the order of their starts. */
async function list(query: Query, of = owner): Promise<number[]> {
  const { sessions, total } = (await of.visitor.call('GET /sessions', { query })).body
  expect(total).toBe(sessions.length)
  return sessions.map(({ session_id }) => ids.indexOf(session_id))
}

const fields = ['createdFrom', 'createdUntil', 'seenFrom', 'seenUntil']

test('what is no time is rejected, also to delete, and so are unknown orders', async () => {
  const times = ['-1', 'yesterday', '1.5', '1e99', '2026-11-01', "' or 1=1"]
  const queries: object[] = fields.flatMap((field) => times.map((time) => ({ [field]: time })))
  const orders = ['expires,created', 'EXPIRES', 'handle', '--expires', 'token_hash'].map((sort) => ({ sort }))
  await expectQueriesRejected(owner.visitor, '/sessions', [...queries, ...orders])
  const filters = [...queries, ...fields.flatMap((field) => [-1, null, [], {}].map((time) => ({ [field]: time })))]
  await expectAllRejected(
    app,
    owner.visitor,
    '/sessions/bulk-delete',
    filters.map((filter) => ({ filter })),
  )
})

test.each<[name: string, query: () => Query, found: number[]]>([
  ['started within', () => ({ createdFrom: began, createdUntil: began + 10 }), [1, 0]],
  ['started from', () => ({ createdFrom: began + 10, sort: 'created' }), [1, 2]],
  ['started until', () => ({ createdUntil: began + 9 }), [0]],
  ['seen from', () => ({ seenFrom: began + 20 }), [2, 0]],
  ['seen within', () => ({ seenFrom: began + 10, seenUntil: began + 24 }), [2, 1]],
  ['seen until', () => ({ seenUntil: began + 9 }), []],
  ['both', () => ({ createdUntil: began + 10, seenFrom: began + 20 }), [0]],
  ['first to end', () => ({ sort: 'expires' }), [1, 2, 0]],
  ['last to end', () => ({ sort: '-expires' }), [0, 2, 1]],
])('%s: the sessions of the app in their order', async (_, query, found) => {
  expect(await list(query())).toEqual(found)
  const pages: number[] = []
  for (let page = 1; page <= found.length; page++) {
    const { sessions } = (await owner.visitor.call('GET /sessions', { query: { ...query(), limit: 1, page } })).body
    pages.push(...sessions.map(({ session_id }) => ids.indexOf(session_id)))
  }
  expect(pages).toEqual(found)
})

test('a period to delete takes the same sessions, and none of another owner', async () => {
  const filter = { createdUntil: began, seenFrom: began + 20 }
  const { body } = await owner.visitor.call('POST /sessions/bulk-delete', { body: { filter } })
  expect(body).toMatchObject({ deleted: 1, code: 'SESSIONS_DELETE_OK' })
  expect(await list({})).toEqual([2, 1])
  expect(await list({ createdUntil: began }, stranger)).toHaveLength(1)
})
