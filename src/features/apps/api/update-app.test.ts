import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectAllRejected, expectRejected, notTexts, seen } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let stranger: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app, 'Settings App')
  stranger = await newOwnerWithApp(app)
})
beforeEach(() => save({ appName: 'Settings App', settings: { hashCheck: false, hashToCheck: '' } }))
afterAll(() => app.close())

const hash = 'ab'.repeat(32)

const save = (body: object) =>
  owner.visitor.send('POST', '/api/1.0/website/update_app', { body: { appId: owner.appId, ...body } })
async function settings() {
  const { body } = await owner.visitor.call('GET /active_app')
  if (!body.app) throw new Error('No app is selected')
  return body.app.settings
}

describe('saving', () => {
  const everything = {
    appStatus: false,
    vpnBlock: true,
    hwidLock: false,
    hashCheck: true,
    minimumHwidLength: 12,
    hashToCheck: 'ab'.repeat(32),
    autoUpdateDownloadLink: 'https://example.com/update.exe',
    webloaderDownloadLink: 'http://example.com/loader',
    discordWebhookLink: 'https://discord.example/api/webhooks/1/x',
    sessionExpiryDuration: 900,
    oneSessionPerCredential: false,
    version: '2.1',
  }

  test('keeps every setting, and replies with the specified message', async () => {
    const { status, body } = await save({ settings: everything })
    expect(status).toBe(200)
    expect(body).toMatchObject({ code: 'APP_UPDATE_OK', message: 'Settings saved successfully!' })
    expect(await settings()).toMatchObject(everything)
    await save({ settings: { ...everything, appStatus: true, hwidLock: true } })
  })

  test("fields that aren't sent stay unchanged", async () => {
    await save({ settings: everything })
    const before = await settings()
    for (const change of [
      {},
      { settings: {} },
      { version: '2.1' },
      { description: 'new' },
      { settings: { vpnBlock: true } },
    ])
      await save(change)
    expect(await settings()).toEqual(before)
  })

  test('numbers can be sent as text, as forms do', async () => {
    expect((await save({ settings: { minimumHwidLength: '16', sessionExpiryDuration: '7200' } })).status).toBe(200)
    expect(await settings()).toMatchObject({ minimumHwidLength: 16, sessionExpiryDuration: 7200 })
  })

  test('two saves with swapped keys, as the screen sends them, leave both keys unchanged', async () => {
    const { clientObfuscationKey, serverObfuscationKey } = await settings()
    for (let round = 0; round < 2; round++) {
      const now = await settings()
      const swapped = { clientObfuscationKey: now.serverObfuscationKey, serverObfuscationKey: now.clientObfuscationKey }
      expect((await save({ settings: swapped })).status).toBe(200)
      expect(await settings()).toMatchObject({ clientObfuscationKey, serverObfuscationKey })
    }
    await save({ settings: { clientObfuscationKey: 'mine', serverObfuscationKey: '' } })
    expect(await settings()).toMatchObject({ clientObfuscationKey, serverObfuscationKey })
  })

  test('links are trimmed, and an empty one removes the link', async () => {
    await save({ settings: { autoUpdateDownloadLink: '  https://example.com/x  ' } })
    expect((await settings()).autoUpdateDownloadLink).toBe('https://example.com/x')
    await save({ settings: { autoUpdateDownloadLink: '' } })
    expect((await settings()).autoUpdateDownloadLink).toBe('')
  })

  test('a hash is stored in lowercase, and can be kept or removed', async () => {
    await save({ settings: { hashCheck: true, hashToCheck: 'AB'.repeat(32) } })
    expect((await settings()).hashToCheck).toBe('ab'.repeat(32))
    expect((await save({ settings: { hashToCheck: '' } })).body.message).toBe(
      'Hash to check is required while hash check is on',
    )
    expect((await save({ settings: { hashCheck: false, hashToCheck: '' } })).status).toBe(200)
  })
})

describe('the specified ranges', () => {
  const length = 'Minimum HWID length must be between 1 and 64'
  const expiry = 'Session expiry must be between 300 and 86400'
  test.each([
    [{ minimumHwidLength: 0 }, 'MIN_HWID_LENGTH_INVALID', length],
    [{ minimumHwidLength: 65 }, 'MIN_HWID_LENGTH_INVALID', length],
    [{ minimumHwidLength: '0' }, 'MIN_HWID_LENGTH_INVALID', length],
    [{ minimumHwidLength: -8 }, 'MIN_HWID_LENGTH_INVALID', length],
    [{ sessionExpiryDuration: 299 }, 'SESSION_EXPIRY_INVALID', expiry],
    [{ sessionExpiryDuration: 86_401 }, 'SESSION_EXPIRY_INVALID', expiry],
    [{ sessionExpiryDuration: '299' }, 'SESSION_EXPIRY_INVALID', expiry],
    [{ hashToCheck: '', hashCheck: true }, 'HASH_REQUIRED', 'Hash to check is required while hash check is on'],
    [{ hashToCheck: 'abc' }, 'HASH_INVALID', 'Hash to check must be a SHA-256 in hexadecimal (64 characters)'],
    [{ autoUpdateDownloadLink: 'javascript:x' }, 'AUTO_UPDATE_LINK_INVALID', 'Auto update link must be a valid URL'],
    [{ webloaderDownloadLink: 'ftp://example.com/x' }, 'WEBLOADER_LINK_INVALID', 'Webloader link must be a valid URL'],
    [{ discordWebhookLink: 'discord' }, 'WEBHOOK_LINK_INVALID', 'Chat webhook link must be a valid URL'],
    [
      { discordWebhookLink: 'http://d.example/' },
      'WEBHOOK_LINK_NOT_HTTPS',
      'Chat webhook link must be an https:// URL',
    ],
    [{ version: 'not\na one' }, 'APP_VERSION_INVALID', 'Version can have up to 32 visible characters'],
  ])('%j is %s: %s', async (change, code, message) => {
    const before = await settings()
    // The request also contains a valid change: a save is applied completely or not at all.
    const answer = await save({ settings: { vpnBlock: !before.vpnBlock, ...change } })
    expectRejected(answer, change)
    expect(answer.body).toMatchObject({ code, message, field: Object.keys(change)[0] })
    expect(await settings()).toEqual(before)
  })

  test.each([
    { minimumHwidLength: 1 },
    { minimumHwidLength: 64 },
    { sessionExpiryDuration: 300 },
    { sessionExpiryDuration: 86_400 },
    { sessionExpiryDuration: 301 },
  ])('%j is allowed', async (change) => {
    expect((await save({ settings: change })).status).toBe(200)
    expect(await settings()).toMatchObject(change)
  })
})

describe('two at once', () => {
  const current = async () => (await owner.visitor.call('GET /active_app')).body.app

  test('a save over a field changed in the meantime changes nothing', async () => {
    await save({ version: '1.0', settings: { sessionExpiryDuration: 600 } })
    await save({ version: '2.0', settings: { sessionExpiryDuration: 900 } })
    const theirs = await current()
    const before = { version: '1.0', sessionExpiryDuration: 600 }
    const answer = await save({ before, version: '3.0', settings: { sessionExpiryDuration: 900, vpnBlock: true } })
    expectRejected(answer, before, 409)
    // Both set 900, which is not a conflict.
    expect(answer.body).toMatchObject({ code: 'FIELD_CHANGED', current: { version: '2.0' } })
    expect(answer.body['current']).toEqual({ version: '2.0' })
    expect(await current()).toEqual(theirs)
  })

  test('another field, or the same value in another spelling, is no conflict', async () => {
    await save({ settings: { hwidLock: true, autoUpdateDownloadLink: '', hashToCheck: '' } })
    await save({ settings: { hwidLock: false, autoUpdateDownloadLink: 'https://example.com/x', hashToCheck: hash } })
    const before = { vpnBlock: (await settings()).vpnBlock, autoUpdateDownloadLink: '', hashToCheck: '' }
    const sent = { autoUpdateDownloadLink: ' https://example.com/x ', hashToCheck: hash.toUpperCase() }
    expect((await save({ before, settings: { ...sent, vpnBlock: !before.vpnBlock } })).status).toBe(200)
    expect(await settings()).toMatchObject({ vpnBlock: !before.vpnBlock, hwidLock: false, hashToCheck: hash })
  })

  test('exactly one of 10 parallel changes of a field succeeds', async () => {
    await save({ description: 'first' })
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => save({ before: { description: 'first' }, description: `by ${n}` })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'FIELD_CHANGED')).toHaveLength(9)
  })

  test('rejects impossible values of before', async () => {
    const bodies = [
      null,
      [],
      'x',
      { settings: {} },
      { appName: 5 },
      { vpnBlock: 'true' },
      { minimumHwidLength: '8 characters' },
    ]
    await expectAllRejected(
      app,
      owner.visitor,
      '/update_app',
      [...bodies, { clientObfuscationKey: 'x' }, { description: '\0' }].map((before) => ({ before, version: '4' })),
    )
  })
})

describe('renaming', () => {
  test('keeps the app, its selection, its keys, and its contents', async () => {
    const before = await settings()
    expect((await save({ appName: 'Renamed App' })).body['app']).toMatchObject({
      appId: owner.appId,
      appName: 'Renamed App',
    })
    const { body } = await owner.visitor.call('GET /active_app')
    expect(body.app).toMatchObject({ appId: owner.appId, appName: 'Renamed App' })
    expect(await settings()).toEqual(before)
    expect((await owner.visitor.call('GET /subscriptions')).body.subscriptions).toMatchObject([{ name: 'Basic' }])
  })

  test('to its own name in another case is allowed', async () => {
    expect((await save({ appName: 'SETTINGS app' })).body['app']).toMatchObject({ appName: 'SETTINGS app' })
  })

  test('to an existing name, in any case, is rejected', async () => {
    await owner.visitor.call('POST /create_app', { body: { appName: 'Other App' } })
    await owner.visitor.call('POST /select_app', { body: { appId: owner.appId } })
    const answer = await save({ appName: 'oTHER aPP', version: '9.9' })
    expectRejected(answer, 'taken', 409)
    expect(answer.body).toMatchObject({ code: 'APP_NAME_TAKEN' })
    expect((await owner.visitor.call('GET /active_app')).body.app).toMatchObject({ appName: 'Settings App' })
    expect((await settings()).version).not.toBe('9.9')
  })

  test.each([['ab'], ['  '], ['a'.repeat(51)], ['né né'], ['a\nb c']])('to %j is rejected', async (appName) => {
    expectRejected(await save({ appName }), appName)
  })

  test('exactly one of two parallel renames to a name succeeds, and neither gets a 5xx', async () => {
    for (let round = 0; round < 10; round++) {
      const ids = await Promise.all(
        ['Left', 'Right'].map(
          async (side) =>
            (await owner.visitor.call('POST /create_app', { body: { appName: `${side} ${round}` } })).body.appId,
        ),
      )
      const answers = await Promise.all(ids.map((appId) => save({ appId, appName: `Both ${round}` })))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    }
    await owner.visitor.call('POST /select_app', { body: { appId: owner.appId } })
  })
})

describe('rejecting', () => {
  test('rejects hostile bodies and changes nothing', async () => {
    const notFlags = ['true', 'yes', 1, 0, null, [], {}, 1e308]
    const notNumbers = [
      '',
      'abc',
      '1e3',
      '-1',
      '1.5',
      1.5,
      1e308,
      -1e308,
      true,
      null,
      [],
      {},
      '9'.repeat(7),
      'NaN',
      '0x10',
    ]
    const hostile: Record<string, readonly unknown[]> = {
      appStatus: notFlags,
      vpnBlock: notFlags,
      hwidLock: notFlags,
      hashCheck: notFlags,
      oneSessionPerCredential: notFlags,
      minimumHwidLength: notNumbers,
      sessionExpiryDuration: notNumbers,
      hashToCheck: [...notTexts, 'a'.repeat(129)],
      autoUpdateDownloadLink: [...notTexts, `https://example.com/${'x'.repeat(2000)}`],
      webloaderDownloadLink: notTexts,
      discordWebhookLink: notTexts,
      version: notTexts,
      clientObfuscationKey: [5, null, [], {}, 'k'.repeat(201)],
    }
    const bodies = Object.entries(hostile).flatMap(([name, values]) =>
      values.map((value) => ({ settings: { [name]: value } })),
    )
    const more = [
      { settings: { ownerId: 'x' } },
      { settings: [] },
      { settings: null },
      { settings: 'x' },
      { deleted_at: 1 },
      { ownerId: stranger.id },
    ]
    const texts = notTexts.flatMap((text) => [{ appName: text }, { version: text }, { description: text }])
    const whole = [...bodies, ...more, ...texts].map((body) => ({ appId: owner.appId, ...body }))
    await expectAllRejected(app, owner.visitor, '/update_app', [
      ...whole,
      ...notTexts.map((appId) => ({ appId })),
      `{"appId":"${owner.appId}","settings":{"__proto__":{"appStatus":false}}}`,
      [],
      'null',
    ])
  })

  test("another owner's app looks like a missing one even if the request is invalid", async () => {
    const invalid = (appId: string) =>
      stranger.visitor.send('POST', '/api/1.0/website/update_app', { body: { appId, appName: 'x' } })
    expect(seen(await invalid(owner.appId))).toBe(seen(await invalid('app_AAAAAAAAAAAAAAAA')))
  })
})
