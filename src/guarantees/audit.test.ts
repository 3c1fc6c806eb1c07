import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallDefinition } from '#contract/define-call.ts'
import { pathOf } from '../server/http/call-routes.ts'
import { acceptedInput, type BusyApp, callName, fillApp } from '#testing/busy-app.ts'
import { databaseRows } from '#testing/database-digest.ts'
import { newAdmin, newOwnerWithApp } from '#testing/people/people.ts'
import { countRows, setPlatform } from '#testing/platform.ts'
import { liftSellerLimits, newSeller } from '#testing/people/sellers.ts'
import { fewAtATime, SharedWorld } from '#testing/shared-world.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { features } from '../features.ts'

/**
 * Every call that changes something leaves exactly one audit row (R-LOG-01), made from the contracts: a new call is
 * covered the moment it exists. Its input is in `#testing/busy-app.ts` where the smallest one would be rejected.
 */

/** Send mail, or have it sent later: their rows are proven beside them, with a mail server. */
const ofMail = new Set([
  'POST /forgot-password',
  'POST /admin/settings/email/test',
  'POST /admin/owners/{id}/password-reset',
])

const writes = features.flatMap(({ endpoints }) =>
  endpoints
    .filter(({ handler }) => !('read' in handler || 'send' in handler || 'listen' in handler))
    .map(({ call }) => [callName(call), call] as const)
    .filter(([name]) => !ofMail.has(name)),
)

/** How the caller arranges tables changes nothing but what the caller sees. */
const ofPreferences = [
  'POST /preferences/density',
  'POST /preferences/follow_logs',
  'POST /preferences/columns',
  'POST /views',
  'PUT /views/{viewId}',
  'DELETE /views/{viewId}',
].flatMap((name) => [name, name.replace(' /', ' /reseller/')])

/**
 * Which app a tab shows is nothing that anybody did to anything; an app comes with its first subscription; a reseller
 * who is deleted is banned and loses each app before.
 */
const rowsLeft = new Map([
  ['POST /select_app', 0],
  ['POST /create_app', 2],
  ['DELETE /resellers/{id}', 3],
  ...ofPreferences.map((name) => [name, 0] as const),
])

/** Take data away, which changes nothing but the audit. */
const takesAway = new Set(['POST /export_app'])

/** Sign in, so they come without a session. */
const ofStrangers = new Set([
  'POST /login',
  'POST /login/two-factor',
  'POST /register',
  'POST /reset-password',
  'POST /reset-user-password',
  'POST /reseller/login',
  'POST /reseller/setup/{registrationToken}',
  'POST /reseller/confirm-email',
])

let app: TestApp

async function start(): Promise<void> {
  app = await startTestApp()
  await liftSellerLimits(app)
  await setPlatform(app, 'security', { enable2FA: true })
}

/** All rows but those of the audit, and sessions without the time of their last use. Of logs, which come late, only for calls on them. */
async function content(path: string): Promise<string> {
  const rows = await databaseRows(app.db, (_row, table) => table !== 'audit')
  const sessions = await app.db.read
    .selectFrom('account_sessions')
    .select(['id_hash', 'selected_app_id', 'proved_at'])
    .orderBy('id_hash')
    .execute()
  const others = await app.db.read
    .selectFrom('reseller_sessions')
    .select(['id_hash', 'proved_at'])
    .orderBy('id_hash')
    .execute()
  const logs = path.includes('log') ? await app.db.read.selectFrom('logs').select('id').orderBy('id').execute() : []
  const texts = [...sessions, ...others, ...logs].map((row) => JSON.stringify(row))
  return JSON.stringify([...rows].concat([['sessions', texts]]))
}

const latest = () => app.db.read.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst()

describe.each(fewAtATime(writes))('calls from %s', (_first, some) => {
  const world = new SharedWorld(async () => {
    // An address may register few accounts in an hour.
    app.advance(3600)
    return fillApp(app, await newOwnerWithApp(app))
  })

  beforeAll(start)
  afterAll(() => app.close())

  describe.each(some)('%s', (name, call) => {
    const rows = rowsLeft.get(name) ?? 1

    test(`leaves ${rows} audit row, with the actor, the app, and the address (R-LOG-01)`, () =>
      world.check((busy) => expectAudited(name, call, busy)))
  })
})

async function expectAudited(name: string, call: CallDefinition, busy: BusyApp): Promise<void> {
  const { owner, seller, reseller } = busy
  const rows = rowsLeft.get(name) ?? 1
  // Later than the last verification of identity, so that a new one is a change.
  app.advance(1)
  const admin = call.access === 'admin' ? await newAdmin(app) : undefined
  const signedIn = call.access === 'reseller' ? reseller.visitor : (admin ?? owner).visitor
  const input = await acceptedInput(call, busy)
  const visitor = ofStrangers.has(name) ? app.visitor() : signedIn
  const headers: Record<string, string> =
    call.access === 'seller-key'
      ? { authorization: `Bearer ${seller.key}` }
      : call.access === 'reseller'
        ? { 'x-app-id': owner.appId }
        : {}
  const [before, rowsBefore] = [await content(call.path), await countRows(app, 'audit')]
  const { status, body } = await visitor.send(call.method, pathOf(call), { ...input, headers })
  expect(status, JSON.stringify(body)).toBe(200)
  const isSame = (await content(call.path)) === before
  if (!takesAway.has(name)) expect(isSame, 'a call that changed nothing proves nothing').toBe(false)
  expect((await countRows(app, 'audit')) - rowsBefore).toBe(rows)
  if (rows === 0) return
  const row = await latest()
  expect(row).toMatchObject({ ip: '127.0.0.1', request_id: expect.stringMatching(/\S/), at: app.now() })
  if (admin) expect(row?.actor_id).toBe(admin.id)
  else if (name !== 'POST /register') expect(row?.owner_id).toBe(owner.id)
  if (call.app) expect(row?.app_id).toBe(owner.appId)
}

describe('rejected calls of known callers are recorded in the audit (R-LOG-01)', () => {
  beforeAll(start)
  afterAll(() => app.close())

  const denied = () =>
    app.db.read
      .selectFrom('audit')
      .select(['actor_type', 'actor_id', 'owner_id', 'target', 'ip'])
      .where('act', '=', 'access.denied')
      .orderBy('id')
      .execute()

  test('a key without the scope, and one from a wrong address: once a minute, however often they try', async () => {
    app.advance(3600)
    const owner = await newOwnerWithApp(app)
    const reader = await newSeller(app, owner, { permissions: ['licenses:read'] })
    const far = await newSeller(app, owner, { whitelistedIPs: ['203.0.113.7'] })
    const before = (await denied()).length
    for (let n = 0; n < 3; n++) {
      expect((await reader.send('DELETE', '/users/somebody')).status).toBe(403)
      expect((await far.send('GET', '/stats')).status).toBe(403)
    }
    const common = { actor_type: 'seller-key', owner_id: owner.id, ip: '127.0.0.1' }
    expect((await denied()).slice(before)).toEqual([
      { ...common, actor_id: reader.key.slice(8, 16), target: 'DELETE /users/{username}' },
      { ...common, actor_id: far.key.slice(8, 16), target: 'from this address' },
    ])
    app.advance(60)
    await reader.send('DELETE', '/users/somebody')
    expect((await denied()).slice(before)).toHaveLength(3)
  })
})

test('there are calls to check', () => expect(writes.length).toBeGreaterThan(60))
