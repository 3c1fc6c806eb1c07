import { afterAll, beforeAll, expect, test } from 'vitest'
import { manyUsers, newSubscriber, subscribe, userPassword } from '#testing/people/end-users.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { keepSignedIn } from '#testing/platform.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** The diagnosis names the reason that a sign-in at that moment gives. */

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const visitor = () => owner.visitor
const diagnose = async (search: string) => (await visitor().call('GET /diagnosis', { query: { search } })).body
const newKey = async (more: Record<string, unknown> = {}) => (await newLicenses(owner, 1, more))[0] ?? ''
const activate = (level: number, active: boolean) =>
  visitor().call('POST /toggle_subscription_status', { body: { level, active } })
const ban = (licenseKey: string, banned: boolean) =>
  visitor().call('POST /toggle_ban_license', { body: { licenseKey, banned } })

async function started(hwid = 'a-machine-of-the-test') {
  const program = await Program.of(app, owner)
  program.hwid = hwid
  await program.init()
  return program
}
const withKey = async (key: string, hwid?: string) => (await (await started(hwid)).license(key)).body.code ?? 'OK'
async function withPassword(username: string, more: { password?: string; licenseKey?: string } = {}) {
  const program = await started()
  const fields = { username, password: userPassword, hwid: program.hwid, ...more }
  return (await program.send('login', fields)).body.code ?? 'OK'
}
async function agrees(search: string, code: string, more: object = {}) {
  const { verdict } = await diagnose(search)
  const expected = code === 'OK' ? { state: 'allowed', code: '' } : { state: 'rejected', code }
  expect(verdict).toMatchObject({ ...expected, ...more })
}
/** The newest rejection in the results of a search. */
const rejection = async (search: string) => (await diagnose(search)).events.find(({ code }) => code !== '')

test('a user without a password is kept out by the deletion of the license, until it is restored', async () => {
  owner = await newOwnerWithApp(app)
  const key = await newKey()
  expect(await withKey(key)).toBe('OK')
  app.advance(60)
  const since = app.now()
  const { undoId } = (await visitor().call('POST /delete_license', { body: { licenseKey: key } })).body
  const cause = { act: 'license.delete', actorName: owner.username }
  const decision = expect.objectContaining({ stillApplies: true, cause: expect.objectContaining(cause) })
  await agrees(key, 'LICENSE_NOT_FOUND', { since, decision })
  app.advance(60)
  expect(await withKey(key)).toBe('LICENSE_NOT_FOUND')
  await agrees(key, 'LICENSE_NOT_FOUND', { since, decision })
  await agrees('a-machine-of-the-test', 'LICENSE_NOT_FOUND', { since })
  app.advance(60)
  await visitor().call('POST /bin/restore', { body: { undoId: undoId ?? '' } })
  await agrees(key, 'OK')
  expect((await rejection(key))?.decision).toMatchObject({ stillApplies: false, cause, change: { act: 'bin.restore' } })
  expect(await withKey(key)).toBe('OK')
})

test('a key that is gone with its user is not found, whatever it was rejected with before', async () => {
  owner = await newOwnerWithApp(app)
  const key = await newKey()
  await ban(key, true)
  expect(await withKey(key)).toBe('LICENSE_BANNED')
  app.advance(60)
  const since = app.now()
  await visitor().call('POST /delete_license', { body: { licenseKey: key } })
  await agrees(key, 'LICENSE_NOT_FOUND', { since })
  expect(await withKey(key)).toBe('LICENSE_NOT_FOUND')
})

test('a restored user signs in again with the license that was used meanwhile', async () => {
  owner = await newOwnerWithApp(app)
  const key = await newKey()
  expect(await withKey(key)).toBe('OK')
  const { undoId } = (await visitor().call('POST /delete_user', { body: { username: key } })).body
  app.advance(1)
  expect(await withKey(key)).toBe('LICENSE_ALREADY_USED')
  await agrees(key, 'LICENSE_ALREADY_USED', { decision: expect.objectContaining({ stillApplies: true }) })
  await visitor().call('POST /bin/restore', { body: { undoId: undoId ?? '' } })
  await agrees(key, 'OK')
  expect((await rejection(key))?.decision).toMatchObject({ stillApplies: false })
  expect(await withKey(key)).toBe('OK')
})

test('an unused license is kept out while the app has as many users as the plan allows', async () => {
  owner = await newOwnerWithApp(app, undefined, { plan: 'Free' })
  const key = await newKey()
  const [username = ''] = await manyUsers(app, owner, { prefix: 'full', amount: 10 })
  await agrees(key, 'USER_LIMIT_REACHED', { decision: expect.objectContaining({ stillApplies: true, fix: 'plan' }) })
  expect(await withKey(key)).toBe('USER_LIMIT_REACHED')
  await agrees(key, 'USER_LIMIT_REACHED')
  await visitor().call('POST /delete_user', { body: { username } })
  await agrees(key, 'OK')
  expect((await rejection(key))?.decision).toMatchObject({ stillApplies: false })
  expect(await withKey(key)).toBe('OK')
})

test('what a paused level or a banned license has left does not let in a user whose other time is over', async () => {
  owner = await newOwnerWithApp(app)
  await keepSignedIn(app, owner)
  await visitor().call('POST /create_subscription', { body: { name: 'Second', active: true } })
  const username = await newSubscriber(owner, { days: 1 })
  const end = app.now() + 86_400
  await subscribe(owner, username, { level: 2, days: 30 })
  await activate(2, false)
  app.advance(2 * 86_400)
  expect(await withPassword(username)).toBe('SUBSCRIPTION_EXPIRED')
  const decision = expect.objectContaining({ stillApplies: true, levels: ['Basic'], levelNumbers: [1], until: end })
  await agrees(username, 'SUBSCRIPTION_EXPIRED', { since: end, decision })
  await activate(2, true)
  await visitor().call('DELETE /user/{username}/subscriptions/{id}', { params: { username, id: 2 } })
  const key = await newKey({ subscription: 2 })
  expect(await withPassword(username, { licenseKey: key })).toBe('OK')
  await ban(key, true)
  expect(await withPassword(username)).toBe('SUBSCRIPTION_EXPIRED')
  await agrees(username, 'SUBSCRIPTION_EXPIRED', { since: end, decision })
})

test('the level of a license that is redeemed besides is the paused one, not those that the user has', async () => {
  owner = await newOwnerWithApp(app)
  await visitor().call('POST /create_subscription', { body: { name: 'Second', active: true } })
  const [username, licenseKey] = [await newSubscriber(owner), await newKey({ subscription: 2 })]
  await activate(2, false)
  app.advance(1)
  expect(await withPassword(username, { licenseKey })).toBe('SUBSCRIPTION_PAUSED')
  const named = { levels: ['Second'], levelNumbers: [2] }
  const cause = { act: 'subscription.pause' }
  expect((await rejection(username))?.decision).toMatchObject({ ...named, cause, stillApplies: true })
  app.advance(1)
  await activate(2, true)
  const change = { act: 'subscription.activate' }
  expect((await rejection(username))?.decision).toMatchObject({ ...named, cause, change, stillApplies: false })
  await agrees(username, 'OK')
})

test('of a rejection and a sign-in within one second, the later one counts', async () => {
  owner = await newOwnerWithApp(app)
  const key = await newKey()
  expect(await withKey(key)).toBe('OK')
  app.advance(1)
  expect(await withKey(key, 'another-machine-of-the-test')).toBe('HWID_MISMATCH')
  expect(await withKey(key)).toBe('OK')
  await agrees(key, 'OK')
  const { events } = await diagnose(key)
  expect(events.filter(({ call }) => call !== '').map(({ code }) => code)).toEqual(['', 'HWID_MISMATCH', ''])
  expect(await withKey(key, 'another-machine-of-the-test')).toBe('HWID_MISMATCH')
  await agrees(key, 'HWID_MISMATCH')
})

test('what ended a rule within the second of a rejection is what changed since', async () => {
  owner = await newOwnerWithApp(app)
  const key = await newKey()
  await ban(key, true)
  app.advance(60)
  expect(await withKey(key)).toBe('LICENSE_BANNED')
  await ban(key, false)
  const [cause, change] = [{ act: 'license.ban' }, { act: 'license.unban' }]
  expect((await rejection(key))?.decision).toMatchObject({ stillApplies: false, cause, change })
})
