import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseDigest } from '#testing/database-digest.ts'
import { expectRejected, hostileBodies, notFlags, notIntegers, notTexts } from '#testing/faults/hostile-input.ts'
import { Program } from '#testing/people/program.ts'
import { expectSaleRejected, newShop, type Shop, sold } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let shop: Shop

beforeAll(async () => {
  app = await startTestApp()
  shop = await newShop(app)
})
afterAll(() => app.close())

test('rejects an unknown field, and the name of an app', async () => {
  for (const query of [{ appId: shop.owner.appId }, { noSuchField: 1 }]) {
    expectRejected(await shop.seller.send('GET', '/settings', { query }), query)
  }
})

test("a key reads its own app's settings without names, keys, and the chat link", async () => {
  const secret = 'https://chat.example/hooks/very-secret'
  const settings = { discordWebhookLink: secret, vpnBlock: true }
  await shop.owner.visitor.call('POST /update_app', { body: { version: '2.4.0', description: 'Private', settings } })
  const body = await sold(shop.seller, 'GET', '/settings')
  expect(body).toEqual({
    success: true,
    settings: {
      version: '2.4.0',
      appStatus: true,
      vpnBlock: true,
      hwidLock: true,
      hashCheck: false,
      minimumHwidLength: 8,
      hashToCheck: '',
      autoUpdateDownloadLink: '',
      webloaderDownloadLink: '',
      sessionExpiryDuration: 3600,
      oneSessionPerCredential: true,
    },
  })
  expect((await sold<{ settings: object }>(shop.other, 'GET', '/settings')).settings).not.toMatchObject({
    version: '2.4.0',
  })
})

interface Saved {
  settings: Record<string, unknown>
}

const hash = 'a'.repeat(64)
const set = (body: object, headers: Record<string, string> = {}) =>
  shop.seller.send<Saved>('PUT', '/settings', { body, headers })

test('rejects what is no setting, and changes nothing', async () => {
  const hostile = {
    version: [...notTexts, '', ' ', 'x'.repeat(33), 'two  spaces', 'a\u202Eb'],
    appStatus: notFlags,
    hashCheck: [...notFlags, true],
    hashToCheck: [...notTexts, 'short', 'g'.repeat(64), 'a'.repeat(65)],
    autoUpdateDownloadLink: [...notTexts, 'no address', 'javascript:alert(1)', 'https://user:secret@prism.example/'],
    webloaderDownloadLink: ['ftp://prism.example/'],
    sessionExpiryDuration: [...notIntegers, 299, 86_401],
    minimumHwidLength: [0, 65],
    appName: ['Other'],
    description: ['x'],
    discordWebhookLink: ['https://chat.example/'],
    clientObfuscationKey: ['x'],
    settings: [{}],
  }
  await expectSaleRejected(app, shop.seller, 'PUT /settings', hostileBodies({ version: '3.0' }, hostile))
})

test('changes what is given and leaves the rest, and programs get it at their next start', async () => {
  await set({ version: '1.0.0' })
  const saved = await set({
    version: ' 3.0.0 ',
    hashCheck: true,
    hashToCheck: hash.toUpperCase(),
    autoUpdateDownloadLink: 'https://prism.example/3.0.0',
  })
  expect(saved.body).toMatchObject({
    code: 'APP_UPDATE_OK',
    message: 'Settings saved successfully!',
    settings: {
      version: '3.0.0',
      hashCheck: true,
      hashToCheck: hash,
      autoUpdateDownloadLink: 'https://prism.example/3.0.0',
      hwidLock: true,
    },
  })
  expect(await sold(shop.seller, 'GET', '/settings')).toMatchObject({ settings: saved.body.settings })
  expect((await (await Program.of(app, shop.owner)).init()).body).toMatchObject({ code: 'VERSION_OUTDATED' })
  await set({ version: '1.0.0', hashCheck: false, appStatus: false })
  expect((await (await Program.of(app, shop.owner)).init()).body).toMatchObject({ code: 'APP_DISABLED' })
  await set({ appStatus: true })
  expect((await (await Program.of(app, shop.owner)).init()).body).toMatchObject({ success: true })
  expect((await set({ hashToCheck: '', hashCheck: true })).body.code).toBe('HASH_REQUIRED')
})

test('with `before`, a setting that somebody else has changed is rejected', async () => {
  await set({ version: '4.0' })
  const late = await set({ version: '4.2', before: { version: '3.9' } })
  expect(late).toMatchObject({ status: 409, body: { code: 'FIELD_CHANGED', current: { version: '4.0' } } })
  expect((await set({ version: '4.1', before: { version: '4.0' } })).status).toBe(200)
})

test("changes only the key's own app, and the audit names the key", async () => {
  const theirs = await sold(shop.other, 'GET', '/settings')
  const last = () => app.db.read.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst()
  await set({ version: '5.0' })
  expect(await last()).toMatchObject({
    act: 'app.update',
    actor_type: 'seller-key',
    actor_id: shop.seller.key.slice(8, 16),
    owner_id: shop.owner.id,
    app_id: shop.owner.appId,
    target: shop.owner.appId,
  })
  expect(await sold(shop.other, 'GET', '/settings')).toEqual(theirs)
})

test('a change that is repeated with its Idempotency-Key is made once', async () => {
  const once = { 'idempotency-key': 'release-6' }
  const first = await set({ version: '6.0' }, once)
  await set({ version: '6.1' })
  const before = await databaseDigest(app.db)
  expect((await set({ version: '6.0' }, once)).body).toEqual(first.body)
  expect((await set({ version: '7.0' }, once)).body.code).toBe('IDEMPOTENCY_KEY_REUSED')
  expect(await databaseDigest(app.db)).toBe(before)
})
