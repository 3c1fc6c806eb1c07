import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { publicKeyFromRaw } from '#sdk/public-keys.ts'
import { type EphemeralKey, sealBody } from '#sdk/sealing.ts'
import { concat } from '#sdk/wire.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { hasTwoProcesses, startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let program: Program

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
beforeEach(async () => {
  program = await Program.of(app, owner)
})
afterAll(() => app.close())

const path = (call: string) => `/api/1.0/client/${call}`
let count = 0
async function sealed(
  call: string,
  fields: object,
  change: { as?: string; nonce?: string; key?: string; ephemeralKey?: EphemeralKey } = {},
) {
  const [own] = (await owner.visitor.call('GET /apps')).body.apps
  const nonce = `sealed-nonce-${String(count++).padStart(12, '0')}`
  const time = String(app.services.clock())
  const publicKey = await publicKeyFromRaw('x25519', change.key ?? own?.settings.clientObfuscationKey ?? '')
  const body = concat(JSON.stringify(fields))
  const raw = await sealBody({
    publicKey,
    path: path(change.as ?? call),
    app: program.header,
    nonce: change.nonce ?? nonce,
    time,
    session: program.session,
    ephemeralKey: change.ephemeralKey,
    body,
  })
  return { raw, nonce, time, headers: { 'content-type': 'application/octet-stream' } }
}

test('sealed bodies are opened, and answered like plain ones', async () => {
  const [key = ''] = await newLicenses(owner, 1)
  await program.init()
  const sent = await sealed('license', { key, hwid: program.hwid })
  expect(Buffer.from(sent.raw).includes(key)).toBe(false)
  expect((await program.send('license', undefined, sent)).body).toMatchObject({
    success: true,
    user: { username: key },
  })
})

test("a sealed login replayed in another session doesn't sign in there, whatever its nonce", async () => {
  const [key = ''] = await newLicenses(owner, 1)
  await program.init()
  const sent = await sealed('license', { key, hwid: program.hwid })
  expect((await program.send('license', undefined, sent)).body.success).toBe(true)
  const attacker = await Program.of(app, owner)
  await attacker.init()
  expect((await attacker.send('license', undefined, sent)).body.code).toBe('CANNOT_OPEN_SEALED_BODY')
  const none = { ...sent, nonce: 'a-nonce-of-the-attacker-0' }
  expect((await attacker.send('license', undefined, none)).body.code).toBe('CANNOT_OPEN_SEALED_BODY')
  expect((await attacker.heartbeat()).body.code).toBe('NOT_SIGNED_IN')
  expect((await program.heartbeat()).body.success).toBe(true)
})

// For calls that only read, one-time keys are per process, like nonces.
test.skipIf(hasTwoProcesses)(
  'a sealed body counts once by its encapsulated key, even with another nonce or in another session',
  async () => {
    const ephemeralKey = (await crypto.subtle.generateKey('X25519', false, ['deriveBits'])) as EphemeralKey
    await program.init()
    const first = await sealed('heartbeat', {}, { ephemeralKey })
    expect((await program.send('heartbeat', undefined, first)).body.code).toBe('NOT_SIGNED_IN')
    await program.init()
    const second = await sealed('heartbeat', {}, { ephemeralKey })
    expect(await program.send('heartbeat', undefined, second)).toMatchObject({
      status: 409,
      body: { code: 'NONCE_REUSED', message: 'This request was sent before' },
    })
  },
)

test("sealed bodies that don't open use up nothing", async () => {
  await program.init()
  const good = await sealed('heartbeat', {})
  const cut = { ...good, raw: good.raw.slice(0, -1), nonce: 'nonce-of-one-who-cuts-00' }
  expect((await program.send('heartbeat', undefined, cut)).body.code).toBe('CANNOT_OPEN_SEALED_BODY')
  expect((await program.send('heartbeat', undefined, good)).body.code).toBe('NOT_SIGNED_IN')
})

test('sealed bodies for another call, request or app, and changed or truncated ones, are all rejected alike', async () => {
  await program.init()
  const fields = { version: '1.0.0' }
  const good = await sealed('init', fields)
  const foreign =
    (await (await newOwnerWithApp(app)).visitor.call('GET /apps')).body.apps[0]?.settings.clientObfuscationKey ?? ''
  const flipped = Uint8Array.from(good.raw, (byte, index) => (index === good.raw.length - 20 ? byte ^ 1 : byte))
  const wrong = [
    await sealed('init', fields, { as: 'login' }),
    await sealed('init', fields, { nonce: 'another-nonce-00000000001' }),
    await sealed('init', fields, { key: foreign }),
    { ...good, raw: flipped },
    { ...good, raw: good.raw.slice(0, -1) },
    { ...good, raw: good.raw.slice(0, 10) },
    { ...good, raw: '{"version":"1.0.0"}' },
  ]
  for (const [index, each] of wrong.entries()) {
    const nonce = index === 1 ? each.nonce : `sealed-nonce-rejected-${index}00000`
    const answer = await program.send('init', undefined, index === 1 ? each : { ...each, nonce })
    expect(answer, `case ${index}`).toMatchObject({
      status: 400,
      body: { code: 'CANNOT_OPEN_SEALED_BODY', message: 'The sealed request could not be opened' },
    })
  }
})

test("sealed bodies that don't contain JSON are rejected like plain ones", async () => {
  const [own] = (await owner.visitor.call('GET /apps')).body.apps
  const nonce = 'sealed-but-no-json-000001'
  const time = String(app.services.clock())
  const publicKey = await publicKeyFromRaw('x25519', own?.settings.clientObfuscationKey ?? '')
  const raw = await sealBody({
    publicKey,
    path: path('init'),
    app: program.header,
    nonce,
    time,
    body: concat('{'),
  })
  const answer = await program.send('init', undefined, {
    raw,
    nonce,
    time,
    headers: { 'content-type': 'application/octet-stream' },
  })
  expect(answer.body).toMatchObject({
    code: 'MALFORMED_REQUEST',
    message: 'The request is not of the protocol: the body is not JSON',
  })
})
