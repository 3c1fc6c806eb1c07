import { Writable } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import { newLog } from '#server/log/log.ts'
import { sessionHash } from '#server/secrets/session-token.ts'
import { beforeWrite } from '#testing/faults/before-write.ts'
import { goodPassword, newAdmin } from '#testing/people/people.ts'
import { countRows } from '#testing/platform.ts'
import { startTestApp, type TestApp, type TestAppOptions } from '#testing/start-test-app.ts'
import { ensureFirstAdmin } from './first-admin.ts'

let app: TestApp | undefined
afterEach(() => app?.close())

async function startLogged(options: TestAppOptions = {}) {
  let written = ''
  const log = newLog('info', new Writable({ write: (chunk, _encoding, done) => ((written += String(chunk)), done()) }))
  const started = await startTestApp({ ...options, log })
  app = started
  return { app: started, logged: () => written }
}
/** The last printed link: it has invalidated earlier ones, also those of another process. */
const linkIn = (text: string) => linksIn(text).at(-1) ?? ''
const linksIn = (text: string) =>
  [...text.matchAll(/http:\/\/signet\.test\/register\?setup=([\w-]{43})/g)].map(([, token = '']) => token)
const form = (username: string, setupToken: string) => ({
  body: { username, email: `${username}@example.com`, password: goodPassword, displayName: username, setupToken },
})

test('the first start has no accounts and prints a one-time link, stored only as a hash (R-AUTH-13)', async () => {
  const { app, logged } = await startLogged()
  const token = linkIn(logged())
  expect(token).not.toBe('')
  expect(await countRows(app, 'accounts')).toBe(0)
  const rows = await app.db.read.selectFrom('setup_tokens').selectAll().execute()
  expect(rows).toMatchObject([{ token_hash: sessionHash(token) }])
})

test('the link creates one administrator; a second use fails and creates no account', async () => {
  const { app, logged } = await startLogged()
  const token = linkIn(logged())
  const first = await app.visitor().call('POST /register', form('the_admin', token))
  expect(first.body.user).toMatchObject({ username: 'the_admin', role: 'admin' })
  const second = await app.visitor().call('POST /register', form('late_comer', token))
  expect(second).toMatchObject({ status: 403, body: { code: 'SETUP_TOKEN_INVALID' } })
  expect(await countRows(app, 'accounts')).toBe(1)
  const plain = await app
    .visitor()
    .call('POST /register', { body: { ...form('plain_owner', '').body, setupToken: undefined } })
  expect(plain.body.user.role).toBe('owner')
})

test('exactly one of 5 parallel uses of the link creates an administrator', async () => {
  const { app, logged } = await startLogged()
  const token = linkIn(logged())
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, n) => app.visitor().call('POST /register', form(`racer_${n}`, token))),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await countRows(app, 'accounts')).toBe(1)
})

test('a failed registration leaves the link usable', async () => {
  const { app, logged } = await startLogged()
  const token = linkIn(logged())
  await app.visitor().call('POST /register', { body: { ...form('somebody', '').body, setupToken: undefined } })
  expect((await app.visitor().call('POST /register', form('SOMEBODY', token))).status).toBe(409)
  expect((await app.visitor().call('POST /register', form('the_admin', token))).body.user.role).toBe('admin')
})

test('the link expires after a day, and the next start prints a new one that replaces it', async () => {
  const { app, logged } = await startLogged()
  const old = linkIn(logged())
  app.advance(86_401)
  expect((await app.visitor().call('POST /register', form('too_late', old))).body.code).toBe('SETUP_TOKEN_INVALID')
  await ensureFirstAdmin(app.services)
  const fresh = linkIn(logged().split('\n').at(-2) ?? '')
  expect(fresh).not.toBe(old)
  expect((await app.visitor().call('POST /register', form('too_late', old))).status).toBe(403)
  expect((await app.visitor().call('POST /register', form('in_time', fresh))).status).toBe(200)
})

test('a link makes nobody an administrator once there is one, however that came about', async () => {
  const { app, logged } = await startLogged()
  const token = linkIn(logged())
  await newAdmin(app)
  const { status, body } = await app.visitor().call('POST /register', form('second_admin', token))
  expect([status, body.code]).toEqual([403, 'SETUP_TOKEN_INVALID'])
  expect(await countRows(app, 'accounts')).toBe(1)
})

test('of processes that start at the same time, the link that is stored last is the only one', async () => {
  const { app, logged } = await startLogged()
  await Promise.all(Array.from({ length: 5 }, () => ensureFirstAdmin(app.services)))
  const tokens = await app.db.read.selectFrom('setup_tokens').select('token_hash').execute()
  expect(tokens).toHaveLength(1)
  expect(linksIn(logged()).map(sessionHash)).toContain(tokens[0]?.token_hash)
})

test.each([
  ['prints no link', undefined],
  ['creates no second one', { username: 'Other_Root', password: 'Unattended7Start', email: 'other@example.com' }],
])('a process that starts while another one gets its administrator %s', async (_, own) => {
  const { app, logged } = await startLogged()
  const printed = logged()
  const db = beforeWrite(app.db, 1, () => newAdmin(app, 'root_user'))
  const config = { ...app.services.config, firstAdmin: own }
  await ensureFirstAdmin({ ...app.services, config, db })
  expect(logged()).toBe(printed)
  expect(await countRows(app, 'accounts')).toBe(1)
})

const firstAdmin = { username: 'Root_User', password: 'Unattended7Start', email: 'root@example.com' }

test('ADMIN_* create the first administrator unattended, and no link is printed', async () => {
  const { app, logged } = await startLogged({ config: { firstAdmin } })
  const visitor = app.visitor()
  const signedIn = await visitor.call('POST /login', { body: { username: 'root_user', password: firstAdmin.password } })
  expect(signedIn.body.user).toMatchObject({ username: 'Root_User', role: 'admin', email: 'root@example.com' })
  expect(logged()).not.toContain('setup=')
  expect(logged()).not.toContain(firstAdmin.password)
  expect(await countRows(app, 'setup_tokens')).toBe(0)
})

test('ADMIN_* change nothing once there is an administrator: a changed password stays', async () => {
  const { app } = await startLogged({ config: { firstAdmin } })
  await ensureFirstAdmin({
    ...app.services,
    config: { ...app.services.config, firstAdmin: { ...firstAdmin, password: 'Another7Word' } },
  })
  expect(await countRows(app, 'accounts')).toBe(1)
  const visitor = app.visitor()
  expect(
    (await visitor.call('POST /login', { body: { username: 'root_user', password: 'Another7Word' } })).status,
  ).toBe(403)
  expect(
    (await visitor.call('POST /login', { body: { username: 'root_user', password: firstAdmin.password } })).status,
  ).toBe(200)
})

test.each([
  [{ username: 'has space' }, /^ADMIN_USERNAME: Username can only contain/],
  [{ email: 'nowhere' }, /^ADMIN_EMAIL: Please enter a valid email address/],
  [{ password: 'alllower7' }, /^ADMIN_PASSWORD: Password must contain/],
  [{ password: 'Password123' }, /^ADMIN_PASSWORD: This password is too easy to guess/],
])("the server doesn't start with an invalid %j, and says why in one line", async (change, line) => {
  await expect(startLogged({ config: { firstAdmin: { ...firstAdmin, ...change } } })).rejects.toThrow(line)
  app = undefined
})

test("the server doesn't start with a name or address that an owner has, and says why in one line", async () => {
  const { app } = await startLogged()
  const taken = { ...form('root_user', '').body, setupToken: undefined }
  expect((await app.visitor().call('POST /register', { body: taken })).status).toBe(200)
  const again = { ...app.services, config: { ...app.services.config, firstAdmin } }
  await expect(ensureFirstAdmin(again)).rejects.toThrow(
    /^ADMIN_USERNAME, ADMIN_EMAIL: Username or email already exists/,
  )
  expect(await countRows(app, 'accounts')).toBe(1)
})
