import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { EventListener } from '#testing/event-listener.ts'
import { newLicenses } from '#testing/people/people.ts'
import { newShop, type Shop, sold } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** With two processes, two streams that open one after the other are at different ones. */

let app: TestApp
let shop: Shop
let streams: EventListener[] = []
let path: string

beforeAll(async () => {
  app = await startTestApp()
})
beforeEach(async () => {
  // An address may register few accounts in an hour.
  app.advance(3600)
  shop = await newShop(app)
  const body = { events: ['license.banned'] }
  const { listenerId } = await sold<{ listenerId: string }>(shop.seller, 'POST', '/webhooks/listeners', body)
  path = `/webhooks/listeners/${listenerId}`
  for (let times = 0; times < 2; times++)
    streams.push(await EventListener.openAsSeller(app, shop.seller, `${path}/events`))
  for (const stream of streams) await stream.next()
})
afterEach(() => {
  for (const stream of streams) stream.leave()
  streams = []
})
afterAll(() => app.close())

test('an event reaches streams of both processes, whichever of them it happens in', async () => {
  const licenses = await newLicenses(shop.owner, 4)
  for (const [at, licenseKey] of licenses.entries()) {
    await shop.owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey } })
    for (const stream of streams)
      expect(await stream.next()).toMatchObject({
        id: String(at + 1),
        data: { body: expect.stringContaining(licenseKey) },
      })
  }
})

test('a listener that is ended in one process ends the streams of both, and neither stores another event', async () => {
  await sold(shop.seller, 'DELETE', path)
  for (const stream of streams) expect(await stream.next()).toBeUndefined()
  for (const licenseKey of await newLicenses(shop.owner, 2))
    await shop.owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey } })
  const { appId } = shop.owner
  const rows = app.db.read.selectFrom('webhook_listener_events').select('number').where('app_id', '=', appId)
  expect(await rows.execute()).toEqual([])
})
