import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signedIn, userOf } from '#testing/people/end-users.ts'
import { expectAllRejected, hostileBodies, notTexts } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let stranger: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  stranger = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const password = 'longenough'
const create = (body: object, headers: Record<string, string> = {}) =>
  owner.visitor.send<{ user: Record<string, unknown> }>('POST', '/api/1.0/website/create_user', { body, headers })

describe('creating a user', () => {
  test('creates one who can sign in once there is a subscription', async () => {
    const made = await create({ username: 'Ana', password, email: ' ana@example.com ' })
    expect(made.body).toMatchObject({
      success: true,
      code: 'USER_CREATE_OK',
      message: 'User created successfully',
      user: { username: 'Ana', email: 'ana@example.com', hwid: '', ip: '', banned: false, paused: false },
    })
    expect(made.body.user).toMatchObject({
      hasActiveSubscription: false,
      subscriptions: {},
      variables: {},
      lastLoginDate: null,
    })
    const program = await Program.of(app, owner)
    await program.init()
    expect((await program.login('Ana', password)).body.code).toBe('SUBSCRIPTION_EXPIRED')
    await owner.visitor.call('POST /user/{username}/subscriptions', { params: { username: 'ana' }, body: { level: 1 } })
    expect((await program.login('ana', password)).body.success).toBe(true)
    expect((await program.login('Ana', 'wrong-password')).body.code).toBe('INVALID_CREDENTIALS')
  })

  test("stores only a hash of the password, and doesn't return it", async () => {
    await create({ username: 'hashed', password: 'a-password-to-look-for' })
    const row = await app.db.read
      .selectFrom('users')
      .selectAll()
      .where('username', '=', 'hashed')
      .executeTakeFirstOrThrow()
    expect(row.password_hash).toMatch(/^\$argon2id\$v=19\$/)
    expect(JSON.stringify(row)).not.toContain('a-password-to-look-for')
    const audit = await app.db.read.selectFrom('audit').selectAll().where('target', '=', 'hashed').execute()
    expect(audit).toHaveLength(1)
    expect(JSON.stringify(audit)).not.toContain('a-password-to-look-for')
    expect(JSON.stringify(await userOf(owner, 'hashed'))).not.toMatch(/argon2|password/)
  })

  test('a name is unique regardless of case, but only within the app (R-TEN-08)', async () => {
    expect((await create({ username: 'Taken', password })).status).toBe(200)
    const again = await create({ username: 'tAKEN', password })
    expect(again).toMatchObject({
      status: 409,
      body: { code: 'USERNAME_TAKEN', message: 'This username is already taken', field: 'username' },
    })
    const elsewhere = await stranger.visitor.call('POST /create_user', { body: { username: 'taken', password } })
    expect(elsewhere.status).toBe(200)
  })

  test('exactly one of 20 concurrent calls gets a name', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => create({ username: n % 2 ? 'racer' : 'RACER', password })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
  })

  test('the same Idempotency-Key creates one user and returns the same reply', async () => {
    const headers = { 'idempotency-key': 'create-once-please' }
    const answers = [
      await create({ username: 'once', password }, headers),
      await create({ username: 'once', password }, headers),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[1]?.body.user).toEqual(answers[0]?.body.user)
  })

  test.each(['a/b', 'joão', '100%', '日本語', "o'; drop table users; --", '%25', '\u{1F98A}\u{1F98A}x'])(
    'takes %s as it is',
    async (username) => {
      expect((await create({ username, password })).body).toMatchObject({ success: true, user: { username } })
      expect(await userOf(owner, username)).toMatchObject({ username })
      await owner.visitor.call('POST /user/{username}/subscriptions', { params: { username }, body: { level: 1 } })
      expect((await (await signedIn(app, owner, username, password)).heartbeat()).body.success).toBe(true)
      await owner.visitor.call('POST /reset_user_hwid', { body: { username } })
    },
  )
})

describe('rejections', () => {
  test('says what is missing', async () => {
    expect((await create({ password })).body).toMatchObject({
      code: 'USERNAME_REQUIRED',
      message: 'Username is required',
    })
    expect((await create({ username: '', password })).body).toMatchObject({
      code: 'USERNAME_REQUIRED',
      message: 'Username is required',
    })
    expect((await create({ username: 'somebody' })).body).toMatchObject({
      code: 'PASSWORD_REQUIRED',
      message: 'Password is required',
    })
    expect((await create({ username: 'somebody', password: '' })).body).toMatchObject({
      code: 'PASSWORD_REQUIRED',
      message: 'Password is required',
    })
    const short = await create({ username: 'somebody', password: '1234567' })
    expect(short.body).toMatchObject({ code: 'PASSWORD_TOO_SHORT', message: 'Password must be at least 8 characters' })
  })

  test('rejects hostile bodies and changes nothing', async () => {
    const valid = { username: 'hostile', password, email: 'h@example.com' }
    await expectAllRejected(app, owner.visitor, '/create_user', [
      ...hostileBodies(valid, {
        username: [...notTexts, 'ab', ' lead', 'x'.repeat(65), 'a\u0007b', 'a\nb'],
        password: [...notTexts, 'p'.repeat(257), 'p'.repeat(5000)],
        email: [...notTexts, 'no-address', 'a@b', `${'x'.repeat(300)}@example.com`],
      }),
      {},
    ])
  })
})
