import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallDefinition } from '#contract/define-call.ts'
import { pathOf } from '../server/http/call-routes.ts'
import { databaseDigest, databaseRows } from '#testing/database-digest.ts'
import { type BusyApp, fillApp } from '#testing/busy-app.ts'
import { deleteUser } from '#testing/people/end-users.ts'
import { newOwner, newOwnerWithApp } from '#testing/people/people.ts'
import { type JsonSchema, kindOfField, type Objects, sampleInput } from '#testing/sample-input.ts'
import { liftSellerLimits, newSeller } from '#testing/people/sellers.ts'
import { newFailedJob } from '#testing/failed-jobs.ts'
import { newImportedLicense } from '#testing/people/import-inputs.ts'
import { changedVariable } from '#testing/people/undo-inputs.ts'
import { startTestApp, type TestApp, testEngine } from '#testing/start-test-app.ts'
import type { Answer, Visitor } from '#testing/people/visitor.ts'
import { features } from '../features.ts'

/**
 * Every call × actor × object, made from the contracts, so that a new call is covered the moment it
 * exists: strangers are rejected, a foreign object looks exactly like a missing one,
 * and a rejected call changes nothing.
 */

const calls = features.flatMap(({ endpoints }) => endpoints.map(({ call }) => call))
const guarded = calls.filter((call) => call.access !== 'anyone')
const endsItsCaller = new Set(['POST /logout-all', 'POST /profile/delete-account'])
const nameOf = (call: CallDefinition) => `${call.method} ${call.path}`

let app: TestApp
let own: BusyApp
let foreign: BusyApp
const missing: Objects = {
  appId: 'app_AAAAAAAAAAAAAAAA',
  appName: 'No such app',
  licenseKey: 'NONE-NONE-NONE-NONE',
  username: 'nobody-at-all',
  sellerKey: 'AAAAAAAA',
  sessionId: 'no-such-session',
  logId: 999_999_999,
  binItemId: 999_999_999,
  alertId: 'no-such-alert',
  downloadId: 'AAAAAAAAAAAAAAAAAAAAAA',
  webhookId: 'wh_AAAAAAAAAAAA',
  deliveryId: 999_999_999,
  listenerId: 'wl_AAAAAAAAAAAA',
  resellerId: 'rs_no_such_reseller',
  resellerName: 'no-such-reseller',
  accountId: 'no-such-account',
  accountSessionId: 'no-such-session',
  resellerSessionId: 'no-such-session',
  viewId: 'view_no_such_view',
  resellerViewId: 'view_no_such_view',
  auditId: 999_999_999,
  planId: 'no-such-plan',
  level: 1,
  userUndoId: 'no-such-undo',
  licenseUndoId: 'no-such-undo',
  sellerKeyUndoId: 'no-such-undo',
  variableUndoId: 'no-such-undo',
  binUndoId: 'no-such-undo',
  importId: 'no-such-import',
  jobId: 999_999_999,
}

beforeAll(async () => {
  app = await startTestApp()
  await liftSellerLimits(app)
  own = await filled('Own app')
  foreign = await filled('Foreign app')
})
afterAll(() => app.close())

/** One of everything that a call can name; a pause of each kind of rows can be undone. */
async function filled(appName: string): Promise<BusyApp> {
  const busy = await fillApp(app, await newOwnerWithApp(app, appName))
  const { visitor, id } = busy.owner
  const spare = await newSeller(app, busy.owner)
  const { body } = await visitor.call('GET /profile/sessions')
  const ofReseller = await busy.reseller.visitor.call('GET /reseller/profile/sessions')
  const audit = await visitor.call('GET /audit')
  const undoOf = async (noun: string, named: object) =>
    String((await visitor.send('POST', `/api/1.0/website/${noun}/bulk`, { body: named })).body['undoId'])
  const { id: binItemId } = await deleteUser(busy.owner)
  const { undoId: binUndoId } = await deleteUser(busy.owner)
  return {
    ...busy,
    binItemId,
    binUndoId,
    importId: await newImportedLicense(busy.owner),
    resellerName: busy.reseller.username,
    accountId: id,
    auditId: audit.body.entries[0]?.id ?? 0,
    accountSessionId: body.sessions[0]?.session_id ?? '',
    resellerSessionId: ofReseller.body.sessions[0]?.session_id ?? '',
    planId: 'no-such-plan',
    jobId: await newFailedJob(app),
    level: 1,
    userUndoId: await undoOf('users', { action: 'ban', usernames: [busy.username] }),
    licenseUndoId: await undoOf('licenses', { action: 'ban', licenses: [busy.licenseKey] }),
    sellerKeyUndoId: await undoOf('seller_keys', { action: 'pause', sellerKeys: [spare.key.slice(8, 16)] }),
    variableUndoId: await changedVariable(busy.owner),
  }
}

function send(
  visitor: Visitor,
  call: CallDefinition,
  objects: Objects,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return visitor.send(call.method, pathOf(call), { ...sampleInput(call, objects), headers })
}

/** Headers of this one request, and the length of a body that is compared itself. */
const headersOfOne = new Set(
  'date etag set-cookie x-csrf-token x-request-id content-length ratelimit-remaining ratelimit-reset'.split(' '),
)

/** What a caller can see of an answer, without what names this one request or the object asked for. */
function visible({ status, body, headers }: Answer, objects: Objects): string {
  const shown = [...headers].map(([name, value]) => [name, headersOfOne.has(name) ? '' : value])
  let text = JSON.stringify({ status, body: { ...body, requestId: '' }, headers: shown })
  for (const value of Object.values(objects)) if (typeof value === 'string') text = text.replaceAll(value, '…')
  return text
}

/**
 * Rejected before a call reads or writes anything of its own, so on the second engine one call of each kind of access
 * shows it.
 */
const rejectedByAccess = guarded.filter(
  ({ access, app: needsApp }, at) =>
    testEngine === 'sqlite' || guarded.findIndex((call) => call.access === access && call.app === needsApp) === at,
)

describe.each(rejectedByAccess.map((call) => [nameOf(call), call] as const))('%s', (_name, call) => {
  test('rejects a call without a session and changes nothing', async () => {
    const before = await databaseDigest(app.db)
    const visitor = app.visitor()
    const answer = await send(visitor, call, own)
    expect(answer.status).toBe(401)
    expect(answer.body).toMatchObject({ success: false, code: expect.stringMatching(/^[A-Z_]+$/) })
    expect(await databaseDigest(app.db)).toBe(before)
  })

  test('rejects a forged session exactly like a missing one (R-SES-09)', async () => {
    const forged = await send(app.visitor(), call, own, { cookie: `sid=${'A'.repeat(43)}; vid=${'B'.repeat(43)}` })
    // Without a matching CSRF token a forged cookie comes no further than that.
    expect([401, 403]).toContain(forged.status)
    expect(forged.body.success).toBe(false)
  })

  if (call.access === 'admin')
    test("rejects an owner who isn't an administrator", async () => {
      const before = await databaseDigest(app.db)
      expect((await send(own.owner.visitor, call, own)).status).toBe(403)
      expect(await databaseDigest(app.db)).toBe(before)
    })

  if (call.access === 'account' || call.access === 'admin')
    test('rejects a reseller (R-TEN-06)', async () => {
      const before = await databaseDigest(app.db)
      expect((await send(own.reseller.visitor, call, own)).status).toBe(403)
      expect(await databaseDigest(app.db)).toBe(before)
    })

  if (call.access === 'reseller')
    test('rejects an owner', async () => {
      const before = await databaseDigest(app.db)
      expect((await send(own.owner.visitor, call, own)).status).toBe(403)
      expect(await databaseDigest(app.db)).toBe(before)
    })

  // A seller key has one app and can name no other.
  if (call.app && call.access !== 'seller-key')
    test("another owner's app looks like a missing one and isn't changed (R-TEN-02, R-TEN-03)", async () => {
      const before = await databaseDigest(app.db)
      const ofForeign = await send(callerOf(call), call, foreign, { 'x-app-id': foreign.appId })
      const ofMissing = await send(callerOf(call), call, missing, { 'x-app-id': missing.appId })
      expect(ofForeign.status).toBe(404)
      expect(visible(ofForeign, foreign)).toBe(visible(ofMissing, missing))
      expect(await databaseDigest(app.db)).toBe(before)
    })
})

describe.each(guarded.map((call) => [nameOf(call), call] as const))('%s', (_name, call) => {
  test("another owner's object looks like a missing one (R-TEN-02)", async () => {
    // The snapshots of all calls are more than one session may ask for in a minute.
    app.advance(1)
    const [before, whole] = [await rowsOfForeign(), await digest()]
    // Whoever makes one of these calls can make no other afterwards.
    const { visitor } = endsItsCaller.has(nameOf(call)) ? await newOwner(app) : { visitor: callerOf(call) }
    const headers = { ...(call.app && { 'x-app-id': own.appId }), ...bearerOf(call) }
    const ofForeign = await send(visitor, call, foreign, headers)
    expect(ofForeign.status).toBeLessThan(500)
    expect(await rowsOfForeign()).toEqual(before)
    if (ofForeign.status >= 400) expect(await digest()).toBe(whole)
    if (namesObject(call)) {
      const ofMissing = await send(visitor, call, missing, headers)
      expect(visible(ofForeign, foreign)).toBe(visible(ofMissing, missing))
      if (findsObject(call))
        expect(ofMissing).toMatchObject({ status: 404, body: { code: expect.stringMatching(/_NOT_FOUND$/) } })
    }
  })
})

const callerOf = ({ access }: CallDefinition): Visitor =>
  access === 'reseller' ? own.reseller.visitor : own.owner.visitor

const bearerOf = (call: CallDefinition): Record<string, string> =>
  call.access === 'seller-key' ? { authorization: `Bearer ${own.seller.key}` } : {}

/** Each field of a call, with the kind of object that it names. */
const fieldsOf = (call: CallDefinition) =>
  (['params', 'query', 'body'] as const).flatMap((part) =>
    Object.keys((call[part] as JsonSchema | undefined)?.properties ?? {}).map((field) => {
      return { part, field, kind: kindOfField(field, part, call) }
    }),
  )

/** An object of one owner: not the app that the header names, nor a level, which any app may have. */
const namesObject = (call: CallDefinition): boolean =>
  fieldsOf(call).some(({ field, kind }) => kind !== undefined && kind !== 'level' && !(call.app && field === 'appId'))

/** Calls that don't reject a missing object: they create it, reject the minimal input first, or return an empty list. */
const findsNone = new Set([
  'POST /create_user',
  'POST /users',
  'GET /resellers',
  'POST /resellers/{id}/domain',
  'GET /find_license',
  'GET /webhook_deliveries',
  'GET /alerts/user/{username}/activity',
  'GET /audit',
  'GET /audit/{id}/targets',
  'GET /audit_facets',
  'GET /export_audit',
])

/** Whether the call acts on a single object, so that a missing one is rejected with 404. */
const findsObject = (call: CallDefinition): boolean =>
  call.access !== 'admin' &&
  !findsNone.has(nameOf(call)) &&
  !fieldsOf(call).some(({ field, kind }) => kind !== undefined && field.endsWith('s'))

/** Without the keys of the seller API, which store when they were used. */
const digest = () => databaseDigest(app.db, ['seller_keys'])

/** All that the other owner has, as it is stored. */
async function rowsOfForeign() {
  const owned = new Set([foreign.accountId, foreign.appId, foreign.resellerId])
  return databaseRows(app.db, (row) =>
    [row['id'], row['owner_id'], row['app_id'], row['reseller_id'], row['account_id']].some((id) =>
      owned.has(id as string),
    ),
  )
}

/** Fields that look like the name of an object and are none. */
// The reseller of licenses is a filter: one that isn't the owner's has made none of them. An event is no object, and the newest ID that was seen is a bound.
// A setup is one of the caller, who has no other.
const namesNone = new Set([
  'registrationToken',
  'name',
  'hwid',
  'level',
  'resellerId',
  'lastEventId',
  'newestId',
  'setupId',
])

test('every object that a call can name has a sample', () => {
  for (const call of guarded) {
    const naming = fieldsOf(call).filter(({ part, field }) => part === 'params' || /(^i|I)ds?$/.test(field))
    for (const { field, kind } of naming.filter((each) => !namesNone.has(each.field))) {
      expect(kind && [foreign[kind], missing[kind]], `${nameOf(call)}: ${field}`).toEqual([
        expect.anything(),
        expect.anything(),
      ])
    }
  }
})

test('there are calls to check, and each declares who may call it (R-TEN-01)', () => {
  expect(guarded.length).toBeGreaterThan(15)
  for (const call of calls) expect(['anyone', 'account', 'admin', 'reseller', 'seller-key']).toContain(call.access)
})

test("no GET changes anything except a file's download count, whoever calls it (R-CSRF-05)", async () => {
  const before = await databaseDigest(app.db)
  for (const call of calls.filter(({ method, file }) => method === 'GET' && !file)) {
    for (const visitor of [own.owner.visitor, own.reseller.visitor, app.visitor()]) {
      const answer = await send(visitor, call, own, call.app ? { 'x-app-id': own.appId } : {})
      expect(answer.status, nameOf(call)).toBeLessThan(500)
    }
  }
  expect(await databaseDigest(app.db)).toBe(before)
})
