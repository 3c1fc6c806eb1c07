import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSubscriber, signedIn } from '#testing/people/end-users.ts'
import { imported, undoImport } from '#testing/people/imported.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { keepSignedIn } from '#testing/platform.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  await keepSignedIn(app, owner)
})
afterAll(() => app.close())

const diagnose = async (search: string, who = owner) =>
  (await who.visitor.call('GET /diagnosis', { query: { search } })).body
const newKey = async (who = owner) => (await newLicenses(who, 1))[0] ?? ''
async function tried(key: string, hwid = 'a-machine-of-the-test') {
  const program = await Program.of(app, owner)
  program.hwid = hwid
  await program.init()
  return program.license(key)
}
/** The newest rejection in the results of a search. */
async function callError(search: string, code: string) {
  const { events } = await diagnose(search)
  const rejected = events.find((event) => event.code !== '')
  expect(rejected?.code).toBe(code)
  return rejected?.decision
}

describe('the rule that decided', () => {
  test('names a ban with who set it and when, and who has lifted it since', async () => {
    const key = await newKey()
    const bannedAt = app.now()
    await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: key, banned: true } })
    app.advance(60)
    await tried(key)
    const cause = { act: 'license.ban', timestamp: bannedAt, actorType: 'owner', actorName: owner.username }
    expect(await callError(key, 'LICENSE_BANNED')).toMatchObject({
      stillApplies: true,
      cause,
      change: null,
      fix: 'license',
      target: key,
    })
    app.advance(60)
    await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: key, banned: false } })
    const change = { act: 'license.unban', timestamp: app.now(), actorType: 'owner', actorName: owner.username }
    expect(await callError(key, 'LICENSE_BANNED')).toMatchObject({ stillApplies: false, cause, change })
  })

  test('a deleted license is told apart from one that never existed', async () => {
    const key = await newKey()
    await owner.visitor.call('POST /delete_license', { body: { licenseKey: key } })
    await tried(key)
    const cause = { act: 'license.delete', actorName: owner.username }
    expect(await callError(key, 'LICENSE_NOT_FOUND')).toMatchObject({ stillApplies: true, fix: 'license', cause })
    await tried('NO-SUCH-KEY')
    expect(await callError('NO-SUCH-KEY', 'LICENSE_NOT_FOUND')).toMatchObject({ cause: null, stillApplies: true })
  })

  test('names another machine beside the bound one, until that one is reset', async () => {
    const key = await newKey()
    await tried(key)
    app.advance(1)
    await tried(key, 'another-machine-of-the-test')
    const decision = await callError(key, 'HWID_MISMATCH')
    expect(decision).toMatchObject({ stillApplies: true, fix: 'hwid', target: key })
    expect(decision?.stored).toMatch(/^[\w-]{12}$/)
    expect(decision?.sent).toMatch(/^[\w-]{12}$/)
    expect(decision?.sent).not.toBe(decision?.stored)
    app.advance(1)
    await owner.visitor.call('POST /reset_user_hwid', { body: { username: key } })
    expect(await callError(key, 'HWID_MISMATCH')).toMatchObject({
      stillApplies: false,
      stored: '',
      change: { act: 'user.reset-hwid', actorName: owner.username },
    })
  })

  test('names expired time with its level and end', async () => {
    const [key = ''] = await newLicenses(owner, 1, { duration: 1 })
    await tried(key)
    app.advance(86_400 + 60)
    await tried(key)
    expect(await callError(key, 'SUBSCRIPTION_EXPIRED')).toMatchObject({
      stillApplies: true,
      fix: 'user',
      levels: ['Basic'],
      until: app.now() - 60,
    })
  })

  test('names a paused level, a setting, and a banned user', async () => {
    const who = await newOwnerWithApp(app)
    const subscriber = await newSubscriber(who, { username: 'marta' })
    const program = await signedIn(app, who, subscriber)
    const latest = async () => (await diagnose('marta', who)).events.find(({ code }) => code !== '')
    await who.visitor.call('POST /toggle_subscription_status', { body: { level: 1, active: false } })
    await program.heartbeat()
    expect(await latest()).toMatchObject({
      code: 'SUBSCRIPTION_PAUSED',
      decision: { fix: 'level', levels: ['Basic'], stillApplies: true, cause: { act: 'subscription.pause' } },
    })
    app.advance(1)
    await who.visitor.call('POST /toggle_subscription_status', { body: { level: 1, active: true } })
    await who.visitor.call('POST /toggle_ban_user', { body: { username: 'marta', banned: true } })
    await program.heartbeat()
    expect(await latest()).toMatchObject({
      code: 'USER_BANNED',
      decision: {
        fix: 'user',
        target: 'marta',
        stillApplies: true,
        cause: { act: 'user.ban', actorName: who.username },
      },
    })
    app.advance(1)
    await who.visitor.call('POST /update_app', { body: { settings: { appStatus: false } } })
    const other = await Program.of(app, who)
    await other.init()
    const { events } = await diagnose('127.0.0.1', who)
    expect(events[0]).toMatchObject({
      code: 'APP_DISABLED',
      decision: { fix: 'settings', stillApplies: true, cause: { act: 'app.update', actorName: who.username } },
    })
  })
})

describe('bulk actions', () => {
  const on = (path: 'POST /users/bulk' | 'POST /licenses/bulk', body: object) =>
    owner.visitor.call(path, { body: body as never })

  test('a bulk ban is the cause for each of its rows, and its undo is what changed that', async () => {
    const keys = await newLicenses(owner, 2)
    const banned = await on('POST /licenses/bulk', { action: 'ban', licenses: keys })
    app.advance(1)
    for (const key of keys) await tried(key)
    const cause = { act: 'license.bulk-ban', actorName: owner.username }
    expect(await callError(keys[1] ?? '', 'LICENSE_BANNED')).toMatchObject({ stillApplies: true, cause, change: null })
    app.advance(1)
    await owner.visitor.call('POST /licenses/undo', { body: { undoId: banned.body.undoId ?? '' } })
    const change = { act: 'license.bulk-ban.undo', actorName: owner.username }
    expect(await callError(keys[1] ?? '', 'LICENSE_BANNED')).toMatchObject({ stillApplies: false, cause, change })
    const { events } = await diagnose(keys[0] ?? '')
    expect(events.map(({ act, code }) => act || code)).toEqual([
      'license.bulk-ban.undo',
      'LICENSE_BANNED',
      'license.bulk-ban',
      'license.create',
    ])
  })

  test('a ban that ended a running program stays its cause after the ban is lifted', async () => {
    const key = await newKey()
    const program = await Program.of(app, owner)
    await program.init()
    await program.license(key)
    app.advance(1)
    await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: key, banned: true } })
    // A heartbeat identifies only its user.
    await program.heartbeat()
    app.advance(1)
    await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: key, banned: false } })
    expect(await callError(key, 'LICENSE_BANNED')).toMatchObject({
      stillApplies: false,
      target: key,
      cause: { act: 'license.ban' },
      change: { act: 'license.unban' },
    })
  })

  test('names bulk changes of time, and a level that was removed', async () => {
    const [key = ''] = await newLicenses(owner, 1, { duration: 1 })
    await tried(key)
    const time = { usernames: [key], subscription: 1, duration: 2, unit: 'days' }
    await on('POST /users/bulk', { action: 'subtract', ...time })
    app.advance(1)
    await tried(key)
    expect(await callError(key, 'SUBSCRIPTION_EXPIRED')).toMatchObject({
      stillApplies: true,
      cause: { act: 'user.bulk-subtract', actorName: owner.username },
    })
    app.advance(1)
    const { unit: expiryUnit, ...rest } = time
    const extension = { ...rest, expiryUnit, duration: 5, extendExpired: true }
    await owner.visitor.call('POST /bulk_extend_users', { body: extension as never })
    expect(await callError(key, 'SUBSCRIPTION_EXPIRED')).toMatchObject({
      stillApplies: false,
      cause: { act: 'user.bulk-subtract' },
      change: { act: 'user.bulk-extend' },
    })
    await owner.visitor.call('DELETE /user/{username}/subscriptions/{id}', { params: { username: key, id: 1 } })
    app.advance(1)
    await tried(key)
    expect(await callError(key, 'SUBSCRIPTION_EXPIRED')).toMatchObject({
      cause: { act: 'user.remove-subscription', actorName: owner.username },
    })
  })
})

describe('an import that bans', () => {
  test('is the cause of a ban after an earlier one was lifted, and what lifts it is the change', async () => {
    const key = await newKey()
    await tried(key)
    const ban = (banned: boolean) => owner.visitor.call('POST /toggle_ban_user', { body: { username: key, banned } })
    await ban(true)
    app.advance(60)
    await ban(false)
    app.advance(60)
    const importId = await imported(owner, { users: [{ username: key, banned: 'yes', subscriptions: [] }] })
    const cause = { act: 'import.run', timestamp: app.now(), actorName: owner.username }
    app.advance(60)
    expect((await diagnose(key)).verdict).toMatchObject({ code: 'USER_BANNED', since: cause.timestamp })
    await tried(key)
    expect(await callError(key, 'USER_BANNED')).toMatchObject({ stillApplies: true, cause, change: null })
    app.advance(60)
    expect((await undoImport(owner, importId)).body).toMatchObject({ restored: 1 })
    const change = { act: 'import.run.undo', timestamp: app.now() }
    expect(await callError(key, 'USER_BANNED')).toMatchObject({ stillApplies: false, cause, change })
  })

  test('is named for a license, but not if several can have done it, or if its owner did', async () => {
    const [one = '', many = '', own = ''] = await newLicenses(owner, 3)
    const overwrite = (key: string, status: string) =>
      imported(owner, { licenses: [{ key, level: '1', duration: '30', status }] })
    await overwrite(one, 'banned')
    await overwrite(many, 'unused')
    await overwrite(many, 'banned')
    await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: own, banned: true } })
    await overwrite(own, 'banned')
    app.advance(60)
    for (const key of [one, many, own]) await tried(key)
    expect(await callError(one, 'LICENSE_BANNED')).toMatchObject({ cause: { act: 'import.run' } })
    expect(await callError(many, 'LICENSE_BANNED')).toMatchObject({ cause: null })
    expect(await callError(own, 'LICENSE_BANNED')).toMatchObject({ cause: { act: 'license.ban' } })
  })
})

describe('the timeline', () => {
  test('of a license has what its user did and what was done to both, newest first', async () => {
    const key = await newKey()
    app.advance(1)
    await tried(key)
    app.advance(1)
    await owner.visitor.call('POST /toggle_pause_user', { body: { username: key, paused: true } })
    app.advance(1)
    await tried(key)
    const { license, user, events, hasMore } = await diagnose(` ${key} `)
    expect(license).toMatchObject({ licenseKey: key, used: true, usedBy: key, banned: false })
    expect(user).toMatchObject({
      username: key,
      paused: true,
      subscriptions: [{ level: 1, name: 'Basic', active: true }],
    })
    expect(events.map(({ call, code, act }) => [call || act, code])).toEqual([
      ['license', 'USER_PAUSED'],
      ['user.pause', ''],
      ['license', ''],
      ['license.create', ''],
    ])
    expect(hasMore).toBe(false)
  })

  test('of a hardware ID and of an address has the events that came from them', async () => {
    const key = await newKey()
    await tried(key, 'a machine that nobody else has')
    const { device, boundUsers, events } = await diagnose('a machine that nobody else has')
    expect(boundUsers).toEqual([key])
    expect(events.map(({ device: of }) => of)).toEqual([device])
    const again = await diagnose(device)
    expect(again).toMatchObject({ device, boundUsers: [key] })
    const { hwid_hash: hash } = await app.db.read
      .selectFrom('logs')
      .select('hwid_hash')
      .where('hwid_hash', 'like', `${device}%`)
      .executeTakeFirstOrThrow()
    expect(await diagnose(hash.slice(0, 16))).toEqual(again)
    expect(again.events.map(({ id }) => id)).toEqual(events.map(({ id }) => id))
    const byAddress = await diagnose('127.0.0.1')
    expect(byAddress.ip).toBe('127.0.0.1')
    expect(byAddress.events.length).toBeGreaterThan(3)
  })

  test('ends after the 100 newest events', async () => {
    const program = await Program.of(app, owner)
    await program.init()
    for (let sent = 0; sent < 101; sent++) await program.send('license', { key: 'MANY-TIMES', hwid: 'x'.repeat(20) })
    const { events, hasMore } = await diagnose('MANY-TIMES')
    expect([events.length, hasMore]).toEqual([100, true])
  })

  test("shows nothing of another app: neither a key's, a user's, a machine's nor an address's (R-TEN-02)", async () => {
    const key = await newKey()
    await tried(key, 'the machine of a stranger')
    await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: key } })
    const stranger = await newOwnerWithApp(app)
    const { device } = await diagnose('the machine of a stranger')
    expect(device).toHaveLength(12)
    for (const search of [key, owner.appId, owner.username, 'the machine of a stranger', device, '127.0.0.1']) {
      expect(await diagnose(search, stranger), search).toMatchObject({
        license: null,
        user: null,
        device: '',
        boundUsers: [],
        events: [],
      })
    }
  })

  test("a bulk action isn't taken for an action on a user with the same name", async () => {
    const keys = await newLicenses(owner, 2)
    await owner.visitor.call('POST /licenses/bulk', { body: { action: 'ban', licenses: keys } })
    expect((await diagnose('2 licenses')).events).toEqual([])
  })

  test.each(['%', "' or 1=1 --", '_', '\\', '0', '*', '1', 'x'.repeat(1024), '127.0.0.999', '::1', '\u{1F600}'])(
    '%j finds nothing and causes no error',
    async (search) => {
      expect((await diagnose(search)).events).toEqual([])
    },
  )
})
