import { expect, test } from 'vitest'
import { newOwnerWithApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { setUpProgram } from '#testing/people/program-setup.ts'

const given = setUpProgram()

const modify = (variableName: string, variableData: string, authenticated: boolean) =>
  given.asOwner('modify_app_var', { variableName, variableData, authenticated })
const read = (name: string) => given.program.send('variable', { name })

test('a public variable can be read before sign-in, others only by a user who may run', async () => {
  await modify('motd', 'Olá 🦊', false)
  await modify('secret', 'the payload', true)
  expect((await read('motd')).body).toMatchObject({ success: true, name: 'motd', value: 'Olá 🦊' })
  const { status, body } = await read('secret')
  expect([status, body.code]).toEqual([403, 'NOT_SIGNED_IN'])
  expect(JSON.stringify(body)).not.toContain('payload')
  await given.program.license(given.key)
  expect((await read('secret')).body).toMatchObject({ success: true, value: 'the payload' })
  await given.asOwner('update_license', { licenseKey: given.key, expiry: 60 })
  given.app.advance(61)
  expect((await read('secret')).body.code).toBe('SUBSCRIPTION_EXPIRED')
  expect((await read('motd')).body.success).toBe(true)
})

test('a change is visible at once', async () => {
  await modify('version', '1', false)
  expect((await read('version')).body['value']).toBe('1')
  await modify('version', '2', false)
  expect((await read('version')).body['value']).toBe('2')
})

test('a missing variable looks like one for signed-in users before sign-in, and missing afterwards', async () => {
  expect((await read('nowhere')).body.code).toBe('NOT_SIGNED_IN')
  await given.program.license(given.key)
  for (const name of ['nowhere', 'MOTD', '', "' or 1=1 --", '%', '__proto__']) {
    expect(await read(name), name).toMatchObject({ status: 404, body: { code: 'VARIABLE_NOT_FOUND' } })
  }
})

test("another app's variable looks like a missing one", async () => {
  await modify('ours', 'x', false)
  const stranger = await Program.of(given.app, await newOwnerWithApp(given.app))
  await stranger.init()
  expect((await stranger.send('variable', { name: 'ours' })).body.code).toBe('NOT_SIGNED_IN')
})

test('requires a session, and rejects bodies without a valid name', async () => {
  for (const body of [{}, [], null, { name: 5 }, { name: null }, { name: ['x'] }, { name: 'NUL \0' }]) {
    expect((await given.program.send('variable', body)).status, JSON.stringify(body)).toBe(400)
  }
  given.program.session = undefined
  expect((await read('motd')).body.code).toBe('SESSION_REQUIRED')
})
