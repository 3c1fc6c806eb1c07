import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { Program } from '../../sdks/conformance/program.ts'
import { FlakyProxy } from '../faults/flaky-proxy.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '../people/people.ts'
import { keepSignedIn } from '../platform.ts'
import { clientOptions } from '../people/sdk-client.ts'
import { startReceiver } from '../servers/webhook-receiver.ts'
import { startTestApp, type TestApp } from '../start-test-app.ts'
import { clientPrograms } from './client-programs.ts'

/** Every client library against the real server, through what happens in a customer's life. */

const day = 86_400
const folder = mkdtempSync(join(tmpdir(), 'signet-clients-'))
let app: TestApp
let wire: FlakyProxy
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp({ clockRuns: true })
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const asOwner = (call: string, body: object) => owner.visitor.send('POST', `/api/1.0/website/${call}`, { body })
const newKey = async () => (await newLicenses(owner, 1))[0] ?? ''
const newName = () => `user-${randomBytes(5).toString('hex')}`

describe.each(clientPrograms().filter(({ command }) => command))('the $language client', ({ command }) => {
  let program: Program

  beforeEach(async () => {
    wire = await FlakyProxy.start(app.url)
    owner = await newOwnerWithApp(app)
    await keepSignedIn(app, owner)
    const [name = '', ...args] = command ?? []
    program = new Program(name, args)
  })
  afterEach(async () => {
    await program.end()
    await wire.close()
  })

  /** A client of the owner's app, without background heartbeats unless it gets an interval. */
  async function create(change: object = {}): Promise<void> {
    const { ownerId, appName, version, sealingKey, verificationKey } = await clientOptions(app, owner)
    const settings = { ownerId, appName, version, sealingKey, verificationKey, serverUrl: wire.url }
    await ok('create', { ...settings, hwid: 'a-machine-of-the-test', heartbeatInterval: null, ...change })
  }
  async function ok(name: string, fields: object = {}) {
    const answer = await program.ask(name, { ...fields })
    expect(answer, name).toMatchObject({ ok: true })
    return answer.ok ? answer.result : {}
  }
  const codeOf = async (name: string, fields: object = {}) => {
    const answer = await program.ask(name, { ...fields })
    return answer.ok ? 'ok' : answer.code
  }
  const events = () => program.events.map(({ event, code }) => (code ? `${event} ${code}` : event))
  const hears = (event: string) =>
    vi.waitFor(() => expect(events()).toContain(event), { timeout: 60_000, interval: 50 })
  const isValid = async () => (await ok('valid'))['valid']

  test('signs in with a key as it was pasted, on this machine only, and hears of a ban', async () => {
    const key = await newKey()
    await create({ heartbeatInterval: 0.2, sealRequests: true })
    expect(await codeOf('license', { key: 'NO-SUCH-KEY' })).toBe('LICENSE_NOT_FOUND')
    expect(await ok('license', { key: `\u200B ${key}\r\n` })).toMatchObject({ username: key })
    expect(await isValid()).toBe(true)
    await asOwner('toggle_ban_license', { licenseKey: key })
    await hears('lost LICENSE_BANNED')
    expect(await isValid()).toBe(false)

    const other = await newKey()
    await create({ hwid: 'another-machine-altogether' })
    await ok('license', { key: other })
    await create()
    expect(await codeOf('license', { key: other })).toBe('HWID_MISMATCH')
  })

  test('registers, signs in with a password, changes it, and adds a license', async () => {
    const username = newName()
    await create()
    await ok('register', { username, password: 'Password-of-user', licenseKey: await newKey(), email: 'a@example.com' })
    await ok('changePassword', { password: 'Password-of-user', newPassword: 'Another-password' })
    expect((await ok('upgrade', { licenseKey: await newKey() }))['subscriptions']).toHaveLength(1)
    expect(await codeOf('login', { username, password: 'Password-of-user' })).toBe('INVALID_CREDENTIALS')
    // The wrong password left the session alone.
    expect(await ok('heartbeat')).toMatchObject({ username })
    expect(await ok('login', { username, password: 'Another-password' })).toMatchObject({ username })
    await ok('logout')
    expect(await isValid()).toBe(false)
    expect(await codeOf('heartbeat')).toBe('SESSION_REQUIRED')
  })

  test('renews with a new key: in the running program, and when the program starts', async () => {
    const keys = await newLicenses(owner, 3)
    const [first = '', second = '', third = ''] = keys
    const account = { username: newName(), password: 'Password-of-user' }
    const expire = async (licenseKey: string) => {
      await asOwner('update_license', { licenseKey, expiry: 1 })
      app.advance(2)
    }
    await create({ heartbeatInterval: 0.2 })
    await ok('register', { ...account, licenseKey: first })
    await expire(first)
    await hears('lost SUBSCRIPTION_EXPIRED')
    expect(await codeOf('upgrade', { licenseKey: 'NO-SUCH-KEY' })).toBe('LICENSE_NOT_FOUND')
    expect(await isValid()).toBe(false)
    await ok('upgrade', { licenseKey: second })
    expect(await isValid()).toBe(true)
    await ok('heartbeat')

    await ok('logout')
    await expire(second)
    await create()
    expect(await codeOf('login', account)).toBe('SUBSCRIPTION_EXPIRED')
    expect(await codeOf('login', { ...account, licenseKey: second })).toBe('LICENSE_ALREADY_USED')
    expect(await ok('login', { ...account, licenseKey: ` ${third}\n` })).toMatchObject({ username: account.username })
    expect(await isValid()).toBe(true)
  })

  test('reads and writes variables, logs, calls a webhook, and downloads a file', async () => {
    const receiver = await startReceiver(app)
    receiver.answer = (response) => void response.end('from the webhook')
    await asOwner('modify_app_var', { variableName: 'motd', variableData: 'Olá 🦭', authenticated: false })
    const hook = await owner.visitor.call('POST /create_webhook', { body: { url: receiver.url, authenticated: false } })
    const bytes = randomBytes(300_000)
    const file = new File([bytes], 'setup.exe')
    const upload = await owner.visitor.call('POST /downloads/upload', { body: { name: 'setup' }, file })
    await create()
    expect(await ok('init')).toEqual({ name: owner.appName, version: '1.0.0' })
    expect(await ok('variable', { name: 'motd' })).toEqual({ value: 'Olá 🦭' })
    const key = await newKey()
    await ok('license', { key })
    await ok('setUserVariable', { name: 'points', value: '7' })
    expect(await ok('userVariable', { name: 'points' })).toEqual({ value: '7' })
    expect(await codeOf('userVariable', { name: 'none' })).toBe('VARIABLE_NOT_FOUND')
    await ok('log', { message: 'started the editor' })
    expect(await ok('callWebhook', { webhookId: hook.body.webhookId, params: { a: 1 } })).toEqual({
      status: 200,
      body: 'from the webhook',
    })
    const path = join(folder, randomBytes(6).toString('hex'))
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const fileId = upload.body.download.downloadId
    expect(await ok('download', { fileId, path })).toEqual({ fileName: 'setup.exe', size: bytes.length, sha256 })
    expect(readFileSync(path).equals(bytes)).toBe(true)
    await receiver.close()
  })

  test('goes on after a night of sleep without the key, and not on another machine or after the session was ended', async () => {
    await create()
    const key = await newKey()
    await ok('license', { key })
    app.advance(10 * 3600)
    // The program's clock seems to be wrong by ten hours as well.
    expect(await ok('heartbeat')).toMatchObject({ username: key })
    expect(await isValid()).toBe(true)
    app.advance(4000)
    await owner.visitor.call('POST /sessions/bulk-delete', { body: { filter: {} } })
    expect(await codeOf('heartbeat')).toBe('SESSION_ENDED')
    expect(await isValid()).toBe(false)
    await hears('lost SESSION_ENDED')
    expect(events()).toEqual(['lost SESSION_ENDED'])
  })

  test("survives a restart of the server, a new signing key, and four days offline: it resumes and isn't lost", async () => {
    await create({ heartbeatInterval: 0.2, grace: 1, timeout: 5 })
    const key = await newKey()
    // A signing key of 60 days is replaced once half of them are over.
    app.advance(27 * day)
    await ok('license', { key })
    await app.stop()
    await hears('interrupted NETWORK')
    expect(await isValid()).toBe(false)
    app.advance(4 * day)
    await app.start()
    await hears('resumed')
    await vi.waitFor(async () => expect(await isValid()).toBe(true), { timeout: 60_000, interval: 50 })
    // On a slow machine it may be interrupted again, but it is never lost.
    expect(events().filter((event) => event.startsWith('lost'))).toEqual([])
  })
})
