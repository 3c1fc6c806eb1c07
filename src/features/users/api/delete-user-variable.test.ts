import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseDigest } from '#testing/database-digest.ts'
import { newUser, userOf } from '#testing/people/end-users.ts'
import { expectRejected, hostileBodies, notTexts, seen } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const path = '/api/1.0/website/user_variables'
const remove = (input: { body?: unknown; query?: object }, by = owner) => by.visitor.send('DELETE', path, input)

async function userWithVariables(): Promise<string> {
  const username = await newUser(owner)
  for (const name of ['one', 'two', 'three', 'a/b %']) {
    await owner.visitor.call('POST /user_variables', { body: { username, variableName: name, variableData: 'x' } })
  }
  return username
}

test('deletes one, named in the body or in the query', async () => {
  const username = await userWithVariables()
  expect((await remove({ body: { username, variableName: 'one' } })).body).toMatchObject({
    code: 'VARIABLE_DELETE_OK',
    message: 'Variable deleted successfully',
  })
  expect((await remove({ query: { username, variableName: 'two' } })).status).toBe(200)
  expect((await remove({ query: { username }, body: { name: 'a/b %' } })).status).toBe(200)
  expect((await userOf(owner, username))?.variables).toEqual({ three: 'x' })
})

test('rejects a missing one', async () => {
  const username = await userWithVariables()
  expect(await remove({ body: { username, name: 'ONE' } })).toMatchObject({
    status: 404,
    body: { code: 'VARIABLE_NOT_FOUND', message: 'Variable not found' },
  })
  expect((await remove({ body: { username } })).status).toBe(404)
  expect(Object.keys((await userOf(owner, username))?.variables ?? {})).toHaveLength(4)
})

test('rejects hostile bodies and queries and changes nothing', async () => {
  const username = await userWithVariables()
  const before = await databaseDigest(app.db)
  const bodies = [
    ...hostileBodies(
      { username, variableName: 'one' },
      { username: [...notTexts, ''], variableName: [5, true, null, [], {}, 'NUL \0'] },
    ),
    { variableName: 'one' },
  ]
  for (const body of bodies) expectRejected(await remove({ body }), body)
  for (const query of [{}, { username: '' }, { username, noSuchField: '1' }, { username, variableName: 'NUL \0' }]) {
    const answer = await remove({ query })
    expect(answer.status, JSON.stringify(query)).toBe(400)
  }
  expect(await databaseDigest(app.db)).toBe(before)
})

test("rejects calls without a session, and another owner's user looks like a missing one", async () => {
  const stranger = await newOwnerWithApp(app)
  const username = await userWithVariables()
  const before = await databaseDigest(app.db)
  expectRejected(await app.visitor().send('DELETE', path, { body: { username, name: 'one' } }), 'anonymous', 401)
  const foreign = await remove({ body: { username, name: 'one' } }, stranger)
  expectRejected(foreign, 'foreign', 404)
  expect(seen(foreign)).toBe(seen(await remove({ body: { username: 'nobody-here', name: 'one' } }, stranger)))
  expect(await databaseDigest(app.db)).toBe(before)
})
