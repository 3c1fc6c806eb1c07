import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CallDefinition, defineCall, needsRecentVerification } from '#contract/define-call.ts'
import { reply } from '#contract/fields.ts'
import { features } from '#features.ts'
import { pathOf } from '#server/http/call-routes.ts'
import { databaseDigest } from '#testing/database-digest.ts'
import { goodPassword, makeAdmin, newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { setPlatform } from '#testing/platform.ts'
import { type Objects, sampleInput } from '#testing/sample-input.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { type SecondFactor, turnOnTwoFactor } from '#testing/people/two-factor.ts'

/**
 * There is only one way to renew the password confirmation that sensitive calls need, and it requires the password and,
 * if it is on, the second factor (R-SES-08). Generated from the contracts, so that a new call is covered automatically.
 */

const calls = features
  .flatMap(({ endpoints }) => endpoints.map(({ call }) => call))
  .filter((call) => (call.area ?? 'website') === 'website')
const nameOf = (call: CallDefinition) => `${call.method} ${call.path}`
const named = (list: CallDefinition[]) => list.map((call) => [nameOf(call), call] as const)
const needing = calls.filter(needsRecentVerification)
const adminWrites = calls.filter(({ access, method }) => access === 'admin' && method !== 'GET')

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
  await setPlatform(app, 'security', { enable2FA: true })
})
afterAll(() => app.close())

type Protected = OwnedApp & SecondFactor

/** An owner with a second factor whose password confirmation has expired. */
async function ownerWithOldVerification(): Promise<Protected> {
  app.advance(3600)
  const owner = await newOwnerWithApp(app)
  const factor = await turnOnTwoFactor(app, owner)
  app.advance(301)
  return { ...owner, ...factor }
}

/**
 * Input with the correct password in all password fields and no code, as sent by somebody who only knows the password.
 */
function passwordAlone(call: CallDefinition, objects: Objects) {
  const { body, ...input } = sampleInput(call, objects)
  const fields = new Set(Object.keys((call.body as { properties?: object } | undefined)?.properties ?? {}))
  const known: Record<string, string> = {
    password: goodPassword,
    currentPassword: goodPassword,
    newPassword: 'Different8Donkey',
    email: `moved.${app.now()}@example.com`,
  }
  const filled = Object.fromEntries(Object.entries(known).filter(([name]) => fields.has(name)))
  return { ...input, ...(call.method !== 'GET' && { body: { ...body, ...filled } }) }
}

async function objectsOf(owner: OwnedApp): Promise<Objects> {
  const [licenseKey = ''] = await newLicenses(owner, 1)
  return { appId: owner.appId, appName: owner.appName, licenseKey, username: 'nobody-at-all' }
}

const freshVerifications = async ({ id }: OwnedApp) => {
  const verifications = app.db.read.selectFrom('account_sessions').select('proved_at').where('account_id', '=', id)
  return (await verifications.execute()).filter(({ proved_at }) => app.now() - proved_at <= 300).length
}

describe('no call renews the identity verification with the password alone (R-SES-08)', () => {
  test.each(named(calls.filter(({ access }) => access === 'account' || access === 'anyone')))('%s', async (_, call) => {
    const owner = await ownerWithOldVerification()
    const objects = await objectsOf(owner)
    const sample = passwordAlone(call, objects)
    const body = call.path === '/login' ? { username: owner.username, password: goodPassword } : sample.body
    const headers: Record<string, string> = call.app ? { 'x-app-id': owner.appId } : {}
    await owner.visitor.send(call.method, pathOf(call), { ...sample, body, headers })
    expect(await freshVerifications(owner)).toBe(0)
    const after = await owner.visitor.call('POST /profile/delete-account')
    expect([401, 403]).toContain(after.status)
    if (after.status === 403) expect(after.body.code).toBe('REAUTH_REQUIRED')
    const login = { username: owner.username, password: goodPassword }
    const left = await app.visitor().call('POST /login', { body: login })
    expect(left.body).toMatchObject({ twoFactorRequired: true })
  })
})

describe('a call that needs a recent verification is rejected without one, and allowed for five minutes after password and code', () => {
  // Calls of resellers: reseller-security.test.ts.
  test.each(named(needing.filter(({ access }) => access !== 'reseller')))('%s', async (_, call) => {
    const owner = await ownerWithOldVerification()
    const objects = await objectsOf(owner)
    if (call.access === 'admin') await makeAdmin(app, owner)
    const send = () =>
      owner.visitor.send(call.method, pathOf(call), {
        ...sampleInput(call, objects),
        headers: call.app ? { 'x-app-id': owner.appId } : {},
      })
    const before = await databaseDigest(app.db)
    expect((await send()).body.code).toBe('REAUTH_REQUIRED')
    expect(await databaseDigest(app.db)).toBe(before)
    const rejected = await owner.visitor.call('POST /profile/reauthenticate', { body: { password: goodPassword } })
    expect(rejected.body.code).toBe('TWO_FACTOR_CODE_REQUIRED')
    expect((await send()).body.code).toBe('REAUTH_REQUIRED')
    const code = owner.authenticator.code()
    await owner.visitor.call('POST /profile/reauthenticate', { body: { password: goodPassword, code } })
    expect((await send()).body.code).not.toBe('REAUTH_REQUIRED')
  })

  test('lists the calls that would help an intruder at an unlocked computer', () => {
    expect(needing.map(nameOf).toSorted()).toMatchInlineSnapshot(`
      [
        "DELETE /admin/owners/{id}",
        "DELETE /admin/plans/{id}",
        "POST /admin/init-plans",
        "POST /admin/jobs/discard",
        "POST /admin/jobs/retry",
        "POST /admin/owners/{id}/ban",
        "POST /admin/owners/{id}/password-reset",
        "POST /admin/owners/{id}/plan",
        "POST /admin/plans",
        "POST /admin/settings/api",
        "POST /admin/settings/email",
        "POST /admin/settings/email/test",
        "POST /admin/settings/platform",
        "POST /admin/settings/security",
        "POST /create_seller_key",
        "POST /profile/delete-account",
        "POST /profile/two-factor/start",
        "POST /replace_app_keys",
        "POST /reseller/profile/two-factor/start",
        "POST /resellers/create",
        "POST /resellers/{id}/password-reset",
        "POST /resellers/{id}/setup-link",
        "POST /resellers/{id}/two-factor/disable",
        "POST /retire_replaced_keys",
        "POST /rotate_seller_key",
        "PUT /admin/plans/{id}",
      ]
    `)
  })

  test("includes every administrator's write, except those whose contract gives a reason", () => {
    expect(adminWrites.length).toBeGreaterThan(10)
    const reasons = adminWrites.filter(({ recent }) => recent !== undefined).map((call) => [nameOf(call), call.recent])
    expect(reasons).toMatchInlineSnapshot(`[]`)
    expect(adminWrites.filter((call) => !needsRecentVerification(call) && typeof call.recent !== 'object')).toEqual([])
  })

  test('includes future calls', () => {
    const call = defineCall('PUT /admin/x', { access: 'admin', summary: '', reply: reply({}) })
    expect(needsRecentVerification(call)).toBe(true)
    expect(needsRecentVerification({ ...call, recent: { exempt: 'It changes nothing.' } })).toBe(false)
    expect(needsRecentVerification({ ...call, method: 'GET' })).toBe(false)
    expect(needsRecentVerification({ ...call, access: 'account' })).toBe(false)
  })
})

test('wrong codes after the right password count as failed codes only', async () => {
  const owner = await ownerWithOldVerification()
  const verify = (password: string, code: string) =>
    owner.visitor.call('POST /profile/reauthenticate', { body: { password, code } })
  const codes = []
  for (let n = 0; n < 6; n++) codes.push((await verify(goodPassword, owner.authenticator.wrongCode())).body.code)
  expect(codes).toEqual([...Array(5).fill('TWO_FACTOR_CODE_WRONG'), 'LOGIN_COOLDOWN'])
  const failures = app.db.read.selectFrom('login_failures').select('subject').where('failures', '>', 0)
  const failed = await failures.where('subject', 'like', `%${owner.id}%`).execute()
  expect(failed.map(({ subject }) => subject.replace(/:.*/, ''))).toEqual(['code-device'])
  expect((await verify('Wrong7Guess', owner.authenticator.code())).body.code).toBe('PASSWORD_WRONG')
})

test('changing the password needs the code if two-factor authentication is on, and then renews the verification', async () => {
  const owner = await ownerWithOldVerification()
  const passwords = { currentPassword: goodPassword, newPassword: 'Different8Donkey' }
  const change = (code?: string) =>
    owner.visitor.call('POST /profile/change-password', { body: { ...passwords, ...(code && { code }) } })
  expect((await change()).body.code).toBe('TWO_FACTOR_CODE_REQUIRED')
  expect((await change(owner.authenticator.wrongCode())).body.code).toBe('TWO_FACTOR_CODE_WRONG')
  expect((await change(owner.authenticator.code())).body.code).toBe('PASSWORD_CHANGE_OK')
  expect(await freshVerifications(owner)).toBe(1)
  // A code works only once, here too (R-2FA-02).
  const code = owner.authenticator.code()
  const again = { currentPassword: 'Different8Donkey', newPassword: goodPassword, code }
  const reused = await owner.visitor.call('POST /profile/change-password', { body: again })
  expect(reused.body.code).toBe('TWO_FACTOR_CODE_WRONG')
})
