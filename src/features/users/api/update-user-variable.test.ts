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

const update = (body: unknown, by = owner) =>
  by.visitor.send<Record<string, unknown>>('PUT', '/api/1.0/website/user_variables', { body })

async function userWithVariable(): Promise<string> {
  const username = await newUser(owner)
  await owner.visitor.call('POST /user_variables', { body: { username, variableName: 'k', variableData: 'old' } })
  return username
}

test('changes the data; the original name can be sent too, under either field name', async () => {
  const username = await userWithVariable()
  const { body } = await update({ username, variableName: 'k', variableData: 'new', originalName: 'k' })
  expect(body).toMatchObject({
    code: 'VARIABLE_UPDATE_OK',
    message: 'Variable updated successfully',
    variable: { name: 'k', data: 'new', variableName: 'k', variableData: 'new' },
  })
  expect((await userOf(owner, username))?.variables).toEqual({ k: 'new' })
  for (const [n, more] of [{ name: 'k' }, { originalName: 'k' }, { originalVariableName: 'k' }].entries()) {
    expect((await update({ username, data: `newer ${n}`, ...more })).status).toBe(200)
    expect((await userOf(owner, username))?.variables).toEqual({ k: `newer ${n}` })
  }
})

test('data that changed in the meantime is returned instead of overwritten', async () => {
  const username = await userWithVariable()
  await update({ username, name: 'k', data: 'theirs' })
  const late = { username, variableName: 'k', variableData: 'mine' }
  expect(await update({ ...late, before: { variableData: 'old' } })).toMatchObject({
    status: 409,
    body: { code: 'FIELD_CHANGED', current: { variableData: 'theirs' } },
  })
  expect(await update({ ...late, before: { data: 'old' } })).toMatchObject({
    status: 409,
    body: { current: { variableData: 'theirs' } },
  })
  expect((await userOf(owner, username))?.variables).toEqual({ k: 'theirs' })
  expect((await update({ ...late, variableData: 'theirs', before: { variableData: 'old' } })).status).toBe(200)
  expect((await update({ ...late, before: { variableData: 'theirs' } })).status).toBe(200)
  expect((await userOf(owner, username))?.variables).toEqual({ k: 'mine' })
})

test("the name can't change", async () => {
  const username = await userWithVariable()
  const answer = await update({ username, variableName: 'renamed', variableData: 'new', originalName: 'k' })
  expect(answer).toMatchObject({
    status: 400,
    body: { code: 'VARIABLE_NAME_FIXED', message: 'The variable name cannot be changed' },
  })
  expect((await userOf(owner, username))?.variables).toEqual({ k: 'old' })
})

test("a missing one isn't created", async () => {
  const username = await userWithVariable()
  expect(await update({ username, name: 'other', data: 'x' })).toMatchObject({
    status: 404,
    body: { code: 'VARIABLE_NOT_FOUND' },
  })
  expect((await userOf(owner, username))?.variables).toEqual({ k: 'old' })
})

test('a missing name or missing data is an error', async () => {
  const username = await userWithVariable()
  for (const body of [{ data: 'x' }, { name: 'k' }, { name: 'k', data: '' }]) {
    expect((await update({ username, ...body })).body).toMatchObject({
      code: 'VARIABLE_REQUIRED',
      message: 'Variable name and data are required',
    })
  }
})

test('rejects hostile bodies and changes nothing', async () => {
  const username = await userWithVariable()
  const before = await databaseDigest(app.db)
  const bodies = hostileBodies(
    { username, variableName: 'k', variableData: 'x' },
    {
      username: [...notTexts, ''],
      variableName: [...notTexts, '__proto__', 'n'.repeat(101)],
      variableData: [...notTexts, 'd'.repeat(10_001)],
      originalName: [...notTexts, 'other'],
      before: ['x', 5, null, [], { noSuchField: 1 }, { data: 5 }, { variableData: null }],
    },
  )
  for (const body of bodies) expectRejected(await update(body), body)
  expect(await databaseDigest(app.db)).toBe(before)
})

test("rejects calls without a session, and another owner's user looks like a missing one", async () => {
  const stranger = await newOwnerWithApp(app)
  const username = await userWithVariable()
  const before = await databaseDigest(app.db)
  const change = { name: 'k', data: 'x' }
  expectRejected(
    await app.visitor().send('PUT', '/api/1.0/website/user_variables', { body: { username, ...change } }),
    'anonymous',
    401,
  )
  const foreign = await update({ username, ...change }, stranger)
  expectRejected(foreign, 'foreign', 404)
  expect(seen(foreign)).toBe(seen(await update({ username: 'nobody-here', ...change }, stranger)))
  expect(await databaseDigest(app.db)).toBe(before)
})
