import { afterAll, beforeAll, expect, test } from 'vitest'
import { unfollowedSeconds } from '#features/webhooks/webhook-listeners.rules.ts'
import { EventListener } from '#testing/event-listener.ts'
import { newLicenses } from '#testing/people/people.ts'
import { newShop, type Shop, sold } from '#testing/people/sellers.ts'
import { hasTwoProcesses, startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let shop: Shop

beforeAll(async () => {
  app = await startTestApp()
  shop = await newShop(app)
})
afterAll(() => app.close())

const listen = async () =>
  (await sold<{ listenerId: string }>(shop.seller, 'POST', '/webhooks/listeners', {})).listenerId

async function listeners(): Promise<string[]> {
  const rows = await app.db.read.selectFrom('webhook_listeners').select('id').execute()
  return rows.map(({ id }) => id)
}

test.skipIf(hasTwoProcesses)('survives a process that stood still for longer while it was followed', async () => {
  const id = await listen()
  const stream = await EventListener.openAsSeller(app, shop.seller, `/webhooks/listeners/${id}/events`)
  expect(await stream.next()).toMatchObject({ event: 'ready' })
  // Nothing ran in between, neither the streams nor the jobs.
  app.advance(2 * unfollowedSeconds)
  await app.jobsDone()
  expect(await listeners()).toEqual([id])
  app.advance(2 * unfollowedSeconds)
  const other = await listen()
  expect((await listeners()).toSorted()).toEqual([id, other].toSorted())
  const [licenseKey = ''] = await newLicenses(shop.owner, 1)
  await shop.owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey } })
  expect(await stream.next()).toMatchObject({ event: 'webhook' })
  stream.leave()
})
