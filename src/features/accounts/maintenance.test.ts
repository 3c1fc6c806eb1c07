import { Writable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newLog } from '#server/log/log.ts'
import { newAdmin, newOwner, type Owner } from '#testing/people/people.ts'
import { setPlatform } from '#testing/platform.ts'
import { newSellingReseller, resellerPassword } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** Sign-in and sign-out during maintenance. */

let app: TestApp
let logged = ''

const log = newLog('info', new Writable({ write: (chunk, _encoding, next) => ((logged += String(chunk)), next()) }))

beforeAll(async () => void (app = await startTestApp({ log })))
afterAll(() => app.close())
beforeEach(() => maintain(false))

async function maintain(maintenanceMode: boolean) {
  await setPlatform(app, 'platform', { maintenanceMode })
  await app.services.settings.current()
}

const signIn = ({ username, password }: Pick<Owner, 'username' | 'password'>, path = 'POST /login' as const) =>
  app.visitor().call(path, { body: { username, password } })

test('a right password is no failure, however often it is tried; a wrong one still is', async () => {
  const owner = await newOwner(app)
  await maintain(true)
  for (let n = 0; n < 8; n++) expect((await signIn(owner)).body.code).toBe('MAINTENANCE')
  expect(await app.db.read.selectFrom('login_failures').selectAll().where('failures', '>', 0).execute()).toEqual([])
  for (let n = 0; n < 5; n++)
    expect((await signIn({ ...owner, password: 'Wrong7Horse' })).body.code).toBe('LOGIN_FAILED')
  expect((await signIn(owner)).body.code).toBe('LOGIN_COOLDOWN')
})

test('a reseller is not let in by either form, and the attempt is no failure', async () => {
  const { username } = await newSellingReseller(app)
  const reseller = { username, password: resellerPassword }
  await maintain(true)
  for (let n = 0; n < 6; n++)
    expect(await signIn(reseller)).toMatchObject({ status: 503, body: { code: 'MAINTENANCE' } })
  const other = await app.visitor().call('POST /reseller/login', { body: reseller })
  expect(other.body.code).toBe('MAINTENANCE')
  await maintain(false)
  expect((await signIn(reseller)).status).toBe(200)
})

test('somebody who is signed in is still known, and can sign out; administrators come in', async () => {
  const owner = await newOwner(app)
  const { visitor } = await newSellingReseller(app)
  const admin = await newAdmin(app)
  await maintain(true)
  expect((await owner.visitor.call('GET /check-auth')).status).toBe(200)
  expect((await visitor.call('GET /reseller/check-auth')).status).toBe(200)
  expect((await owner.visitor.call('GET /apps')).status).toBe(503)
  expect((await owner.visitor.call('POST /logout')).status).toBe(200)
  expect((await visitor.call('POST /reseller/logout')).status).toBe(200)
  expect((await owner.visitor.call('GET /check-auth')).status).toBe(401)
  expect((await signIn(admin)).status).toBe(200)
})

test('the log says that a call was rejected, and holds neither an error nor a stack', async () => {
  const owner = await newOwner(app)
  await maintain(true)
  logged = ''
  expect((await owner.visitor.call('GET /apps')).status).toBe(503)
  const lines = logged.trim().split('\n')
  expect(lines.filter((line) => line.includes('"level":"error"') || line.includes('"level":50'))).toEqual([])
  expect(logged).not.toContain('stack')
  expect(logged).toContain('"code":"MAINTENANCE"')
})
