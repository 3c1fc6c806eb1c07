import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people.ts'
import { keepSignedIn } from '#testing/platform.ts'
import { Program } from '#testing/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let program: Program
let key: string

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  await keepSignedIn(app, owner)
})
beforeEach(async () => {
  ;[key = ''] = await newLicenses(owner, 1)
  program = await Program.of(app, owner)
  await program.init()
})
afterAll(() => app.close())

const asOwner = (call: string, body: object) => owner.visitor.send('POST', `/api/1.0/website/${call}`, { body })

const read = (name: string, from = program) => from.send('user-variable', { name })

test('a user reads what the owner wrote for it, and nobody else does', async () => {
  await program.license(key)
  await asOwner('user_variables', { username: key, variableName: 'tier', variableData: 'gold' })
  expect((await read('tier')).body).toMatchObject({ success: true, name: 'tier', value: 'gold' })
  const [otherKey = ''] = await newLicenses(owner, 1)
  const other = await Program.of(app, owner)
  await other.init()
  await other.license(otherKey)
  expect(await read('tier', other)).toMatchObject({ status: 404, body: { code: 'VARIABLE_NOT_FOUND' } })
})

test('refuses whoever is not signed in or may not run', async () => {
  expect((await read('tier')).body.code).toBe('NOT_SIGNED_IN')
  await program.license(key)
  await asOwner('toggle_ban_user', { username: key })
  expect((await read('tier')).body.code).toBe('USER_BANNED')
  program.session = undefined
  expect((await read('tier')).body.code).toBe('SESSION_REQUIRED')
})

test('bodies that are no name are refused', async () => {
  await program.license(key)
  for (const body of [{}, [], null, { name: 5 }, { name: null }, { name: { x: 1 } }, { name: 'NUL \0' }]) {
    expect((await program.send('user-variable', body)).status, JSON.stringify(body)).toBe(400)
  }
})
