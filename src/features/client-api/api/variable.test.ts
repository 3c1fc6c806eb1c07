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

const modify = (variableName: string, variableData: string, authenticated: boolean) =>
  asOwner('modify_app_var', { variableName, variableData, authenticated })
const read = (name: string) => program.send('variable', { name })

test('an open variable is read before anybody signs in, one for users only by a user who may run', async () => {
  await modify('motd', 'Olá 🦊', false)
  await modify('secret', 'the payload', true)
  expect((await read('motd')).body).toMatchObject({ success: true, name: 'motd', value: 'Olá 🦊' })
  const { status, body } = await read('secret')
  expect([status, body.code]).toEqual([403, 'NOT_SIGNED_IN'])
  expect(JSON.stringify(body)).not.toContain('payload')
  await program.license(key)
  expect((await read('secret')).body).toMatchObject({ success: true, value: 'the payload' })
  await asOwner('update_license', { licenseKey: key, expiry: 60 })
  app.advance(61)
  expect((await read('secret')).body.code).toBe('SUBSCRIPTION_EXPIRED')
  expect((await read('motd')).body.success).toBe(true)
})

test('a change is read at once', async () => {
  await modify('version', '1', false)
  expect((await read('version')).body['value']).toBe('1')
  await modify('version', '2', false)
  expect((await read('version')).body['value']).toBe('2')
})

test('one that is not there looks to strangers like one for users, and to users like none', async () => {
  expect((await read('nowhere')).body.code).toBe('NOT_SIGNED_IN')
  await program.license(key)
  for (const name of ['nowhere', 'MOTD', '', "' or 1=1 --", '%', '__proto__']) {
    expect(await read(name), name).toMatchObject({ status: 404, body: { code: 'VARIABLE_NOT_FOUND' } })
  }
})

test("another app's variable is as missing as one that never was", async () => {
  await modify('ours', 'x', false)
  const stranger = await Program.of(app, await newOwnerWithApp(app))
  await stranger.init()
  expect((await stranger.send('variable', { name: 'ours' })).body.code).toBe('NOT_SIGNED_IN')
})

test('needs a session, and bodies that are no name are refused', async () => {
  for (const body of [{}, [], null, { name: 5 }, { name: null }, { name: ['x'] }, { name: 'NUL \0' }]) {
    expect((await program.send('variable', body)).status, JSON.stringify(body)).toBe(400)
  }
  program.session = undefined
  expect((await read('motd')).body.code).toBe('SESSION_REQUIRED')
})
