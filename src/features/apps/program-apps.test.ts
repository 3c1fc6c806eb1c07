import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newOwnerWithApp, type OwnedApp } from '#testing/people.ts'
import { Program } from '#testing/program.ts'
import { startSecondServer } from '#testing/second-server.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** The signing keys of an app as its programs see them; `Program` checks each certificate and its time. */
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

test('a signing key serves while more than half of its 60 days is left, then the next one follows (R-CLI-07)', async () => {
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

test('an app that nobody asked for a year answers at once, with a key of now', async () => {
  await keyOf()
  app.advance(365 * day)
  expect((await keyOf()).notAfter).toBeGreaterThan(app.now())
  expect(await serials()).toEqual([1, 2])
})

test('two servers that renew together end with one key (R-CLI-07)', async () => {
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

test('what the owner changes is known to programs on the next call, on every server', async () => {
  const second = await startSecondServer(app)
  const beside = await Program.of(second, owner)
  expect([(await program.init()).status, (await beside.init()).status]).toEqual([200, 200])
  await owner.visitor.call('POST /login', { body: { username: owner.username, password: owner.password } })
  await owner.visitor.call('POST /update_app', { body: { appId: owner.appId, version: '2.0' } })
  for (const each of [program, beside]) expect((await each.init('1.0.0')).body.code).toBe('VERSION_OUTDATED')
  for (const each of [program, beside]) expect((await each.init('2.0')).status).toBe(200)
  await second.close()
})
