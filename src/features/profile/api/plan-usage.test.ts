import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRejected } from '#testing/faults/hostile-input.ts'
import { newLicenses, newOwner, newOwnerWithApp, setPlan } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => void (app = await startTestApp()))
afterAll(() => app.close())

test('a new account is Free and uses nothing', async () => {
  const { visitor } = await newOwner(app, undefined, { plan: 'Free' })
  const { body } = await visitor.call('GET /profile/plan-usage')
  expect(body).toEqual({
    success: true,
    plan_type: 'Free',
    displayName: 'Free',
    plan_expires_at: null,
    usage: { apps: 0, max_users_in_any_app: 0, max_licenses_in_any_app: 0, max_variables_in_any_app: 0 },
    limits: { max_apps: 1, max_users_per_app: 10, max_licenses_per_app: 25, max_variables_per_app: 3 },
    features: {
      custom_variables: true,
      file_upload: true,
      advanced_analytics: false,
      priority_support: false,
      webhooks: false,
      bulk_operations: true,
      custom_branding: false,
    },
    ending: null,
  })
})

test('returns a limit of -1 as unlimited', async () => {
  const { visitor, id } = await newOwner(app)
  const unlimited = {
    max_users_per_app: 'unlimited',
    max_licenses_per_app: 'unlimited',
    max_variables_per_app: 'unlimited',
  }
  expect((await visitor.call('GET /profile/plan-usage')).body).toMatchObject({
    plan_type: 'Pro',
    limits: { max_apps: 'unlimited', ...unlimited },
  })
  await setPlan(app, id, 'Developer')
  expect((await visitor.call('GET /profile/plan-usage')).body).toMatchObject({
    plan_type: 'Developer',
    limits: { max_apps: 5, ...unlimited },
  })
})

test('usage is that of the fullest app, separately for each metric', async () => {
  const owner = await newOwnerWithApp(app)
  await newLicenses(owner, 3)
  const program = await Program.of(app, owner)
  for (const key of await newLicenses(owner, 2)) {
    await program.init()
    expect((await program.license(key)).body).toMatchObject({ success: true })
  }
  await owner.visitor.call('POST /create_app', { body: { appName: 'Second' } })
  await owner.visitor.call('POST /create_subscription', { body: { name: 'Basic' } })
  await newLicenses(owner, 8)
  const { body } = await owner.visitor.call('GET /profile/plan-usage')
  expect(body.usage).toMatchObject({ apps: 2, max_users_in_any_app: 2, max_licenses_in_any_app: 8 })
})

test('after its 30 days a plan is Free again', async () => {
  const { visitor, id } = await newOwner(app)
  const expiresAt = app.now() + 100
  await setPlan(app, id, 'Pro', expiresAt)
  expect((await visitor.call('GET /profile/plan-usage')).body).toMatchObject({
    plan_type: 'Pro',
    plan_expires_at: expiresAt,
  })
  const ending = {
    displayName: 'Pro',
    endsAt: expiresAt,
    features: ['advanced_analytics', 'priority_support', 'webhooks', 'custom_branding'],
  }
  expect((await visitor.call('GET /profile/plan-usage')).body.ending).toEqual(ending)
  app.advance(101)
  expect((await visitor.call('GET /profile/plan-usage')).body.ending).toEqual(ending)
  await setPlan(app, id, 'Pro', expiresAt + 8 * 86_400)
  expect((await visitor.call('GET /profile/plan-usage')).body.ending).toBeNull()
  await setPlan(app, id, 'Pro', expiresAt)
  expect((await visitor.call('GET /profile/plan-usage')).body).toMatchObject({
    plan_type: 'Free',
    plan_expires_at: null,
    limits: { max_apps: 1 },
  })
  // Free does not take over the end of a deleted plan either.
  await setPlan(app, id, 'Deleted', app.now() + 100)
  expect((await visitor.call('GET /profile/plan-usage')).body).toMatchObject({
    plan_type: 'Free',
    plan_expires_at: null,
  })
})

test('rejects a caller without a session', async () => {
  expectRejected(await app.visitor().call('GET /profile/plan-usage'), 'plan usage', 401)
})
