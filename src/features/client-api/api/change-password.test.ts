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

const old = 'Password-of-user'
const fresh = 'Another-password'
let named = 0
let username: string

beforeEach(async () => {
  username = `customer ${++named}`
  await program.register(username, old, key)
})

const change = (password: string, newPassword: string) => program.send('change-password', { password, newPassword })
const signsIn = async (password: string) => {
  const other = await Program.of(app, owner)
  await other.init()
  return (await other.login(username, password)).body.success
}

test('changes it: the new one signs in, the old one no more; this session goes on, others end', async () => {
  await asOwner('update_app', { settings: { oneSessionPerCredential: false } })
  const other = await Program.of(app, owner)
  await other.init()
  await other.login(username, old)
  expect(await change(old, fresh)).toMatchObject({ status: 200, body: { success: true, message: 'Password changed' } })
  expect((await program.heartbeat()).body.success).toBe(true)
  expect((await other.heartbeat()).body.code).toBe('SESSION_ENDED')
  expect(await signsIn(old)).toBe(false)
  expect(await signsIn(fresh)).toBe(true)
  const rows = await app.db.read.selectFrom('audit').selectAll().where('target', '=', username).execute()
  expect(rows.map(({ act, actor_type }) => [act, actor_type])).toContainEqual(['user.change-password', 'user'])
  expect(JSON.stringify(rows)).not.toMatch(/Another-password|Password-of-user/)
})

test('asks for the old one, and wrong ones count as failed sign-ins', async () => {
  expect((await change('wrong', fresh)).body.code).toBe('INVALID_CREDENTIALS')
  const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => change(`guess ${n}`, fresh)))
  const codes = answers.map(({ body }) => body.code)
  expect(codes).toContain('LOGIN_COOLDOWN')
  expect(codes.filter((code) => code === 'INVALID_CREDENTIALS').length).toBeLessThan(10)
  app.advance(86_400)
})

test('refuses a short one, whoever is not signed in, and whoever has no password', async () => {
  expect((await change(old, 'short')).body.code).toBe('PASSWORD_TOO_SHORT')
  expect(await signsIn(old)).toBe(true)
  const [other = ''] = await newLicenses(owner, 1)
  await program.init()
  expect((await change(old, fresh)).body.code).toBe('NOT_SIGNED_IN')
  await program.license(other)
  expect((await change(other, fresh)).body.code).toBe('INVALID_CREDENTIALS')
})

test('of two changes at the same time one wins', async () => {
  const answers = await Promise.all([change(old, 'First-password'), change(old, 'Second-password')])
  const codes = answers.map(({ body }) => body.code ?? 'OK').toSorted()
  expect(codes).toEqual(['INVALID_CREDENTIALS', 'OK'])
})

test('hostile bodies are refused', async () => {
  const valid = { password: old, newPassword: fresh }
  for (const value of [5, true, null, [], {}, 'NUL \0', 'x'.repeat(257)]) {
    for (const name of ['password', 'newPassword'] as const) {
      const { status } = await program.send('change-password', { ...valid, [name]: value })
      expect(status, `${name} ${JSON.stringify(value)}`).toBe(400)
    }
  }
  expect(await signsIn(old)).toBe(true)
})
