import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseDigest } from '#testing/database-digest.ts'
import { expectRejected, seen, strangeTexts } from '#testing/faults/hostile-input.ts'
import { newOwner, type Owner } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => void (app = await startTestApp()))
afterAll(() => app.close())

const end = ({ visitor }: Pick<Owner, 'visitor'>, id: string) =>
  visitor.call('DELETE /profile/sessions/{id}', { params: { id } })
const sessions = async ({ visitor }: Owner) => (await visitor.call('GET /profile/sessions')).body.sessions

test('ends only the named session, at once', async () => {
  const owner = await newOwner(app)
  const others = [app.visitor(), app.visitor()] as const
  for (const visitor of others)
    await visitor.call('POST /login', { body: { username: owner.username, password: owner.password } })
  const [victim] = (await others[0].call('GET /profile/sessions')).body.sessions.filter(({ is_current }) => is_current)
  const { body } = await end(owner, victim?.session_id as string)
  expect(body).toMatchObject({ success: true, code: 'SESSION_DELETE_OK', message: 'Session deleted successfully' })
  expect((await others[0].call('GET /check-auth')).status).toBe(401)
  expect((await others[1].call('GET /check-auth')).status).toBe(200)
  expect(await sessions(owner)).toHaveLength(2)
})

test('can end the session it is called from', async () => {
  const owner = await newOwner(app)
  const [mine] = await sessions(owner)
  expect((await end(owner, mine?.session_id as string)).status).toBe(200)
  expect((await owner.visitor.call('GET /check-auth')).status).toBe(401)
})

test("another owner's session looks like one that doesn't exist, and stays active", async () => {
  const owner = await newOwner(app)
  const other = await newOwner(app)
  const [theirs] = await sessions(other)
  const before = await databaseDigest(app.db)
  const foreign = await end(owner, theirs?.session_id as string)
  const missing = await end(owner, '00000000-0000-4000-8000-000000000000')
  expectRejected(foreign, 'foreign', 404)
  expect([foreign.body.code, seen(foreign)]).toEqual(['SESSION_NOT_FOUND', seen(missing)])
  expect(await databaseDigest(app.db)).toBe(before)
  expect((await other.visitor.call('GET /check-auth')).status).toBe(200)
})

test('unknown IDs are not found, overlong ones are rejected, and neither ends a session', async () => {
  const owner = await newOwner(app)
  for (const id of [...strangeTexts, '%', '*', "' or '1'='1"]) expectRejected(await end(owner, id), id, 404)
  for (const id of ['x'.repeat(101), 'NUL \0']) expectRejected(await end(owner, id), id, 400)
  expect(await sessions(owner)).toHaveLength(1)
})

test('rejects a caller without a session', async () => {
  const owner = await newOwner(app)
  const [mine] = await sessions(owner)
  expectRejected(await end({ visitor: app.visitor() }, mine?.session_id as string), 'stranger', 401)
  expect(await sessions(owner)).toHaveLength(1)
})
