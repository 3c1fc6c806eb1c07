import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startSecondServer } from '#testing/servers/second-server.ts'
import { hasTwoProcesses, startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { programApps } from './program-apps.ts'

/** The signing keys of an app as its programs see them; `Program` verifies each certificate and its validity. */
let app: TestApp
let owner: OwnedApp
let program: Program

beforeAll(async () => {
  app = await startTestApp()
})
beforeEach(async () => {
  owner = await newOwnerWithApp(app)
  program = await Program.of(app, owner)
})
afterAll(() => app.close())

const day = 86_400
async function keyOf(each = program) {
  const { status, headers } = await each.init()
  expect(status).toBe(200)
  const [payload = ''] = (headers.get('x-signet-certificate') ?? '').split('.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as { kid: string; serial: number; notAfter: number }
}
const serials = async () => {
  const rows = await app.db.read
    .selectFrom('app_signing_keys')
    .select('serial')
    .where('app_id', '=', owner.appId)
    .execute()
  return rows.map(({ serial }) => serial).toSorted((a, b) => a - b)
}

test('a signing key is used while more than half of its 60 days is left, then the next one follows (R-CLI-07)', async () => {
  const first = await keyOf()
  expect(first.serial).toBe(1)
  app.advance(29 * day)
  expect(await keyOf()).toEqual(first)
  app.advance(2 * day)
  const second = await keyOf()
  expect(second).toMatchObject({ serial: 2 })
  expect(second.kid).not.toBe(first.kid)
  expect(second.notAfter).toBeGreaterThan(first.notAfter)
})

test('an app without calls for a year answers at once, with a current key', async () => {
  await keyOf()
  app.advance(365 * day)
  expect((await keyOf()).notAfter).toBeGreaterThan(app.now())
  expect(await serials()).toEqual([1, 2])
})

test('two servers that renew at once end up with one key (R-CLI-07)', async () => {
  await keyOf()
  const second = await startSecondServer(app)
  const beside = await Program.of(second, owner)
  for (let renewals = 1; renewals <= 10; renewals++) {
    app.advance(31 * day)
    const keys = await Promise.all([keyOf(), keyOf(beside), keyOf(), keyOf(beside)])
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(1)
    expect((await serials()).at(-1)).toBe(renewals + 1)
  }
  await second.close()
})

test("a change by the owner applies on the program's next call, on every server", async () => {
  const second = await startSecondServer(app)
  const beside = await Program.of(second, owner)
  expect([(await program.init()).status, (await beside.init()).status]).toEqual([200, 200])
  await owner.visitor.call('POST /login', { body: { username: owner.username, password: owner.password } })
  await owner.visitor.call('POST /update_app', { body: { appId: owner.appId, version: '2.0' } })
  for (const each of [program, beside]) expect((await each.init('1.0.0')).body.code).toBe('VERSION_OUTDATED')
  for (const each of [program, beside]) expect((await each.init('2.0')).status).toBe(200)
  await second.close()
})

// The counter is per process, and another one may reply.
describe.skipIf(hasTwoProcesses)('keys are decrypted once and kept in memory', () => {
  const opened = () => programApps(app.services).opened
  const update = (each: OwnedApp) =>
    each.visitor.call('POST /update_app', { body: { appId: each.appId, version: '1.0.0' } })
  /** Again if the machine was so slow that the connection for other processes' changes was silent: then all are dropped. */
  const unlessDropped = (counts: () => Promise<void>) => vi.waitFor(counts, { timeout: 20_000 })

  test("while other owners change their apps; the owner's own change decrypts them once", async () => {
    const others = await Promise.all(Array.from({ length: 3 }, () => newOwnerWithApp(app)))
    for (const other of others) await (await Program.of(app, other)).init()
    await unlessDropped(async () => {
      await program.init()
      const before = opened()
      for (const other of others) expect((await update(other)).status).toBe(200)
      for (let n = 0; n < 5; n++) expect((await program.init()).status).toBe(200)
      expect(opened()).toBe(before)
      await update(owner)
      for (let n = 0; n < 5; n++) expect((await program.init()).status).toBe(200)
      expect(opened()).toBe(before + 1)
    })
  })

  test("while other owners' accounts change", async () => {
    const other = await newOwnerWithApp(app)
    await unlessDropped(async () => {
      await program.init()
      const before = opened()
      app.db.events.publish(`account:${other.id}`)
      await program.init()
      expect(opened()).toBe(before)
      app.db.events.publish(`account:${owner.id}`)
      await program.init()
      expect(opened()).toBe(before + 1)
    })
  })

  test('once for an app, however its programs spell its name, also for simultaneous calls', async () => {
    const names = [owner.appName, owner.appName.toUpperCase(), owner.appName.toLowerCase()]
    const before = opened()
    const find = (name: string) => programApps(app.services).find(owner.id, name)
    await Promise.all([...names, ...names].map(find))
    for (const name of names) await find(name)
    expect(opened()).toBe(before + 1)
  })

  test('until anything may have changed', async () => {
    await program.init()
    const before = opened()
    app.db.events.publishReset()
    await program.init()
    expect(opened()).toBe(before + 1)
  })

  test('except that an app that changes while it is read is read again', async () => {
    await program.init()
    app.db.events.publish(`app:${owner.appId}`)
    const before = opened()
    const reading = programApps(app.services).find(owner.id, owner.appName)
    app.db.events.publish(`app:${owner.appId}`)
    await reading
    await program.init()
    expect(opened()).toBe(before + 2)
  })
})
