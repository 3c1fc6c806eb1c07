import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectAllRejected, hostileBodies, notTexts } from '#testing/faults/hostile-input.ts'
import { type MailServer, startMailServer, turnMailOn } from '#testing/servers/mail-server.ts'
import { newLicenses, newOwner, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { keepSignedIn, setAccountBanned } from '#testing/platform.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let server: MailServer
let owner: OwnedApp
let program: Program

beforeAll(async () => {
  app = await startTestApp({ config: { publicUrl: 'https://keys.example.com' } })
  server = await startMailServer()
  owner = await newOwnerWithApp(app)
  await keepSignedIn(app, owner)
})
afterAll(async () => {
  await app.close()
  await server.close()
})

const old = 'Password-of-user'
const fresh = 'Another-password'
let named = 0
let username: string
const addressOf = (name: string) => `${name}@example.com`

async function started(of = owner): Promise<Program> {
  const made = await Program.of(app, of)
  await made.init()
  return made
}

async function registered(name: string, email: string | null, of = owner): Promise<Program> {
  const [key = ''] = await newLicenses(of, 1)
  const made = await started(of)
  const { body } = await made.send('register', {
    username: name,
    password: old,
    licenseKey: key,
    hwid: 'a-machine-of-the-test',
    email,
  })
  if (!body.success) throw new Error(String(body.message))
  return made
}

beforeEach(async () => {
  app.advance(3600)
  await keepSignedIn(app, owner)
  await turnMailOn(app, server)
  username = `customer${++named}`
  await registered(username, addressOf(username))
  program = await started()
  server.mails.length = 0
})

const ask = (name: string, from = program) => from.send('request-password-reset', { username: name })
const reset = (token: string, newPassword = fresh) =>
  app.visitor().call('POST /reset-user-password', { body: { token, newPassword } })
const lastToken = () => /reset-user-password#([\w-]{43})$/m.exec(server.mails.at(-1)?.text ?? '')?.[1] ?? ''
async function tokenFor(name: string): Promise<string> {
  const { body } = await ask(name, await started())
  expect(body).toMatchObject({ success: true })
  await app.jobsDone()
  return lastToken()
}
const signsIn = async (password: string, name = username) => {
  const { body } = await (await started()).send('login', { username: name, password, hwid: 'a-machine-of-the-test' })
  return body.success
}

describe('requesting a link', () => {
  test('mails the user a link that names the app and the user', async () => {
    expect((await ask(username.toUpperCase())).body).toMatchObject({ success: true })
    await app.jobsDone()
    const [mail, ...others] = server.mails
    expect(others).toEqual([])
    expect(mail?.recipients).toEqual([addressOf(username)])
    expect(mail?.text).toContain(username)
    expect(mail?.text).toMatch(/^https:\/\/keys\.example\.com\/reset-user-password#[\w-]{43}$/m)
  })

  test('gets the same reply without such a user or an address, and nothing is mailed', async () => {
    await registered('withoutmail', null)
    const stranger = await newOwnerWithApp(app)
    await registered('elsewhere', 'elsewhere@example.com', stranger)
    const said = async (name: string) => {
      const { status, body } = await ask(name, await started())
      await app.jobsDone()
      return JSON.stringify({ status, body })
    }
    const known = await said(username)
    server.mails.length = 0
    for (const name of ['nobody', 'withoutmail', 'elsewhere', '%', "' or 1=1 --"]) expect(await said(name)).toBe(known)
    expect(server.mails).toEqual([])
  })

  test('is limited to 3 an hour in a session, with the time to wait', async () => {
    for (let n = 0; n < 3; n++) expect((await ask(`nobody${n}`)).body.success).toBe(true)
    const { status, body } = await ask('nobody')
    expect([status, body.code]).toEqual([429, 'RATE_LIMITED'])
    expect(body['retryAfterSeconds']).toBeGreaterThan(0)
    await app.jobsDone()
  })

  test('mails a user at most 3 links an hour, from however many sessions', async () => {
    for (let n = 0; n < 5; n++) {
      expect((await ask(username, await started())).body.success).toBe(true)
      await app.jobsDone()
    }
    expect(server.mails).toHaveLength(3)
  })

  test('gets a signed error while mail is off, and nothing is queued', async () => {
    await turnMailOn(app, server, { enabled: false })
    expect((await ask(username)).body).toMatchObject({ code: 'MAIL_OFF', message: 'This server does not send mail' })
    const jobs = app.db.read.selectFrom('jobs').select('id').where('kind', '=', 'user-password-reset')
    expect(await jobs.execute()).toEqual([])
  })

  test('requires a session and a valid body', async () => {
    for (const name of [...notTexts, ''])
      expect((await program.send('request-password-reset', { username: name })).body.success).toBe(false)
    const without = await Program.of(app, owner)
    expect((await ask(username, without)).body.code).toBe('SESSION_REQUIRED')
  })
})

describe('the link', () => {
  test('sets the password once and ends every session of the user (R-AUTH-10)', async () => {
    const running = await started()
    await running.send('login', { username, password: old, hwid: 'a-machine-of-the-test' })
    const token = await tokenFor(username)
    expect((await reset(token)).body.message).toBe('Your new password is set. Sign in to your program with it.')
    expect((await reset(token, 'Third-password')).body.code).toBe('RESET_LINK_INVALID')
    expect((await running.heartbeat()).body.code).toBe('SESSION_ENDED')
    expect(await signsIn(old)).toBe(false)
    expect(await signsIn(fresh)).toBe(true)
    const rows = app.db.read.selectFrom('audit').select(['act', 'owner_id', 'app_id']).where('target', '=', username)
    expect(await rows.execute()).toContainEqual({
      act: 'user.reset-password',
      owner_id: owner.id,
      app_id: owner.appId,
    })
  })

  test('works for one of several concurrent uses', async () => {
    const token = await tokenFor(username)
    const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => reset(token, `Another-password${n}`)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403, 403, 403, 403, 403])
    const winner = answers.findIndex(({ status }) => status === 200)
    expect(await signsIn(`Another-password${winner}`)).toBe(true)
  })

  test("expires after 30 minutes, and doesn't work while the user or the owner is banned (R-AUTH-14)", async () => {
    const late = await tokenFor(username)
    app.advance(1800)
    expect((await reset(late)).body.code).toBe('RESET_LINK_INVALID')
    await keepSignedIn(app, owner)
    const banned = await tokenFor(username)
    await owner.visitor.call('POST /toggle_ban_user', { body: { username, banned: true } })
    expect((await reset(banned)).body.code).toBe('RESET_LINK_INVALID')
    await owner.visitor.call('POST /toggle_ban_user', { body: { username, banned: false } })
    await setAccountBanned(app, owner.id, true)
    expect((await reset(banned)).body.code).toBe('RESET_LINK_INVALID')
    await setAccountBanned(app, owner.id, false)
    expect((await reset(banned)).status).toBe(200)
  })

  test("of a user doesn't work for an account, and the reverse", async () => {
    const account = await newOwner(app)
    const ofUser = await tokenFor(username)
    const asAccount = { token: ofUser, newPassword: 'Battery7Staple' }
    expect((await app.visitor().call('POST /reset-password', { body: asAccount })).body.code).toBe('RESET_LINK_INVALID')
    await app.visitor().call('POST /forgot-password', { body: { email: addressOf(account.username) } })
    await app.jobsDone()
    const ofAccount = /reset-password#([\w-]{43})$/m.exec(server.mails.at(-1)?.text ?? '')?.[1] ?? ''
    expect(ofAccount).not.toBe('')
    expect((await reset(ofAccount)).body.code).toBe('RESET_LINK_INVALID')
    expect((await reset(ofUser)).status).toBe(200)
  })

  test("enforces the password rules, and stays valid when they aren't met", async () => {
    const token = await tokenFor(username)
    expect((await reset(token, 'short')).body).toMatchObject({ code: 'PASSWORD_TOO_SHORT', field: 'newPassword' })
    expect((await reset(token, '')).body.code).toBe('PASSWORD_REQUIRED')
    expect((await reset(token, 'x'.repeat(257))).body.code).toBe('PASSWORD_TOO_LONG')
    const hostile = { token: [...notTexts, ''], newPassword: notTexts }
    await expectAllRejected(
      app,
      app.visitor(),
      '/reset-user-password',
      hostileBodies({ token: 'x', newPassword: fresh }, hostile),
    )
    expect((await reset(token)).status).toBe(200)
  })
})
