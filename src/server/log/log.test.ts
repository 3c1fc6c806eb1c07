import { Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pathOf } from '../http/call-routes.ts'
import { setPlatform } from '#testing/platform.ts'
import { newLicenses, newOwnerWithApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { sampleInput } from '#testing/sample-input.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { features } from '#features.ts'
import { newLog } from './log.ts'

let written = ''
const destination = new Writable({ write: (chunk, _encoding, done) => ((written += String(chunk)), done()) })
let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ log: newLog('trace', destination) })
})
afterAll(() => app.close())

const rename = (from: string, to: string) =>
  app.db.write(async ({ db: trx }) => void (await trx.schema.alterTable(from).renameTo(to).execute()))
const endsItsCaller = /logout|delete-account|delete_app/
const canary = (name: string) => `Canary7-${name}-9f2c`

describe('the log of a server that gets every call and every failure', () => {
  test('contains none of twelve secrets that passed through it (R-LOG-03)', async () => {
    await setPlatform(app, 'api', { rateLimitPerMinute: 10_000, rateLimitPerHour: 10_000 })
    const owner = await newOwnerWithApp(app)
    const visitor = app.visitor()
    const website = (path: string, body: unknown, headers: Record<string, string> = {}) =>
      visitor.send('POST', `/api/1.0/website${path}`, { body, headers })
    const form = {
      username: 'canary_owner',
      email: 'canary@example.com',
      displayName: 'x',
      password: canary('password'),
    }
    expect((await website('/register', form)).status).toBe(200)
    await website('/login', { username: 'canary_owner', password: canary('wrong-password') })
    await website('/register', { ...form, setupToken: canary('setup-token') })
    await website('/login', `{"username":"canary_owner","password":"${canary('broken-json')}`)
    await website('/profile/change-password', {
      currentPassword: canary('password'),
      newPassword: canary('new-password'),
    })
    await visitor.send('GET', '/api/1.0/website/apps', { headers: { authorization: `Bearer ${canary('bearer')}` } })
    await visitor.send('GET', `/api/1.0/website/apps?key=${canary('query')}`)
    await visitor.send('GET', '/api/1.0/website/apps', {
      headers: { cookie: `sid=${canary('cookie').padEnd(43, 'x')}` },
    })

    const [key = ''] = await newLicenses(owner, 1, { mask: 'CANARY-####-####-####-####' })
    const program = await Program.of(app, owner)
    await program.init()
    program.hwid = canary('hwid')
    await program.register('canary user', canary('user-password'), key)
    const session = program.session ?? ''

    // Every call once more, while the tables it needs are away: errors are where secrets leak.
    for (const table of ['licenses', 'users', 'account_sessions']) {
      await rename(table, `${table}_away`)
      for (const { endpoints } of features) {
        for (const { call } of endpoints.filter((each) => !endsItsCaller.test(each.call.path))) {
          const input = sampleInput(call, {
            appId: owner.appId,
            appName: owner.appName,
            licenseKey: key,
            username: canary('username'),
            sellerKey: canary('seller-key'),
          })
          // An export that fails under way is cut off.
          const sent = owner.visitor.send(call.method, pathOf(call), {
            ...input,
            headers: call.app ? { 'x-app-id': owner.appId } : {},
          })
          await sent.catch(() => undefined)
        }
      }
      await program.send('license', { key, hwid: program.hwid }, { unsigned: true })
      await program.send(
        'login',
        { username: 'canary user', password: canary('user-password'), hwid: program.hwid },
        { unsigned: true },
      )
      await rename(`${table}_away`, table)
    }

    expect(written.match(/request failed/g)?.length).toBeGreaterThan(80)
    expect(written).toContain('could not answer a program')
    const secrets = [
      ...[
        'password',
        'wrong-password',
        'setup-token',
        'broken-json',
        'new-password',
        'bearer',
        'query',
        'cookie',
        'hwid',
        'user-password',
      ].map(canary),
      session,
      key,
    ]
    expect(secrets).toHaveLength(12)
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(10)
      expect(written.includes(secret), secret).toBe(false)
    }
    expect(written).not.toContain(owner.visitor.csrf)
    // Unless LOG_REQUESTS is on.
    expect(written).not.toContain('"msg":"request"')
    expect(written).not.toContain(/sid=([^;]+)/.exec(owner.visitor.cookieHeader())?.[1])
  }, 120_000)

  test('records a failure with its cause and the ID that the caller got', async () => {
    const owner = await newOwnerWithApp(app)
    await rename('subscriptions', 'subscriptions_away')
    const { body } = await owner.visitor
      .call('GET /subscriptions')
      .finally(() => rename('subscriptions_away', 'subscriptions'))
    const line = written.split('\n').find((each) => each.includes(String(body.requestId)))
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      msg: 'request failed',
      err: { message: expect.stringMatching(/subscriptions/) },
    })
  })
})

test('redacts fields with sensitive names wherever an object is logged', () => {
  let text = ''
  const log = newLog('info', new Writable({ write: (chunk, _encoding, done) => ((text += String(chunk)), done()) }))
  const names = [
    'password',
    'currentPassword',
    'newPassword',
    'token',
    'authorization',
    'cookie',
    'sellerKey',
    'licenseKey',
    'setupToken',
  ]
  for (const name of names)
    log.info(
      { [name]: canary(name), body: { [name]: canary(name) }, request: { headers: { [name]: canary(name) } } },
      'x',
    )
  expect(text).not.toContain('Canary7')
  expect(text.match(/\[secret\]/g)).toHaveLength(names.length * 3)
})

test('no value can forge a line (R-LOG-04)', () => {
  let text = ''
  const log = newLog('info', new Writable({ write: (chunk, _encoding, done) => ((text += String(chunk)), done()) }))
  log.info({ username: 'x\n{"level":50,"msg":"forged"}\r\n\u2028' }, 'first\nsecond')
  expect(text.trimEnd().split(/\r?\n/)).toHaveLength(1)
  expect(JSON.parse(text)).toMatchObject({ username: 'x\n{"level":50,"msg":"forged"}\r\n\u2028' })
})
