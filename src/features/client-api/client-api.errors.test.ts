import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newLicenses, newOwnerWithApp, type OwnedApp, setPlan } from '#testing/people/people.ts'
import { setAccountBanned } from '#testing/platform.ts'
import { Program, type ProgramAnswer } from '#testing/people/program.ts'
import { hasTwoProcesses, startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { startReceiver, type WebhookReceiver } from '#testing/servers/webhook-receiver.ts'
import { type ClientCode, clientErrors } from './client-api.errors.ts'

/** Triggers each error through the API, with the status and text of the table; a new error needs a scenario here. */

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

interface Scene {
  owner: OwnedApp
  program: Program
  key: string
  /** Sends a website call as the owner. */
  owns: (call: string, body: object) => Promise<unknown>
}

const password = 'Password-of-user'
const register = ({ program, key }: Scene, change: object = {}) =>
  program.send('register', { username: 'a customer', password, licenseKey: key, hwid: program.hwid, ...change })
async function setVariable({ program, key }: Scene, variable: object) {
  if (!(await program.heartbeat()).body.success) await program.license(key)
  return program.send('set-user-variable', variable)
}
/** Lets the program call a webhook whose receiver replies with `answer`. */
async function callWebhook({ owner, program }: Scene, answer: WebhookReceiver['answer']) {
  const receiver = await startReceiver(app)
  receiver.answer = answer
  const hook = await owner.visitor.call('POST /create_webhook', { body: { url: receiver.url, authenticated: false } })
  const reply = await program.send('call-webhook', { id: hook.body.webhookId })
  await receiver.close()
  return reply
}
const settings = ({ owns }: Scene, change: object) => owns('update_app', { settings: change })

const ways: Record<ClientCode, (scene: Scene) => Promise<ProgramAnswer>> = {
  MAIL_OFF: ({ program }) => program.send('request-password-reset', { username: 'anybody' }),
  WEBHOOK_NOT_FOUND: async ({ program, key }) => {
    await program.license(key)
    return program.send('call-webhook', { id: 'wh_AAAAAAAAAAAA' })
  },
  WEBHOOK_UNREACHABLE: (scene) => callWebhook(scene, (response) => void response.socket?.destroy()),
  WEBHOOK_ANSWER_TOO_LARGE: (scene) => callWebhook(scene, (response) => void response.end('x'.repeat(20_000))),
  WEBHOOK_BUSY: async ({ owner }) => {
    const receiver = await startReceiver(app)
    const waiting: (() => void)[] = []
    let allWait = () => {}
    const full = new Promise<void>((resolve) => (allWait = resolve))
    receiver.answer = (response) => void (waiting.push(() => response.end()) === 16 && allWait())
    const body = { url: receiver.url, authenticated: false }
    const { webhookId: id } = (await owner.visitor.call('POST /create_webhook', { body })).body
    const callers = await Promise.all(Array.from({ length: 17 }, () => Program.of(app, owner)))
    for (const caller of callers) await caller.init()
    const calls = callers.slice(0, 16).map((caller) => caller.send('call-webhook', { id }))
    await full
    const busy = await (callers[16] as Program).send('call-webhook', { id })
    for (const end of waiting) end()
    await Promise.all(calls)
    await receiver.close()
    return busy
  },
  APP_NOT_FOUND: ({ program }) =>
    program.send('init', {}, { unsigned: true, headers: { 'x-signet-app': 'AAAAAAAAAA/none' } }),
  MALFORMED_REQUEST: ({ program }) => program.send('init', {}, { raw: '{' }),
  CLOCK_SKEW: ({ program }) => program.send('heartbeat', {}, { time: '1000' }),
  NONCE_REUSED: async ({ program }) => {
    const nonce = 'n'.repeat(22)
    await program.send('init', { version: '1.0.0' }, { nonce })
    return program.send('init', { version: '1.0.0' }, { nonce })
  },
  CANNOT_OPEN_SEALED_BODY: ({ program }) =>
    program.send('init', {}, { raw: 'not sealed', headers: { 'content-type': 'application/octet-stream' } }),
  OWNER_BANNED: async ({ owner, program }) => {
    await setAccountBanned(app, owner.id, true)
    return program.heartbeat()
  },
  APP_DISABLED: async (scene) => {
    await settings(scene, { appStatus: false })
    return scene.program.heartbeat()
  },
  VERSION_OUTDATED: ({ program }) => program.init('0.1'),
  HASH_MISMATCH: async (scene) => {
    await settings(scene, { hashCheck: true, hashToCheck: 'a'.repeat(64) })
    return scene.program.init('1.0.0', { hash: 'b'.repeat(64) })
  },
  VPN_BLOCKED: async (scene) => {
    const { vpnFile } = app.services.config.ipData
    mkdirSync(dirname(vpnFile), { recursive: true })
    writeFileSync(vpnFile, '0.0.0.0/0\n::/0')
    app.advance(11)
    await settings(scene, { vpnBlock: true })
    return scene.program.init()
  },
  DOWNLOAD_NOT_FOUND: async ({ program, key }) => {
    await program.license(key)
    return program.send('download', { id: 'none' })
  },
  SESSION_REQUIRED: ({ program }) => {
    program.session = undefined
    return program.heartbeat()
  },
  SESSION_EXPIRED: ({ program }) => {
    app.advance(3601)
    return program.heartbeat()
  },
  SESSION_ENDED: async ({ program }) => {
    await program.logout()
    return program.heartbeat()
  },
  SESSION_REPLACED: async ({ owner, program, key }) => {
    await program.license(key)
    const second = await Program.of(app, owner)
    await second.init()
    await second.license(key)
    return program.heartbeat()
  },
  NOT_SIGNED_IN: ({ program }) => program.heartbeat(),
  LICENSE_NOT_FOUND: ({ program }) => program.license('NONE'),
  LICENSE_BANNED: async ({ program, key, owns }) => {
    await owns('toggle_ban_license', { licenseKey: key })
    return program.license(key)
  },
  LICENSE_ALREADY_USED: async (scene) => {
    await register(scene)
    return register(scene, { username: 'somebody else' })
  },
  SUBSCRIPTION_EXPIRED: async ({ program, key, owns }) => {
    await program.license(key)
    await owns('update_license', { licenseKey: key, expiry: 60 })
    app.advance(61)
    return program.heartbeat()
  },
  SUBSCRIPTION_PAUSED: async ({ program, key, owns }) => {
    await owns('update_subscription', { level: 1, name: 'Basic', active: false })
    return program.license(key)
  },
  INVALID_CREDENTIALS: ({ program }) => program.login('nobody', password),
  USERNAME_TAKEN: async (scene) => {
    await register(scene)
    const [other = ''] = await newLicenses(scene.owner, 1)
    return register(scene, { licenseKey: other })
  },
  USERNAME_INVALID: (scene) => register(scene, { username: '\u202E\u202E\u202E' }),
  PASSWORD_TOO_SHORT: (scene) => register(scene, { password: 'short' }),
  EMAIL_INVALID: (scene) => register(scene, { email: 'no address' }),
  USER_BANNED: async ({ program, key, owns }) => {
    await program.license(key)
    await owns('toggle_ban_user', { username: key })
    return program.license(key)
  },
  USER_LIMIT_REACHED: async (scene) => {
    const keys = await newLicenses(scene.owner, 10)
    for (const key of keys) await scene.program.license(key)
    await setPlan(app, scene.owner.id, 'Free')
    return register(scene)
  },
  USER_PAUSED: async (scene) => {
    await register(scene)
    await scene.owns('toggle_pause_user', { username: 'a customer' })
    await scene.program.init()
    return scene.program.login('a customer', password)
  },
  VARIABLE_NOT_FOUND: async ({ program, key }) => {
    await program.license(key)
    return program.send('variable', { name: 'none' })
  },
  VARIABLE_REQUIRED: (scene) => setVariable(scene, { name: ' ', value: 'x' }),
  VARIABLE_NAME_INVALID: (scene) => setVariable(scene, { name: 'a\nb', value: 'x' }),
  VARIABLE_NAME_TOO_LONG: (scene) => setVariable(scene, { name: 'n'.repeat(101), value: 'x' }),
  VARIABLE_DATA_TOO_LONG: (scene) => setVariable(scene, { name: 'n', value: 'x'.repeat(10_001) }),
  VARIABLE_LIMIT_REACHED: async (scene) => {
    for (let n = 0; n < 100; n++) await setVariable(scene, { name: `n${n}`, value: 'x' })
    return setVariable(scene, { name: 'one more', value: 'x' })
  },
  LOG_MESSAGE_REQUIRED: ({ program }) => program.send('log', { message: ' ' }),
  LOG_MESSAGE_TOO_LONG: ({ program }) => program.send('log', { message: 'x'.repeat(1001) }),
  HWID_REQUIRED: ({ program, key }) => program.send('license', { key }),
  HWID_TOO_SHORT: ({ program, key }) => program.send('license', { key, hwid: 'short' }),
  HWID_MISMATCH: async ({ program, key }) => {
    await program.license(key)
    program.hwid = 'another-machine'
    return program.license(key)
  },
}

/** The number of concurrent webhook calls is counted per process. */
const ofOneProcess: readonly ClientCode[] = ['WEBHOOK_BUSY']
const codes = (Object.keys(clientErrors) as ClientCode[]).filter(
  (code) => !(hasTwoProcesses && ofOneProcess.includes(code)),
)

test.each(codes)('%s', async (code) => {
  const owner = await newOwnerWithApp(app)
  const [key = ''] = await newLicenses(owner, 1)
  const program = await Program.of(app, owner)
  await program.init()
  const owns = async (call: string, body: object) => {
    const answer = await owner.visitor.send('POST', `/api/1.0/website/${call}`, { body })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  }
  const { status, body } = await ways[code]({ owner, program, key, owns })
  const { status: expected, message } = clientErrors[code]
  expect({ code: body.code, status, success: body.success }).toEqual({ code, status: expected, success: false })
  const shape = new RegExp(
    `^${message.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}|\{\w+, plural, .*\}\}/g, '\\S.*')}$`,
  )
  expect(body.message).toMatch(shape)
  app.advance(61)
})
