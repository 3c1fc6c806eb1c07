import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Calls } from '#contract/calls.ts'
import { databaseDigest } from '#testing/database-digest.ts'
import { newSubscriber, newUser, signedIn, userOf, userPassword } from '#testing/people/end-users.ts'
import { expectAllRejected, hostileBodies, notTexts } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const edit = (body: Calls['POST /edit_user']['body']) => owner.visitor.call('POST /edit_user', { body })

describe('editing a user', () => {
  test('changes the email and keeps the rest, including the session', async () => {
    const username = await newSubscriber(owner)
    const program = await signedIn(app, owner, username)
    const before = await userOf(owner, username)
    const other = await newUser(owner)
    const { body } = await edit({ username, email: ' new@example.com ' })
    expect(body).toMatchObject({
      success: true,
      code: 'USER_UPDATE_OK',
      message: 'User updated successfully',
      user: { email: 'new@example.com' },
    })
    expect(await userOf(owner, username)).toMatchObject({
      ...before,
      email: 'new@example.com',
      subscriptions: expect.anything(),
    })
    expect((await userOf(owner, other))?.email).toBe('')
    expect((await program.heartbeat()).body.success).toBe(true)
    await edit({ username, email: '' })
    expect(await userOf(owner, username)).toMatchObject({ email: '' })
  })

  test('a new password ends the sessions, and only the new one signs in', async () => {
    const username = await newSubscriber(owner)
    const program = await signedIn(app, owner, username)
    expect((await edit({ username, password: 'another-password' })).status).toBe(200)
    expect((await program.heartbeat()).body).toMatchObject({ success: false, code: 'SESSION_ENDED' })
    await program.init()
    expect((await program.login(username, userPassword)).body.code).toBe('INVALID_CREDENTIALS')
    expect((await program.login(username, 'another-password')).body.success).toBe(true)
  })

  test('an empty password, as an untouched form sends it, keeps the current one and the session', async () => {
    const username = await newSubscriber(owner)
    const program = await signedIn(app, owner, username)
    expect((await edit({ username, password: '' })).status).toBe(200)
    expect((await program.heartbeat()).body.success).toBe(true)
  })

  test('a new hwid binds that machine as its program sends it, and ends the sessions of the previous one', async () => {
    const username = await newSubscriber(owner)
    const program = await signedIn(app, owner, username)
    const old = (await userOf(owner, username))?.hwid
    expect((await edit({ username, hwid: 'the-machine-that-came-after' })).status).toBe(200)
    expect((await program.heartbeat()).body).toMatchObject({ success: false, code: 'SESSION_ENDED' })
    await program.init()
    expect((await program.login(username, userPassword)).body.code).toBe('HWID_MISMATCH')
    const next = await Program.of(app, owner)
    next.hwid = 'the-machine-that-came-after'
    await next.init()
    expect((await next.login(username, userPassword)).body.success).toBe(true)
    const { hwid } = (await userOf(owner, username)) ?? {}
    expect([hwid === old, hwid?.includes('machine')]).toEqual([false, false])
    // Setting the same machine again has no effect.
    expect((await edit({ username, hwid: 'the-machine-that-came-after' })).status).toBe(200)
    expect((await next.heartbeat()).body.success).toBe(true)
  })

  test('rejects a hwid that no program of the app could send', async () => {
    const username = await newSubscriber(owner)
    expect(await edit({ username, hwid: 'short' })).toMatchObject({
      status: 400,
      body: { code: 'HWID_TOO_SHORT', field: 'hwid', message: 'The HWID must have at least 8 characters' },
    })
    expect(await userOf(owner, username)).toMatchObject({ hwid: '' })
  })

  test('an empty hwid unbinds the machine; the shown fingerprint changes nothing', async () => {
    const username = await newSubscriber(owner)
    await signedIn(app, owner, username)
    const hwid = (await userOf(owner, username))?.hwid ?? ''
    expect(hwid).toMatch(/^[\w-]{12}$/)
    expect(hwid).not.toContain('a-machine')
    expect((await edit({ username, hwid })).status).toBe(200)
    expect(await userOf(owner, username)).toMatchObject({ hwid })
    expect((await edit({ username, hwid: '' })).status).toBe(200)
    expect(await userOf(owner, username)).toMatchObject({ hwid: '' })
  })

  test('the audit has what changed, but never the password', async () => {
    const username = await newSubscriber(owner)
    await edit({ username, password: 'secret-of-the-record' })
    const rows = await app.db.read.selectFrom('audit').selectAll().where('act', '=', 'user.edit').execute()
    const row = rows.find(({ target }) => target === username)
    expect(row && JSON.parse(row.details)).toEqual({
      email: false,
      password: true,
      hwid: false,
      changes: { password: 'changed' },
    })
    expect(JSON.stringify(rows)).not.toContain('secret-of-the-record')
  })
})

describe('two concurrent edits of a user', () => {
  test('a field that changed in the meantime is returned instead of overwritten, and nothing else changes', async () => {
    const username = await newUser(owner)
    await edit({ username, email: 'theirs@example.com' })
    const stored = await databaseDigest(app.db)
    const late = { username, email: 'mine@example.com', password: 'another-password', before: { email: '' } }
    expect(await edit(late)).toMatchObject({
      status: 409,
      body: { code: 'FIELD_CHANGED', current: { email: 'theirs@example.com' } },
    })
    expect(await databaseDigest(app.db)).toBe(stored)
    expect((await edit({ ...late, before: { email: 'theirs@example.com' } })).status).toBe(200)
    expect(await userOf(owner, username)).toMatchObject({ email: 'mine@example.com' })
  })

  test('another field, or the same value, is no conflict', async () => {
    const username = await newSubscriber(owner)
    await signedIn(app, owner, username)
    const { hwid = '' } = (await userOf(owner, username)) ?? {}
    await edit({ username, email: 'theirs@example.com' })
    expect((await edit({ username, hwid: '', before: { hwid } })).status).toBe(200)
    expect(await userOf(owner, username)).toMatchObject({ email: 'theirs@example.com', hwid: '' })
    expect((await edit({ username, email: ' theirs@example.com ', before: { email: '' } })).status).toBe(200)
    expect((await edit({ username, hwid: '', before: { hwid } })).status).toBe(200)
  })

  test("a machine that was bound in the meantime isn't unbound", async () => {
    const username = await newSubscriber(owner)
    await signedIn(app, owner, username)
    const { hwid = '' } = (await userOf(owner, username)) ?? {}
    const before = { hwid: 'another-machine!' }
    expect(await edit({ username, hwid: '', before })).toMatchObject({
      status: 409,
      body: { code: 'FIELD_CHANGED', current: { hwid } },
    })
    expect(await userOf(owner, username)).toMatchObject({ hwid })
  })
})

describe('rejections', () => {
  test('rejects hostile bodies and changes nothing', async () => {
    const username = await newSubscriber(owner)
    const valid = { username, email: 'x@example.com', password: 'long-enough', hwid: '' }
    await expectAllRejected(app, owner.visitor, '/edit_user', [
      ...hostileBodies(valid, {
        username: [...notTexts, '', 'u'.repeat(201)],
        email: [...notTexts, 'no-address', 'a@b'],
        password: [...notTexts, 'short', 'p'.repeat(257)],
        hwid: [...notTexts, 'short', 'h'.repeat(1025)],
        before: ['x', 5, null, [], { noSuchField: 1 }, { password: 'x' }, { email: 5 }, { hwid: null }],
      }),
      {},
    ])
  })
})
