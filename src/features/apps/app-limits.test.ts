import { afterAll, beforeAll, expect, test } from 'vitest'
import { createUser } from '#features/users/users.actions.ts'
import { newLicenses, newOwner, newOwnerWithApp, type OwnedApp, setPlan } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** Plan limits also hold for concurrent creations (R-LIC-05). */

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const hundred = <T>(make: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 100 }, (_, n) => make(n)))

const licensesOf = async (owner: OwnedApp) => (await owner.visitor.call('GET /licenses')).body.total
const usageOf = async (owner: OwnedApp) => (await owner.visitor.call('GET /profile/plan-usage')).body.usage

function createLicenses(owner: OwnedApp, amount: number) {
  return owner.visitor.call('POST /create_licenses', {
    body: { amount, subscription: 1, expiryUnit: 'days', duration: 1 },
  })
}

test('of 100 apps created at once with a limit of one, one is created', async () => {
  const owner = await newOwner(app, undefined, { plan: 'Free' })
  const answers = await hundred((n) => owner.visitor.call('POST /create_app', { body: { appName: `App number ${n}` } }))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const rejected = answers.filter(({ status }) => status !== 200)
  for (const { status, body } of rejected) {
    expect([status, body.code, body.message]).toEqual([403, 'APP_LIMIT_REACHED', 'Your plan allows 1 app'])
  }
  expect((await owner.visitor.call('GET /apps')).body.apps).toHaveLength(1)
})

test('a Developer can have five apps and no sixth; deleting one makes room', async () => {
  const owner = await newOwner(app, undefined, { plan: 'Developer' })
  const create = (n: number) => owner.visitor.call('POST /create_app', { body: { appName: `Tool ${n}` } })
  for (let n = 0; n < 5; n++) expect((await create(n)).status).toBe(200)
  expect((await create(5)).body.message).toBe('Your plan allows 5 apps')
  const { body } = await owner.visitor.call('GET /apps')
  await owner.visitor.call('POST /delete_app', { body: { appId: body.apps[0]?.appId as string } })
  expect((await create(6)).status).toBe(200)
})

test('of 100 licenses created at once with room for one, one is created', async () => {
  const owner = await newOwnerWithApp(app, undefined, { plan: 'Free' })
  await newLicenses(owner, 24)
  const answers = await hundred(() => createLicenses(owner, 1))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
    expect([status, body.code, body.message]).toEqual([
      403,
      'LICENSE_LIMIT_REACHED',
      'Your plan allows 25 licenses per app',
    ])
  }
  expect(await licensesOf(owner)).toBe(25)
})

test("rejects a batch that doesn't fit as a whole; deleting licenses makes room", async () => {
  const owner = await newOwnerWithApp(app, undefined, { plan: 'Free' })
  const keys = await newLicenses(owner, 20)
  expect((await createLicenses(owner, 6)).body.code).toBe('LICENSE_LIMIT_REACHED')
  expect(await licensesOf(owner)).toBe(20)
  await owner.visitor.call('POST /delete_license', { body: { licenseKey: keys[0] as string } })
  expect((await createLicenses(owner, 6)).status).toBe(200)
  expect(await usageOf(owner)).toMatchObject({ max_licenses_in_any_app: 25 })
})

test('of 100 programs that redeem at once with room for one user, one succeeds; the other licenses stay unused', async () => {
  const owner = await newOwnerWithApp(app)
  const keys = await newLicenses(owner, 109)
  await owner.visitor.call('POST /update_app', { body: { settings: { hwidLock: false } } })
  const programs = await Promise.all(keys.map(async (key) => ({ key, program: await Program.of(app, owner) })))
  for (const { program } of programs) await program.init()
  for (const { key, program } of programs.splice(0, 9)) await program.license(key)
  await setPlan(app, owner.id, 'Free')

  const answers = await Promise.all(programs.map(({ key, program }) => program.license(key)))
  expect(answers.filter(({ body }) => body.success)).toHaveLength(1)
  for (const { status, body } of answers.filter((answer) => !answer.body.success)) {
    expect([status, body.code, body.message]).toEqual([
      403,
      'USER_LIMIT_REACHED',
      'This app has reached its user limit',
    ])
  }
  const { body } = await owner.visitor.call('GET /licenses')
  expect(body.counts).toMatchObject({ used: 10, unused: 99 })
  expect(await usageOf(owner)).toMatchObject({ max_users_in_any_app: 10 })
})

test('of 100 users created at once in every way with room for one, one is created', async () => {
  const owner = await newOwnerWithApp(app, undefined, { plan: 'Free' })
  const make = (username: string) =>
    app.db.write((tx) =>
      createUser(tx, { appId: owner.appId, username, passwordHash: null, email: '', now: app.now() }),
    )
  for (let n = 0; n < 9; n++) await make(`first${n}`)
  const outcomes = await Promise.allSettled(Array.from({ length: 100 }, (_, n) => make(`next${n}`)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(
    outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => (reason as { code: string }).code),
  ).toEqual(Array.from({ length: 99 }, () => 'USER_LIMIT_REACHED'))
})

test('an expired plan has the limits of Free; existing objects stay', async () => {
  const owner = await newOwnerWithApp(app)
  await newLicenses(owner, 40)
  await setPlan(app, owner.id, 'Pro', app.now() + 60)
  expect((await createLicenses(owner, 1)).status).toBe(200)
  app.advance(61)
  expect((await createLicenses(owner, 1)).body.code).toBe('LICENSE_LIMIT_REACHED')
  expect((await owner.visitor.call('POST /create_app', { body: { appName: 'One more' } })).body.code).toBe(
    'APP_LIMIT_REACHED',
  )
  expect(await licensesOf(owner)).toBe(41)
})
