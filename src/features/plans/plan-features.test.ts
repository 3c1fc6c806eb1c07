import { afterAll, beforeAll, expect, test } from 'vitest'
import { newLicenses, newOwnerWithApp, type OwnedApp, setPlan } from '#testing/people/people.ts'
import { newReseller } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** The server rejects features that a plan does not include, for every kind of caller and call. */

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
  const row = { name: 'Bare', display_name: 'Bare', price_cents: 0, position: 9, active: 1, features: '[]' }
  const limits = { max_apps: -1, max_users_per_app: -1, max_licenses_per_app: -1, max_variables_per_app: -1 }
  await app.db.write(({ db }) =>
    db
      .insertInto('plans')
      .values({ ...row, ...limits, max_storage_mb: 1 })
      .execute(),
  )
})
afterAll(() => app.close())

const setVariable = ({ visitor }: OwnedApp, variableName: string, variableData: string) =>
  visitor.call('POST /modify_app_var', { body: { variableName, variableData } })

test("bulk actions are rejected without bulk_operations, and change nothing; an action on one row isn't one", async () => {
  const owner = await newOwnerWithApp(app)
  const licenses = await newLicenses(owner, 2)
  await setPlan(app, owner.id, 'Bare')
  const answer = await owner.visitor.call('POST /licenses/bulk', { body: { action: 'ban', licenses } })
  expect([answer.status, answer.body]).toMatchObject([
    403,
    {
      code: 'PLAN_FEATURE_MISSING',
      message: 'Your plan does not include bulk operations. See your profile for what other plans include.',
      feature: 'bulk_operations',
    },
  ])
  expect((await owner.visitor.call('GET /licenses')).body.counts).toMatchObject({ banned: 0 })
  const one = await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: licenses[0] as string } })
  expect(one.status).toBe(200)
})

test.each([
  ['POST /bulk_reset_hwid', () => ({ usernames: ['somebody'] })],
  ['POST /bulk_delete_users', () => ({ usernames: ['somebody'] })],
  ['POST /bulk_extend_users', () => ({ usernames: ['somebody'], subscription: 1, unit: 'days', duration: 1 })],
  ['POST /bulk_subtract_users', () => ({ usernames: ['somebody'], unit: 'days', duration: 1 })],
  ['POST /alerts/bulk', () => ({ action: 'review', alertIds: ['alert_none'] })],
  ['POST /add_time_licenses', (licenses: string[]) => ({ licenses, expiryUnit: 'days', duration: 1 })],
])('%s is a bulk action', async (call, bodyOf) => {
  const owner = await newOwnerWithApp(app)
  const body = bodyOf(await newLicenses(owner, 1))
  await setPlan(app, owner.id, 'Bare')
  const path = `/api/1.0/website${call.split(' ')[1]}`
  expect((await owner.visitor.send('POST', path, { body })).body).toMatchObject({ code: 'PLAN_FEATURE_MISSING' })
  await setPlan(app, owner.id, 'Free')
  expect((await owner.visitor.send('POST', path, { body })).status).toBe(200)
})

test('without custom_variables, none can be created; existing ones stay and can be changed and deleted', async () => {
  const owner = await newOwnerWithApp(app)
  await setVariable(owner, 'greeting', 'hello')
  await setPlan(app, owner.id, 'Bare')
  expect((await setVariable(owner, 'another', 'x')).body.code).toBe('PLAN_FEATURE_MISSING')
  expect((await setVariable(owner, 'greeting', 'good day')).status).toBe(200)
  const remove = { variableName: 'greeting', deleteVariable: true }
  expect((await owner.visitor.call('POST /modify_app_var', { body: remove })).status).toBe(200)
})

test('without advanced_analytics, the overview is rejected; its logs stay', async () => {
  const owner = await newOwnerWithApp(app)
  await setPlan(app, owner.id, 'Free')
  const { status, body } = await owner.visitor.call('GET /overview')
  expect([status, body.code]).toEqual([403, 'PLAN_FEATURE_MISSING'])
  expect((await owner.visitor.call('GET /logs')).status).toBe(200)
})

test('without custom_branding, no reseller can get a domain; an existing one is shown and can be deleted', async () => {
  const owner = await newOwnerWithApp(app)
  const { id } = await newReseller(app, owner)
  const save = (domain: string) =>
    owner.visitor.call('POST /resellers/{id}/domain', { params: { id }, body: { domain } })
  expect((await save('keys.example.com')).status).toBe(200)
  await setPlan(app, owner.id, 'Developer')
  expect((await save('other.example.com')).body.code).toBe('PLAN_FEATURE_MISSING')
  expect((await owner.visitor.call('GET /resellers/{id}/domain', { params: { id } })).status).toBe(200)
  expect((await owner.visitor.call('DELETE /resellers/{id}/domain', { params: { id } })).status).toBe(200)
})

test("a new plan applies on the owner's next call", async () => {
  const owner = await newOwnerWithApp(app)
  const body = { action: 'ban' as const, licenses: await newLicenses(owner, 1) }
  await setPlan(app, owner.id, 'Bare')
  expect((await owner.visitor.call('POST /licenses/bulk', { body })).status).toBe(403)
  await setPlan(app, owner.id, 'Free')
  expect((await owner.visitor.call('POST /licenses/bulk', { body })).status).toBe(200)
})

test('without file_upload, nothing can be uploaded; existing files can be downloaded and deleted', async () => {
  const owner = await newOwnerWithApp(app)
  const upload = () =>
    owner.visitor.call('POST /downloads/upload', { body: { name: 'tool.zip' }, file: new Blob(['bytes']) })
  const { downloadId } = (await upload()).body.download
  await setPlan(app, owner.id, 'Bare')
  expect((await upload()).body).toMatchObject({ code: 'PLAN_FEATURE_MISSING', feature: 'file_upload' })
  const file = await fetch(`${app.url}/api/1.0/download/${downloadId}`)
  expect([file.status, await file.text()]).toEqual([200, 'bytes'])
  const params = { name: downloadId }
  expect((await owner.visitor.call('DELETE /downloads/file/{name}', { params })).status).toBe(200)
})
