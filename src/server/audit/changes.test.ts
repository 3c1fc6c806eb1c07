import { afterAll, beforeAll, expect, test } from 'vitest'
import { newUser } from '#testing/people/end-users.ts'
import { newAdmin, newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const latest = async (act: string) => {
  const { entries } = (await owner.visitor.call('GET /audit', { query: { act, limit: 1 } })).body
  return entries[0]?.details ?? {}
}

test('an edit has each changed field before and after, and an unchanged one not at all', async () => {
  const { visitor } = owner
  const [licenseKey = ''] = await newLicenses(owner, 1)
  await visitor.call('POST /update_license', { body: { licenseKey, notes: 'first' } })
  await visitor.call('POST /update_license', { body: { licenseKey, notes: 'x'.repeat(400) } })
  const { changes } = (await latest('license.update')) as { changes: Record<string, unknown> }
  expect(Object.keys(changes)).toEqual(['notes'])
  // The audit is kept forever: a long text is shortened.
  expect(changes['notes']).toEqual(['first', `${'x'.repeat(300)}…`])
  await visitor.call('POST /update_subscription', { body: { level: 1, name: 'Gold' } })
  expect(await latest('subscription.update')).toMatchObject({ changes: { name: [expect.any(String), 'Gold'] } })
  await visitor.call('POST /update_app', {
    body: { appId: owner.appId, version: '2.0', settings: { appStatus: false } },
  })
  expect(await latest('app.update')).toMatchObject({
    changes: { version: [expect.any(String), '2.0'], appStatus: [true, false] },
  })
  await visitor.call('POST /update_subscription', { body: { level: 1, name: 'Gold' } })
  expect(await latest('subscription.update')).not.toHaveProperty('changes')
})

test('a secret, an address, or the data of a customer is only said to have changed', async () => {
  const { visitor } = owner
  const username = await newUser(owner, 'ida')
  await visitor.call('POST /edit_user', {
    body: { username, email: 'ida.secret@example.com', password: 'Another-secret-1' },
  })
  expect(await latest('user.edit')).toMatchObject({ changes: { email: 'changed', password: 'changed' } })
  const link = 'https://discord.com/api/webhooks/1/secret-path'
  await visitor.call('POST /update_app', { body: { appId: owner.appId, settings: { discordWebhookLink: link } } })
  expect(await latest('app.update')).toMatchObject({ changes: { discordWebhookLink: 'changed' } })
  for (const variableData of ['secret-1', 'secret-2'])
    await visitor.call('POST /modify_app_var', { body: { variableName: 'v', variableData, authenticated: true } })
  expect(await latest('variable.update')).toMatchObject({ changes: { variableData: 'changed' } })
  await visitor.call('POST /user_variables', { body: { username, variableName: 'v', variableData: 'secret-3' } })
  await visitor.call('PUT /user_variables', { body: { username, variableName: 'v', variableData: 'secret-4' } })
  expect(await latest('user.update-variable')).toMatchObject({ changes: { variableData: 'changed' } })
  const webhook = await visitor.call('POST /create_webhook', { body: { url: 'https://hooks.example/secret-5' } })
  const { webhookId } = webhook.body
  await visitor.call('POST /update_webhook', { body: { webhookId, url: 'https://hooks.example/secret-6' } })
  expect(await latest('webhook.update')).toMatchObject({ changes: { url: 'changed' } })
  const admin = await newAdmin(app)
  const settings = { smtpHost: 'mail.example', smtpPassword: 'secret-7' }
  await admin.visitor.send('POST', '/api/1.0/website/admin/settings/email', { body: { settings } })
  const rows = await app.db.read.selectFrom('audit').select('details').execute()
  for (const { details } of rows) expect(details).not.toMatch(/secret-|Another-secret|ida\.secret|secret-path/)
})
