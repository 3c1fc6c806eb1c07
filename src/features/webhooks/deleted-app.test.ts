import { afterAll, beforeAll, expect, test } from 'vitest'
import { newLicenses, newOwnerWithApp } from '#testing/people/people.ts'
import { startReceiver } from '#testing/servers/webhook-receiver.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('from the deletion of its app on, nothing is delivered, including waiting events', async () => {
  const receiver = await startReceiver(app)
  const owner = await newOwnerWithApp(app)
  await owner.visitor.call('POST /create_webhook', { body: { url: receiver.url, events: ['license.banned'] } })
  const [key = ''] = await newLicenses(owner, 1)
  receiver.answer = (response) => void response.writeHead(500).end()
  await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: key } })
  await app.jobsDone()
  expect(receiver.received).toHaveLength(1)
  // As while the rows of a large app are being removed.
  const deleted = { deleted_at: app.now(), name_key: `deleted ${owner.appId}` }
  await app.db.write((tx) => tx.db.updateTable('apps').set(deleted).where('id', '=', owner.appId).execute())
  app.advance(600)
  await app.jobsDone()
  expect(receiver.received).toHaveLength(1)
  await receiver.close()
})
