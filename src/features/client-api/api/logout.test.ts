import { afterAll, beforeAll, expect, test } from 'vitest'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

async function signedIn(): Promise<{ program: Program; key: string }> {
  const [key = ''] = await newLicenses(owner, 1)
  const program = await Program.of(app, owner)
  await program.init()
  await program.license(key)
  return { program, key }
}

test('ends the session for every call after it, and the program may start again', async () => {
  const { program, key } = await signedIn()
  expect(await program.logout()).toMatchObject({ status: 200, body: { success: true, message: 'Signed out' } })
  for (const again of [() => program.heartbeat(), () => program.license(key), () => program.logout()]) {
    expect(await again()).toMatchObject({
      status: 401,
      body: { code: 'SESSION_ENDED', message: 'The session was ended' },
    })
  }
  await program.init()
  expect((await program.license(key)).body.success).toBe(true)
})

test('works before anybody signed in, and needs a session', async () => {
  const program = await Program.of(app, owner)
  expect((await program.logout()).body.code).toBe('SESSION_REQUIRED')
  await program.init()
  expect((await program.logout()).body.success).toBe(true)
})

test('ends no other session of the same user', async () => {
  await owner.visitor.call('POST /update_app', { body: { settings: { oneSessionPerCredential: false } } })
  const { program, key } = await signedIn()
  const other = await Program.of(app, owner)
  await other.init()
  await other.license(key)
  await program.logout()
  expect((await other.heartbeat()).body.success).toBe(true)
  await owner.visitor.call('POST /update_app', { body: { settings: { oneSessionPerCredential: true } } })
})

test('a session of another app is not ended by it', async () => {
  const { program } = await signedIn()
  const stranger = await Program.of(app, await newOwnerWithApp(app))
  stranger.session = program.session
  expect((await stranger.logout()).body.code).toBe('SESSION_ENDED')
  expect((await program.heartbeat()).body.success).toBe(true)
})

test('bodies that are no object are rejected and the session goes on', async () => {
  const { program } = await signedIn()
  for (const body of [[], null, 5, 'text']) expect((await program.send('logout', body)).status).toBe(400)
  expect((await program.heartbeat()).body.success).toBe(true)
})
