import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { features } from '#features.ts'
import { type MailServer, startMailServer, turnMailOn } from '#testing/servers/mail-server.ts'
import { newAdmin, newOwner, type Owner } from '#testing/people/people.ts'
import { setAccountBanned, setPlatform } from '#testing/platform.ts'
import { type JsonSchema } from '#testing/sample-input.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** An administrator starts a password reset, but neither sets nor sees a password (R-AUTH-11). */

let app: TestApp
let server: MailServer
let admin: Owner
let owner: Owner

beforeAll(async () => {
  app = await startTestApp({ config: { publicUrl: 'https://keys.example.com' } })
  server = await startMailServer()
})
afterAll(async () => {
  await app.close()
  await server.close()
})
beforeEach(async () => {
  app.advance(3600)
  await turnMailOn(app, server)
  admin = await newAdmin(app)
  owner = await newOwner(app)
  await app.jobsDone()
  server.mails.length = 0
})

const send = (id: string, visitor = admin.visitor) =>
  visitor.call('POST /admin/owners/{id}/password-reset', { params: { id } })
const signIn = ({ username }: Owner, password: string) =>
  app.visitor().call('POST /login', { body: { username, password } })
const fresh = 'Battery7Staple'
const resetBy = (token = '') => app.visitor().call('POST /reset-password', { body: { token, newPassword: fresh } })
const tokenOf = (link = '') => /^https:\/\/keys\.example\.com\/reset-password#([\w-]{43})$/.exec(link)?.[1] ?? ''
const linksMade = () =>
  app.db.read
    .selectFrom('audit')
    .selectAll()
    .where('act', '=', 'owner.create-reset-link')
    .where('owner_id', '=', owner.id)
    .execute()
const resets = () =>
  app.db.read.selectFrom('audit').selectAll().where('act', '=', 'owner.request-reset').orderBy('id').execute()

describe('sending an owner a password reset link (R-AUTH-11)', () => {
  test('mails the same link as "Forgot password?", only to the address of the owner, and it works once', async () => {
    const { status, body } = await send(owner.id)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      code: 'OWNER_RESET_OK',
      message: 'Password reset link sent to the owner',
    })
    await app.jobsDone()
    const [mail, ...others] = server.mails
    expect(others).toEqual([])
    expect(mail?.recipients).toEqual([`${owner.username}@example.com`])
    const token = /^https:\/\/keys\.example\.com\/reset-password#([\w-]{43})$/m.exec(mail?.text ?? '')?.[1] ?? ''
    // Until the link is used, the old password and the sessions remain valid.
    expect((await owner.visitor.call('GET /apps')).status).toBe(200)
    expect((await signIn(owner, owner.password)).status).toBe(200)
    const reset = () => app.visitor().call('POST /reset-password', { body: { token, newPassword: 'Battery7Staple' } })
    expect((await reset()).status).toBe(200)
    expect((await reset()).body.code).toBe('RESET_LINK_INVALID')
    expect((await owner.visitor.call('GET /apps')).status).toBe(401)
    expect((await signIn(owner, 'Battery7Staple')).status).toBe(200)
  })

  test('neither the reply nor the database contains the token; the audit names the administrator', async () => {
    const before = (await resets()).length
    const { body } = await send(owner.id)
    await app.jobsDone()
    const token = /#([\w-]{43})$/m.exec(server.mails[0]?.text ?? '')?.[1] ?? ''
    expect(token).toHaveLength(43)
    expect(JSON.stringify(body)).not.toContain(token)
    expect(Object.keys(body).toSorted()).toEqual(['code', 'message', 'success'])
    for (const table of ['password_resets', 'jobs', 'audit', 'idempotent_replies'] as const)
      expect(JSON.stringify(await app.db.read.selectFrom(table).selectAll().execute())).not.toContain(token)
    expect((await resets()).slice(before)).toMatchObject([
      { actor_type: 'admin', actor_id: admin.id, owner_id: owner.id, target: owner.username, details: '{}' },
    ])
  })

  describe('without mail', () => {
    beforeEach(async () => {
      await setPlatform(app, 'email', { enabled: false })
      await app.services.settings.current()
    })

    test('the reply shows the link once; it is stored as a hash, works once, and is in the audit of both accounts', async () => {
      const { status, body } = await send(owner.id)
      expect([status, body.code]).toEqual([200, 'RESET_LINK_OK'])
      expect(body.expiresAt).toBe(app.now() + 1800)
      const token = tokenOf(body.resetLink)
      for (const table of ['password_resets', 'jobs', 'audit', 'idempotent_replies'] as const)
        expect(JSON.stringify(await app.db.read.selectFrom(table).selectAll().execute())).not.toContain(token)
      expect(await linksMade()).toMatchObject([
        { actor_type: 'admin', actor_id: admin.id, target: owner.username, details: '{}' },
      ])
      expect((await signIn(owner, owner.password)).status).toBe(200)
      expect((await resetBy(token)).status).toBe(200)
      expect((await resetBy(token)).body.code).toBe('RESET_LINK_INVALID')
      expect((await owner.visitor.call('GET /apps')).status).toBe(401)
      expect((await signIn(owner, fresh)).status).toBe(200)
    })

    test('the link works for 30 minutes, or until a newer one is created, even after many links', async () => {
      const links: string[] = []
      for (let n = 0; n < 4; n++) links.push(tokenOf((await send(owner.id)).body.resetLink))
      for (const earlier of links.slice(0, 3)) expect((await resetBy(earlier)).body.code).toBe('RESET_LINK_INVALID')
      app.advance(1801)
      expect((await resetBy(links[3])).body.code).toBe('RESET_LINK_INVALID')
    })

    test('needs recent identity verification (R-SES-08)', async () => {
      app.advance(301)
      expect(await send(owner.id)).toMatchObject({ status: 403, body: { code: 'REAUTH_REQUIRED' } })
      expect(await linksMade()).toEqual([])
    })

    test('rejects another administrator and a banned owner', async () => {
      const other = await newAdmin(app)
      for (const { id } of [other, admin])
        expect(await send(id)).toMatchObject({ status: 403, body: { code: 'ADMIN_RESET_ON_SERVER' } })
      await setAccountBanned(app, owner.id, true)
      expect((await send(owner.id)).body.code).toBe('OWNER_BANNED')
    })

    test('two-factor authentication stays on', async () => {
      const change = { totp_enabled_at: app.now(), totp_secret_sealed: '' }
      await app.db.write(({ db: trx }) => trx.updateTable('accounts').set(change).where('id', '=', owner.id).execute())
      expect((await resetBy(tokenOf((await send(owner.id)).body.resetLink))).status).toBe(200)
      expect((await signIn(owner, fresh)).body).toMatchObject({ code: 'LOGIN_PASSWORD_OK', twoFactorRequired: true })
    })
  })

  test('a banned or unknown account gets none', async () => {
    await setAccountBanned(app, owner.id, true)
    expect((await send(owner.id)).body).toMatchObject({ code: 'OWNER_BANNED', message: 'The owner is banned' })
    expect(await send('ow_nobody')).toMatchObject({ status: 404, body: { code: 'OWNER_NOT_FOUND' } })
    await app.jobsDone()
    expect(server.mails).toEqual([])
  })

  test('at most three links an hour, including those the owner requested', async () => {
    await app.visitor().call('POST /forgot-password', { body: { email: `${owner.username}@example.com` } })
    await app.jobsDone()
    for (let n = 0; n < 2; n++) expect((await send(owner.id)).status).toBe(200)
    const rejected = await send(owner.id)
    expect([rejected.status, rejected.body.code]).toEqual([429, 'RESET_LIMIT'])
    await app.jobsDone()
    expect(server.mails).toHaveLength(3)
    app.advance(3601)
    expect((await send(owner.id, (await newAdmin(app)).visitor)).status).toBe(200)
  })

  test("an owner can't have a link sent to anybody", async () => {
    for (const id of [owner.id, admin.id]) expect((await send(id, owner.visitor)).status).toBe(403)
    expect((await send(owner.id, app.visitor())).status).toBe(401)
    await app.jobsDone()
    expect(server.mails).toEqual([])
  })
})

test("no administrators' call takes or returns another account's password (R-AUTH-11)", () => {
  const names = (schema: JsonSchema | undefined): string[] =>
    schema === undefined
      ? []
      : [
          ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [name, ...names(field)]),
          ...names(schema.items),
          ...(schema.anyOf ?? []).flatMap((each) => names(each as JsonSchema)),
        ]
  const calls = features.flatMap(({ contract }) => Object.values(contract)).filter(({ access }) => access === 'admin')
  expect(calls.length).toBeGreaterThan(10)
  const found = calls.flatMap(({ method, path, body, query, params, reply }) =>
    [body, query, params, reply]
      .flatMap((schema) => names(schema as JsonSchema | undefined))
      .filter((name) => /pass(word|phrase)|secret|token|hash|link/i.test(name))
      .map((name) => `${method} ${path}: ${name}`),
  )
  expect(new Set(found)).toEqual(
    new Set([
      'GET /admin/audit: hash',
      'GET /admin/audit/{id}: hash',
      'GET /admin/settings: passwordMinLength',
      'GET /admin/settings: requireComplexPassword',
      'POST /admin/settings/security: passwordMinLength',
      'POST /admin/settings/security: requireComplexPassword',
      // If no email is sent, for the administrator to pass on.
      'POST /admin/owners/{id}/password-reset: resetLink',
      // The password of the mail server, which no reply contains.
      'GET /admin/settings: hasPassword',
      'POST /admin/settings/email: hasPassword',
      'POST /admin/settings/email: smtpPassword',
    ]),
  )
})
