import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallDefinition } from '#contract/define-call.ts'
import { pathOf } from '#server/call-routes.ts'
import { databaseDigest } from '#testing/database-digest.ts'
import { newLicenses, newOwner, newOwnerWithApp, type OwnedApp } from '#testing/people.ts'
import { Program } from '#testing/program.ts'
import { newSellingReseller } from '#testing/resellers.ts'
import { liftSellerLimits, newSeller, type Seller } from '#testing/sellers.ts'
import { newAlert } from '#testing/busy-app.ts'
import { type Objects, sampleInput } from '#testing/sample-input.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import type { Answer, Visitor } from '#testing/visitor.ts'
import { features } from './features.ts'

/**
 * Every call × actor × object, made from the contracts, so that a new call is covered the moment it
 * exists (DESIGN §6.2): strangers are refused, a foreign object looks exactly like a missing one,
 * and a refused call changes nothing.
 */

const calls = features.flatMap(({ endpoints }) => endpoints.map(({ call }) => call))
const guarded = calls.filter((call) => call.access !== 'anyone')
const endsItsCaller = new Set(['POST /logout-all', 'POST /profile/delete-account'])
const nameOf = (call: CallDefinition) => `${call.method} ${call.path}`

let app: TestApp
let owner: OwnedApp
let stranger: OwnedApp
let own: Objects
let foreign: Objects
/** A key of the own app, for the calls that take no session. */
let seller: Seller
/** Who has the own app, for the calls of resellers. */
let reseller: Visitor
const missing: Objects = {
  appId: 'app_AAAAAAAAAAAAAAAA',
  appName: 'No such app',
  licenseKey: 'NONE-NONE-NONE-NONE',
  username: 'nobody-at-all',
  sellerKey: 'AAAAAAAA',
  sessionId: 'no-such-session',
  alertId: 'no-such-alert',
  downloadId: 'AAAAAAAAAAAAAAAAAAAAAA',
  webhookId: 'wh_AAAAAAAAAAAA',
  deliveryId: 999_999_999,
  resellerId: 'rs_no_such_reseller',
}

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app, 'Own app')
  stranger = await newOwnerWithApp(app, 'Foreign app')
  own = await objectsOf(owner)
  foreign = await objectsOf(stranger)
  reseller = (await newSellingReseller(app, {}, owner)).visitor
  await liftSellerLimits(app)
  seller = await newSeller(app, owner)
})
afterAll(() => app.close())

async function objectsOf(person: OwnedApp): Promise<Objects> {
  const [licenseKey = ''] = await newLicenses(person, 1)
  const username = `user-of-${person.username}`
  await person.visitor.call('POST /create_user', { body: { username, password: 'Password-of-user' } })
  const { key } = await newSeller(app, person)
  await (await Program.of(app, person)).init()
  const { body } = await person.visitor.call('GET /sessions')
  const sessionId = body.sessions[0]?.session_id ?? ''
  const alertId = await newAlert(app, person)
  const upload = { body: { name: 'file' }, file: new Blob(['bytes']) }
  const { downloadId } = (await person.visitor.call('POST /downloads/upload', upload)).body.download
  const webhook = await person.visitor.call('POST /create_webhook', { body: { url: 'https://hooks.example/' } })
  const { webhookId } = webhook.body
  await person.visitor.call('POST /test_webhooks', { body: {} })
  const deliveries = await person.visitor.call('GET /webhook_deliveries', { query: { webhookId } })
  const deliveryId = deliveries.body.deliveries[0]?.id ?? 0
  const { id: resellerId } = await newSellingReseller(app, {}, person)
  const { appId, appName } = person
  const own = { appId, appName, licenseKey, username, sellerKey: key.slice(8, 16), sessionId }
  return { ...own, alertId, downloadId, webhookId, deliveryId, resellerId }
}

function send(
  visitor: Visitor,
  call: CallDefinition,
  objects: Objects,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return visitor.send(call.method, pathOf(call), { ...sampleInput(call, objects), headers })
}

/** What a caller can see of an answer, without what names this one request or the object asked for. */
function visible({ status, body }: Answer, objects: Objects): string {
  let text = JSON.stringify({ status, body: { ...body, requestId: '' } })
  for (const value of Object.values(objects)) if (typeof value === 'string') text = text.replaceAll(value, '…')
  return text
}

describe.each(guarded.map((call) => [nameOf(call), call] as const))('%s', (_name, call) => {
  test('refuses somebody without a session and changes nothing', async () => {
    const before = await databaseDigest(app.db)
    const visitor = app.visitor()
    const answer = await send(visitor, call, own)
    expect(answer.status).toBe(401)
    expect(answer.body).toMatchObject({ success: false, code: expect.stringMatching(/^[A-Z_]+$/) })
    expect(await databaseDigest(app.db)).toBe(before)
  })

  test('refuses a forged session exactly like a missing one (R-SES-09)', async () => {
    const forged = await send(app.visitor(), call, own, { cookie: `sid=${'A'.repeat(43)}; vid=${'B'.repeat(43)}` })
    // Without a matching CSRF token a forged cookie comes no further than that.
    expect([401, 403]).toContain(forged.status)
    expect(forged.body.success).toBe(false)
  })

  if (call.access === 'admin')
    test('refuses an owner who is no administrator', async () => {
      const before = await databaseDigest(app.db)
      expect((await send(owner.visitor, call, own)).status).toBe(403)
      expect(await databaseDigest(app.db)).toBe(before)
    })

  if (call.access === 'account' || call.access === 'admin')
    test('refuses a reseller (R-TEN-06)', async () => {
      const before = await databaseDigest(app.db)
      expect((await send(reseller, call, own)).status).toBe(403)
      expect(await databaseDigest(app.db)).toBe(before)
    })

  if (call.access === 'reseller')
    test('refuses an owner', async () => {
      const before = await databaseDigest(app.db)
      expect((await send(owner.visitor, call, own)).status).toBe(403)
      expect(await databaseDigest(app.db)).toBe(before)
    })

  // A seller key has one app and can name no other.
  if (call.app && call.access !== 'seller-key')
    test("a foreign app looks like one that never was, and isn't touched (R-TEN-02, R-TEN-03)", async () => {
      const before = await databaseDigest(app.db)
      const ofForeign = await send(callerOf(call), call, foreign, { 'x-app-id': foreign.appId })
      const ofMissing = await send(callerOf(call), call, missing, { 'x-app-id': missing.appId })
      expect(ofForeign.status).toBe(404)
      expect(visible(ofForeign, foreign)).toBe(visible(ofMissing, missing))
      expect(await databaseDigest(app.db)).toBe(before)
    })

  test('a foreign object looks like one that never was (R-TEN-02)', async () => {
    // The snapshots of all calls are more than one session may ask for in a minute.
    app.advance(1)
    const input = JSON.stringify(sampleInput(call, foreign))
    const namesObject = [
      foreign.licenseKey,
      foreign.appId,
      foreign.username,
      foreign.sellerKey ?? '',
      foreign.sessionId ?? '',
      foreign.downloadId ?? '',
      foreign.webhookId ?? '',
      foreign.resellerId ?? '',
    ].some((name) => name !== '' && input.includes(name))
    const before = await snapshotOfForeign()
    // Whoever makes one of these calls can make no other afterwards.
    const { visitor } = endsItsCaller.has(nameOf(call)) ? await newOwner(app) : { visitor: callerOf(call) }
    const headers = { ...(call.app && { 'x-app-id': own.appId }), ...bearerOf(call) }
    const ofForeign = await send(visitor, call, foreign, headers)
    if (namesObject) {
      const ofMissing = await send(visitor, call, missing, headers)
      expect(visible(ofForeign, foreign)).toBe(visible(ofMissing, missing))
    }
    expect(ofForeign.status).toBeLessThan(500)
    expect(await snapshotOfForeign()).toBe(before)
  })
})

const callerOf = ({ access }: CallDefinition): Visitor => (access === 'reseller' ? reseller : owner.visitor)

const bearerOf = (call: CallDefinition): Record<string, string> =>
  call.access === 'seller-key' ? { authorization: `Bearer ${seller.key}` } : {}

/** Everything the other owner has, as that owner sees it. */
async function snapshotOfForeign(): Promise<string> {
  const apps = await stranger.visitor.call('GET /apps')
  const licenses = await stranger.visitor.call('GET /licenses', { query: { appId: foreign.appId } })
  const levels = await stranger.visitor.call('GET /subscriptions', { query: { appId: foreign.appId } })
  const users = await stranger.visitor.call('GET /users', { query: { appId: foreign.appId } })
  const sellerKeys = await stranger.visitor.call('GET /seller_keys', { query: { appId: foreign.appId } })
  const sessions = await stranger.visitor.call('GET /sessions', { query: { appId: foreign.appId } })
  const files = await stranger.visitor.call('GET /downloads', { query: { appId: foreign.appId } })
  const resellers = await stranger.visitor.call('GET /resellers')
  const all = [apps, licenses, levels, users, sellerKeys, sessions, files, resellers]
  return JSON.stringify(all.map(({ body }) => body))
}

test('there are calls to check, and each says who may call it (R-TEN-01)', () => {
  expect(guarded.length).toBeGreaterThan(15)
  for (const call of calls) expect(['anyone', 'account', 'admin', 'reseller', 'seller-key']).toContain(call.access)
})

test('no GET changes anything but the count of a file, whoever calls (R-CSRF-05)', async () => {
  const before = await databaseDigest(app.db)
  for (const call of calls.filter(({ method, file }) => method === 'GET' && !file)) {
    for (const visitor of [owner.visitor, reseller, app.visitor()]) {
      const answer = await send(visitor, call, own, call.app ? { 'x-app-id': own.appId } : {})
      expect(answer.status, nameOf(call)).toBeLessThan(500)
    }
  }
  expect(await databaseDigest(app.db)).toBe(before)
})
