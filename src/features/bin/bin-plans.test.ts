import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOwnerWithApp, type OwnedApp, setPlan } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** Restoring is limited by the plan like creating. */

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
  const row = { price_cents: 0, position: 9, active: 1, features: '[]', max_storage_mb: 1 }
  const limits = { max_apps: -1, max_users_per_app: 2, max_licenses_per_app: 2, max_variables_per_app: -1 }
  const plan = { ...row, ...limits, name: 'Two', display_name: 'Two' }
  await app.db.write(({ db }) => db.insertInto('plans').values(plan).execute())
})
afterAll(() => app.close())

const itemsOf = async (owner: OwnedApp) => (await owner.visitor.call('GET /bin', { query: { limit: 100 } })).body.items
const restoreAll = async (owner: OwnedApp) => {
  const ids = (await itemsOf(owner)).map(({ id }) => id)
  return owner.visitor.call('POST /bin/restore', { body: { ids } })
}

async function deleteNewLicense({ appId, visitor }: OwnedApp, licenseKey: string) {
  const row = { app_id: appId, license: licenseKey, level: 1, duration_seconds: 0, created_at: app.now() }
  await app.db.write(({ db }) =>
    db
      .insertInto('licenses')
      .values(row as never)
      .execute(),
  )
  expect((await visitor.call('POST /delete_license', { body: { licenseKey } })).status).toBe(200)
}

async function deleteNewUser({ visitor }: OwnedApp, username: string) {
  await visitor.call('POST /create_user', { body: { username, password: 'User-only-4711' } })
  expect((await visitor.call('POST /delete_user', { body: { username } })).status).toBe(200)
}

test.each([
  ['licenses of one key', deleteNewLicense, 'LICENSE_TAKEN'],
  ['users of one name', deleteNewUser, 'USERNAME_TAKEN'],
])('several %s take the room of one', async (_name, deleteNew, code) => {
  const owner = await newOwnerWithApp(app)
  await setPlan(app, owner.id, 'Two')
  for (const name of ['other', 'same', 'same']) await deleteNew(owner, name)
  expect((await restoreAll(owner)).body).toMatchObject({ restored: 2, failed: 1, failures: [{ name: 'same', code }] })
})

test.each([
  [
    'custom_variables',
    async ({ visitor }: OwnedApp) => {
      const variable = { variableName: 'api_key', variableData: '1' }
      await visitor.call('POST /modify_app_var', { body: variable })
      await visitor.call('POST /modify_app_var', { body: { variableName: 'api_key', deleteVariable: true } })
    },
  ],
  [
    'webhooks',
    async ({ visitor }: OwnedApp) => {
      const body = { url: 'https://example.com/hook', userAgent: 'Shop/1.0' }
      await visitor.call('POST /create_webhook', { body })
      const [webhook] = (await visitor.call('GET /webhooks', { query: {} })).body.webhooks
      await visitor.call('POST /delete_webhook', { body: { webhookId: String(webhook?.webhookId) } })
    },
  ],
  [
    'file_upload',
    async ({ visitor }: OwnedApp) => {
      await visitor.call('POST /downloads/upload', { body: { name: 'Tool' }, file: new File(['1'], 'setup.exe') })
      await visitor.call('DELETE /downloads/file/{name}', { params: { name: 'Tool' }, body: {} })
    },
  ],
])('what needs %s stays in the bin while the plan lacks it', async (feature, create) => {
  const owner = await newOwnerWithApp(app)
  await setPlan(app, owner.id, 'Pro')
  await create(owner)
  await setPlan(app, owner.id, 'Two')
  expect((await restoreAll(owner)).body).toMatchObject({ code: 'PLAN_FEATURE_MISSING', values: { feature } })
  expect(await itemsOf(owner)).toHaveLength(1)
  await setPlan(app, owner.id, 'Pro')
  expect((await restoreAll(owner)).body).toMatchObject({ restored: 1, failed: 0 })
})
