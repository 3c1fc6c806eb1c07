import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAllRejected, expectRejected, hostileBodies, notTexts, seen } from '#testing/faults/hostile-input.ts'
import { newOwner, type Owner } from '#testing/people/people.ts'
import { countRows } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { withoutTable } from '#testing/faults/without-table.ts'

let app: TestApp
let owner: Owner

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwner(app)
})
afterAll(() => app.close())

const create = (body: unknown, headers: Record<string, string> = {}, { visitor } = owner) =>
  visitor.send('POST', '/api/1.0/website/create_app', { body, headers })

describe('creating an app', () => {
  test('sets the specified defaults and selects the app', async () => {
    const { status, body } = await owner.visitor.call('POST /create_app', { body: { appName: 'Fresh App' } })
    expect(status).toBe(200)
    expect(body).toMatchObject({ code: 'APP_CREATE_OK', message: 'App created successfully' })
    expect(body).toMatchObject({ appName: 'Fresh App', appId: expect.stringMatching(/^app_[A-Za-z0-9]{16}$/) })
    expect(body.app).toMatchObject({
      appId: body.appId,
      appName: 'Fresh App',
      version: '1.0',
      activeSessions: 0,
      lastInitAt: null,
    })
    expect(body.app.settings).toMatchObject({
      appStatus: true,
      vpnBlock: false,
      hwidLock: true,
      hashCheck: false,
      minimumHwidLength: 8,
      sessionExpiryDuration: 3600,
      oneSessionPerCredential: true,
      version: '1.0',
    })
    expect((await owner.visitor.call('GET /active_app')).body.app?.appId).toBe(body.appId)
  })

  test('creates the subscription Basic, also for a program that creates one itself', async () => {
    const { visitor } = await newOwner(app)
    await visitor.call('POST /create_app', { body: { appName: 'With Basic' } })
    const levels = async () => (await visitor.call('GET /subscriptions')).body.subscriptions
    expect(await levels()).toMatchObject([{ level: 1, name: 'Basic', active: true }])
    const again = await visitor.call('POST /create_subscription', { body: { level: 1, name: 'Basic', active: true } })
    expect(again).toMatchObject({ status: 200, body: { subscription: { level: 1, name: 'Basic' } } })
    const other = await visitor.call('POST /create_subscription', { body: { level: 1, name: 'Gold', active: true } })
    expect(other.status).toBe(409)
    expect(await levels()).toHaveLength(1)
  })

  test('keeps the given version and description, and trims the name', async () => {
    const { body } = await create({ appName: '  Trimmed App ', version: '1.0.0', description: ' about it ' })
    expect(body['app']).toMatchObject({ appName: 'Trimmed App', version: '1.0.0', description: 'about it' })
  })

  test('each app has its own keys, and only their public halves are ever returned', async () => {
    const one = await owner.visitor.call('POST /create_app', { body: { appName: 'Keys one' } })
    const two = await owner.visitor.call('POST /create_app', { body: { appName: 'Keys two' } })
    const keys = [one, two].flatMap(({ body: { app: made } }) => [
      made.settings.clientObfuscationKey,
      made.settings.serverObfuscationKey,
    ])
    expect(new Set(keys).size).toBe(4)
    for (const key of keys) expect(key).toMatch(/^[\w-]{43}$/)
    const rows = await app.db.read.selectFrom('apps').selectAll().where('id', '=', one.body.appId).execute()
    for (const sealed of [rows[0]?.root_private_sealed, rows[0]?.box_private_sealed, rows[0]?.hwid_pepper_sealed]) {
      expect(sealed).toMatch(/^v1\./)
      expect(JSON.stringify(one.body)).not.toContain(sealed)
    }
  })

  test('exactly one of 10 parallel creations of a name succeeds, in any case', async () => {
    const names = Array.from({ length: 10 }, (_, n) => (n % 2 ? 'Raced App' : 'RACED app'))
    const answers = await Promise.all(names.map((appName) => create({ appName })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, body } of answers.filter(({ status }) => status !== 200)) {
      expect({ status, code: body.code }).toEqual({ status: 409, code: 'APP_NAME_TAKEN' })
      expect(body.message).toBe('You already have an app with this name')
    }
  })

  test('another owner can use the same name', async () => {
    await create({ appName: 'Popular name' })
    expect((await create({ appName: 'Popular name' }, {}, await newOwner(app))).status).toBe(200)
  })

  test('with an Idempotency-Key, 20 parallel calls create one app and all get its reply (R-LED-07)', async () => {
    const before = await countRows(app, 'apps')
    const headers = { 'idempotency-key': randomUUID() }
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ appName: 'Once only' }, headers)))
    expect(new Set(answers.map(seen)).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
    expect(await countRows(app, 'apps')).toBe(before + 1)
    const other = await create({ appName: 'Something else' }, headers)
    expect(other).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } })
  })

  test("a rejected creation doesn't use up its Idempotency-Key", async () => {
    const headers = { 'idempotency-key': randomUUID() }
    expect((await create({ appName: 'x' }, headers)).status).toBe(400)
    expect((await create({ appName: 'Now it is long enough' }, headers)).status).toBe(200)
  })
})

describe('rejecting', () => {
  const characters = 'App name can only contain letters, numbers, spaces, hyphens, and underscores'
  test.each([
    [{ appName: '' }, 'APP_NAME_REQUIRED', 'App name is required'],
    [{ appName: '  ' }, 'APP_NAME_REQUIRED', 'App name is required'],
    [{ appName: 'ab' }, 'APP_NAME_TOO_SHORT', 'App name must be at least 3 characters long'],
    [{ appName: 'a'.repeat(51) }, 'APP_NAME_TOO_LONG', 'App name must be less than 50 characters'],
    [{ appName: "'; drop table apps; --" }, 'APP_NAME_CHARACTERS', characters],
    [{ appName: '__proto__.x' }, 'APP_NAME_CHARACTERS', characters],
    [{ appName: 'App 🦊' }, 'APP_NAME_CHARACTERS', characters],
    [{ version: '1\t0' }, 'APP_VERSION_INVALID', 'Version can have up to 32 visible characters'],
    [{ description: 'd'.repeat(501) }, 'APP_DESCRIPTION_TOO_LONG', 'Description must be at most 500 characters'],
  ])('%j is %s: %s', async (change, code, message) => {
    const answer = await create({ appName: 'Never made', ...change })
    expectRejected(answer, change)
    expect(answer.body).toMatchObject({ code, message, field: Object.keys(change)[0] })
  })

  test('rejects hostile bodies and changes nothing', async () => {
    const valid = { appName: 'Never made', version: '1.0', description: 'x' }
    await expectAllRejected(app, owner.visitor, '/create_app', [
      ...hostileBodies(valid, {
        appName: [...notTexts, 'a'.repeat(201)],
        version: [...notTexts, 'has\ttab', '1\u202E2', 'x'.repeat(33)],
        description: [...notTexts, 'd'.repeat(501)],
      }),
      {},
      { ...valid, ownerId: 'AAAAAAAAAA' },
      { ...valid, settings: {} },
    ])
  })

  test('rejects callers without a session', async () => {
    expectRejected(
      await create({ appName: 'By a stranger' }, {}, { ...owner, visitor: app.visitor() }),
      'stranger',
      401,
    )
  })

  test('a plan at its limit says how many apps it allows, also to 10 parallel calls (R-LIC-05)', async () => {
    const free = await newOwner(app, undefined, { plan: 'Free' })
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => create({ appName: `Free app ${n}` }, {}, free)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectRejected(answer, 'limit', 403)
      expect(answer.body).toMatchObject({
        code: 'APP_LIMIT_REACHED',
        message: 'Your plan allows 1 app',
        values: { limit: 1 },
      })
    }
  })

  test('an unexpected error has the message of this call, and its cause is only in the log', async () => {
    const answer = await withoutTable(app.db, 'apps', () => create({ appName: 'Nowhere' }))
    expectRejected(answer, 'failure', 500)
    expect(answer.body).toMatchObject({ code: 'INTERNAL_ERROR', message: 'Failed to create app' })
  })
})
