import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Calls } from '#contract/calls.ts'
import { newSubscriber, signedIn } from '#testing/people/end-users.ts'
import { expectAllRejected, hostileBodies, notLists } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import type { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

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
      {},
    ],
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
