import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallDefinition } from '#contract/define-call.ts'
import { pathOf } from '../server/http/call-routes.ts'
import { type BusyApp, callName, fillApp } from '#testing/busy-app.ts'
import { databaseDigest } from '#testing/database-digest.ts'
import { newOwnerWithApp } from '#testing/people/people.ts'
import { newSellingReseller } from '#testing/people/resellers.ts'
import { newViews } from '#testing/people/saved-views.ts'
import { liftSellerLimits } from '#testing/people/sellers.ts'
import { kindOfField, type Objects, sampleInput } from '#testing/sample-input.ts'
import { startTestApp, type TestApp, testEngine } from '#testing/start-test-app.ts'
import type { Answer } from '#testing/people/visitor.ts'
import { features } from '../features.ts'

/**
 * Within one owner: a row of another app looks like a missing one for a call on this app, for its seller key, and for
 * its reseller, and so does a row of another reseller of the same app.
 */

let app: TestApp
let own: BusyApp
let ofOtherApp: Objects
let ofOtherReseller: Objects

const missing: Omit<Objects, 'appId' | 'appName'> = {
  licenseKey: 'NONE-NONE-NONE-NONE',
  username: 'nobody-at-all',
  sellerKey: 'AAAAAAAA',
  sessionId: 'no-such-session',
  logId: 999_999_999,
  alertId: 'no-such-alert',
  downloadId: 'AAAAAAAAAAAAAAAAAAAAAA',
  webhookId: 'wh_AAAAAAAAAAAA',
  deliveryId: 999_999_999,
  listenerId: 'wl_AAAAAAAAAAAA',
  resellerViewId: 'view_no_such_view',
  resellerSessionId: 'no-such-session',
}

beforeAll(async () => {
  app = await startTestApp()
  await liftSellerLimits(app)
  const owner = await newOwnerWithApp(app, 'First')
  const { visitor } = owner
  own = await fillApp(app, owner)
  const other = await visitor.call('POST /create_app', { body: { appName: 'Second', version: '1.0.0' } })
  visitor.appId = other.body.appId
  await visitor.call('POST /create_subscription', { body: { level: 1, name: 'Basic' } })
  ofOtherApp = await fillApp(app, { ...owner, appId: other.body.appId, appName: 'Second' })
  visitor.appId = undefined
  const reseller = await newSellingReseller(app, {}, owner)
  const [licenseKey = ''] = ((await reseller.sell()).body as unknown as { licenses: string[] }).licenses
  const { sessions } = (await reseller.visitor.call('GET /reseller/profile/sessions')).body
  const { resellerViewId } = await newViews({ owner, reseller })
  ofOtherReseller = {
    ...own,
    licenseKey,
    resellerSessionId: sessions[0]?.session_id ?? '',
    resellerViewId,
  }
})
afterAll(() => app.close())

/** Only of this one request, or of what is compared itself. */
const headersOfOne = new Set(
  'date etag set-cookie x-csrf-token x-request-id content-length ratelimit-remaining ratelimit-reset'.split(' '),
)

function visible({ status, body, headers }: Answer, objects: Partial<Objects>): string {
  const shown = [...headers].filter(([name]) => !headersOfOne.has(name))
  let text = JSON.stringify({ status, body: { ...body, requestId: '' }, headers: shown })
  for (const value of Object.values(objects)) if (typeof value === 'string') text = text.replaceAll(value, '…')
  return text
}

/** What the calls name that these tests have two of. */
const namesRow = (call: CallDefinition): boolean =>
  (['params', 'query', 'body'] as const).some((part) =>
    Object.keys((call[part] as { properties?: object } | undefined)?.properties ?? {}).some((field) => {
      const kind = kindOfField(field, part, call)
      return kind !== undefined && kind in missing
    }),
  )

/** These create the row that is missing, or say what the caller may create. */
const createsRow = new Set(['POST /create_user', 'POST /users'])

const calls = features
  .flatMap(({ endpoints }) => endpoints.map(({ call }) => call as CallDefinition))
  .filter((call) => namesRow(call) && !createsRow.has(callName(call)))

async function expectMissing(call: CallDefinition, foreign: Objects): Promise<void> {
  app.advance(1)
  const { owner, reseller, seller, appId, appName } = own
  const headers: Record<string, string> =
    call.access === 'seller-key' ? { authorization: `Bearer ${seller.key}` } : call.app ? { 'x-app-id': appId } : {}
  const send = (objects: Objects) =>
    (call.access === 'reseller' ? reseller : owner).visitor.send(call.method, pathOf(call), {
      ...sampleInput(call, { ...objects, appId, appName }),
      headers,
    })
  const named = Object.fromEntries(Object.entries(foreign).filter(([kind]) => kind in missing))
  // The first call of a key stores when it was used. What a rejected call writes, no engine decides.
  const digest = async () => (testEngine === 'sqlite' ? databaseDigest(app.db, ['seller_keys']) : '')
  const before = await digest()
  const answer = await send({ ...named, appId, appName } as Objects)
  if (answer.status >= 400) expect(await digest()).toBe(before)
  expect(visible(answer, named)).toBe(visible(await send({ ...missing, appId, appName } as Objects), missing))
}

describe('another app of the owner', () => {
  const onApp = calls.filter(({ app: needsApp }) => needsApp)
  test('there are calls to check', () => expect(onApp.length).toBeGreaterThan(80))
  test.each(onApp.map((call) => [`${call.access}: ${callName(call)}`, call] as const))(
    '%s: a row of another app looks like a missing one',
    (_name, call) => expectMissing(call, ofOtherApp),
  )
})

describe('another reseller of the app', () => {
  const ofReseller = calls.filter(({ access }) => access === 'reseller')
  test('there are calls to check', () => expect(ofReseller.length).toBeGreaterThan(3))
  test.each(ofReseller.map((call) => [callName(call), call] as const))(
    '%s: a row of another reseller looks like a missing one',
    (_name, call) => expectMissing(call, ofOtherReseller),
  )
})
