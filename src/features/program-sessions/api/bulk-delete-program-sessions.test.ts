import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Calls } from '#contract/calls.ts'
import { newSubscriber, signedIn } from '#testing/people/end-users.ts'
import { expectAllRejected, hostileBodies, notLists } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import type { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { listedAfterExpirySeconds } from '#features/session-store/session-store.rules.ts'
import { sessionsPerTransaction } from '../program-sessions.actions.ts'

let app: TestApp
let owner: OwnedApp
let stranger: OwnedApp
let foreign: Program
let programs: Program[]

beforeAll(async () => {
  app = await startTestApp()
  stranger = await newOwnerWithApp(app)
  foreign = await signedIn(app, stranger, await newSubscriber(stranger, { username: 'green' }))
})
afterAll(() => app.close())
beforeEach(async () => {
  owner = await newOwnerWithApp(app)
  programs = []
  for (const username of ['red', 'green', 'blue']) {
    programs.push(await signedIn(app, owner, await newSubscriber(owner, { username })))
    app.advance(1)
  }
})

const remove = async (body: Calls['POST /sessions/bulk-delete']['body']) =>
  (await owner.visitor.call('POST /sessions/bulk-delete', { body })).body
const idsOf = async ({ visitor }: OwnedApp) =>
  (await visitor.call('GET /sessions')).body.sessions.map(({ session_id }) => session_id).toReversed()
const codes = () => Promise.all(programs.map(async (program) => (await program.heartbeat()).body.code ?? 'OK'))

test('rejects an invalid selection of sessions and changes nothing', async () => {
  const valid = { sessionIds: await idsOf(owner) }
  const hostile = {
    sessionIds: [...notLists, [], Array(1001).fill('x'), undefined],
    filter: [
      null,
      5,
      'x',
      [],
      { search: 5 },
      { search: 'x'.repeat(201) },
      { noSuchField: 1 },
      { status: 'gone' },
      { country: 'br' },
      { ip: 5 },
      { ip: '1'.repeat(65) },
      {},
    ],
    expectedCount: [null, -1, 1.5, 'x', [], {}, 1e13],
  }
  await expectAllRejected(app, owner.visitor, '/sessions/bulk-delete', hostileBodies(valid, hostile))
  expect(await remove({})).toMatchObject({ code: 'NO_SESSIONS_SELECTED', message: 'No sessions selected' })
})

test('ends the named sessions, and skips sessions of other apps and unknown ones', async () => {
  const [red = '', green = ''] = await idsOf(owner)
  expect(await remove({ sessionIds: [red, green, green, 'never', ...(await idsOf(stranger))] })).toMatchObject({
    code: 'SESSIONS_DELETE_OK',
    message: 'Deleted 2 sessions successfully',
    deleted: 2,
  })
  expect(await codes()).toEqual(['SESSION_ENDED', 'SESSION_ENDED', 'OK'])
  expect((await foreign.heartbeat()).body.success).toBe(true)
  expect(await remove({ sessionIds: [red] })).toMatchObject({ deleted: 0 })
})

test('ends all that match a search, and all of this app only', async () => {
  expect(await remove({ filter: { search: 'GREE' } })).toMatchObject({ code: 'SESSIONS_DELETE_OK', deleted: 1 })
  expect(await codes()).toEqual(['OK', 'SESSION_ENDED', 'OK'])
  expect(await remove({ filter: {} })).toMatchObject({
    code: 'SESSIONS_DELETE_ALL_OK',
    message: 'All sessions deleted successfully',
    deleted: 2,
  })
  expect(await codes()).toEqual(['SESSION_ENDED', 'SESSION_ENDED', 'SESSION_ENDED'])
  expect(await idsOf(owner)).toEqual([])
  expect((await foreign.heartbeat()).body.success).toBe(true)
})

test('ends all from exactly an address, more than a page or a transaction has, and no others', async () => {
  const [red = ''] = await idsOf(owner)
  const [ip, longer] = ['27.0.0.1', '127.0.0.10']
  await app.db.write(async ({ db }) => {
    const rows = await db
      .selectFrom('client_sessions')
      .selectAll()
      .where('app_id', 'in', [owner.appId, stranger.appId])
      .where('ended_code', 'is', null)
      .execute()
    const copies = (row: (typeof rows)[number], amount: number, at: string) =>
      Array.from({ length: amount }, (_, n) => {
        const id = `${row.app_id}-${at}-${n}`
        return { ...row, token_hash: id, handle: id, ip: at }
      })
    const [own] = rows.filter(({ handle }) => handle === red)
    const [other] = rows.filter(({ app_id: id }) => id === stranger.appId)
    if (!own || !other) throw new Error('There are no sessions')
    const values = [...copies(own, sessionsPerTransaction + 50, ip), ...copies(own, 2, longer), ...copies(other, 1, ip)]
    for (let from = 0; from < values.length; from += 100)
      await db
        .insertInto('client_sessions')
        .values(values.slice(from, from + 100))
        .execute()
  })
  const count = async (filter: { ip: string }, by = owner) =>
    (await by.visitor.call('GET /sessions', { query: { ...filter, page: 1, limit: 1 } })).body.total
  expect(await count({ ip })).toBe(sessionsPerTransaction + 50)
  expect(await remove({ filter: { ip: '27.0.0' } })).toMatchObject({ deleted: 0 })
  expect(await remove({ filter: { ip: '%' } })).toMatchObject({ deleted: 0 })
  expect(await remove({ filter: { ip } })).toMatchObject({
    code: 'SESSIONS_DELETE_OK',
    deleted: sessionsPerTransaction + 50,
  })
  expect(await count({ ip })).toBe(0)
  expect(await count({ ip: longer })).toBe(2)
  expect(await count({ ip }, stranger)).toBe(1)
  expect(await codes()).toEqual(['OK', 'OK', 'OK'])
})

test('ends those that the filters match, and no others', async () => {
  app.advance(700)
  programs.push(await signedIn(app, owner, await newSubscriber(owner, { username: 'white' })))
  expect(await remove({ filter: { country: 'BR' } })).toMatchObject({ code: 'SESSIONS_DELETE_OK', deleted: 0 })
  expect(await remove({ filter: { status: 'inactive', search: 'e' } })).toMatchObject({ deleted: 3 })
  expect(await codes()).toEqual([...Array(3).fill('SESSION_ENDED'), 'OK'])
  expect(await remove({ filter: { country: 'unknown', status: 'active' } })).toMatchObject({
    code: 'SESSIONS_DELETE_OK',
    deleted: 1,
  })
})

test('ends the sessions that were seen, and none that started since', async () => {
  const { total, readAt } = (await owner.visitor.call('GET /sessions', { query: { search: 'e' } })).body
  expect({ total, readAt }).toEqual({ total: 3, readAt: app.now() })
  app.advance(1)
  programs.push(await signedIn(app, owner, await newSubscriber(owner, { username: 'white' })))
  const filter = { search: 'e', createdUntil: readAt }
  expect(await remove({ filter, expectedCount: total })).toMatchObject({ code: 'SESSIONS_DELETE_OK', deleted: 3 })
  expect(await codes()).toEqual([...Array(3).fill('SESSION_ENDED'), 'OK'])
})

test('ends nothing if more sessions match than were seen, and fewer if some have ended', async () => {
  expect(await remove({ filter: {}, expectedCount: 2 })).toMatchObject({
    code: 'SELECTION_CHANGED',
    values: { count: 3 },
  })
  expect(await codes()).toEqual(['OK', 'OK', 'OK'])
  await remove({ sessionIds: (await idsOf(owner)).slice(0, 1) })
  expect(await remove({ filter: {}, expectedCount: 3 })).toMatchObject({ deleted: 2 })
})

test('counts the sessions as the list does, which has none that expired long ago', async () => {
  const [red = ''] = await idsOf(owner)
  const longAgo = app.now() - 2 * listedAfterExpirySeconds
  await app.db.write(({ db }) =>
    db.updateTable('client_sessions').set({ expires_at: longAgo }).where('handle', '=', red).execute(),
  )
  const { total } = (await owner.visitor.call('GET /sessions')).body
  expect(total).toBe(2)
  expect(await remove({ filter: {}, expectedCount: total })).toMatchObject({ deleted: 2 })
})
