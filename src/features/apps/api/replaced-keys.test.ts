import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { publicKeyFromRaw } from '#sdk/public-keys.ts'
import { sealBody } from '#sdk/sealing.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startSecondServer } from '#testing/servers/second-server.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { openRootKey } from '../app-keys.ts'
import { findOwnApp, listReplacedKeys } from '../apps.reads.ts'

let app: TestApp
let owner: OwnedApp
/** Contains the keys from before every replacement. */
let program: Program

beforeAll(async () => {
  app = await startTestApp()
})
beforeEach(async () => {
  owner = await newOwnerWithApp(app)
  program = await Program.of(app, owner)
  await program.init()
})
afterAll(() => app.close())

const replace = (of: OwnedApp = owner) => of.visitor.call('POST /replace_app_keys', { body: { appId: of.appId } })
const retire = (of: OwnedApp = owner) => of.visitor.call('POST /retire_replaced_keys', { body: { appId: of.appId } })
const replacedAt = async () => (await owner.visitor.call('GET /replaced_app_keys')).body.replacedAt
const settings = async () => {
  const { body } = await owner.visitor.call('GET /apps')
  const { clientObfuscationKey = '', serverObfuscationKey = '' } = body.apps[0]?.settings ?? {}
  return { clientObfuscationKey, serverObfuscationKey }
}
const row = async () => {
  const found = await findOwnApp(app.db.read, owner.id, owner.appId)
  if (!found) throw new Error('no app')
  return found
}

describe('replacing the keys of an app', () => {
  test("of another owner's app changes nothing", async () => {
    const stranger = await newOwnerWithApp(app)
    const before = await settings()
    for (const path of ['POST /replace_app_keys', 'POST /retire_replaced_keys'] as const) {
      const { status, body } = await stranger.visitor.call(path, { body: { appId: owner.appId } })
      expect([status, body]).toMatchObject([404, { code: 'APP_NOT_FOUND' }])
    }
    expect(await settings()).toEqual(before)
  })

  test('requires that the password was confirmed within the last five minutes', async () => {
    const before = await settings()
    app.advance(301)
    for (const change of [replace, retire]) expect((await change()).status).toBe(403)
    expect(await settings()).toEqual(before)
  })

  test('gives new keys, and programs with the keys of before keep working', async () => {
    const before = await settings()
    const [key = ''] = await newLicenses(owner, 1)
    await program.license(key)
    const { status, body } = await replace()
    const after = await settings()
    expect([status, body]).toMatchObject([200, { code: 'APP_KEYS_REPLACE_OK', ...after }])
    expect(after.clientObfuscationKey).not.toBe(before.clientObfuscationKey)
    expect(after.serverObfuscationKey).not.toBe(before.serverObfuscationKey)
    expect((await program.heartbeat()).status).toBe(200)
    const updated = await Program.of(app, owner)
    await updated.init()
    expect((await updated.license(key)).status).toBe(200)
    expect((await program.init()).status).toBe(200)
    expect(await replacedAt()).toEqual([app.now()])
  })

  test("a server with the earlier root key can't answer programs with the new one", async () => {
    const stolen = openRootKey(app.services.masterKey, await row())
    const { serverObfuscationKey: before } = await settings()
    await replace()
    const replaced = await listReplacedKeys(app.db.read, owner.appId)
    expect(replaced).toMatchObject([{ root_public_key: before, number: 1 }])
    // Nothing that is stored opens to the private half of before.
    expect(Object.keys(replaced[0] ?? {}).filter((name) => name.includes('private'))).toEqual(['box_private_sealed'])
    const now = openRootKey(app.services.masterKey, await row())
    expect(now.equals(stolen)).toBe(false)
  })

  test('bodies sealed for either sealing key are opened', async () => {
    const before = await settings()
    await replace()
    const after = await settings()
    for (const key of [before.clientObfuscationKey, after.clientObfuscationKey]) {
      const nonce = randomBytes(16).toString('base64url')
      const time = String(app.services.clock())
      const request = { path: '/api/1.0/client/init', app: program.header, nonce, time, session: undefined }
      const body = Buffer.from(JSON.stringify({ version: '1.0.0' }))
      const raw = await sealBody({ ...request, body, publicKey: await publicKeyFromRaw('x25519', key) })
      program.session = undefined
      const headers = { 'content-type': 'application/octet-stream' }
      expect((await program.send('init', {}, { nonce, time, raw, headers })).status).toBe(200)
    }
  })

  test('four times works for programs of each age, and a fifth time is rejected', async () => {
    const programs = [program]
    for (let n = 0; n < 4; n++) {
      expect((await replace()).status).toBe(200)
      programs.push(await Program.of(app, owner))
    }
    const before = await settings()
    const { status, body } = await replace()
    expect([status, body]).toMatchObject([409, { code: 'REPLACED_KEYS_LIMIT', values: { max: 4 } }])
    expect(await settings()).toEqual(before)
    for (const each of programs) expect((await each.init()).status).toBe(200)
    expect(await replacedAt()).toHaveLength(4)
  })

  test('the signing key is renewed later with the announcements', async () => {
    await replace()
    app.advance(31 * 86_400)
    await owner.visitor.call('POST /login', { body: { username: owner.username, password: owner.password } })
    expect((await program.init()).status).toBe(200)
    expect((await (await Program.of(app, owner)).init()).status).toBe(200)
  })

  test('at once on every server, also while the signing key is renewed', async () => {
    const second = await startSecondServer(app)
    const beside = await Program.of(second, owner)
    await beside.init()
    app.advance(31 * 86_400)
    await owner.visitor.call('POST /login', { body: { username: owner.username, password: owner.password } })
    await Promise.all([replace(), program.init(), beside.init()])
    expect(await replacedAt()).toHaveLength(1)
    for (const each of [program, beside, await Program.of(app, owner), await Program.of(second, owner)])
      expect((await each.init()).status).toBe(200)
    await second.close()
  })

  test('twelve at once replace at most four times, each key announced by the one before', async () => {
    const statuses = await Promise.all(Array.from({ length: 12 }, async () => (await replace()).status))
    expect(statuses.filter((status) => status === 200)).toHaveLength(4)
    expect(statuses.filter((status) => status === 409)).toHaveLength(8)
    expect((await program.init()).status).toBe(200)
  })

  test('is in the audit log', async () => {
    await replace()
    await retire()
    const { body } = await owner.visitor.call('GET /audit')
    expect(body.entries.slice(0, 2)).toMatchObject([{ act: 'app.retire-keys' }, { act: 'app.replace-keys' }])
  })
})

describe('retiring earlier keys', () => {
  test('is rejected if there are none', async () => {
    const { status, body } = await retire()
    expect([status, body]).toMatchObject([409, { code: 'NO_REPLACED_KEYS' }])
    expect((await program.init()).status).toBe(200)
  })

  test('ends programs that contain them, and no others', async () => {
    await replace()
    const updated = await Program.of(app, owner)
    const { status, body } = await retire()
    expect([status, body]).toMatchObject([200, { code: 'APP_KEYS_RETIRE_OK', retired: 1 }])
    await expect(program.init()).rejects.toMatchObject({ code: 'UNKNOWN_KEY' })
    expect((await updated.init()).status).toBe(200)
    expect(await replacedAt()).toEqual([])
  })

  test('ends the opening of bodies sealed for them', async () => {
    const { clientObfuscationKey } = await settings()
    await replace()
    await retire()
    const updated = await Program.of(app, owner)
    const nonce = randomBytes(16).toString('base64url')
    const time = String(app.services.clock())
    const request = { path: '/api/1.0/client/init', app: updated.header, nonce, time, session: undefined }
    const publicKey = await publicKeyFromRaw('x25519', clientObfuscationKey)
    const raw = await sealBody({ ...request, body: Buffer.from('{"version":"1.0.0"}'), publicKey })
    const headers = { 'content-type': 'application/octet-stream' }
    const { body } = await updated.send('init', {}, { nonce, time, raw, headers })
    expect(body.code).toBe('CANNOT_OPEN_SEALED_BODY')
  })

  test('makes room for further replacements', async () => {
    for (let n = 0; n < 4; n++) await replace()
    await retire()
    expect((await replace()).status).toBe(200)
    expect((await (await Program.of(app, owner)).init()).status).toBe(200)
  })
})
